internal import CallModel

/// The execution of plans, step by step and action by action.
extension Arbiter {
    /// Makes a plan of a draft and begins it.
    mutating func run(_ draft: PlanDraft, for order: PlanOrder) {
        var cause = order.cause
        cause.transaction = order.transaction ?? TransactionID(makeID())
        let plan = plans.insert(
            PlanRecord(
                id: cause.transaction ?? TransactionID(makeID()), requester: order.requester,
                waiting: order.waiting, cause: cause, target: draft.target))
        plans[plan].choice = draft.choice
        plans[plan].deadlineMS = order.deadlineMS
        plans[plan].steps.reserveCapacity(draft.steps.count)
        plans[plan].actions.reserveCapacity(draft.steps.reduce(0) { $0 + $1.actions.count })
        let lastLive = lastLiveStep(of: draft) ?? 0
        for (index, step) in draft.steps.enumerated() {
            let isAsked = step.role == .requested || step.actions.first?.isImplied == false
            var stepCause = isAsked ? cause : implied(cause, for: draft.target)
            stepCause.rule = step.rule ?? cause.rule
            let isAwaited = awaitsEnds(of: step.role, isFollowed: index < lastLive)
            let step = addStep(step, of: plan, stepCause, order.deadlineMS, isAwaited: isAwaited)
            plans[plan].steps.append(step)
        }
        for note in draft.notes {
            let call = draft.target ?? draft.steps.last?.actions.first?.call
            self.note(note.rule, note.verdict, call, cause, blocking: note.blocking)
        }
        plans[plan].wantsRoom =
            draft.steps.contains { $0.role.makesRoom } || regroups(draft) || lastLive > 0
        claimReservation(for: plan, from: 0)
        accept(plan)
        drop(draft.dropped, cause, for: draft.target)
        markQueued(plan)
        stopRinging(plan)
        begin(plan)
    }

    /// Ends silent starts that make way for a plan. The plan does not wait for these ends (rule
    /// 10).
    private mutating func drop(_ dropped: [CallID], _ cause: Cause, for target: CallID?) {
        var cause = implied(cause, for: target)
        cause.rule = .alreadyDialing
        for call in dropped.compactMap({ calls.slot(of: $0) }) {
            announce(.startSilent, of: call)
            dismiss(call, .failed, cause)
        }
    }

    /// Returns whether a draft merges or splits calls: until that is done nothing else becomes live
    /// (rule 15).
    private func regroups(_ draft: PlanDraft) -> Bool {
        draft.steps.contains { $0.actions.first?.action.kind == .setGroup }
    }

    /// Returns the last requested step of a draft by which a call becomes live; nil if none does.
    private func lastLiveStep(of draft: PlanDraft) -> Int? {
        draft.steps.lastIndex { step in
            step.role == .requested && step.actions.first.map { becomesLive($0.action) } ?? false
        }
    }

    /// Returns whether the ends of a step are waited for: they make room, or a call becomes live
    /// after them (rule 7).
    ///
    /// - Parameter isFollowed: True if a call becomes live by a later requested step.
    private func awaitsEnds(of role: PlanRecord.Step.Role, isFollowed: Bool) -> Bool {
        role == .endForRoom || role == .requested && isFollowed
    }

    /// Restores what `addStep` records in actions about their steps, which is not stored.
    mutating func restoreRoles() {
        for record in plans.all.map({ plans[$0] }) {
            let lastLive = record.steps.lastIndex { step in
                step.role == .requested
                    && record.actions(of: step).first.map { becomesLive(actions[$0].action) }
                        ?? false
            }
            for (index, step) in record.steps.enumerated() {
                let isAwaited = awaitsEnds(of: step.role, isFollowed: index < lastLive ?? 0)
                for action in record.actions(of: step) {
                    setRole(step.role, of: action, isAwaited: isAwaited)
                }
            }
        }
    }

    private mutating func setRole(
        _ role: PlanRecord.Step.Role, of action: Slot<ActionRecord>, isAwaited: Bool
    ) {
        actions[action].role = role
        actions[action].isAwaitedEnd = isAwaited && actions[action].action == .end
    }

