public import CallModel

/// The engine that decides about calls: one serial order of decisions, as a value.
///
/// **Events in, effects out.** `apply` takes what happened and the time, and returns what is to be
/// done, in order. It reads no clock, makes no random numbers and waits for nobody: whatever takes
/// time comes back as an event. So the same events give the same effects, in a test, in a
/// simulation, in a replay, and behind a socket.
///
/// **Total.** Any event in any state gives a refusal with its rule and what stands in the way, or is
/// dropped and counted. A refused event leaves everything as it was.
///
/// **Three things are exclusive** on the host, and all rules turn around them. *Live* is at most one
/// group: the one that speaks, or is about to. The *audio* belongs to the live group, from the
/// moment that its start, answer or resume is fulfilled. The *reservation* belongs to the one plan
/// that waits for room: for a hold or an end of the live group, after which its own call becomes
/// live.
///
/// **A request becomes a plan**: a list of steps, each a set of actions that are dispatched together
/// and are done when all are settled. Everything is checked before the first is dispatched. A
/// request of several actions is checked by carrying it out in a copy of the arbiter whose
/// providers fulfil everything, action by action; a dry run is that and nothing more.
///
/// **What is not pretty**: small functions that only read are inlined by force. A call of one would
/// copy the arbiter itself, some 850 bytes; together that was a tenth of all time.
public struct Arbiter: Equatable, Sendable {
    public internal(set) var policy: ArbitrationPolicy
    var now = Instant.zero
    /// Half of the ids that it makes.
    package let lineage: UInt64
    var idCounter: UInt64 = 0

    var calls = Slots<CallRecord>()
    var groups = Slots<GroupRecord>()
    var providers = Slots<ProviderRecord>()
    var actions = Slots<ActionRecord>()
    var plans = Slots<PlanRecord>()

    var callsByID = IDTable<CallID, Slot<CallRecord>>()
    var providersByID: [ProviderID: Slot<ProviderRecord>] = [:]
    var actionsByID = IDTable<ActionID, Slot<ActionRecord>>()

    /// All calls in the order they came.
    var allCalls = Chain<CallRecord>()
    var allLinks = ChainLinks<CallRecord>()
    var providerLinks = ChainLinks<CallRecord>()
    var memberLinks = ChainLinks<CallRecord>()
    /// Incoming calls nobody has answered, oldest first: at most one rings, the rest wait.
    var incoming = Chain<CallRecord>()
    var incomingLinks = ChainLinks<CallRecord>()
    /// The one of them that rings.
    var ringing: Slot<CallRecord>?
    /// Held groups, the most recently held last.
    var held = Chain<GroupRecord>()
    var heldLinks = ChainLinks<GroupRecord>()
    /// Of groups that were held for the same call.
    var reasonLinks = ChainLinks<GroupRecord>()

    var live: Slot<GroupRecord>?
    var audio: Slot<GroupRecord>?
    /// The group's name when it got the audio: the grant is taken back under the same name.
    var audioName: CallID?
    var reservation: Slot<PlanRecord>?
    /// Plans that wait until the live group, which is ending, has gone (rule 10a).
    var waitingForEnd: [Slot<PlanRecord>] = []
    /// Calls that a filter looks at.
    var screened = 0
    var callSerial: UInt64 = 0
    var ringSerial: UInt64 = 0
    /// Calls that are emergencies now, in the order in which they became so. An incoming one that
    /// only rings is none.
    var emergencies: [Slot<CallRecord>] = []
    /// Providers whose emergency ended a short time ago: their incoming calls are call-backs. By name,
    /// since an app that crashed in an emergency is just the one to be called back.
    var nearEmergency: [ProviderID] = []

    var endedCalls = EndedCalls()
    var abandoned = AbandonedActions()
    var facts = HostFacts()
    /// Actions that were settled before their turn, and whose turn it is now.
    var earlySettled: [ActionID] = []
    var untold: [Untold] = []
    /// Who has ended, or begun to end, what was live or wanted to be; the last one of this event.
    var lastEnd: Origin?
    /// Calls whose changes this event has told of.
    private var told: [Slot<CallRecord>] = []
    /// What was decided in this event, until `apply` returns it.
    var effects: [ArbiterEffect] = []

    /// - Parameter lineage: names this line of states; the ids that the arbiter makes hold half of
    ///   it.
    public init(policy: ArbitrationPolicy = ArbitrationPolicy(), lineage: UInt64) {
        self.policy = policy
        self.lineage = lineage
    }

