internal import CallModel

/// The end of plans: completion, or abortion with its consequences for their calls.
extension Arbiter {
    /// Aborts a plan: actions that were not dispatched are skipped, and those under way cancelled.
    mutating func abort(_ plan: Slot<PlanRecord>, _ refusal: Refusal) {
        guard !plans[plan].isDone else { return }
        plans[plan].isDone = true
        plans[plan].refusal = refusal
        if reservation == plan { reservation = nil }
        let done = partiallyDoneActions(plan)
        for step in plans[plan].steps { callOff(step, of: plan) }
        let (target, hasHeld, cause) = (plans[plan].target, plans[plan].hasHeld, plans[plan].cause)
        let answered = plans[plan].actions.compactMap { answeredCall(of: $0) }.map { calls[$0].id }
        let wasReport = plans[plan].steps.contains { $0.role == .grantReport }
        let starts = plans[plan].actions.filter { actions[$0].action.kind == .start }
            .map { (call: actions[$0].call, wasSent: actions[$0].attempt > 0) }
        endPlan(plan, .failed)
        endUnstarted(starts, refusal, cause)
        revert(done, cause)
        for call in answered.compactMap({ calls.slot(of: $0) }) where calls[call].isInIncoming {
            restartRingTimer(call)
        }
        guard let call = target.flatMap({ calls.slot(of: $0) }) else { return }
        if wasReport { return sendBackToHold(call) }
        if hasHeld { resumeGroupHeld(for: call, cause) }
    }

    private mutating func callOff(_ step: PlanRecord.Step, of plan: Slot<PlanRecord>) {
        for action in Array(plans[plan].actions(of: step)) {
            switch actions[action].state {
            case .queued, .dispatched:
                if isEnding(action) {
                    detach(action)
                } else if step.hasBegun {
                    cancel(action, isToldProvider: true)
                } else {
                    callOff(action)
                    mark(action, .skipped)
                }
            case .planned, .fulfilled, .failed, .timedOut, .skipped, .cancelled: break
            }
        }
    }

    /// Returns whether an action is an end that has begun, which continues without its plan.
    private func isEnding(_ action: Slot<ActionRecord>) -> Bool {
        call(of: action).map { calls[$0].ending == action } ?? false
    }

    private mutating func detach(_ action: Slot<ActionRecord>) {
        actions[action].plan = nil
        (actions[action].role, actions[action].isAwaitedEnd) = (nil, false)
        providers[actions[action].provider].detached.append(action)
        // The action is no longer part of an offer to its provider.
        pump(actions[action].provider)
    }

    /// Ends calls that were added for starts that do not happen.
    private mutating func endUnstarted(
        _ starts: [(call: CallID, wasSent: Bool)], _ refusal: Refusal, _ cause: Cause
    ) {
        for (id, wasSent) in starts {
            guard let call = calls.slot(of: id), calls[call].state == .starting,
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

    mutating func endPlan(_ plan: Slot<PlanRecord>, _ state: TransactionState) {
        plans[plan].isDone = true
        if reservation == plan { reservation = nil }
        stopWait(of: plan)
        withdrawOffers(of: plan)
        var report = report(of: plan, state)
        announce(.transactionCompleted(report, plans[plan].cause))
        for waiting in plans[plan].waiting {
            report.isJoined = waiting.reply == .whenCompletedAsJoined
            emit(.complete(waiting.token, report, plans[plan].cause))
        }
        for action in plans[plan].actions where actions[action].plan == plan {
            forget(action)
        }
        let (target, cause) = (plans[plan].target, plans[plan].cause)
        plans.remove(plan)
        if let call = target.flatMap({ calls.slot(of: $0) }) { refreshPending(of: call, cause) }
    }

    @inline(__always)
    func report(
        of plan: Slot<PlanRecord>, _ state: TransactionState, _ refusal: Refusal? = nil
    ) -> TransactionReport {
        let entries = plans[plan].actions.map { slot in
            TransactionReport.Entry(
                action: actions[slot].id, kind: actions[slot].action.kind,
                call: actions[slot].call, provider: actions[slot].providerID,
                isImplied: actions[slot].isImplied, state: actions[slot].state,
                failure: actions[slot].state == .failed ? actions[slot].failure : nil)
        }
        return TransactionReport(
            transaction: plans[plan].id, state: state, entries: entries,
            refusal: refusal ?? plans[plan].refusal)
    }

    /// Drops the record of an action of a closed plan.
    private mutating func forget(_ action: Slot<ActionRecord>) {
        actions.remove(action)
    }
}

/// Plans that wait for a call that is ending (rule 10a).
extension Arbiter {
    mutating func startWait(of plan: Slot<PlanRecord>) {
        guard !plans[plan].isWaitTimed else { return }
        plans[plan].isWaitTimed = true
        plans.appendWaiting(plan)
        let due = now.advanced(byMS: policy.endingWaitMS)
        emit(.startTimer(.endingWait(plans[plan].id), at: due))
    }

    mutating func stopWait(of plan: Slot<PlanRecord>) {
        plans.removeWaiting(plan)
        guard plans[plan].isWaitTimed else { return }
        plans[plan].isWaitTimed = false
        emit(.stopTimer(.endingWait(plans[plan].id)))
    }

    /// Ends calls here whose end took longer than a plan may wait for it.
    mutating func endingWaitOver(_ transaction: TransactionID) {
        let plan = plans.waitingForEnd.first {
            plans[$0].id == transaction && plans[$0].isWaitTimed
        }
        guard let plan, let live else { return }
        plans[plan].isWaitTimed = false
        for id in members(of: live).map({ calls[$0].id }) {
            guard let call = calls.slot(of: id), let ending = calls[call].ending else { continue }
            note(.waitForEnding, .silentCallEnded, id, plans[plan].cause)
            timeOut(ending)
        }
        // Another plan was faster: its call is live now.
        if let live = self.live, isKnown(plan, transaction) {
            abort(plan, Refusal(.busy, rule: .busy, blocking: blockers(live)))
        }
    }
}