    /// Gives a plan the reservation if it needs one and no other plan has it. A plan that ends what
    /// another waits for has the reservation after that plan.
    private mutating func claimReservation(for plan: Slot<PlanRecord>, from first: Int) {
        guard reservation == nil, plans[plan].wantsRoom else { return }
        let isNeeded = plans[plan].steps[first...].contains { step in
            guard let first = plans[plan].actions(of: step).first else { return true }
            let action = actions[first].action
            return step.role.makesRoom || becomesLive(action) || action.kind == .setGroup
        }
        if isNeeded { reservation = plan }
    }

    /// Carries out a draft that has no requester.
    mutating func run(_ draft: PlanDraft, _ cause: Cause) {
        run(draft, for: PlanOrder(cause: cause))
    }

    private mutating func accept(_ plan: Slot<PlanRecord>) {
        let report = report(of: plan, .accepted)
        for waiting in plans[plan].waiting where waiting.reply == .whenAccepted {
            emit(.accept(waiting.token, report))
        }
        announce(.transactionAccepted(report, plans[plan].cause))
    }

    /// Returns the cause of the actions that the arbiter adds in front of the requested ones.
    @inline(__always)
    private func implied(_ cause: Cause, for target: CallID?) -> Cause {
        Cause(
            .arbitration, rule: cause.rule, transaction: cause.transaction,
            becauseOf: target ?? cause.becauseOf)
    }

    /// - Parameter isAwaited: True if the ends of the step are waited for.
    mutating func addStep(
        _ step: PlanDraft.Step, of plan: Slot<PlanRecord>, _ cause: Cause, _ deadlineMS: Int?,
        isAwaited: Bool
    ) -> PlanRecord.Step {
        let first = plans[plan].actions.count
        for draft in step.actions {
            let mostMS = isAwaited && draft.action == .end ? policy.endingWaitMS : nil
            let action = addAction(
                draft, plan: plan, cause: cause, deadlineMS: deadlineMS, mostMS: mostMS)
            setRole(step.role, of: action, isAwaited: isAwaited)
            plans[plan].actions.append(action)
        }
        let count = step.actions.count
        return PlanRecord.Step(role: step.role, first: first, count: count, unsettled: count)
    }

    /// Publishes that the target of a plan waits for room.
    private mutating func markQueued(_ plan: Slot<PlanRecord>) {
        guard reservation == plan, let target = plans[plan].target,
            let call = calls.slot(of: target),
            calls[call].pending == nil
        else { return }
        refreshPending(of: call, plans[plan].cause)
    }

    /// Stops the ring timers of answered calls; what the answer waits for has deadlines of its own.
    private mutating func stopRinging(_ plan: Slot<PlanRecord>) {
        for action in plans[plan].actions {
            guard let call = answeredCall(of: action), calls[call].state.isUnanswered else {
                continue
            }
            stop(.ring, of: call)
        }
    }

    /// Returns the call that an action answers; nil if the action is no answer.
    @inline(__always)
    func answeredCall(of action: Slot<ActionRecord>) -> Slot<CallRecord>? {
        actions[action].action.kind == .answer ? call(of: action) : nil
    }

    /// Records the newest change of a group's mute, which replaces a change that the provider,
    /// being disconnected, has not received (rule 27).
    private mutating func recordMute(of step: PlanRecord.Step, of plan: Slot<PlanRecord>) {
        guard let first = plans[plan].actions(of: step).first,
            case .setMuted(let isMuted) = actions[first].action,
            let call = call(of: first)
        else { return }
        let group = calls[call].group
        let older = muteUnderWay(of: group)
        groups[group].muteUnderWay = .init(
            plan: plan, transaction: plans[plan].id, isMuted: isMuted)
        guard let older, !providers[groups[group].provider].isConnected,
            plans[older.plan].actions.allSatisfy({ actions[$0].state == .queued })
        else { return }
        note(.providerLost, .cancelled, calls[call].id, plans[older.plan].cause)
        abort(older.plan, Refusal(.cancelled, rule: .providerLost))
    }

