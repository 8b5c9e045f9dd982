internal import CallModel

/// Actions go out to providers.
extension Arbiter {
    /// At most so many actions of one provider are on their way at once (protocol, O4).
    static let performsPerProvider = 8

    /// - Parameter mostMS: how long something else waits for it.
    mutating func addAction(
        _ draft: PlanDraft.Action, plan: Slot<PlanRecord>, cause: Cause, deadlineMS: Int?,
        mostMS: Int?
    ) -> Slot<ActionRecord> {
        addAction(
            draft, plan: plan, transaction: plans[plan].id, cause: cause, deadlineMS: deadlineMS,
            mostMS: mostMS)
    }

    /// An end of a call that is over here already; nobody waits for its result.
    mutating func addDetachedEnd(
        _ call: CallID, _ provider: Slot<ProviderRecord>, _ cause: Cause
    ) -> Slot<ActionRecord> {
        let draft = PlanDraft.Action(call: call, provider: provider, action: .end, isImplied: true)
        let action = addAction(
            draft, plan: nil, transaction: TransactionID(makeID()), cause: cause, deadlineMS: nil)
        providers[provider].detached.append(action)
        return action
    }

    private mutating func addAction(
        _ draft: PlanDraft.Action, plan: Slot<PlanRecord>?, transaction: TransactionID,
        cause: Cause, deadlineMS: Int?, mostMS: Int? = nil
    ) -> Slot<ActionRecord> {
        let record = providers[draft.provider]
        let kind = draft.action.kind
        let own = record.configuration.actionDeadlinesMS[kind].map { min(max($0, 1_000), 600_000) }
        let wanted = deadlineMS.map { min(max($0, 1), 600_000) }
        let deadline = min(wanted ?? own ?? policy.deadlines[kind], mostMS ?? .max)
        let id = ActionID(makeID())
        let call = calls.slot(of: draft.call)
        return actions.insert(
            ActionRecord(
                id: id, call: draft.call, callRecord: call,
                callSerial: call.map { calls[$0].serial } ?? 0,
                provider: draft.provider, providerID: record.id,
                action: draft.action, isImplied: draft.isImplied, cause: cause,
                transaction: transaction, plan: plan, deadlineMS: deadline, askedAt: now))
    }

    /// Sends an action, or, if its call has gone or is in the state already, settles it.
    mutating func prepare(_ action: Slot<ActionRecord>, _ role: PlanRecord.Step.Role) {
        guard let call = call(of: action) else {
            return settle(action, actions[action].isImplied ? .skipped : .cancelled)
        }
        guard hasProvider(action) else { return settle(action, .cancelled) }
        if role == .holdForRoom, calls[call].state != .active { return settle(action, .skipped) }
        // Its provider has taken the call out of the group that becomes live.
        if actions[action].action == .setHeld(false), live != calls[call].group {
            return settle(action, .skipped)
        }
        // A report has come before its turn (rule 30a).
        if let early = actions[action].early, !isTaken(action) {
            return settle(action, early.state, at: early.at)
        }
        if calls[call].state == .ending {
            // It is as wanted soon, or too late (rule 30, protocol O6).
            return settle(action, actions[action].action.kind == .end ? .fulfilled : .cancelled)
        }
        if actions[action].action.kind == .end { return prepareEnd(action, of: call) }
        overtake(call, by: actions[action].action)
        dispatch(action)
    }

    /// An end wins every race (protocol, O6). A call whose start was never sent, and one whose
    /// provider is away, ends here and now, unless its app may talk on.
    private mutating func prepareEnd(_ action: Slot<ActionRecord>, of call: Slot<CallRecord>) {
        let record = actions[action]
        let isUnseen = calls[call].state == .starting && calls[call].current == nil
        let isAway = !providers[calls[call].provider].isConnected
        let talksOn = speaksOrIsToldTo(call) && isLiveWithoutProvider(calls[call].group)
        beginEnding(call, by: action)
        let id = calls[call].id
        overtake(call, by: .end)
        if let reservation, record.plan != reservation, waits(reservation, for: call) {
            note(.busy, .cancelled, id, record.cause)
            abort(reservation, Refusal(.cancelled, rule: .busy))
        }
        guard let call = calls.slot(of: id) else { return settle(action, .fulfilled) }
        updateLiveness(of: calls[call].group, record.cause)
        guard isUnseen || isAway && !talksOn else { return dispatch(action) }
        settle(action, .fulfilled)
    }