    /// Room for the effects of most events, so that the buffer need not grow.
    private static let effectsUsual = 20

    /// Decides what follows from `event`.
    public mutating func apply(_ event: ArbiterEvent, at now: Instant) -> [ArbiterEffect] {
        self.now = max(self.now, now)
        effects.reserveCapacity(Self.effectsUsual)
        let wasQuiet = quiet
        decide(event)
        settleWhatFollows()
        withdrawEmergencies()
        settleDebts(since: wasQuiet)
        settleRinging()
        tellTheRest()
        forgetTold()
        announceFacts()
        // The buffer goes with the result.
        defer { (effects, lastEnd) = ([], nil) }
        return effects
    }

    private mutating func decide(_ event: ArbiterEvent) {
        switch event {
        case .providerStarting(let provider, let configuration): expect(provider, configuration)
        case .providerRegistered(let registration): register(registration)
        case .providerUpdated(let provider, let configuration): update(provider, configuration)
        case .providerUnregistered(let provider):
            remove(provider, .unregistered, .providerLost)
        case .providerLost(let provider): lose(provider)
        case .providerExited(let provider): exit(provider)
        case .providerRevoked(let provider): revoke(provider)
        case .incomingReported(let report): reportIncoming(report)
        case .missedReported(let report): reportMissed(report)
        case .callReported(let report): receive(report)
        case .screeningSettled(let call, let verdict): settleScreening(of: call, verdict)
        case .callerIdentified(let call, let caller): identify(call, caller)
        case .transactionRequested(let request): self.request(request)
        case .swapRequested(let token, let requester, let call, let options):
            swap(token, requester, call, options)
        case .mergeRequested(let token, let requester, let call, let other, let options):
            request(
                .setGroup(with: other), of: call, token: token, requester: requester,
                options: options)
        case .splitRequested(let token, let requester, let call, let options):
            request(
                .setGroup(with: nil), of: call, token: token, requester: requester,
                options: options)
        case .buttonPressed(let token, let press): pressButton(token, press)
        case .silenceRequested(let token, let requester, let call): silence(token, requester, call)
        case .cancelRequested(let token): cancel(token)
        case .actionFulfilled(let action, let provider, let at):
            fulfil(action, by: provider, at: at)
        case .actionFailed(let action, let provider, let failure):
            fail(action, by: provider, failure)
        case .actionExtended(let action, let provider, let byMS):
            extend(action, by: provider, byMS)
        case .timerFired(let timer): fire(timer)
        case .offerSettled(let transaction, let provider, let isTaken):
            settleOffer(of: transaction, by: provider, isTaken: isTaken)
        case .policyChanged(let policy): self.policy = policy
        case .brokerRestarted(let isSameBoot): restart(isSameBoot: isSameBoot)
        }
    }

    /// Settles what an event has made possible, until nothing more follows.
    mutating func settleWhatFollows() {
        while true {
            if let early = earlySettled.popLast() {
                settleEarly(early)
            } else if live == nil, let plan = waitingForEnd.first {
                waitingForEnd.removeFirst()
                advance(plan)
            } else if !goOnAfterHold() {
                return
            }
        }
    }

    // MARK: - Small things everybody needs

    /// The call that an action is about, if it is still there. No look-up by id: this is asked for
    /// at every step of every action.
    @inline(__always)
    func call(of action: Slot<ActionRecord>) -> Slot<CallRecord>? {
        guard let call = actions[action].callRecord, calls.contains(call),
            calls[call].serial == actions[action].callSerial
        else { return nil }
        return call
    }

    /// Whether an action's provider is still there.
    @inline(__always)
    func hasProvider(_ action: Slot<ActionRecord>) -> Bool {
        let provider = actions[action].provider
        return providers.contains(provider)
            && providers[provider].id == actions[action].providerID
    }

    /// Tells why, for `call.explain`.
    mutating func note(
        _ rule: Rule, _ verdict: Verdict, _ call: CallID?, _ cause: Cause,
        blocking: [Refusal.Blocker] = []
    ) {
        emit(.note(Decision(rule, verdict, call: call, cause: cause, blocking: blocking)))
    }

    /// Tells why something was not done.
    mutating func note(
        refused refusal: Refusal, _ call: CallID?, _ cause: Cause, _ verdict: Verdict = .refused
    ) {
        emit(
            .note(
                Decision(
                    refusal.rule, verdict, call: call, cause: cause, blocking: refusal.blocking,
                    reason: refusal.reason)))
    }

