internal import CallModel

/// The consequences of a step for its plan.
extension Arbiter {
    /// Evaluates the step at the cursor. Returns whether the plan continues.
    mutating func evaluateStep(_ plan: Slot<PlanRecord>) -> Bool {
        let step = plans[plan].steps[plans[plan].cursor]
        switch step.role {
        case .awaitEnding:
            stopWait(of: plan)
            return true
        case .sendBack:
            rememberSentBack(plan, step)
            if let action = plans[plan].actions(of: step).first, let call = call(of: action),
                calls[call].isInIncoming
            {
                restartRingTimer(call)
            }
            return true
        case .endForRoom, .resumeMembers, .grantReport, .yield, .awaitHold: return true
        case .requested where isAwaited(plan, step): return true
        case .holdForRoom:
            for action in plans[plan].actions(of: step)
            where hasRefused(action) { return holdFailed(plan, step) }
            rememberHeld(plan, step)
            return true
        case .requested:
            guard let unsuccessful = firstUnsuccessful(plan, step) else {
                applyToGroup(plan, step)
                return true
            }
            abort(plan, refusal(for: unsuccessful))
            return false
        }
    }

    /// Returns the fulfilled actions of the step at the cursor, if it has several, and the
    /// fulfilled holds in the target's own group, which the target was to leave.
    func partiallyDoneActions(_ plan: Slot<PlanRecord>) -> [ActionRecord] {
        guard plans[plan].cursor < plans[plan].steps.count else { return [] }
        let record = plans[plan]
        let step = record.steps[record.cursor]
        var done: [Slot<ActionRecord>] = []
        if step.count > 1, step.role == .holdForRoom || step.role == .requested {
            done += record.actions(of: step)
        }
        if let group = record.target.flatMap({ calls.slot(of: $0) }).map({ calls[$0].group }) {
            for earlier in record.steps[..<record.cursor] where earlier.role == .holdForRoom {
                done += record.actions(of: earlier).filter { action in
                    call(of: action).map { calls[$0].group } == group
                }
            }
        }
        return done.filter { actions[$0].state == .fulfilled }.map { actions[$0] }
    }

    /// Returns the first action by which a step fails. An action of a member that ended meanwhile
    /// does not spoil the success of others (rule 18).
    @inline(__always)
    private func firstUnsuccessful(
        _ plan: Slot<PlanRecord>, _ step: PlanRecord.Step
    ) -> Slot<ActionRecord>? {
        let all = plans[plan].actions(of: step)
        let others = all.contains { actions[$0].state == .fulfilled }
        return all.first { action in
            switch actions[action].state {
            case .fulfilled, .skipped: false
            case .cancelled: !others || call(of: action) != nil
            // The call has ended here, and something waits for that.
            case .timedOut: !actions[action].isAwaitedEnd
            case .planned, .queued, .dispatched, .failed: true
            }
        }
    }

    /// Changes the property that all members of a group share, once all have changed it (rules 22,
    /// 22a and 34).
    private mutating func applyToGroup(_ plan: Slot<PlanRecord>, _ step: PlanRecord.Step) {
        guard let first = plans[plan].actions(of: step).first else { return }
        switch actions[first].action {
        case .setMuted(let isMuted):
            guard let call = done(plan, step).first else { return }
            setMuted(isMuted, calls[call].group, actions[first].cause)
        case .setGroup(let other):
            grouped(done(plan, step), with: other, actions[first].cause)
        case .start, .answer, .end, .setHeld, .playDTMF, .setEndpoint, .setVideo, .setText,
            .transfer,
            .attendedTransfer,
            .deflect:
            break
        }
    }

    private func done(_ plan: Slot<PlanRecord>, _ step: PlanRecord.Step) -> [Slot<CallRecord>] {
        plans[plan].actions(of: step).compactMap {
            actions[$0].state == .fulfilled ? call(of: $0) : nil
        }
    }

    mutating func setMuted(_ isMuted: Bool, _ group: Slot<GroupRecord>, _ cause: Cause) {
        guard groups[group].isMuted != isMuted else { return }
        groups[group].isMuted = isMuted
        for member in members(of: group) { publish(member, [.muted], cause) }
    }

