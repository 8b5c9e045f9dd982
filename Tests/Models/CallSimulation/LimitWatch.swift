internal import CallArbitration
internal import CallModel

/// Limits are never exceeded by a request (I7). Providers may exceed some of them by what they
/// report or fail to do, and so may a policy that becomes stricter: a number may then stay too high,
/// until it has been within the limit again with nothing under way. So may an emergency, which breaks
/// off what others wanted, and comes in beside whatever rings, as a call-back does; a call that rings on
/// as its answer was cancelled, beside those that came in meanwhile; a call that is pulled, likewise
/// (rule 47); and a plan before it is done.
struct LimitWatch: Sendable {
    private var configurations: [ProviderID: ProviderConfiguration] = [:]
    /// Too high, and not by a request.
    private var excused: Set<String> = []
    private var incoming: [CallView] = []
    private var elsewhere: Set<CallID> = []

    mutating func take(
        _ event: ArbiterEvent, _ effects: [ArbiterEffect], _ views: [CallView],
        _ host: HostSummary, _ complaints: inout [Complaint]
    ) {
        switch event {
        case .providerRegistered(let registration):
            configurations[registration.provider] = registration.configuration
        case .providerUpdated(let provider, let configuration):
            configurations[provider] = configuration
        default: break
        }
        let isQuiet = !host.facts.isBusy && !host.isWorking
        let isUrgent = host.facts.hasEmergency || views.contains(where: \.ringsUrgently)
        let answered = views.filter { view in
            view.state == .active && incoming.contains { $0.call == view.call }
        }
        let pulled = views.filter { $0.state != .external && elsewhere.contains($0.call) }
        incoming = views.filter { $0.state == .ringing || $0.state == .waiting }
        elsewhere = Set(views.filter { $0.state == .external }.map(\.call))
        for number in numbers(views, host) {
            if event.mayExceedLimits || effects.tellOfLateAnswer || isUrgent
                || number.mayBeExceeded(by: answered)
                || number.mayBeExceeded(byPulled: pulled)
                || number.name == "ringing"
                    && (event.settlesScreening || effects.tellOfCancelledAnswer)
            {
                excused.insert(number.name)
            } else if number.value < number.most, isQuiet {
                excused.remove(number.name)
            } else if number.value > number.most, isQuiet, !excused.contains(number.name) {
                complaints.append(
                    Complaint(
                        .limits, "too many \(number.what)",
                        "\(number.value) of \(number.most), \(number.name)"))
            }
        }
    }

    private struct Number {
        let what: String
        let name: String
        let value: Int
        let most: Int

        /// An incoming call over the limit of groups rings, and may be answered (rule 24).
        func mayBeExceeded(by answered: [CallView]) -> Bool {
            answered.contains { name == "\($0.provider) groups" }
        }

        /// A call that comes in while another is pulled counts without it.
        func mayBeExceeded(byPulled pulled: [CallView]) -> Bool {
            pulled.contains { name == "\($0.provider) calls" || name == "calls" }
        }
    }

    private func numbers(
        _ views: [CallView], _ host: HostSummary
    ) -> [Number] {
        let limits = host.limits
        let facts = host.facts
        let views = views.filter { $0.state != .external }
        var numbers = [
            Number(
                what: "held groups", name: "held", value: facts.heldGroups, most: limits.heldGroups),
            Number(
                what: "calls ringing", name: "ringing", value: facts.ringing, most: limits.ringing),
            // Calls that make room for another count no more.
            Number(
                what: "calls", name: "calls", value: views.count { !$0.isBetween },
                most: limits.calls),
        ]
        for (provider, configuration) in configurations.sorted(by: { $0.key < $1.key }) {
            numbers += self.numbers(of: provider, configuration, views, limits)
        }
        return numbers
    }

    private func numbers(
        of provider: ProviderID, _ configuration: ProviderConfiguration, _ views: [CallView],
        _ limits: ArbitrationPolicy.Limits
    ) -> [Number] {
        var calls = 0
        var groups = 0
        var largest = 0
        for view in views where view.provider == provider {
            if !view.isBetween { calls += 1 }
            // An incoming call over the limit rings (rule 24).
            guard view.state != .ringing, view.state != .waiting, !view.isBetween else {
                continue
            }
            if view.group == view.call {
                groups += 1
                largest = max(largest, views.count { $0.group == view.call })
            }
        }
        return [
            Number(
                what: "calls of a provider", name: "\(provider) calls", value: calls,
                most: limits.callsPerProvider),
            Number(
                what: "groups of a provider", name: "\(provider) groups", value: groups,
                most: configuration.maxCallGroups),
            Number(
                what: "calls in a group", name: "\(provider) group", value: largest,
                most: configuration.maxCallsPerGroup),
        ]
    }
}

extension ArbiterEvent {
    /// Whether it comes from those who may exceed limits: reports of providers, their lists of
    /// calls, other limits; and what they do not do (a call that should speak again stays held).
    fileprivate var mayExceedLimits: Bool {
        switch self {
        case .callReported, .providerRegistered, .providerUpdated, .policyChanged, .actionFailed,
            .timerFired(.action), .cancelRequested:
            true
        default: false
        }
    }
}

extension ArbiterEvent {
    /// A call that a filter looked at is counted from its report on; when it may ring, the limit may
    /// have become stricter.
    fileprivate var settlesScreening: Bool {
        switch self {
        case .screeningSettled, .timerFired(.screening): true
        default: false
        }
    }
}

extension [ArbiterEffect] {
    /// What succeeds after it was taken back counts as a report: a hold of nobody's wish, perhaps.
    fileprivate var tellOfLateAnswer: Bool {
        contains { if case .announce(.actionLate) = $0 { true } else { false } }
    }

    fileprivate var tellOfCancelledAnswer: Bool {
        contains {
            if case .announce(.actionChanged(_, .answer, _, .cancelled, _)) = $0 {
                true
            } else {
                false
            }
        }
    }
}

extension CallView {
    fileprivate var ringsUrgently: Bool {
        (state == .ringing || state == .waiting)
            && (properties.priority == .emergency || properties.priority == .emergencyCallback)
    }

    /// Makes room for others, or waits for others to make room.
    fileprivate var isBetween: Bool {
        state == .ending || pending == .ending || state == .starting && pending != .starting
    }
}