    mutating func emit(_ effect: ArbiterEffect) {
        effects.append(effect)
    }

    mutating func announce(_ announcement: Announcement) {
        effects.append(.announce(announcement))
    }

    mutating func makeID() -> UUIDBits {
        idCounter += 1
        return UUIDBits(lineage: lineage, counter: idCounter)
    }

    /// Tells everybody which properties of a call have changed, and what was not told before. What one
    /// event changes is told once: a call is shown as it is when the event is over.
    mutating func publish(_ call: Slot<CallRecord>, _ changes: ChangedProperties, _ cause: Cause) {
        let all = changes.union(calls[call].untold)
        calls[call].untold = []
        if let told = changesTold(of: call) {
            let why = all.contains(.state) ? cause : told.cause
            effects[told.index] = .announce(
                .callChanged(calls[call].id, told.changes.union(all), why))
            return
        }
        calls[call].revision += 1
        guard !calls[call].isScreened else { return }
        told.append(call)
        announce(.callChanged(calls[call].id, all, cause))
        calls[call].toldAt = effects.count
    }

    /// What this event has told of a call already, and where.
    private func changesTold(
        of call: Slot<CallRecord>
    ) -> (index: Int, changes: ChangedProperties, cause: Cause)? {
        let index = calls[call].toldAt - 1
        guard effects.indices.contains(index),
            case .announce(.callChanged(calls[call].id, let changes, let cause)) = effects[index]
        else { return nil }
        return (index, changes, cause)
    }

    /// Notes a change that is told with the next one of the call, at the end of the event at latest.
    mutating func willTell(
        _ call: Slot<CallRecord>, _ change: ChangedProperties, _ cause: Cause
    ) {
        calls[call].untold.formUnion(change)
        untold.append(Untold(call: call, id: calls[call].id, cause: cause))
    }

    private mutating func tellTheRest() {
        guard !untold.isEmpty else { return }
        for rest in untold
        where calls.contains(rest.call) && calls[rest.call].id == rest.id
            && !calls[rest.call].untold.isEmpty
        {
            publish(rest.call, [], rest.cause)
        }
        untold.removeAll(keepingCapacity: true)
    }

    private mutating func forgetTold() {
        for call in told where calls.contains(call) { calls[call].toldAt = 0 }
        told.removeAll(keepingCapacity: true)
    }

    mutating func setState(_ state: CallState, of call: Slot<CallRecord>, _ cause: Cause) {
        guard calls[call].state != state else { return }
        calls[call].state = state
        publish(call, [.state], cause)
    }

    @inline(__always)
    func members(of group: Slot<GroupRecord>) -> ChainLinks<CallRecord>.Elements {
        memberLinks.elements(of: groups[group].members)
    }

    /// What a group is called: its oldest member's call.
    @inline(__always)
    func name(of group: Slot<GroupRecord>) -> CallID? {
        groups[group].members.first.map { calls[$0].id }
    }

    func blockers(_ group: Slot<GroupRecord>) -> [Refusal.Blocker] {
        members(of: group).map { blocker($0) }
    }

    /// The calls of a plan that waits or is on its way (rule 15).
    func blockers(of plan: Slot<PlanRecord>) -> [Refusal.Blocker] {
        var ids: [CallID] = []
        for id in plans[plan].actions.map({ actions[$0].call })
        where !ids.contains(id) {
            ids.append(id)
        }
        return ids.compactMap { callsByID[$0] }.map { blocker($0) }
    }

    mutating func announce(_ anomaly: Anomaly, of call: Slot<CallRecord>) {
        announce(.anomaly(anomaly, calls[call].id, providers[calls[call].provider].id))
    }

    /// Why a call cannot be found (rule 31).
    func notFound(_ call: CallID) -> Refusal {
        let hasEnded = endedCalls.contains(call, now, policy)
        return Refusal(hasEnded ? .callEnded : .unknownCall, rule: .unknownCall)
    }

    @inline(__always)
    func blocker(_ call: Slot<CallRecord>) -> Refusal.Blocker {
        Refusal.Blocker(call: calls[call].id, provider: providers[calls[call].provider].id)
    }

    private mutating func announceFacts() {
        let current = hostFacts
        guard current != facts else { return }
        facts = current
        announce(.hostChanged(current))
    }
}
