internal import BrokerRPC
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallProtocol

/// The choice of the line that places a call.
struct LineChoice {
    let broker: Broker

    /// Returns the arguments of a start with the line that places the call: the one that is named, or
    /// the provider's default. Without a default the app chooses. The line of a provider that is not
    /// started yet is chosen when it has registered. An emergency is placed by any line.
    func place(
        _ start: StartArguments, at provider: ProviderID
    ) throws(RPCError) -> StartArguments {
        let configuration = configuration(of: provider)
        var placed = start
        if let line = start.line, Self.isUnknown(line, in: configuration) {
            guard isEmergency(start) else { throw Self.unknownLine }
            placed.line = nil
        }
        placed.line = placed.line ?? configuration?.defaultLine?.id
        return placed
    }

    /// An id with control characters is none: an app may pass it to a control line.
    private static func isUnknown(_ line: String, in configuration: ProviderConfiguration?) -> Bool
    {
        line.hasControlCharacter || configuration.map { $0.line(line) == nil } ?? false
    }

    /// The configuration of a provider that has registered its lines.
    private func configuration(of provider: ProviderID) -> ProviderConfiguration? {
        broker.arbiter.isStarting(provider) ? nil : broker.configuration(of: provider)
    }

    private func isEmergency(_ start: StartArguments) -> Bool {
        broker.arbiter.policy.allowsEmergency
            && (start.isEmergency || broker.emergencies.isEmergency(number: start.remote))
    }

    /// Returns the providers that have a line, or had it before they can be started again, and may
    /// have calls.
    func providers(of line: String) -> [ProviderID] {
        Set(broker.sessions.registered + broker.demand.startableProviders).sorted().filter {
            broker.policy.choices.isAuthorized($0)
                && broker.demand.configuration(of: $0)?.line(line) != nil
        }
    }

    static let unknownLine = RPCError(
        .notFound, reason: .unknownLine, "no such line at the provider"
    ).with {
        $0.field = "/line"
        $0.hint = "provider.list has the lines of each provider"
    }

    /// Checks that a report names a line of its provider.
    func check(_ update: CallUpdate, of provider: ProviderID) throws(RPCError) {
        guard case .set(let line) = update.line,
            broker.configuration(of: provider)?.line(line) == nil
        else { return }
        throw Self.unknownLine
    }

    /// Checks that the lines of a configuration differ, and that one of them at most is the default.
    static func check(_ lines: [Line]) throws(RPCError) {
        let isGood =
            Set(lines.map(\.id)).count == lines.count && lines.count(where: \.isDefault) <= 1
            && !lines.contains(where: \.id.hasControlCharacter)
            && lines.allSatisfy { Set($0.settings.map(\.kind)).count == $0.settings.count }
        guard isGood else {
            throw RPCError(
                .invalidParams, reason: .invalidValue,
                "the ids of lines must differ and have no control characters, at most one line is the "
                    + "default, and a line has each setting once"
            ).with { $0.field = "/lines" }
        }
    }
}
