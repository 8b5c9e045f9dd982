internal import CallModel

/// Actions go out to providers and come back.
extension Arbiter {
    // MARK: - Out

    /// Sends an action, or, if its call has gone or is in the state already, settles it.
    mutating func prepare(_ action: Slot<ActionRecord>) {
        guard let call = callsByID[actions[action].call] else {
            mark(action, actions[action].isImplied ? .skipped : .cancelled)
            return countSettled(action)
        }
        guard providersByID[actions[action].providerID] == actions[action].provider else {
            mark(action, .cancelled)
            return countSettled(action)
        }
        if actions[action].isImplied, case .setHeld(true) = actions[action].action,
            calls[call].state != .active
        {
            mark(action, .skipped)
            return countSettled(action)
        }
        if actions[action].action == .end { return prepareEnd(action, of: call) }
        overtake(call, by: actions[action].action)
        note(actions[action].action, on: call)
        dispatch(action)
    }

    /// An end wins every race (protocol, O6). A call whose start was never sent, and one whose
    /// provider is away, ends here and now.
    private mutating func prepareEnd(_ action: Slot<ActionRecord>, of call: Slot<CallRecord>) {
        let isUnseen = calls[call].state == .starting && calls[call].current == nil
        let isAway = !providers[calls[call].provider].isConnected
        calls[call].endReason = localReason(of: call)
        calls[call].pending = .ending
        leaveIncoming(call)
        stop(.ring, of: call)
        setState(.ending, of: call, actions[action].cause)
        let id = calls[call].id
        overtake(call, by: .end)
        if let reservation, plans[reservation].target == id, actions[action].plan != reservation {
            abort(reservation, Refusal(.callEnded, rule: .busy))
        }
        guard let call = callsByID[id] else {
            mark(action, .fulfilled)
            return countSettled(action)
        }
        settle(calls[call].group, actions[action].cause)
        guard isUnseen || isAway else { return dispatch(action) }
        mark(action, .fulfilled)
        finish(call, localReason(of: call), actions[action].cause)
        countSettled(action)
    }

    /// An end cancels whatever its call has under way; a hold cancels a tone (protocol, O4).
    private mutating func overtake(_ call: Slot<CallRecord>, by action: CallAction) {
        guard let current = calls[call].current else { return }
        switch (action, actions[current].action) {
        case (.end, _), (.setHeld, .playDTMF): cancel(current, isToldProvider: true)
        default: break
        }
    }

    /// What those who watch see of an action while it is under way.
    private mutating func note(_ action: CallAction, on call: Slot<CallRecord>) {
        let pending: PendingAction =
            switch action {
            case .start: .starting
            case .answer: .answering
            case .end: .ending
            case .setHeld(let isHeld): isHeld ? .holding : .resuming
            case .setMuted: .muting
            case .setGroup: .grouping
            case .playDTMF: .sendingDTMF
            }
        setPending(pending, of: call)
        publish(call, ["pending_action"], Cause(.arbitration))
    }

    mutating func dispatch(_ action: Slot<ActionRecord>) {
        providers[actions[action].provider].queue.append(action)
        pump(actions[action].provider)
    }

    /// Sends what can be sent, in order; the rest goes on waiting.
    mutating func pump(_ provider: Slot<ProviderRecord>) {
        guard providers.contains(provider), !providers[provider].queue.isEmpty else { return }
        let waiting = providers[provider].queue
        providers[provider].queue = []
        for action in waiting {
            if canSend(action) {
                send(action)
            } else {
                if !providers[provider].isConnected { armDeadline(of: action) }
                providers[provider].queue.append(action)
            }
        }
    }

    private func canSend(_ action: Slot<ActionRecord>) -> Bool {
        let provider = actions[action].provider
        guard providers[provider].isConnected,
            providers[provider].performing < Self.performsPerProvider
        else { return false }
        guard actions[action].action != .end, let call = callsByID[actions[action].call] else {
            return true
        }
        return calls[call].current == nil
    }

    private mutating func send(_ action: Slot<ActionRecord>) {
        let provider = actions[action].provider
        armDeadline(of: action)
        actions[action].state = .dispatched
        providers[provider].performing += 1
        if let call = callsByID[actions[action].call], actions[action].plan != nil {
            if actions[action].action == .end {
                calls[call].ending = action
            } else {
                calls[call].current = action
            }
        }
        perform(action)
        let record = actions[action]
        announce(.actionChanged(record.id, record.action.kind, record.call, .dispatched))
        startSilenceTimer(of: record)
    }

    /// Tells the provider what to do: for the first time, or again after it was away.
    mutating func perform(_ action: Slot<ActionRecord>) {
        actions[action].attempt += 1
        let record = actions[action]
        let rest = Int(((record.deadline ?? now).nanoseconds - now.nanoseconds) / 1_000_000)
        emit(
            .perform(
                Dispatch(
                    action: record.id, provider: record.providerID, call: record.call,
                    kind: record.action, transaction: record.transaction, cause: record.cause,
                    deadlineMS: max(1, rest), attempt: record.attempt)))
    }