    /// Returns whether the app of a call may talk: a call that rings or is held is silent until it
    /// is told otherwise.
    private func speaksOrIsToldTo(_ call: Slot<CallRecord>) -> Bool {
        switch calls[call].state {
        case .dialing, .connecting, .active: true
        case .starting, .ringing, .waiting, .held:
            calls[call].current.map { becomesLive(actions[$0].action) } ?? false
        case .ending, .ended: false
        }
    }

    /// Returns whether a plan that waits for room is to do something with a call.
    private func waits(_ plan: Slot<PlanRecord>, for call: Slot<CallRecord>) -> Bool {
        plans[plan].target == calls[call].id
            || plans[plan].actions.contains {
                isAbout(call, $0) && actions[$0].state == .queued
                    && !actions[$0].isImplied && actions[$0].action.kind != .end
            }
    }

    private mutating func beginEnding(_ call: Slot<CallRecord>, by action: Slot<ActionRecord>) {
        let record = actions[action]
        let isSilent =
            record.isImplied && calls[call].isStartSilent
            && calls[call].state == .starting
        if isSilent { announce(.startSilent, of: call) }
        calls[call].endReason = isSilent ? .failed : localReason(of: call)
        calls[call].endCause = record.cause
        if emergencies.contains(call) { endEmergency(call) }
        calls[call].ending = action
        if calls[call].isInIncoming { lastEnd = record.cause.origin }
        leaveIncoming(call)
        stop(.ring, of: call)
        stop(.dial, of: call)
        calls[call].state = .ending
        refreshPending(of: call, record.cause)
        publish(call, .state, record.cause)
    }

    /// An end cancels whatever its call has under way; a hold cancels a tone (protocol, O4).
    mutating func overtake(_ call: Slot<CallRecord>, by action: CallAction) {
        switch action {
        case .end: cancelQueued(on: call) { $0 != .end }
        case .setHeld: cancelQueued(on: call) { $0.kind == .playDTMF }
        case .start, .answer, .setMuted, .setGroup, .playDTMF: break
        }
        guard let current = calls[call].current else { return }
        switch action {
        case .end: cancel(current, isToldProvider: true)
        case .setHeld where actions[current].action.kind == .playDTMF:
            note(.tones, .cancelled, calls[call].id, actions[current].cause)
            cancel(current, isToldProvider: true)
        case .start, .answer, .setHeld, .setMuted, .setGroup, .playDTMF: break
        }
    }

    mutating func cancelQueued(
        on call: Slot<CallRecord>, _ matches: (CallAction) -> Bool
    ) {
        let (id, provider) = (calls[call].id, calls[call].provider)
        guard !providers[provider].queue.isEmpty else { return }
        let queued = providers[provider].queue.filter {
            actions[$0].call == id && matches(actions[$0].action)
        }
        // None of them is to be sent when the one before it goes.
        providers[provider].queue.removeAll { queued.contains($0) }
        for action in queued.map({ actions[$0].id }) {
            if let action = actions.slot(of: action) { cancel(action, isToldProvider: true) }
        }
    }

    // MARK: - To the provider

    mutating func dispatch(_ action: Slot<ActionRecord>) {
        let provider = actions[action].provider
        if providers[provider].queue.isEmpty, canSend(action), isAgreed(action) {
            return send(action)
        }
        providers[provider].queue.append(action)
        if let call = call(of: action) {
            refreshPending(of: call, actions[action].cause)
            // Whatever keeps an emergency from being sent, its time runs.
            if emergencies.contains(call) { startSilenceTimer(of: action) }
        }
        if !providers[provider].isConnected {
            note(.providerLost, .waitsForProvider, actions[action].call, actions[action].cause)
        }
        pump(provider)
    }

    /// Sends what can be sent, in order; the rest goes on waiting.
    mutating func pump(_ provider: Slot<ProviderRecord>) {
        guard providers.contains(provider), !providers[provider].queue.isEmpty else { return }
        let waiting = providers[provider].queue
        providers[provider].queue = []
        for action in waiting {
            if actions[action].early != nil, !isTaken(action) {
                // It is settled at the end of the event.
                providers[provider].queue.append(action)
            } else if canSend(action), isAlreadyDone(action) {
                actions[action].early = EarlyOutcome(.fulfilled)
                actions.appendEarlySettled(action)
                providers[provider].queue.append(action)
            } else if canSend(action), isAgreed(action) {
                send(action)
            } else {
                if !providers[provider].isConnected { armDeadline(of: action) }
                providers[provider].queue.append(action)
            }
        }
    }

