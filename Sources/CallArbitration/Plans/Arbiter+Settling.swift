internal import CallModel

/// The outcomes of actions: fulfilled, failed, cancelled, late, or timed out.
extension Arbiter {
    mutating func fulfill(_ id: ActionID, by provider: ProviderID, at reportedAt: Instant? = nil) {
        if let action = underWay(id, by: provider) {
            return settleAndAdvance(action, .fulfilled, at: reportedAt)
        }
        if acceptEarlyOutcome(id, by: provider, EarlyOutcome(.fulfilled, at: reportedAt)) { return }
        announceLate(id, by: provider)
        reconcileLateSuccess(id, by: provider, at: reportedAt)
    }

    mutating func fail(_ id: ActionID, by provider: ProviderID, _ failure: ActionFailure) {
        guard let action = underWay(id, by: provider) else {
            if !acceptEarlyOutcome(id, by: provider, EarlyOutcome(.failed), failure) {
                announceLate(id, by: provider)
            }
            return
        }
        actions[action].failure = failure
        withdrawSupport(action, failure)
        settleAndAdvance(action, .failed)
    }

    mutating func timeOut(_ action: Slot<ActionRecord>) {
        let record = actions[action]
        if record.state == .dispatched, providers[record.provider].isConnected {
            emit(.cancelPerform(record.id, record.providerID))
            emit(
                .tellTimedOut(record.id, record.action.kind, record.call, record.providerID))
        }
        if record.state == .dispatched {
            announce(.anomaly(.providerSilent, record.call, record.providerID))
        }
        settleAndAdvance(action, .timedOut)
    }

    mutating func extend(_ id: ActionID, by provider: ProviderID, _ milliseconds: Int) {
        guard let action = underWay(id, by: provider), let deadline = actions[action].deadline,
            let latest = actions[action].latestDeadline
        else { return announceLate(id, by: provider) }
        if let call = call(of: action) { markResponsive(call) }
        let extended = min(latest, max(deadline, now.advanced(byMS: max(0, milliseconds))))
        guard extended != deadline else { return }
        actions[action].deadline = extended
        emit(.startTimer(.action(id), at: extended))
    }

    /// Records a response of the call's app: the start is not silent (rule 10).
    mutating func markResponsive(_ call: Slot<CallRecord>) {
        stop(.startSilence, of: call)
        calls[call].isStartSilent = false
    }

    @inline(__always)
    private func underWay(_ id: ActionID, by provider: ProviderID) -> Slot<ActionRecord>? {
        guard let action = actions.slot(of: id), actions[action].state == .dispatched,
            actions[action].providerID == provider
        else { return nil }
        return action
    }

    private mutating func announceLate(_ id: ActionID, by provider: ProviderID) {
        announce(.actionLate(id, provider))
    }

    /// Reconciles an action that succeeded after the arbiter had stopped waiting for it. If the
    /// call of a start or an answer has ended here, the call is ended at its provider too, so that
    /// no call lives on unseen (rule 29). An answer, hold, resume, transfer or deflection that was
    /// cancelled or timed out counts as a report of the provider.
    private mutating func reconcileLateSuccess(
        _ id: ActionID, by name: ProviderID, at reportedAt: Instant?
    ) {
        guard let provider = providers.slot(of: name),
            let entry = memory.abandonedActions.remove(id, of: name)
        else {
            return
        }
        let call = calls.slot(of: entry.call)
        switch (entry.action, call) {
        case (.start, nil), (.answer, nil):
            endAtProvider(entry.call, provider, Cause(.arbitration, rule: .lateAnswer))
        case (.setHeld(true), let call?) where calls[call].state == .active:
            let group = calls[call].group
            let cause = Cause(.provider, rule: .lateAnswer)
            heldNow(call, cause)
            if let name = entry.because, groups[group].isInHeldChain {
                remember(group, heldFor: name, cause)
            }
            if entry.wasCalledOff { resumeMember(call, of: group, after: entry.because) }
        case (.setHeld(false), let call?) where calls[call].state == .held: askForAudio(call)
        case (.answer, let call?)
        where calls[call].state.isUnanswered || calls[call].state == .external:
            askForAudio(call)
        case (.transfer, let call?), (.attendedTransfer, let call?),
            (.deflect, let call?) where calls[call].state.isUnanswered:
            sentElsewhere(call, entry.action, Cause(.provider, rule: .lateAnswer), at: reportedAt)
        case (.start, _), (.answer, _), (.end, _), (.setHeld, _), (.setMuted, _), (.setGroup, _),
            (.playDTMF, _), (.setEndpoint, _), (.setVideo, _), (.setText, _), (.transfer, _),
            (.attendedTransfer, _),
            (.deflect, _):
            return
        }
    }

    private mutating func resumeMember(
        _ call: Slot<CallRecord>, of group: Slot<GroupRecord>, after other: CallID?
    ) {
        guard live == group else { return resumeHeldGroup(group, after: other, nil) }
        var draft = PlanDraft()
        draft.notes = [.init(rule: .groupActions, verdict: .resumes)]
        draft.steps = [PlanDraft.Step(.resumeMembers, [implied(.setHeld(false), call)])]
        run(draft, Cause(.arbitration, rule: .groupActions, becauseOf: other))
    }