    private mutating func startSilenceTimer(of record: ActionRecord) {
        guard case .start = record.action, let call = callsByID[record.call] else { return }
        start(.startSilence, of: call, afterMS: policy.startSilenceMS)
    }

    /// Its time runs from now, unless it runs already.
    private mutating func armDeadline(of action: Slot<ActionRecord>) {
        guard actions[action].deadline == nil else { return }
        let milliseconds = actions[action].deadlineMS
        let deadline = now.advanced(byMS: milliseconds)
        actions[action].deadline = deadline
        actions[action].latestDeadline = now.advanced(
            byMS: milliseconds * policy.extensionPercentMax / 100)
        emit(.startTimer(.action(actions[action].id), at: deadline))
    }

    // MARK: - Back

    mutating func fulfil(_ id: ActionID, by provider: ProviderID) {
        guard let action = underWay(id, by: provider) else {
            noteLate(id, by: provider)
            return endUnseen(id, by: provider)
        }
        mark(action, .fulfilled)
        carryOut(action)
        countSettled(action)
        proceed(after: action)
    }

    mutating func fail(_ id: ActionID, by provider: ProviderID, _ failure: ActionFailure) {
        guard let action = underWay(id, by: provider) else { return noteLate(id, by: provider) }
        actions[action].failure = failure
        withdrawSupport(action, failure)
        mark(action, .failed)
        undo(action)
        countSettled(action)
        proceed(after: action)
    }

    mutating func timeOut(_ action: Slot<ActionRecord>) {
        let record = actions[action]
        let provider = record.providerID
        if record.state == .dispatched {
            emit(.cancelPerform(record.id, provider))
            emit(.tellTimedOut(record.id, record.action.kind, record.call, provider))
            announce(.anomaly(.providerSilent, record.call, provider))
        }
        actions[action].deadline = nil
        mark(action, .timedOut)
        settleSilence(action)
        countSettled(action)
        proceed(after: action)
    }

    mutating func extend(_ id: ActionID, by provider: ProviderID, _ milliseconds: Int) {
        guard let action = underWay(id, by: provider), let deadline = actions[action].deadline,
            let latest = actions[action].latestDeadline
        else { return noteLate(id, by: provider) }
        if let call = callsByID[actions[action].call] { stop(.startSilence, of: call) }
        let extended = min(latest, max(deadline, now.advanced(byMS: max(0, milliseconds))))
        guard extended != deadline else { return }
        actions[action].deadline = extended
        emit(.startTimer(.action(id), at: extended))
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
        guard let call = abandoned.remove(id), let provider = providersByID[name] else { return }
        endAtProvider(call, provider, Cause(.arbitration, rule: .lateAnswer))
    }

    /// Takes an action back; nobody waits for its result any more.
    mutating func cancel(_ action: Slot<ActionRecord>, isToldProvider: Bool) {
        let record = actions[action]
        guard record.state == .dispatched || record.state == .queued else { return }
        if record.state == .dispatched, isToldProvider {
            emit(.cancelPerform(record.id, record.providerID))
        }
        mark(action, .cancelled)
        undo(action)
        countSettled(action)
        proceed(after: action)
    }

    /// Settles the record of an action, whatever became of it.
    mutating func mark(_ action: Slot<ActionRecord>, _ state: ActionState) {
        let record = actions[action]
        actions[action].state = state
        if record.deadline != nil {
            emit(.stopTimer(.action(record.id)))
            actions[action].deadline = nil
        }
        switch record.state {
        case .dispatched: providers[record.provider].performing -= 1
        case .queued where providersByID[record.providerID] == record.provider:
            providers[record.provider].queue.removeAll { $0 == action }
        case .queued, .planned, .fulfilled, .failed, .timedOut, .skipped, .cancelled: break
        }
        if record.state == .dispatched, state != .fulfilled, state != .failed,
            record.action.kind == .start || record.action == .answer
        {
            abandoned.insert(record.id, record.call)
        }
        if let call = callsByID[record.call] { release(call, from: action) }
        guard record.plan != nil else { return }
        announce(.actionChanged(record.id, record.action.kind, record.call, state))
    }

    private mutating func release(_ call: Slot<CallRecord>, from action: Slot<ActionRecord>) {
        if calls[call].current == action { calls[call].current = nil }
        if calls[call].ending == action { calls[call].ending = nil }
        stop(.startSilence, of: call)
        if calls[call].pending != .queued { setPending(nil, of: call) }
    }

    /// One action fewer to wait for in its step.
    mutating func countSettled(_ action: Slot<ActionRecord>) {
        guard let plan = actions[action].plan else { return }
        for index in plans[plan].steps.indices
        where plans[plan].steps[index].actions.contains(action) {
            plans[plan].steps[index].unsettled -= 1
        }
    }

    /// The provider has room again, and the plan may go on.
    private mutating func proceed(after action: Slot<ActionRecord>) {
        let record = actions[action]
        if let plan = record.plan {
            advance(plan)
        } else {
            actionsByID[record.id] = nil
            actions.remove(action)
        }
        pump(record.provider)
    }
}