    @inline(__always)
    private func canSend(_ action: Slot<ActionRecord>) -> Bool {
        let provider = actions[action].provider
        guard providers[provider].isConnected,
            providers[provider].performing < Self.performsPerProvider || isUrgent(action)
        else { return false }
        if actions[action].action.kind == .end { return true }
        return call(of: action).map { calls[$0].current == nil } ?? false
    }

    /// Returns whether an action is sent however many its provider performs already: an emergency,
    /// or its end, needs it (rule 20).
    private func isUrgent(_ action: Slot<ActionRecord>) -> Bool {
        guard mayBeUrgent(action) else { return false }
        return actions[action].role == .yield || call(of: action).map { isMarked($0) } ?? false
    }

    /// Returns whether an action is of a kind that an emergency needs. This outlasts its call, and
    /// the mark of that.
    func mayBeUrgent(_ action: Slot<ActionRecord>) -> Bool {
        switch actions[action].action {
        case .start, .answer, .end: true
        case .setHeld, .setMuted, .setGroup, .playDTMF: actions[action].role == .yield
        }
    }

    /// Returns whether, while an action waited, its call has come into the state that the action was
    /// to bring about (rule 30). An app whose call is sent back, or yields, has to be asked all the
    /// same: only here the call is held already (rules 13 and 20).
    private func isAlreadyDone(_ action: Slot<ActionRecord>) -> Bool {
        guard let call = call(of: action), actions[action].early == nil,
            actions[action].role != .sendBack, actions[action].role != .yield
        else { return false }
        switch actions[action].action {
        case .setHeld(true): return calls[call].state == .held
        case .setHeld(false): return calls[call].state == .active
        case .start, .answer, .end, .setMuted, .setGroup, .playDTMF: return false
        }
    }

    private mutating func send(_ action: Slot<ActionRecord>) {
        let provider = actions[action].provider
        armDeadline(of: action)
        actions[action].state = .dispatched
        providers[provider].performing += 1
        if actions[action].action.kind != .end, let call = call(of: action) {
            calls[call].current = action
            refreshPending(of: call, actions[action].cause)
        }
        if isTaken(action) {
            if actions[action].early != nil { actions.appendEarlySettled(action) }
        } else {
            perform(action)
        }
        announce(action, .dispatched)
        startSilenceTimer(of: action)
    }

    /// Tells the provider what to do: for the first time, or again after it was away.
    mutating func perform(_ action: Slot<ActionRecord>) {
        actions[action].attempt += 1
        emit(.perform(dispatchOf(action)))
    }

    @inline(__always)
    func dispatchOf(_ action: Slot<ActionRecord>) -> Dispatch {
        let record = actions[action]
        let deadline = record.deadline ?? now.advanced(byMS: record.deadlineMS)
        let (rest, isOver) = deadline.nanoseconds.subtractingReportingOverflow(now.nanoseconds)
        let (age, isOld) = now.nanoseconds.subtractingReportingOverflow(record.askedAt.nanoseconds)
        return Dispatch(
            action: record.id, provider: record.providerID, call: record.call,
            kind: record.action, transaction: record.transaction, cause: record.cause,
            deadlineMS: isOver ? 1 : max(1, Int(rest / 1_000_000)), attempt: record.attempt,
            ageMS: isOld ? 0 : max(0, Int(age / 1_000_000)))
    }

    private mutating func startSilenceTimer(of action: Slot<ActionRecord>) {
        guard let call = call(of: action), showsLife(actions[action].action, of: call),
            !calls[call].timers.contains(.startSilence)
        else { return }
        start(.startSilence, of: call, afterMS: policy.startSilenceMS)
    }

    /// Returns whether others may want to know that the app is silent: the action is a start, or
    /// answers an emergency (rules 10 and 20).
    private func showsLife(_ action: CallAction, of call: Slot<CallRecord>) -> Bool {
        switch action {
        case .start: true
        case .answer: emergencies.contains(call)
        case .end, .setHeld, .setMuted, .setGroup, .playDTMF: false
        }
    }

    /// Starts the time of an action, unless it runs already.
    mutating func armDeadline(of action: Slot<ActionRecord>) {
        guard actions[action].deadline == nil else { return }
        let milliseconds = actions[action].deadlineMS
        let deadline = now.advanced(byMS: milliseconds)
        actions[action].deadline = deadline
        let (percents, isFar) = milliseconds.multipliedReportingOverflow(
            by: actions[action].isAwaitedEnd ? 100 : policy.extensionPercentMax)
        actions[action].latestDeadline = now.advanced(byMS: isFar ? .max : percents / 100)
        emit(.startTimer(.action(actions[action].id), at: deadline))
    }
}