    // MARK: - Holds of other requests

    /// Continues the plan that waits for a hold of another request. If the hold failed and the
    /// group is still live, ends its calls or aborts the plan (rule 5a). Returns whether a plan was
    /// changed.
    mutating func advanceAfterHold() -> Bool {
        guard let plan = reservation, plans[plan].awaitsHold else { return false }
        guard let live else {
            advance(plan)
            return true
        }
        guard !isHoldUnderWay(of: live), !isEnding(live) else { return false }
        let calls = members(of: live).filter { self.calls[$0].state == .active }
        if policy.onHoldFailure == .end, plans[plan].requester == .user {
            endInstead(
                calls, plan,
                Cause(
                    .policy, rule: .holdFailed, transaction: plans[plan].id,
                    becauseOf: plans[plan].target))
            plans[plan].cursor += 1
            begin(plan)
            return true
        }
        let blocking = calls.map { blocker($0) }
        note(.holdFailed, .holdFailed, plans[plan].target, plans[plan].cause, blocking: blocking)
        abort(plan, Refusal(.holdFailed, rule: .holdFailed, blocking: blocking))
        return true
    }

    /// Returns whether a plan waits for a hold of another request: the call then ends if its
    /// provider does not respond.
    func isAwaited(_ action: Slot<ActionRecord>) -> Bool {
        guard let call = call(of: action), actions[action].action == .setHeld(true),
            let reservation, plans[reservation].awaitsHold
        else { return false }
        return live == calls[call].group
    }

    /// Returns whether a step consists of holds that another plan waited for, and that are done: a
    /// call whose provider did not respond has ended, and the others are held.
    private func isAwaited(_ plan: Slot<PlanRecord>, _ step: PlanRecord.Step) -> Bool {
        guard let reservation, plans[reservation].awaitsHold, reservation != plan else {
            return false
        }
        return plans[plan].actions(of: step).allSatisfy { hold in
            actions[hold].action == .setHeld(true)
                && (actions[hold].state == .fulfilled || call(of: hold) == nil)
        }
    }

    // MARK: - Holds that fail

    /// Returns whether a hold was refused, or timed out without ending its call.
    private func hasRefused(_ hold: Slot<ActionRecord>) -> Bool {
        guard call(of: hold) != nil else { return false }
        let state = actions[hold].state
        return state == .failed || state == .timedOut && isForReport(hold)
    }

    /// Processes the refusal of a hold that a plan waits for (rule 5a): ends the calls that could
    /// not be held, or else aborts the plan. On abortion, members that were held are resumed (rule
    /// 22a), and the waiting call is not touched. Returns whether the plan continues.
    private mutating func holdFailed(_ plan: Slot<PlanRecord>, _ step: PlanRecord.Step) -> Bool {
        let failed = plans[plan].actions(of: step).filter { hasRefused($0) }
            .compactMap { call(of: $0) }
        let cause = plans[plan].cause
        if let ending = causeOfEnding(plan) {
            for call in failed {
                note(ending.rule ?? .holdFailed, .blockerEnded, calls[call].id, cause)
            }
            endInstead(failed, plan, ending)
            rememberHeld(plan, step)
            return true
        }
        var refusal = Refusal(.holdFailed, rule: .holdFailed)
        refusal.blocking = failed.map { blocker($0) }
        note(.holdFailed, .holdFailed, plans[plan].target, cause, blocking: refusal.blocking)
        abort(plan, refusal)
        return false
    }

    /// Returns the cause of ending a call that could not be held; nil if the call is kept. An
    /// emergency waits for no call, and the policy may end the call for a request of the user.
    private func causeOfEnding(_ plan: Slot<PlanRecord>) -> Cause? {
        let record = plans[plan]
        if let target = record.target.flatMap({ calls.slot(of: $0) }), emergencies.contains(target)
        {
            return Cause(
                .arbitration, rule: .emergency, transaction: record.id, becauseOf: record.target)
        }
        guard policy.onHoldFailure == .end, record.requester == .user else { return nil }
        return Cause(.policy, rule: .holdFailed, transaction: record.id, becauseOf: record.target)
    }

