internal import BrokerJSON
internal import BrokerRPC
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallProtocol
internal import CallStore

/// The choice of the provider that places a call.
struct ProviderChoice {
    let broker: Broker

    /// Returns the provider of a start; nil for any other action.
    func chooseProvider(
        for action: CallAction, named provider: ProviderID?, _ peer: Peer
    ) throws(RPCError) -> ProviderID? {
        guard case .start(let start) = action else { return nil }
        return try chooseProvider(
            for: start, DialledKind(start.remote), named: provider, peer)
    }

    /// Returns the provider of a call: the one that is named, the requesting app, the one that has
    /// the named line, the one chosen for the contact, the policy's default for the scheme, or the
    /// only one that can place the call, in this order. An emergency of the user is placed by the
    /// best one that can.
    func chooseProvider(
        for start: StartArguments, _ kind: DialledKind, named provider: ProviderID?, _ peer: Peer
    ) throws(RPCError) -> ProviderID {
        if peer.session == nil, broker.arbiter.policy.allowsEmergency,
            start.isEmergency || broker.emergencies.isEmergency(number: start.remote),
            let best = broker.emergencies.emergencyProviders(
                kind, hasVideo: start.hasVideo, named: provider
            ).first
        {
            return best
        }
        if let named = provider ?? peer.session?.provider {
            try broker.policy.checkAuthorized(named, .requestTransaction)
            return named
        }
        if let line = start.line { return try providerOfLine(line) }
        let able = able(kind, broker.policy.choices.isAuthorized)
        let usual = kind.scheme.flatMap { broker.policy.choices.defaultProviders[$0] }
        for choice in [broker.store.preferredApps[start.remote], usual] {
            if let choice, able.contains(choice) { return choice }
        }
        guard let first = able.first else { throw noProvider(for: kind) }
        guard able.count == 1 else { throw Self.ambiguous(able, kind.scheme) }
        return first
    }

    private func providerOfLine(_ line: String) throws(RPCError) -> ProviderID {
        let able = broker.lineChoice.providers(of: line)
        guard let first = able.first else { throw LineChoice.unknownLine }
        guard able.count == 1 else { throw Self.ambiguous(able, nil) }
        return first
    }

    /// Returns the candidates that declare that they can place a call of a kind; all of them if none
    /// does and the client has named an address instead of a link.
    private func able(_ kind: DialledKind, _ isChoice: (ProviderID) -> Bool) -> [ProviderID] {
        let all = Set(broker.sessions.registered + broker.demand.startableProviders).sorted()
            .filter(isChoice)
        let able = all.filter { canDial(kind, $0) }
        return able.isEmpty && !kind.isLink ? all : able
    }

    func canDial(_ kind: DialledKind, _ provider: ProviderID) -> Bool {
        guard let configuration = broker.demand.configuration(of: provider) else { return false }
        return kind.scheme.map(configuration.canDial) ?? false
            || kind.handle.map(configuration.handleKinds.contains) ?? false
    }

    private func noProvider(for kind: DialledKind) -> RPCError {
        let idle = able(kind) { !broker.policy.choices.isAuthorized($0) }
        return RPCError(
            Refusal(.unknownProvider, rule: .unknownCall), .requestTransaction
        ).with {
            $0.hint =
                idle.isEmpty
                ? "start an app that can place the call; provider.list shows what is there"
                : idle.map { broker.policy.notAllowed($0) }.joined(separator: "; ")
        }
    }

    private static func ambiguous(_ able: [ProviderID], _ scheme: String?) -> RPCError {
        RPCError(
            .invalidState, reason: .ambiguousProvider, "several providers could place the call"
        ).with { error in
            error.hint =
                "name one of the candidates in provider; or set it once and for all, for the "
                + "contact with contact.put, for all of the scheme with policy.set "
                + "(default_provider)"
            var writer = JSONWriter()
            writer.name("candidates")
            writer.array { writer in for provider in able { writer.value(provider) } }
            writer.member("scheme", ifSet: scheme)
            error.extra = writer.bytes
        }
    }
}

/// The kind of address that a provider has to be able to dial.
struct DialledKind {
    let scheme: String?
    let handle: Handle.Kind?
    /// True if the address is part of a link, which is for providers that registered its scheme. A
    /// plain address that no provider declares may be placed by any of them.
    let isLink: Bool

    /// Creates the kind of a link. `tel` and `mailto` are numbers and addresses that many providers can
    /// dial; other schemes are for the providers that registered them.
    init(_ address: DialledAddress) {
        isLink = true
        scheme = address.scheme
        handle = address.handle.kind == .generic ? nil : address.handle.kind
    }

    init(_ remote: Handle) {
        isLink = false
        handle = remote.kind
        switch remote.kind {
        case .phone: scheme = "tel"
        case .email: scheme = "mailto"
        case .generic, .other: scheme = (try? DialledAddress(remote.value))?.scheme
        }
    }
}