    @inline(__always)
    func muteUnderWay(of group: Slot<GroupRecord>) -> GroupRecord.MuteChange? {
        groups[group].muteUnderWay.flatMap { change in
            isKnown(change.plan, change.transaction) && isMuting(change.plan) ? change : nil
        }
    }

    private func isMuting(_ plan: Slot<PlanRecord>) -> Bool {
        plans[plan].actions.contains {
            actions[$0].action.kind == .setMuted
                && (actions[$0].state == .queued || actions[$0].state == .dispatched)
        }
    }

    // MARK: - Steps

    /// Begins the step at the cursor, and those behind it, until one has to wait.
    mutating func begin(_ plan: Slot<PlanRecord>) {
        let id = plans[plan].id
        while isOpen(plan, id) {
            guard plans[plan].cursor < plans[plan].steps.count else {
                return complete(plan)
            }
            let step = plans[plan].steps[plans[plan].cursor]
            plans[plan].steps[plans[plan].cursor].hasBegun = true
            guard mayBegin(step, of: plan) else { return }
            recordMute(of: step, of: plan)
            for index in step.range where isOpen(plan, id) {
                let action = plans[plan].actions[index]
                if actions[action].state == .queued { prepare(action, step.role) }
            }
            if isOpen(plan, id), reservation == nil {
                claimReservation(for: plan, from: plans[plan].cursor + 1)
                markQueued(plan)
            }
            guard isOpen(plan, id), isOver(plan), evaluateStep(plan) else { return }
            plans[plan].cursor += 1
        }
    }

    /// Returns whether a plan is still open: the consequences of its own actions may have ended it.
    @inline(__always)
    private func isOpen(_ plan: Slot<PlanRecord>, _ id: TransactionID) -> Bool {
        isKnown(plan, id) && !plans[plan].isDone
    }

    private mutating func complete(_ plan: Slot<PlanRecord>) {
        let (target, cause) = (plans[plan].target, plans[plan].cause)
        let resumes =
            plans[plan].hasHeld
            && plans[plan].steps.contains { $0.role == .resumeMembers }
        endPlan(plan, .completed)
        // None of the members could be resumed (rule 22).
        if resumes, live == nil, let call = target.flatMap({ calls.slot(of: $0) }) {
            resumeGroupHeld(for: call, cause)
        }
    }

    private mutating func mayBegin(
        _ step: PlanRecord.Step, of plan: Slot<PlanRecord>
    ) -> Bool {
        switch step.role {
        case .awaitEnding:
            if live != nil { startWait(of: plan) }
            return live == nil
        case .grantReport: return grantReport(plan)
        case .requested, .resumeMembers: return takePlace(plan, step)
        case .awaitHold: return live == nil
        case .holdForRoom, .endForRoom, .sendBack, .yield: return true
        }
    }

    /// Continues a plan after something that the plan waited for.
    mutating func advance(_ plan: Slot<PlanRecord>) {
        guard !plans[plan].isDone, plans[plan].cursor < plans[plan].steps.count else { return }
        let step = plans[plan].steps[plans[plan].cursor]
        guard step.hasBegun, isOver(plan), evaluateStep(plan) else { return }
        plans[plan].cursor += 1
        begin(plan)
    }

    @inline(__always)
    private func isOver(_ plan: Slot<PlanRecord>) -> Bool {
        let step = plans[plan].steps[plans[plan].cursor]
        let waits = step.role == .awaitEnding || step.role == .awaitHold
        return step.unsettled == 0 && (!waits || live == nil)
    }