    /// Cancels an action whose result is no longer waited for.
    mutating func cancel(_ action: Slot<ActionRecord>, isToldProvider: Bool) {
        let record = actions[action]
        guard record.state == .dispatched || record.state == .queued else { return }
        if isToldProvider { callOff(action) }
        settleAndAdvance(action, .cancelled)
    }

    /// Notifies the provider of a cancelled action, if the provider may be performing it.
    mutating func callOff(_ action: Slot<ActionRecord>) {
        let record = actions[action]
        guard isWithProvider(action), hasProvider(action), providers[record.provider].isConnected
        else { return }
        emit(.cancelPerform(record.id, record.providerID))
    }

    // MARK: - Settling

    /// Settles an action; its provider has room again, and its plan may continue.
    mutating func settleAndAdvance(
        _ action: Slot<ActionRecord>, _ state: ActionState, at reportedAt: Instant? = nil
    ) {
        let (provider, transaction) = (actions[action].provider, actions[action].transaction)
        let plan = actions[action].plan
        settle(action, state, at: reportedAt)
        if let plan {
            if isKnown(plan, transaction) { advance(plan) }
        } else {
            providers[provider].detached.removeAll { $0 == action }
            actions.remove(action)
        }
        pump(provider)
    }

    /// Settles an action: its record, the consequences for its call, and its step.
    mutating func settle(
        _ action: Slot<ActionRecord>, _ state: ActionState, at reportedAt: Instant? = nil
    ) {
        let (plan, transaction) = (actions[action].plan, actions[action].transaction)
        mark(action, state)
        switch state {
        case .fulfilled: applyFulfillment(of: action, at: reportedAt)
        case .failed, .cancelled: undo(action)
        case .timedOut: handleTimeout(action)
        case .planned, .queued, .dispatched, .skipped: break
        }
        guard let plan, isKnown(plan, transaction) else { return }
        for index in plans[plan].steps.indices
        where plans[plan].actions(of: plans[plan].steps[index]).contains(action) {
            plans[plan].steps[index].unsettled -= 1
        }
    }

    /// Returns whether a plan is still the one with that id: the consequences of an action may end
    /// its own plan.
    @inline(__always)
    func isKnown(_ plan: Slot<PlanRecord>, _ id: TransactionID) -> Bool {
        plans.contains(plan) && plans[plan].id == id
    }

    /// Settles the record of an action with any outcome.
    mutating func mark(_ action: Slot<ActionRecord>, _ state: ActionState) {
        let former = actions[action].state
        actions[action].state = state
        if actions[action].deadline != nil {
            emit(.stopTimer(.action(actions[action].id)))
            actions[action].deadline = nil
        }
        leaveProvider(action, former)
        if former == .dispatched { abandon(action, state) }
        if let call = call(of: action) { release(call, from: action) }
        guard actions[action].plan != nil || former == .dispatched else { return }
        announce(action, state)
    }

    mutating func announce(_ action: Slot<ActionRecord>, _ state: ActionState) {
        let failure = state == .failed ? actions[action].failure : nil
        announce(
            .actionChanged(
                actions[action].id, actions[action].action.kind, actions[action].call, state,
                failure))
    }

    /// Remembers an action that is no longer waited for, but that its provider may still perform.
    private mutating func abandon(_ action: Slot<ActionRecord>, _ state: ActionState) {
        // A hold that came too late for the plan that waited is no longer needed.
        let isCalledOff =
            state == .cancelled || state == .timedOut && actions[action].role == .holdForRoom
        switch (actions[action].action, state) {
        case (_, .fulfilled), (_, .failed): return
        case (.start, _), (.answer, _), (.setHeld, _), (.transfer, _), (.attendedTransfer, _),
            (.deflect, _):
            memory.abandonedActions.insert(
                actions[action].id,
                AbandonedActions.Entry(
                    call: actions[action].call, provider: actions[action].providerID,
                    action: actions[action].action, wasCalledOff: isCalledOff,
                    because: actions[action].cause.becauseOf))
        case (.end, _), (.setMuted, _), (.setGroup, _), (.playDTMF, _), (.setEndpoint, _),
            (.setVideo, _), (.setText, _):
            return
        }
    }

    private mutating func leaveProvider(_ action: Slot<ActionRecord>, _ former: ActionState) {
        guard hasProvider(action) else { return }
        let provider = actions[action].provider
        switch former {
        case .dispatched: providers[provider].performing -= 1
        case .queued:
            if !providers[provider].queue.isEmpty {
                providers[provider].queue.removeAll { $0 == action }
            }
        case .planned, .fulfilled, .failed, .timedOut, .skipped, .cancelled: break
        }
    }

    private mutating func release(_ call: Slot<CallRecord>, from action: Slot<ActionRecord>) {
        if calls[call].current == action { calls[call].current = nil }
        if calls[call].ending == action { calls[call].ending = nil }
        switch actions[action].action {
        case .start, .answer: markResponsive(call)
        case .end, .setHeld, .setMuted, .setGroup, .playDTMF, .setEndpoint, .setVideo, .setText,
            .transfer,
            .attendedTransfer,
            .deflect:
            break
        }
        refreshPending(of: call, actions[action].cause)
    }
}