    private mutating func endInstead(
        _ failed: [Slot<CallRecord>], _ plan: Slot<PlanRecord>, _ cause: Cause
    ) {
        let ends = failed.filter { calls[$0].state != .ending }.map { implied(.end, $0) }
        var step = PlanDraft.Step(.endForRoom, ends)
        step.rule = cause.rule
        let added = addStep(step, of: plan, cause, plans[plan].deadlineMS, isAwaited: true)
        plans[plan].steps.insert(added, at: plans[plan].cursor + 1)
    }

    /// Undoes what some members of a group have done already, since a group is never half held,
    /// muted or merged (rule 22a).
    mutating func revert(_ done: [ActionRecord], _ cause: Cause) {
        let undo = done.compactMap { record -> PlanDraft.Action? in
            guard let call = calls.slot(of: record.call),
                let action = opposite(of: record.action, call)
            else { return nil }
            return implied(action, call)
        }
        guard let first = undo.first else { return }
        var draft = PlanDraft()
        draft.target = first.call
        draft.notes = [.init(rule: .groupActions, verdict: .resumes)]
        draft.steps = [PlanDraft.Step(.resumeMembers, undo)]
        run(
            draft,
            Cause(.arbitration, rule: .groupActions, becauseOf: cause.becauseOf ?? first.call))
    }

    private func opposite(of action: CallAction, _ call: Slot<CallRecord>) -> CallAction? {
        switch action {
        case .setHeld(true): calls[call].state == .held ? .setHeld(false) : nil
        case .setMuted(let isMuted): .setMuted(!isMuted)
        case .setGroup(let other):
            other == nil ? .setGroup(with: name(of: calls[call].group)) : formerAnchor(of: call)
        case .start, .answer, .end, .setHeld(false), .playDTMF, .setEndpoint, .setVideo, .setText,
            .transfer,
            .attendedTransfer,
            .deflect:
            nil
        }
    }

    private func formerAnchor(of call: Slot<CallRecord>) -> CallAction {
        let other = members(of: calls[call].group).first { $0 != call }
        return .setGroup(with: other.map { calls[$0].id })
    }

    // MARK: - After a step

    private mutating func rememberHeld(_ plan: Slot<PlanRecord>, _ step: PlanRecord.Step) {
        guard let target = plans[plan].target, let call = calls.slot(of: target) else { return }
        for index in step.range {
            guard let held = self.call(of: plans[plan].actions[index]),
                calls[held].state == .held, calls[held].group != calls[call].group
            else { continue }
            plans[plan].hasHeld = true
            return remember(
                calls[held].group, heldFor: call, actions[plans[plan].actions[index]].cause)
        }
    }

    /// Records that a call that was sent back is held because of the live group (rule 16).
    private mutating func rememberSentBack(_ plan: Slot<PlanRecord>, _ step: PlanRecord.Step) {
        guard let action = plans[plan].actions(of: step).first, let call = call(of: action),
            calls[call].state == .held, let live, live != calls[call].group,
            let reason = groups[live].members.first
        else { return }
        remember(calls[call].group, heldFor: reason, actions[action].cause)
    }

    private func refusal(for action: Slot<ActionRecord>) -> Refusal {
        var refusal =
            switch actions[action].state {
            case .timedOut: Refusal(.deadlineExceeded)
            case .cancelled: Refusal(call(of: action) == nil ? .callEnded : .cancelled)
            case .planned, .queued, .dispatched, .fulfilled, .failed, .skipped:
                failure(of: actions[action].providerID)
            }
        if let call = call(of: action) { refusal.blocking = [blocker(call)] }
        return refusal
    }

    /// Returns the refusal for an action that a provider did not perform: the provider refused, was
    /// not connected, or may no longer have calls.
    private func failure(of provider: ProviderID) -> Refusal {
        switch providers.slot(of: provider).map({ providers[$0].link }) {
        case .connected: Refusal(.providerFailed)
        case .revoked: .revoked
        case .starting, .lost, nil: Refusal(.providerGone, rule: .providerLost)
        }
    }
}
