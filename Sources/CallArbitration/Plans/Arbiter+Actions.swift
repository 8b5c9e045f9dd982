internal import CallModel

/// The dispatch of actions to providers.
extension Arbiter {
    /// The most actions that one provider performs at a time, but for urgent ones (protocol, O4).
    static let performsPerProvider = 8

    /// - Parameter mostMS: The time for which something else waits for the action, in milliseconds.
    mutating func addAction(
        _ draft: PlanDraft.Action, plan: Slot<PlanRecord>, cause: Cause, deadlineMS: Int?,
        mostMS: Int?
    ) -> Slot<ActionRecord> {
        addAction(
            draft, plan: plan, transaction: plans[plan].id, cause: cause, deadlineMS: deadlineMS,
            mostMS: mostMS)
    }

    /// Adds an end of a call that is over here already, whose result nothing waits for.
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

    /// Sends an action, or settles it if its call is over or is already in the requested state.
    mutating func prepare(_ action: Slot<ActionRecord>, _ role: PlanRecord.Step.Role) {
        guard let call = call(of: action) else {
            return settle(action, actions[action].isImplied ? .skipped : .cancelled)
        }
        guard hasProvider(action) else { return settle(action, .cancelled) }
        if role == .holdForRoom, calls[call].state != .active { return settle(action, .skipped) }
        // The provider has taken the call out of the group that becomes live.
        if actions[action].action == .setHeld(false), live != calls[call].group {
            return settle(action, .skipped)
        }
        // A report preceded the turn of the action (rule 30a).
        if let early = actions[action].early, !isTaken(action) {
            return settle(action, early.state, at: early.at)
        }
        if calls[call].state == .ending {
            // An end is under way already; anything else is too late (rule 30, protocol O6).
            return settle(action, actions[action].action.kind == .end ? .fulfilled : .cancelled)
        }
        if actions[action].action.kind == .end { return prepareEnd(action, of: call) }
        overtake(call, by: actions[action].action)
        dispatch(action)
    }

