internal import CallModel

/// Actions come back: fulfilled, failed, too late, or not at all.
extension Arbiter {
    mutating func fulfil(_ id: ActionID, by provider: ProviderID) {
        if let action = underWay(id, by: provider) { return settleAndGoOn(action, .fulfilled) }
        if settleBeforeItsTurn(id, by: provider, .fulfilled) { return }
        noteLate(id, by: provider)
        endUnseen(id, by: provider)
    }

    mutating func fail(_ id: ActionID, by provider: ProviderID, _ failure: ActionFailure) {
        guard let action = underWay(id, by: provider) else {
            if !settleBeforeItsTurn(id, by: provider, .failed) { noteLate(id, by: provider) }
            return
        }
        actions[action].failure = failure
        withdrawSupport(action, failure)
        settleAndGoOn(action, .failed)
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
        settleAndGoOn(action, .timedOut)
    }

    mutating func extend(_ id: ActionID, by provider: ProviderID, _ milliseconds: Int) {
        guard let action = underWay(id, by: provider), let deadline = actions[action].deadline,
            let latest = actions[action].latestDeadline
        else { return noteLate(id, by: provider) }
        if let call = callsByID[actions[action].call] { hearFrom(call) }
        let extended = min(latest, max(deadline, now.advanced(byMS: max(0, milliseconds))))
        guard extended != deadline else { return }
        actions[action].deadline = extended
        emit(.startTimer(.action(id), at: extended))
    }

    /// A sign of life: its start is not silent (rule 10).
    mutating func hearFrom(_ call: Slot<CallRecord>) {
        stop(.startSilence, of: call)
        calls[call].isStartSilent = false
    }

    private func underWay(_ id: ActionID, by provider: ProviderID) -> Slot<ActionRecord>? {
        guard let action = actionsByID[id], actions[action].state == .dispatched,
            actions[action].providerID == provider
        else { return nil }
        return action
    }

    private mutating func noteLate(_ id: ActionID, by provider: ProviderID) {
        announce(.actionLate(id, provider))
    }

    /// A start or an answer succeeded after its call had ended here: no call lives unseen (rule 29).
    private mutating func endUnseen(_ id: ActionID, by name: ProviderID) {
        guard let provider = providersByID[name], let call = abandoned.remove(id, of: name) else {
            return
        }
        endAtProvider(call, provider, Cause(.arbitration, rule: .lateAnswer))
    }

    /// Takes an action back; nobody waits for its result any more.
    mutating func cancel(_ action: Slot<ActionRecord>, isToldProvider: Bool) {
        let record = actions[action]
        guard record.state == .dispatched || record.state == .queued else { return }
        if record.state == .dispatched, isToldProvider, providers[record.provider].isConnected {
            emit(.cancelPerform(record.id, record.providerID))
        }
        settleAndGoOn(action, .cancelled)
    }

    // MARK: - The one way every action ends

    /// Settles an action; its provider has room again, and its plan may go on.
    mutating func settleAndGoOn(_ action: Slot<ActionRecord>, _ state: ActionState) {
        let record = actions[action]
        settle(action, state)
        if let plan = record.plan {
            if isKnown(plan, record.transaction) { advance(plan) }
        } else {
            providers[record.provider].detached.removeAll { $0 == action }
            actionsByID[record.id] = nil
            actions.remove(action)
        }
        pump(record.provider)
    }

    /// Settles an action: its record, what it means for its call, and its step.
    mutating func settle(_ action: Slot<ActionRecord>, _ state: ActionState) {
        let record = actions[action]
        mark(action, state)
        switch state {
        case .fulfilled: carryOut(action)
        case .failed, .cancelled: undo(action)
        case .timedOut: settleSilence(action)
        case .planned, .queued, .dispatched, .skipped: break
        }
        guard let plan = record.plan, isKnown(plan, record.transaction) else { return }
        for index in plans[plan].steps.indices
        where plans[plan].steps[index].actions.contains(action) {
            plans[plan].steps[index].unsettled -= 1
        }
    }

    /// Whether a plan still is the one with that id: what an action leads to may end its own plan.
    func isKnown(_ plan: Slot<PlanRecord>, _ id: TransactionID) -> Bool {
        plans.contains(plan) && plans[plan].id == id
    }

    /// Settles the record of an action, whatever became of it.
    mutating func mark(_ action: Slot<ActionRecord>, _ state: ActionState) {
        let record = actions[action]
        actions[action].state = state
        if record.deadline != nil {
            emit(.stopTimer(.action(record.id)))
            actions[action].deadline = nil
        }
        leaveProvider(record, action)
        if record.state == .dispatched, state != .fulfilled, state != .failed,
            record.action.kind == .start || record.action == .answer
        {
            abandoned.insert(record.id, record.call, record.providerID)
        }
        if let call = callsByID[record.call] { release(call, from: action) }
        guard record.plan != nil || record.state == .dispatched else { return }
        announce(.actionChanged(record.id, record.action.kind, record.call, state))
    }

    private mutating func leaveProvider(_ record: ActionRecord, _ action: Slot<ActionRecord>) {
        guard providersByID[record.providerID] == record.provider else { return }
        switch record.state {
        case .dispatched: providers[record.provider].performing -= 1
        case .queued: providers[record.provider].queue.removeAll { $0 == action }
        case .planned, .fulfilled, .failed, .timedOut, .skipped, .cancelled: break
        }
    }

    private mutating func release(_ call: Slot<CallRecord>, from action: Slot<ActionRecord>) {
        if calls[call].current == action { calls[call].current = nil }
        if calls[call].ending == action { calls[call].ending = nil }
        if actions[action].action.kind == .start { hearFrom(call) }
        if calls[call].pending != .queued, calls[call].pending != .ending {
            setPending(nil, of: call)
        }
    }
}