    /// Makes the group of a call live before the call's action is sent, if no other group is live.
    /// Returns whether the step may begin.
    private mutating func takePlace(_ plan: Slot<PlanRecord>, _ step: PlanRecord.Step) -> Bool {
        guard step.count > 0 else { return true }
        guard let first = plans[plan].actions(of: step).first(where: { call(of: $0) != nil }),
            let call = call(of: first)
        else {
            // Ended calls cannot be resumed; the requested actions are done (rule 22).
            if step.role == .resumeMembers { return true }
            abort(plan, Refusal(.callEnded, rule: .unknownCall))
            return false
        }
        guard becomesLive(actions[first].action) else {
            if actions[first].action.kind == .setGroup { reservation = reservation ?? plan }
            return true
        }
        guard calls[call].state != .ending else {
            abort(plan, Refusal(.cancelled, rule: .busy))
            return false
        }
        if beginsEmergency(first) {
            // Ending the calls in the way cancels a plan that waits for room, but not this one.
            if reservation == plan { reservation = nil }
            makeWay(for: call, plans[plan].requester == .user ? plans[plan].choice : nil)
            if reservation == nil, hasNewcomerAhead(plan) { reservation = plan }
        }
        let group = calls[call].group
        if let live, live != group {
            giveWay(plan, to: live)
            return false
        }
        if reservation == plan, !hasNewcomerAhead(plan) { release(plan, for: call) }
        leaveIncoming(call)
        stop(.ring, of: call)
        groups[group].isBecomingLive = true
        updateLiveness(of: group, plans[plan].cause)
        return true
    }

    /// Returns whether an action starts or answers an emergency.
    private func beginsEmergency(_ action: Slot<ActionRecord>) -> Bool {
        switch actions[action].action {
        case .start, .answer: call(of: action).map { emergencies.contains($0) } ?? false
        case .end, .setHeld, .setMuted, .setGroup, .playDTMF, .setEndpoint, .setVideo, .setText,
            .transfer,
            .attendedTransfer,
            .deflect:
            false
        }
    }

    /// Returns whether another call of the same transaction still waits for room.
    private func hasNewcomerAhead(_ plan: Slot<PlanRecord>) -> Bool {
        plans[plan].steps[(plans[plan].cursor + 1)...].contains { step in
            step.role == .requested
                && plans[plan].actions(of: step).contains { becomesLive(actions[$0].action) }
        }
    }

    /// Releases the reservation. The call for which room was made may differ from the target, as in
    /// a merge.
    private mutating func release(_ plan: Slot<PlanRecord>, for call: Slot<CallRecord>) {
        reservation = nil
        guard let target = plans[plan].target.flatMap({ calls.slot(of: $0) }), target != call else {
            return
        }
        refreshPending(of: target, plans[plan].cause)
    }

    /// Lets a plan wait for a live group that is ending, or else aborts the plan (rule 10a).
    private mutating func giveWay(_ plan: Slot<PlanRecord>, to live: Slot<GroupRecord>) {
        guard isEnding(live), reservation == nil || reservation == plan else {
            return abort(plan, Refusal(.busy, rule: .busy, blocking: blockers(live)))
        }
        let wait = PlanRecord.Step(
            role: .awaitEnding, first: 0, count: 0, unsettled: 0, hasBegun: true)
        plans[plan].steps.insert(wait, at: plans[plan].cursor)
        note(.waitForEnding, .waitsForEnding, plans[plan].target, plans[plan].cause)
        reservation = plan
        markQueued(plan)
        startWait(of: plan)
    }

    /// Grants the audio to a call that was reported active, once no other call is live. Returns
    /// whether the step may begin.
    private mutating func grantReport(_ plan: Slot<PlanRecord>) -> Bool {
        guard let target = plans[plan].target, let call = calls.slot(of: target), live == nil else {
            abort(plan, Refusal(.callEnded, rule: .unknownCall))
            return false
        }
        if reservation == plan { reservation = nil }
        note(.reportedActive, .audioGranted, target, plans[plan].cause)
        connected(call, plans[plan].cause)
        return true
    }

    @inline(__always)
    func becomesLive(_ action: CallAction) -> Bool {
        switch action {
        case .start, .answer, .setHeld(false): true
        case .end, .setHeld(true), .setMuted, .setGroup, .playDTMF, .setEndpoint, .setVideo,
            .setText,
            .transfer,
            .attendedTransfer,
            .deflect:
            false
        }
    }
}