    /// Prepares an end, which wins every race (protocol, O6). A call whose start was never sent, or
    /// whose provider is disconnected, ends at once, unless its app may keep the call live.
    private mutating func prepareEnd(_ action: Slot<ActionRecord>, of call: Slot<CallRecord>) {
        guard calls[call].state != .external else { return cancelPull(action, of: call) }
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

    /// Returns whether the app of a call may have the call live: a call that rings or is held is
    /// silent until an action changes that.
    private func speaksOrIsToldTo(_ call: Slot<CallRecord>) -> Bool {
        switch calls[call].state {
        case .dialing, .alerting, .connecting, .active: true
        case .starting, .ringing, .waiting, .held, .external:
            calls[call].current.map { becomesLive(actions[$0].action) } ?? false
        case .ending, .ended: false
        }
    }

    /// Returns whether a plan that waits for room is to do something with a call.
    func waits(_ plan: Slot<PlanRecord>, for call: Slot<CallRecord>) -> Bool {
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

    /// Cancels the actions on a call that a new one overtakes: an end cancels every other action, a
    /// hold cancels a tone or a change of video or text (protocol, O4).
    mutating func overtake(_ call: Slot<CallRecord>, by action: CallAction) {
        switch action {
        case .end: cancelQueued(on: call) { $0 != .end }
        case .setHeld: cancelQueued(on: call) { $0.kind.ruleOfHold != nil }
        case .start, .answer, .setMuted, .setGroup, .playDTMF, .setEndpoint, .setVideo, .setText,
            .transfer,
            .attendedTransfer,
            .deflect:
            break
        }
        guard let current = calls[call].current else { return }
        switch action {
        case .end: cancel(current, isToldProvider: true)
        case .setHeld:
            guard let rule = actions[current].action.kind.ruleOfHold else { break }
            note(rule, .cancelled, calls[call].id, actions[current].cause)
            cancel(current, isToldProvider: true)
        case .start, .answer, .setMuted, .setGroup, .playDTMF, .setEndpoint, .setVideo, .setText,
            .transfer, .attendedTransfer, .deflect:
            break
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
        // None of these is to be sent when the one before it is cancelled.
        providers[provider].queue.removeAll { queued.contains($0) }
        for action in queued.map({ actions[$0].id }) {
            if let action = actions.slot(of: action) { cancel(action, isToldProvider: true) }
        }
    }

    // MARK: - To the provider

    mutating func dispatch(_ action: Slot<ActionRecord>) {
        let provider = actions[action].provider
        if providers[provider].queue.isEmpty, canSend(action), isAgreed(action), place(action) {
            return send(action)
        }
        providers[provider].queue.append(action)
        if let call = call(of: action) {
            refreshPending(of: call, actions[action].cause)
            // The time of an emergency runs whatever keeps it from being sent.
            if emergencies.contains(call) { startSilenceTimer(of: action) }
        }
        if !providers[provider].isConnected {
            note(.providerLost, .waitsForProvider, actions[action].call, actions[action].cause)
        }
        pump(provider)
    }

    /// Sends the queued actions that can be sent, in order; the others continue to wait.
    mutating func pump(_ provider: Slot<ProviderRecord>) {
        guard providers.contains(provider), !providers[provider].queue.isEmpty else { return }
        let waiting = providers[provider].queue
        providers[provider].queue = []
        for action in waiting {
            if actions[action].early != nil, !isTaken(action) {
                // The action is settled at the end of the event.
                providers[provider].queue.append(action)
            } else if canSend(action), isAlreadyDone(action) {
                settleLater(action, .fulfilled)
            } else if canSend(action), isAgreed(action) {
                if place(action) { send(action) } else { settleLater(action, .failed) }
            } else {
                if !providers[provider].isConnected { armDeadline(of: action) }
                providers[provider].queue.append(action)
            }
        }
    }

    /// Puts back an action that is settled at the end of the event, and not sent.
    private mutating func settleLater(_ action: Slot<ActionRecord>, _ state: ActionState) {
        actions[action].early = EarlyOutcome(state)
        actions.appendEarlySettled(action)
        providers[actions[action].provider].queue.append(action)
    }

    /// Gives a start the line that places its call: its app may have registered its lines after the
    /// request. Returns false if the app has lines, but not the one that is named.
    private mutating func place(_ action: Slot<ActionRecord>) -> Bool {
        guard case .start(var start) = actions[action].action, let call = call(of: action) else {
            return true
        }
        let configuration = providers[actions[action].provider].configuration
        let isKnown = start.line.map { configuration.line($0) != nil } ?? false
        guard !configuration.lines.isEmpty, !isKnown else { return true }
        guard start.line == nil || emergencies.contains(call) else {
            actions[action].failure = .unknownLine
            return false
        }
        let line = configuration.defaultLine?.id
        guard line != start.line else { return true }
        start.line = line
        actions[action].action = .start(start)
        calls[call].properties.line = line
        publish(call, [.line], actions[action].cause)
        return true
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

    /// Returns whether an action is sent regardless of how many its provider performs already: an
    /// emergency, or its end, needs the action (rule 20).
    private func isUrgent(_ action: Slot<ActionRecord>) -> Bool {
        guard mayBeUrgent(action) else { return false }
        return actions[action].role == .yield || call(of: action).map { isMarked($0) } ?? false
    }

    /// Returns whether an action is of a kind that an emergency needs. The result is independent of
    /// the call, which may be over, or no longer marked.
    func mayBeUrgent(_ action: Slot<ActionRecord>) -> Bool {
        switch actions[action].action {
        case .start, .answer, .end: true
        case .setHeld, .setMuted, .setGroup, .playDTMF, .setEndpoint, .setVideo, .setText,
            .transfer,
            .attendedTransfer,
            .deflect:
            actions[action].role == .yield
        }
    }

    /// Returns whether the call of a waiting action has reached the requested state in the meantime
    /// (rule 30). An action that sends a call back, or makes it yield, has to be sent all the same:
    /// the call is held already only here (rules 13 and 20).
    private func isAlreadyDone(_ action: Slot<ActionRecord>) -> Bool {
        guard let call = call(of: action), actions[action].early == nil,
            actions[action].role != .sendBack, actions[action].role != .yield
        else { return false }
        switch actions[action].action {
        case .setHeld(true): return calls[call].state == .held
        case .setHeld(false): return calls[call].state == .active
        case .start, .answer, .end, .setMuted, .setGroup, .playDTMF, .setEndpoint, .setVideo,
            .setText,
            .transfer,
            .attendedTransfer,
            .deflect:
            return false
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

    /// Sends an action to its provider: for the first time, or again after the provider
    /// reconnected.
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

    /// Returns whether a silent app is to be recorded for an action: a start, or the answer of an
    /// emergency (rules 10 and 20).
    private func showsLife(_ action: CallAction, of call: Slot<CallRecord>) -> Bool {
        switch action {
        case .start: true
        case .answer: emergencies.contains(call)
        case .end, .setHeld, .setMuted, .setGroup, .playDTMF, .setEndpoint, .setVideo, .setText,
            .transfer,
            .attendedTransfer,
            .deflect:
            false
        }
    }

    /// Starts the time of an action unless that is running already.
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
