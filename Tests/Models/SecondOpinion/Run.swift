internal import CallArbitration
internal import CallModel
internal import NaiveArbiter

/// The engine and the naive model side by side.
struct Run {
    struct Entry {
        let at: Instant
        let event: ArbiterEvent
        let effects: [ArbiterEffect]
    }

    struct Offer {
        let transaction: TransactionID
        let provider: ProviderID
        let dispatches: [Dispatch]
    }

    private(set) var arbiter: Arbiter
    private var model: NaiveArbiter
    private(set) var now = Instant.zero
    private(set) var log: [Entry] = []
    private(set) var differences: [String] = []
    private(set) var compared = 0

    /// Sent and not settled, as far as the provider knows.
    private(set) var outstanding: [Dispatch] = []
    private(set) var answered: [Dispatch] = []
    private(set) var offers: [Offer] = []
    private(set) var timers: [(timer: TimerID, at: Instant)] = []
    /// The calls that filters look at.
    private(set) var screened: [CallID] = []
    /// Who is known, and whether connected.
    private(set) var providers: [ProviderID: Bool] = [:]

    /// What does not reach the comparison.
    var loses: (ArbiterEffect) -> Bool = { _ in false }

    /// - Parameter other: the naive arbiter's policy, if it is to be of another mind.
    init(policy: ArbitrationPolicy, other: ArbitrationPolicy? = nil) {
        arbiter = Arbiter(policy: policy, lineage: 1)
        model = NaiveArbiter(policy: other ?? policy)
    }

    var views: [CallView] {
        arbiter.visibleCalls.compactMap { arbiter.view(of: $0) }
    }

    mutating func take(_ step: ScriptStep) {
        switch step {
        case .event(let event): apply(event)
        case .answer(let call, let kind, let answer):
            let match = outstanding.first { $0.call == call && $0.kind.kind == kind }
            if let match { self.answer(match, answer) }
        case .late(let call, let kind, let answer):
            let match = answered.last { $0.call == call && $0.kind.kind == kind }
            if let match { self.answer(match, answer) }
        case .offer(let provider, let isTaken):
            guard let index = offers.firstIndex(where: { $0.provider == provider }) else { return }
            let offer = offers.remove(at: index)
            // It settles each action itself, in any order.
            if isTaken { outstanding += offer.dispatches }
            apply(.offerSettled(offer.transaction, by: provider, isTaken: isTaken))
        case .pass(let milliseconds): pass(until: now.advanced(byMS: milliseconds))
        case .passUntilDue:
            if let next = timers.map(\.at).min() { pass(until: next) }
        }
    }

    private mutating func answer(_ dispatch: Dispatch, _ answer: ScriptStep.Answer) {
        switch answer {
        case .fulfilled(let agoMS):
            let at = agoMS.map { now.advanced(byMS: -$0) }
            apply(.actionFulfilled(dispatch.action, by: dispatch.provider, at: at))
        case .failed(let code):
            apply(
                .actionFailed(
                    dispatch.action, by: dispatch.provider,
                    ActionFailure(
                        code: code, reason: ["test", "busy", "unspecified"][compared % 3],
                        appCode: [nil, "SIP 404"][compared % 2])))
        case .extended(let milliseconds):
            return apply(
                .actionExtended(dispatch.action, by: dispatch.provider, byMS: milliseconds))
        }
        outstanding.removeAll { $0.action == dispatch.action }
        answered.append(dispatch)
    }

    private mutating func pass(until end: Instant) {
        while differences.isEmpty {
            let due = timers.indices.filter { timers[$0].at <= end }.min {
                timers[$0].at < timers[$1].at
            }
            guard let due else { break }
            let timer = timers.remove(at: due)
            now = max(now, timer.at)
            apply(.timerFired(timer.timer))
        }
        now = max(now, end)
    }

    private mutating func apply(_ event: ArbiterEvent) {
        guard differences.isEmpty else { return }
        note(event)
        let effects = arbiter.apply(event, at: now)
        log.append(Entry(at: now, event: event, effects: effects))
        for effect in effects { note(effect) }
        differences =
            arbiter.brokenInvariants().map { "broken invariant: \($0)" }
            + model.follow(
                event, at: now,
                Seen(
                    effects: effects.filter { !loses($0) }, views: views, facts: arbiter.hostFacts,
                    audio: arbiter.audioGroup))
        compared += 1
    }

    private mutating func note(_ event: ArbiterEvent) {
        switch event {
        case .providerRegistered(let registration): providers[registration.provider] = true
        case .providerLost(let provider), .providerExited(let provider):
            guard providers[provider] != nil else { return }
            providers[provider] = false
            outstanding.removeAll { $0.provider == provider }
            offers.removeAll { $0.provider == provider }
        case .brokerRestarted:
            for provider in providers.keys { providers[provider] = false }
            outstanding = []
            offers = []
        case .screeningSettled(let call, _): screened.removeAll { $0 == call }
        default: break
        }
    }

    private mutating func note(_ effect: ArbiterEffect) {
        switch effect {
        case .perform(let dispatch):
            outstanding.removeAll { $0.action == dispatch.action }
            outstanding.append(dispatch)
        case .cancelPerform(let action, _):
            let cancelled = outstanding.filter { $0.action == action }
            outstanding.removeAll { $0.action == action }
            answered += cancelled
        case .offer(let transaction, let provider, let dispatches):
            offers.append(
                Offer(transaction: transaction, provider: provider, dispatches: dispatches))
        case .startTimer(let timer, let instant):
            timers.removeAll { $0.timer == timer }
            timers.append((timer, instant))
        case .screen(let call): screened.append(call)
        case .announce(.providerRemoved(let provider, _)): providers[provider] = nil
        case .announce(.providerAdded(let provider)): providers[provider] = true
        case .stopTimer(let timer): timers.removeAll { $0.timer == timer }
        default: break
        }
    }
}

extension Run {
    /// A run of a given script; stops at the first difference.
    static func of(
        _ script: [ScriptStep], policy: ArbitrationPolicy, other: ArbitrationPolicy? = nil
    ) -> Run {
        var run = Run(policy: policy, other: other)
        for step in script where run.differences.isEmpty { run.take(step) }
        return run
    }

    /// The last events with what the engine did, then the differences.
    func story(last count: Int) -> String {
        var lines: [String] = []
        for entry in log.suffix(count) {
            lines.append("\(entry.at.nanoseconds / 1_000_000) ms  \(entry.event.words)")
            lines += entry.effects.compactMap(\.words).map { "        -> \($0)" }
        }
        lines += differences.map { "    DIFFERENCE \($0)" }
        return lines.joined(separator: "\n")
    }
}

extension Run {
    func isConnected(_ provider: ProviderID) -> Bool {
        providers[provider] == true
    }

    func isKnown(_ provider: ProviderID) -> Bool {
        providers[provider] != nil
    }
}
