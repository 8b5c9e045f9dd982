public import CallModel

/// The engine that decides about calls: one serial order of decisions, as a value.
///
/// **Events in, effects out.** `apply` takes an event and the time, and returns the effects, in
/// order. The arbiter reads no clock, makes no random numbers and never waits: the result of
/// anything that takes time is another event. Therefore the same events have the same effects, in a
/// test, in a simulation, in a replay, and behind a socket.
///
/// **Total.** An event that cannot be carried out results in a refusal with its rule and the calls
/// in the way, or is dropped and counted. A refused event leaves the state unchanged.
///
/// **Three things are exclusive** on the host, and all rules are about them. *Live* is at most one
/// group: the one whose calls are dialing, connecting or active, or are about to be. The *audio*
/// belongs to the live group, from the moment that its start, answer or resume is fulfilled. The
/// *reservation* belongs to the one plan that waits for room: for a hold or an end of the live
/// group, after which its own call becomes live.
///
/// **A request becomes a plan**: a list of steps, each a set of actions that are dispatched
/// together and are done when all are settled. Everything is checked before the first is
/// dispatched. A request of several actions is checked in a copy of the arbiter, which carries the
/// request out action by action with providers that fulfill everything; a dry run does no more than
/// that.
///
/// **Inlining.** Small functions that only read are inlined by force. A call of such a function
/// would copy the arbiter itself, some 850 bytes; together that was a tenth of all time.
public struct Arbiter: Equatable, Sendable {
    /// The settings by which the arbiter decides; an event `policyChanged` replaces them.
    public internal(set) var policy: ArbitrationPolicy
    var now = Instant.zero
    var ids: IDSource

    var calls = CallTable()
    var groups = GroupTable()
    var providers = ProviderTable()
    var actions = ActionTable()
    var plans = PlanTable()
    var incoming = IncomingQueue()
    var emergencies = Emergencies()

    var live: Slot<GroupRecord>?
    var audio: AudioHolder?
    var reservation: Slot<PlanRecord>?

    var memory = Memory()
    /// The origin of the last end, in this event, of a call that was live or was to become live.
    var lastEnd: Origin?
    var output = Output()

    /// Creates an arbiter of a host without calls.
    ///
    /// - Parameter lineage: The name of this line of states, which is one half of each id that the
    ///   arbiter makes.
    public init(policy: ArbitrationPolicy = ArbitrationPolicy(), lineage: UInt64) {
        self.policy = policy
        ids = IDSource(lineage: lineage)
    }

    /// The name of this line of states, one half of each id that the arbiter makes.
    package var lineage: UInt64 {
        ids.lineage
    }

    /// Decides about `event`, and returns the effects in order.
    public mutating func apply(_ event: ArbiterEvent, at now: Instant) -> [ArbiterEffect] {
        self.now = max(self.now, now)
        output.begin()
        let wasQuiet = quiet
        decide(event)
        settleFollowUps()
        withdrawEmergencies()
        updateDebts(since: wasQuiet)
        updateRinging()
        flushPendingUpdates()
        resetPublished()
        announceFacts()
        // The result takes over the buffer.
        defer { (output.effects, lastEnd) = ([], nil) }
        return output.effects
    }

    private mutating func decide(_ event: ArbiterEvent) {
        switch event {
        case .providerStarting(let provider, let configuration):
            registerStarting(provider, configuration)
        case .providerRegistered(let registration): register(registration)
        case .providerUpdated(let provider, let configuration): update(provider, configuration)
        case .providerUnregistered(let provider): remove(provider, .unregistered, .providerLost)
        case .providerLost(let provider): lose(provider)
        case .providerExited(let provider): exit(provider)
        case .providerRevoked(let provider): revoke(provider)
        case .incomingReported(let report): reportIncoming(report)
        case .missedReported(let report): reportMissed(report)
        case .callReported(let report): receive(report)
        case .screeningSettled(let call, let verdict): applyScreening(of: call, verdict)
        case .callerIdentified(let call, let caller): identify(call, caller)
        case .callerPrioritized(let call): prioritize(call)
        case .transactionRequested(let request): self.request(request)
        case .swapRequested(let token, let requester, let call, let options):
            swap(token, requester, call, options)
        case .mergeRequested(let token, let requester, let call, let other, let options):
            request(
                .setGroup(with: other), of: call, token: token, requester: requester,
                options: options)
        case .splitRequested(let token, let by, let call, let options):
            request(.setGroup(with: nil), of: call, token: token, requester: by, options: options)
        case .buttonPressed(let token, let press): pressButton(token, press)
        case .silenceRequested(let token, let requester, let call): silence(token, requester, call)
        case .prioritizeRequested(let token, let by, let call): prioritize(token, by, call)
        case .cancelRequested(let token): cancel(token)
        case .actionFulfilled(let action, let by, let at): fulfill(action, by: by, at: at)
        case .actionFailed(let action, let provider, let failure):
            fail(action, by: provider, failure)
        case .actionExtended(let action, let provider, let byMS):
            extend(action, by: provider, byMS)
        case .timerFired(let timer): fire(timer)
        case .offerSettled(let transaction, let provider, let isTaken):
            resolveOffer(of: transaction, by: provider, isTaken: isTaken)
        case .policyChanged(let policy): self.policy = policy
        case .brokerRestarted(let isSameBoot): restart(isSameBoot: isSameBoot)
        }
    }

    /// Settles actions and continues plans as the event has made possible, until nothing more
    /// follows.
    mutating func settleFollowUps() {
        while true {
            if let early = actions.popEarlySettled() {
                applyEarlyOutcome(early)
            } else if live == nil, let plan = plans.popFirstWaiting() {
                advance(plan)
            } else if !advanceAfterHold() {
                return
            }
        }
    }

