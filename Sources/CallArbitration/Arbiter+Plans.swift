internal import CallModel

/// Plans are carried out: step by step, action by action.
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
        plans[plan].steps.reserveCapacity(draft.steps.count)
        plans[plan].actions.reserveCapacity(draft.steps.reduce(0) { $0 + $1.actions.count })
        for step in draft.steps {
            var stepCause = step.role == .requested ? cause : implied(cause, for: draft.target)
            stepCause.rule = step.rule ?? cause.rule
            let step = addStep(step, of: plan, stepCause, order.deadlineMS)
            plans[plan].steps.append(step)
        }
        for note in draft.notes {
            let call = draft.target ?? draft.steps.last?.actions.first?.call
            self.note(note.rule, note.verdict, call, cause, blocking: note.blocking)
        }
        if draft.steps.contains(where: { $0.role.makesRoom })
            || reservation == nil && regroups(draft)
        {
            reservation = plan
        }
        noteMute(of: plan)
        accept(plan)
        markQueued(plan)
        stopRinging(plan)
        begin(plan)
    }

    /// As long as calls are merged or split nothing else becomes live (rule 15).
    private func regroups(_ draft: PlanDraft) -> Bool {
        draft.steps.contains { $0.actions.first?.action.kind == .setGroup }
    }

    /// Carries a draft out that nobody asked for.
    mutating func run(_ draft: PlanDraft, _ cause: Cause) {
        run(draft, for: PlanOrder(cause: cause))
    }

    private mutating func accept(_ plan: Slot<PlanRecord>) {
        for waiting in plans[plan].waiting {
            if waiting.wait == .accepted {
                emit(.accept(waiting.token, report(of: plan, .accepted)))
            }
        }
        announce(.transactionAccepted(plans[plan].id))
    }

    /// The same cause for what the arbiter puts in front.
    @inline(__always)
    private func implied(_ cause: Cause, for target: CallID?) -> Cause {
        Cause(
            .arbitration, rule: cause.rule, transaction: cause.transaction,
            becauseOf: target ?? cause.becauseOf)
    }

    mutating func addStep(
        _ step: PlanDraft.Step, of plan: Slot<PlanRecord>, _ cause: Cause, _ deadlineMS: Int?
    ) -> PlanRecord.Step {
        let first = plans[plan].actions.count
        for draft in step.actions {
            let action = addAction(draft, plan: plan, cause: cause, deadlineMS: deadlineMS)
            plans[plan].actions.append(action)
        }
        let count = step.actions.count
        return PlanRecord.Step(role: step.role, first: first, count: count, unsettled: count)
    }

    /// Calls that wait for room say so.
    private mutating func markQueued(_ plan: Slot<PlanRecord>) {
        guard reservation == plan, let target = plans[plan].target, let call = callsByID[target],
            calls[call].pending == nil
        else { return }
        refreshPending(of: call, plans[plan].cause)
    }

    /// Somebody has answered in time; what the answer waits for has deadlines of its own.
    private mutating func stopRinging(_ plan: Slot<PlanRecord>) {
        for call in answered(by: plan) where calls[call].isIncomingUnanswered {
            stop(.ring, of: call)
        }
    }

    private func answered(by plan: Slot<PlanRecord>) -> [Slot<CallRecord>] {
        plans[plan].actions.filter { actions[$0].action == .answer }.compactMap { call(of: $0) }
    }

    /// The newest wish about a group's sound replaces one that its provider, being away, has not
    /// seen (rule 27).
    private mutating func noteMute(of plan: Slot<PlanRecord>) {
        guard let first = plans[plan].actions.first,
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
            isKnown(change.plan, change.transaction) ? change : nil
        }
    }

    // MARK: - Steps

    /// Begins the step at the cursor, and those behind it, until one has to wait.
    private mutating func begin(_ plan: Slot<PlanRecord>) {
        let id = plans[plan].id
        while isOpen(plan, id) {
            guard plans[plan].cursor < plans[plan].steps.count else {
                return complete(plan)
            }
            let step = plans[plan].steps[plans[plan].cursor]
            plans[plan].steps[plans[plan].cursor].hasBegun = true
            guard mayBegin(step, of: plan) else { return }
            for index in step.range where isOpen(plan, id) {
                let action = plans[plan].actions[index]
                if actions[action].state == .queued { prepare(action, step.role) }
            }
            guard isOpen(plan, id), isOver(plan), judge(plan) else { return }
            plans[plan].cursor += 1
        }
    }

    /// Whether it still is that plan: what its own actions led to may have ended it.
    @inline(__always)
    private func isOpen(_ plan: Slot<PlanRecord>, _ id: TransactionID) -> Bool {
        isKnown(plan, id) && !plans[plan].isDone
    }

    private mutating func complete(_ plan: Slot<PlanRecord>) {
        let (target, cause) = (plans[plan].target, plans[plan].cause)
        let resumes =
            plans[plan].hasHeld
            && plans[plan].steps.contains { $0.role == .resumeMembers }
        conclude(plan, .completed)
        // None of the members could be resumed (rule 22).
        if resumes, live == nil, let call = target.flatMap({ callsByID[$0] }) {
            bringBackHeld(for: call, cause)
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
        case .holdForRoom, .endForRoom, .sendBack: return true
        }
    }

    /// Goes on after something that the plan waited for.
    mutating func advance(_ plan: Slot<PlanRecord>) {
        guard !plans[plan].isDone, plans[plan].cursor < plans[plan].steps.count else { return }
        let step = plans[plan].steps[plans[plan].cursor]
        guard step.hasBegun, isOver(plan), judge(plan) else { return }
        plans[plan].cursor += 1
        begin(plan)
    }

    @inline(__always)
    private func isOver(_ plan: Slot<PlanRecord>) -> Bool {
        let step = plans[plan].steps[plans[plan].cursor]
        return step.unsettled == 0 && (step.role != .awaitEnding || live == nil)
    }

    /// Before a call becomes live nothing else may be: its group takes the place.
    private mutating func takePlace(_ plan: Slot<PlanRecord>, _ step: PlanRecord.Step) -> Bool {
        guard step.count > 0 else { return true }
        guard let first = plans[plan].actions(of: step).first(where: { call(of: $0) != nil }),
            let call = call(of: first)
        else {
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
        let group = calls[call].group
        if let live, live != group {
            giveWay(plan, to: live)
            return false
        }
        if reservation == plan { reservation = nil }
        leaveIncoming(call)
        stop(.ring, of: call)
        groups[group].isBecomingLive = true
        settle(group, plans[plan].cause)
        return true
    }

    /// Another group is live after all: if it is ending, its end is waited for (rule 10a).
    private mutating func giveWay(_ plan: Slot<PlanRecord>, to live: Slot<GroupRecord>) {
        guard isEnding(live), reservation == nil || reservation == plan else {
            return abort(plan, Refusal(.busy, rule: .busy, blocking: blockers(live)))
        }
        let wait = PlanRecord.Step(
            role: .awaitEnding, first: 0, count: 0, unsettled: 0, hasBegun: true)
        plans[plan].steps.insert(wait, at: plans[plan].cursor)
        note(.waitForEnding, .waitsForEnding, plans[plan].target, plans[plan].cause)
        reservation = plan
        startWait(of: plan)
    }

    /// The way is free for a call that speaks already.
    private mutating func grantReport(_ plan: Slot<PlanRecord>) -> Bool {
        guard let target = plans[plan].target, let call = callsByID[target], live == nil else {
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
        case .end, .setHeld(true), .setMuted, .setGroup, .playDTMF: false
        }
    }

    // MARK: - Waiting for an end (rule 10a)

    private mutating func startWait(of plan: Slot<PlanRecord>) {
        guard !plans[plan].isWaitTimed else { return }
        plans[plan].isWaitTimed = true
        waitingForEnd.append(plan)
        let due = now.advanced(byMS: policy.endingWaitMS)
        emit(.startTimer(.endingWait(plans[plan].id), at: due))
    }

    mutating func stopWait(of plan: Slot<PlanRecord>) {
        waitingForEnd.removeAll { $0 == plan }
        guard plans[plan].isWaitTimed else { return }
        plans[plan].isWaitTimed = false
        emit(.stopTimer(.endingWait(plans[plan].id)))
    }

    /// The end took too long for the one who waits: it is ended here.
    mutating func endingWaitOver(_ transaction: TransactionID) {
        let plan = waitingForEnd.first { plans[$0].id == transaction && plans[$0].isWaitTimed }
        guard let plan, let live else { return }
        plans[plan].isWaitTimed = false
        for id in members(of: live).map({ calls[$0].id }) {
            guard let call = callsByID[id], let ending = calls[call].ending else { continue }
            note(.waitForEnding, .silentCallEnded, id, plans[plan].cause)
            timeOut(ending)
        }
        // Another plan was faster: its call is live now.
        if let live = self.live, isKnown(plan, transaction) {
            abort(plan, Refusal(.busy, rule: .busy, blocking: blockers(live)))
        }
    }

    // MARK: - The end of a plan

    /// Gives a plan up: what was not dispatched is skipped, what is under way is cancelled.
    mutating func abort(_ plan: Slot<PlanRecord>, _ refusal: Refusal) {
        guard !plans[plan].isDone else { return }
        plans[plan].isDone = true
        plans[plan].refusal = refusal
        if reservation == plan { reservation = nil }
        let halfDone = halfDone(plan)
        for step in plans[plan].steps { call(off: step, of: plan) }
        let (target, hasHeld, cause) = (plans[plan].target, plans[plan].hasHeld, plans[plan].cause)
        let answered = answered(by: plan).map { calls[$0].id }
        let wasReport = plans[plan].steps.contains { $0.role == .grantReport }
        let starts = plans[plan].actions.filter { actions[$0].action.kind == .start }
            .map { (call: actions[$0].call, wasSent: actions[$0].attempt > 0) }
        conclude(plan, .failed)
        endUnstarted(starts, refusal, cause)
        takeBack(halfDone, cause)
        for call in answered.compactMap({ callsByID[$0] }) where calls[call].isInIncoming {
            keepRinging(call)
        }
        guard let call = target.flatMap({ callsByID[$0] }) else { return }
        if wasReport { return sendBackToHold(call) }
        if hasHeld { bringBackHeld(for: call, cause) }
    }

    private mutating func call(off step: PlanRecord.Step, of plan: Slot<PlanRecord>) {
        for action in Array(plans[plan].actions(of: step)) {
            switch actions[action].state {
            case .queued, .dispatched:
                if isEnding(action) {
                    detach(action)
                } else if step.hasBegun {
                    cancel(action, isToldProvider: true)
                } else {
                    mark(action, .skipped)
                }
            case .planned, .fulfilled, .failed, .timedOut, .skipped, .cancelled: break
            }
        }
    }

    /// An end that has begun goes on without its plan.
    private func isEnding(_ action: Slot<ActionRecord>) -> Bool {
        call(of: action).map { calls[$0].ending == action } ?? false
    }

    private mutating func detach(_ action: Slot<ActionRecord>) {
        actions[action].plan = nil
        providers[actions[action].provider].detached.append(action)
    }

    /// Calls that were made for a start that does not happen.
    private mutating func endUnstarted(
        _ starts: [(call: CallID, wasSent: Bool)], _ refusal: Refusal, _ cause: Cause
    ) {
        for (id, wasSent) in starts {
            guard let call = callsByID[id], calls[call].state == .starting,
                calls[call].current == nil
            else { continue }
            if wasSent { endAtProvider(id, calls[call].provider, cause) }
            if refusal.reason == .cancelled, refusal.rule == nil {
                finish(call, .cancelled, cause)
            } else {
                finish(
                    call, .failed,
                    Cause(
                        .arbitration, rule: refusal.rule, transaction: cause.transaction,
                        becauseOf: refusal.blocking.first?.call))
            }
        }
    }

    /// The call that did not become live is as it was; what was held for it comes back (rules 5a, 17a
    /// and 19).
    private mutating func bringBackHeld(for call: Slot<CallRecord>, _ cause: Cause) {
        guard let held = calls[call].heldGroups.last, live == nil, reservation == nil else {
            return
        }
        forgetReason(of: held, cause)
        bringBack(held, after: calls[call].id, cause.rule)
    }

    private mutating func conclude(_ plan: Slot<PlanRecord>, _ state: TransactionState) {
        plans[plan].isDone = true
        if reservation == plan { reservation = nil }
        stopWait(of: plan)
        announce(.transactionCompleted(plans[plan].id, state))
        if !plans[plan].waiting.isEmpty {
            let report = report(of: plan, state)
            for waiting in plans[plan].waiting { emit(.complete(waiting.token, report)) }
        }
        for action in plans[plan].actions where actions[action].plan == plan {
            forget(action)
        }
        let (target, cause) = (plans[plan].target, plans[plan].cause)
        plans.remove(plan)
        if let call = target.flatMap({ callsByID[$0] }) { refreshPending(of: call, cause) }
    }

    func report(of plan: Slot<PlanRecord>, _ state: TransactionState) -> TransactionReport {
        let entries = plans[plan].actions.map { slot in
            TransactionReport.Entry(
                action: actions[slot].id, kind: actions[slot].action.kind,
                call: actions[slot].call, provider: actions[slot].providerID,
                isImplied: actions[slot].isImplied, state: actions[slot].state)
        }
        return TransactionReport(
            transaction: plans[plan].id, state: state, entries: entries,
            refusal: plans[plan].refusal)
    }

    /// Drops the record of an action of a closed plan.
    private mutating func forget(_ action: Slot<ActionRecord>) {
        actionsByID[actions[action].id] = nil
        actions.remove(action)
    }
}
