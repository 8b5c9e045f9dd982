internal import CallModel

/// What the outcome of a step means for its plan.
extension Arbiter {
    /// Whether the plan goes on.
    mutating func judge(_ plan: Slot<PlanRecord>) -> Bool {
        let step = plans[plan].steps[plans[plan].cursor]
        switch step.role {
        case .awaitEnding, .endForRoom, .resumeMembers, .sendBack, .grantReport: return true
        case .holdForRoom:
            if let failed = step.actions.first(where: { actions[$0].state == .failed }) {
                return holdFailed(plan, step, failed)
            }
            rememberHeld(plan, step)
            return true
        case .requested:
            guard let unsuccessful = firstUnsuccessful(step) else {
                applyToGroup(step, plans[plan].cause)
                return true
            }
            let fulfilled = step.actions.filter { actions[$0].state == .fulfilled }
                .map { actions[$0] }
            let cause = plans[plan].cause
            abort(plan, refusal(for: unsuccessful))
            takeBack(fulfilled, cause)
            return false
        }
    }

    /// A member that ended meanwhile does not spoil what the others did (rule 18).
    private func firstUnsuccessful(_ step: PlanRecord.Step) -> Slot<ActionRecord>? {
        let others = step.actions.contains { actions[$0].state == .fulfilled }
        return step.actions.first { action in
            switch actions[action].state {
            case .fulfilled, .skipped: false
            case .cancelled: !others || callsByID[actions[action].call] != nil
            case .planned, .queued, .dispatched, .failed, .timedOut: true
            }
        }
    }

    /// What is one truth per group changes when all members have done it (rules 22, 22a and 34).
    private mutating func applyToGroup(_ step: PlanRecord.Step, _ cause: Cause) {
        let done = step.actions.filter { actions[$0].state == .fulfilled }
        guard let first = done.first else { return }
        let moved = done.compactMap { callsByID[actions[$0].call] }
        guard let call = moved.first else { return }
        switch actions[first].action {
        case .setMuted(let isMuted): setMuted(isMuted, calls[call].group, actions[first].cause)
        case .setGroup(let other): grouped(moved, with: other, actions[first].cause)
        case .start, .answer, .end, .setHeld, .playDTMF: break
        }
    }

    mutating func setMuted(_ isMuted: Bool, _ group: Slot<GroupRecord>, _ cause: Cause) {
        guard groups[group].isMuted != isMuted else { return }
        groups[group].isMuted = isMuted
        for member in members(of: group) { publish(member, [.muted], cause) }
    }

    // MARK: - Holds that fail

    /// A hold that something waited for was refused by the provider (rule 5a). What was held of its
    /// group is resumed (22a); the call that waited is not touched.
    private mutating func holdFailed(
        _ plan: Slot<PlanRecord>, _ step: PlanRecord.Step, _ failed: Slot<ActionRecord>
    ) -> Bool {
        let blocker = callsByID[actions[failed].call]
        let cause = plans[plan].cause
        if let blocker, endsBlocker(plan) {
            note(.holdFailed, .blockerEnded, calls[blocker].id, cause)
            endInstead(blocker, plan)
            return true
        }
        var refusal = Refusal(.holdFailed, rule: .holdFailed)
        refusal.blocking = blocker.map { [self.blocker($0)] } ?? []
        note(.holdFailed, .holdFailed, plans[plan].target, cause, blocking: refusal.blocking)
        let fulfilled = step.actions.filter { actions[$0].state == .fulfilled }.map { actions[$0] }
        abort(plan, refusal)
        takeBack(fulfilled, cause)
        return false
    }

    /// An emergency does not wait for anybody, and the host may have chosen so for its user.
    private func endsBlocker(_ plan: Slot<PlanRecord>) -> Bool {
        if let target = plans[plan].target.flatMap({ callsByID[$0] }), emergencies.contains(target)
        {
            return true
        }
        return policy.onHoldFailure == .end && plans[plan].requester == .user
    }

    private mutating func endInstead(_ blocker: Slot<CallRecord>, _ plan: Slot<PlanRecord>) {
        let cause = Cause(.policy, rule: .holdFailed, transaction: plans[plan].id)
        let group = calls[blocker].group
        let ends = endActions(of: group).map {
            addAction($0, plan: plan, cause: cause, deadlineMS: nil)
        }
        plans[plan].steps.insert(
            PlanRecord.Step(role: .endForRoom, actions: ends, unsettled: ends.count),
            at: plans[plan].cursor + 1)
    }

    /// A group is never half held, muted or merged: what some of its members did already is undone
    /// (rule 22a).
    private mutating func takeBack(_ done: [ActionRecord], _ cause: Cause) {
        let undo = done.compactMap { record -> PlanDraft.Action? in
            guard let call = callsByID[record.call], let action = opposite(of: record.action, call)
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
        case .start, .answer, .end, .setHeld(false), .playDTMF: nil
        }
    }

    private func formerAnchor(of call: Slot<CallRecord>) -> CallAction {
        let other = members(of: calls[call].group).first { $0 != call }
        return .setGroup(with: other.map { calls[$0].id })
    }

    // MARK: - After a step

    private mutating func rememberHeld(_ plan: Slot<PlanRecord>, _ step: PlanRecord.Step) {
        guard let target = plans[plan].target, let call = callsByID[target] else { return }
        let groups = step.actions.compactMap { callsByID[actions[$0].call] }
            .filter { calls[$0].state == .held }.map { calls[$0].group }
        if let group = groups.first, group != calls[call].group { remember(group, heldFor: call) }
    }

    private func refusal(for action: Slot<ActionRecord>) -> Refusal {
        let reason: RefusalReason =
            switch actions[action].state {
            case .timedOut: .deadlineExceeded
            case .cancelled: callsByID[actions[action].call] == nil ? .callEnded : .cancelled
            case .planned, .queued, .dispatched, .fulfilled, .failed, .skipped:
                isConnected(actions[action].providerID) ? .providerFailed : .providerGone
            }
        var refusal = Refusal(reason)
        if let call = callsByID[actions[action].call] { refusal.blocking = [blocker(call)] }
        return refusal
    }

    private func isConnected(_ provider: ProviderID) -> Bool {
        providersByID[provider].map { providers[$0].isConnected } ?? false
    }
}