    // MARK: - Small functions for all parts

    /// Returns the call of an action; nil if the call is over. There is no look-up by id, as every
    /// step of every action calls this function.
    @inline(__always)
    func call(of action: Slot<ActionRecord>) -> Slot<CallRecord>? {
        guard let call = actions[action].callRecord, calls.contains(call),
            calls[call].serial == actions[action].callSerial
        else { return nil }
        return call
    }

    /// Returns whether the record of an action's provider still exists.
    @inline(__always)
    func hasProvider(_ action: Slot<ActionRecord>) -> Bool {
        let provider = actions[action].provider
        return providers.contains(provider)
            && providers[provider].id == actions[action].providerID
    }

    /// Records a step of a decision for `call.explain`.
    mutating func note(
        _ rule: Rule, _ verdict: Verdict, _ call: CallID?, _ cause: Cause,
        blocking: [Refusal.Blocker] = []
    ) {
        emit(.note(Decision(rule, verdict, call: call, cause: cause, blocking: blocking)))
    }

    /// Records a refusal for `call.explain`.
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
        output.effects.append(effect)
    }

    mutating func announce(_ announcement: Announcement) {
        output.effects.append(.announce(announcement))
    }

    mutating func makeID() -> UUIDBits {
        ids.next()
    }

    /// Publishes properties of a call that have changed, together with its pending changes. One
    /// event publishes a call once, in its state at the end of the event.
    mutating func publish(_ call: Slot<CallRecord>, _ changes: ChangedProperties, _ cause: Cause) {
        let all = changes.union(calls[call].pendingChanges)
        calls[call].pendingChanges = []
        if let told = publishedChanges(of: call) {
            let why = all.contains(.state) ? cause : told.cause
            output.effects[told.index] = .announce(
                .callChanged(calls[call].id, told.changes.union(all), why))
            return
        }
        calls[call].revision += 1
        guard !calls[call].isScreened else { return }
        output.appendPublished(call)
        announce(.callChanged(calls[call].id, all, cause))
        calls[call].publishedAt = output.effects.count
    }

    /// Returns the changes of a call that this event has published already, and their place among
    /// the effects.
    private func publishedChanges(
        of call: Slot<CallRecord>
    ) -> (index: Int, changes: ChangedProperties, cause: Cause)? {
        let index = calls[call].publishedAt - 1
        guard output.effects.indices.contains(index),
            case .announce(.callChanged(calls[call].id, let changes, let cause)) =
                output.effects[index]
        else { return nil }
        return (index, changes, cause)
    }

    /// Records a change that is published with the next change of the call, or else at the end of
    /// the event.
    mutating func publishLater(
        _ call: Slot<CallRecord>, _ change: ChangedProperties, _ cause: Cause
    ) {
        calls[call].pendingChanges.formUnion(change)
        output.append(PendingUpdate(call: call, id: calls[call].id, cause: cause))
    }

    private mutating func flushPendingUpdates() {
        guard !output.pendingUpdates.isEmpty else { return }
        for rest in output.pendingUpdates
        where calls.contains(rest.call) && calls[rest.call].id == rest.id
            && !calls[rest.call].pendingChanges.isEmpty
        {
            publish(rest.call, [], rest.cause)
        }
        output.removePendingUpdates()
    }

    private mutating func resetPublished() {
        for call in output.published where calls.contains(call) { calls[call].publishedAt = 0 }
        output.removePublished()
    }

    mutating func setState(_ state: CallState, of call: Slot<CallRecord>, _ cause: Cause) {
        guard calls[call].state != state else { return }
        leaveExternal(call)
        calls[call].state = state
        publish(call, [.state], cause)
    }

    @inline(__always)
    func members(of group: Slot<GroupRecord>) -> ChainLinks<CallRecord>.Elements {
        groups.members(of: group)
    }

    /// Returns the name of a group: the id of its oldest member.
    @inline(__always)
    func name(of group: Slot<GroupRecord>) -> CallID? {
        groups[group].members.first.map { calls[$0].id }
    }

    func blockers(_ group: Slot<GroupRecord>) -> [Refusal.Blocker] {
        members(of: group).map { blocker($0) }
    }

    /// Returns the calls of a plan that waits or is in progress (rule 15).
    func blockers(of plan: Slot<PlanRecord>) -> [Refusal.Blocker] {
        var ids: [CallID] = []
        for id in plans[plan].actions.map({ actions[$0].call })
        where !ids.contains(id) {
            ids.append(id)
        }
        return ids.compactMap { calls.slot(of: $0) }.map { blocker($0) }
    }

    mutating func announce(_ anomaly: Anomaly, of call: Slot<CallRecord>) {
        announce(.anomaly(anomaly, calls[call].id, providers[calls[call].provider].id))
    }

    /// Returns the refusal for a call that cannot be found (rule 31).
    func notFound(_ call: CallID) -> Refusal {
        let hasEnded = memory.endedCalls.contains(call, now, policy)
        return Refusal(hasEnded ? .callEnded : .unknownCall, rule: .unknownCall)
    }

    @inline(__always)
    func blocker(_ call: Slot<CallRecord>) -> Refusal.Blocker {
        Refusal.Blocker(call: calls[call].id, provider: providers[calls[call].provider].id)
    }

    private mutating func announceFacts() {
        let current = hostFacts
        guard current != memory.announcedFacts else { return }
        memory.announcedFacts = current
        announce(.hostChanged(current))
    }
}
