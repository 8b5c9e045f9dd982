internal import CallModel

/// Plans are carried out: step by step, action by action.
extension Arbiter {
    /// At most so many actions of one provider are on their way at once (protocol, O4).
    static let performsPerProvider = 8

    /// Makes a plan of a draft and begins it.
    @discardableResult
    mutating func run(
        _ draft: PlanDraft, requester: Requester?, waiting: [PlanRecord.Waiting], cause: Cause,
        deadlineMS: Int?, transaction: TransactionID? = nil
    ) -> Slot<PlanRecord> {
        let id = transaction ?? TransactionID(makeID())
        var cause = cause
        cause.transaction = id
        let plan = plans.insert(
            PlanRecord(
                id: id, requester: requester, waiting: waiting, cause: cause, steps: [],
                target: draft.target))
        for step in draft.steps {
            let stepCause = step.role == .requested ? cause : implied(cause)
            plans[plan].steps.append(addStep(step, of: plan, stepCause, deadlineMS))
        }
        let makesRoom = draft.steps.contains {
            $0.role == .holdForRoom || $0.role == .endForRoom || $0.role == .awaitEnding
        }
        if makesRoom { reservation = plan }
        for waiting in waiting {
            plansByToken[waiting.token] = plan
            if waiting.wait == .accepted {
                emit(.accept(waiting.token, report(of: plan, .accepted)))
            }
        }
        announce(.transactionAccepted(id))
        markQueued(plan)
        begin(plan)
        return plan
    }

    /// Carries a draft out that nobody asked for.
    mutating func run(_ draft: PlanDraft, _ cause: Cause) {
        run(draft, requester: nil, waiting: [], cause: cause, deadlineMS: nil)
    }

    /// The same cause for what the arbiter puts in front.
    private func implied(_ cause: Cause) -> Cause {
        Cause(
            .arbitration, rule: cause.rule, transaction: cause.transaction,
            becauseOf: cause.becauseOf)
    }

    private mutating func addStep(
        _ step: PlanDraft.Step, of plan: Slot<PlanRecord>, _ cause: Cause, _ deadlineMS: Int?
    ) -> PlanRecord.Step {
        let slots = step.actions.map { draft in
            addAction(
                draft.action, call: draft.call, provider: draft.provider,
                isImplied: draft.isImplied, cause: cause, transaction: plans[plan].id, plan: plan,
                deadlineMS: deadlineMS)
        }
        return PlanRecord.Step(role: step.role, actions: slots, unsettled: slots.count)
    }

    /// Calls that wait for room say so.
    private mutating func markQueued(_ plan: Slot<PlanRecord>) {
        guard reservation == plan, let target = plans[plan].target, let call = callsByID[target]
        else { return }
        setPending(.queued, of: call)
        publish(call, ["pending_action"], plans[plan].cause)
    }

    mutating func addAction(
        _ action: CallAction, call: CallID, provider: Slot<ProviderRecord>, isImplied: Bool,
        cause: Cause, transaction: TransactionID, plan: Slot<PlanRecord>?, deadlineMS: Int?
    ) -> Slot<ActionRecord> {
        let configured = providers[provider].configuration.actionDeadlinesMS[action.kind]
        let id = ActionID(makeID())
        let slot = actions.insert(
            ActionRecord(
                id: id, call: call, provider: provider, providerID: providers[provider].id,
                action: action, isImplied: isImplied, cause: cause, transaction: transaction,
                plan: plan,
                deadlineMS: deadlineMS ?? configured ?? policy.deadlines[action.kind]))
        actionsByID[id] = slot
        return slot
    }

    // MARK: - Steps

    /// Begins the step at the cursor, and those behind it, until one has to wait.
    private mutating func begin(_ plan: Slot<PlanRecord>) {
        while !plans[plan].isDone {
            guard plans[plan].cursor < plans[plan].steps.count else {
                return conclude(plan, .completed)
            }
            let step = plans[plan].steps[plans[plan].cursor]
            plans[plan].steps[plans[plan].cursor].hasBegun = true
            if step.role == .awaitEnding, live != nil { return }
            if step.role == .grantReport, !grantReport(plan) { return }
            if step.role == .requested || step.role == .resumeMembers, !takePlace(plan, step) {
                return
            }
            for action in step.actions where actions[action].state == .queued { prepare(action) }
            guard isOver(plan) else { return }
            guard judge(plan) else { return }
            plans[plan].cursor += 1
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

    private func isOver(_ plan: Slot<PlanRecord>) -> Bool {
        let step = plans[plan].steps[plans[plan].cursor]
        return step.unsettled == 0 && (step.role != .awaitEnding || live == nil)
    }

    /// Before a call becomes live nothing else may be: its group takes the place.
    private mutating func takePlace(_ plan: Slot<PlanRecord>, _ step: PlanRecord.Step) -> Bool {
        guard let first = step.actions.first, becomesLive(actions[first].action) else {
            return true
        }
        guard let call = callsByID[actions[first].call] else {
            abort(plan, Refusal(.callEnded, rule: .unknownCall))
            return false
        }
        let group = calls[call].group
        if let live, live != group {
            abort(plan, Refusal(.busy, rule: .busy, blocking: blockers(live)))
            return false
        }
        if reservation == plan { reservation = nil }
        leaveIncoming(call)
        groups[group].isBecomingLive = true
        settle(group, plans[plan].cause)
        return true
    }

    /// The way is free for a call that speaks already.
    private mutating func grantReport(_ plan: Slot<PlanRecord>) -> Bool {
        guard let target = plans[plan].target, let call = callsByID[target] else {
            abort(plan, Refusal(.callEnded, rule: .unknownCall))
            return false
        }
        if reservation == plan { reservation = nil }
        connected(call, plans[plan].cause)
        return true
    }

    func becomesLive(_ action: CallAction) -> Bool {
        switch action {
        case .start, .answer, .setHeld(false): true
        case .end, .setHeld(true), .setMuted, .setGroup, .playDTMF: false
        }
    }

    /// What the outcome of a step means. Whether the plan goes on.
    private mutating func judge(_ plan: Slot<PlanRecord>) -> Bool {
        let step = plans[plan].steps[plans[plan].cursor]
        let failed = step.actions.first { actions[$0].state == .failed }
        let unsuccessful = step.actions.first {
            actions[$0].state != .fulfilled && actions[$0].state != .skipped
        }
        switch step.role {
        case .awaitEnding, .endForRoom, .resumeMembers, .sendBack, .grantReport: return true
        case .holdForRoom:
            if let failed { return holdFailed(plan, step, failed) }
            rememberHeld(plan, step)
            return true
        case .requested:
            guard let unsuccessful else { return true }
            abort(plan, refusal(for: unsuccessful))
            return false
        }
    }

    /// A hold that something waited for was refused by the provider (rule 5a). What was held of its
    /// group is resumed (22a); the call that waited is not touched.
    private mutating func holdFailed(
        _ plan: Slot<PlanRecord>, _ step: PlanRecord.Step, _ failed: Slot<ActionRecord>
    ) -> Bool {
        let blocker = callsByID[actions[failed].call]
        if policy.onHoldFailure == .end, plans[plan].requester == .user, let blocker {
            let group = calls[blocker].group
            let cause = Cause(.policy, rule: .holdFailed, transaction: plans[plan].id)
            let end = PlanDraft.Step(.endForRoom, endActions(of: group))
            plans[plan].steps.insert(
                addStep(end, of: plan, cause, nil), at: plans[plan].cursor + 1)
            return true
        }
        var refusal = Refusal(.holdFailed, rule: .holdFailed)
        refusal.blocking = blocker.map { [self.blocker($0)] } ?? []
        let heldAlready = step.actions.filter { actions[$0].state == .fulfilled }
            .compactMap { callsByID[actions[$0].call] }
            .filter { calls[$0].state == .held }
        abort(plan, refusal)
        if let group = heldAlready.first.map({ calls[$0].group }) {
            restoreMembers(heldAlready, of: group)
        }
        return false
    }

    private mutating func restoreMembers(
        _ members: [Slot<CallRecord>], of group: Slot<GroupRecord>
    ) {
        var draft = PlanDraft()
        draft.target = name(of: group)
        draft.steps = [
            PlanDraft.Step(.requested, members.map { implied(.setHeld(false), $0) })
        ]
        run(draft, Cause(.arbitration, rule: .groupActions, becauseOf: draft.target))
    }

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
            case .cancelled: .callEnded
            default:
                isConnected(actions[action].providerID) ? .providerFailed : .providerGone
            }
        var refusal = Refusal(reason)
        if let call = callsByID[actions[action].call] { refusal.blocking = [blocker(call)] }
        return refusal
    }

    private func isConnected(_ provider: ProviderID) -> Bool {
        providersByID[provider].map { providers[$0].isConnected } ?? false
    }

    // MARK: - The end of a plan

    /// Gives a plan up: what was not dispatched is skipped, what is under way is cancelled.
    mutating func abort(_ plan: Slot<PlanRecord>, _ refusal: Refusal) {
        guard !plans[plan].isDone else { return }
        plans[plan].isDone = true
        plans[plan].refusal = refusal
        if reservation == plan { reservation = nil }
        for action in plans[plan].steps.flatMap(\.actions) {
            switch actions[action].state {
            case .queued: mark(action, .skipped)
            case .dispatched: cancel(action, isToldProvider: true)
            case .planned, .fulfilled, .failed, .timedOut, .skipped, .cancelled: break
            }
        }
        let target = plans[plan].target.flatMap { callsByID[$0] }
        conclude(plan, .failed)
        if let target { releaseTarget(target, refusal) }
    }

    /// What becomes of the call that did not become live: one that was made for this start ends,
    /// any other is as it was; what was held for it comes back (rules 5a, 17a and 19).
    private mutating func releaseTarget(_ call: Slot<CallRecord>, _ refusal: Refusal) {
        if calls[call].pending == .queued {
            setPending(nil, of: call)
            publish(call, ["pending_action"], Cause(.arbitration, rule: refusal.rule))
        }
        if calls[call].state == .starting, calls[call].current == nil {
            return finish(call, .failed, Cause(.arbitration, rule: refusal.rule))
        }
        guard let held = calls[call].heldGroup, live == nil else { return }
        forgetReason(of: held)
        resume(held, Cause(.arbitration, rule: .restored, becauseOf: calls[call].id))
    }

    private mutating func conclude(_ plan: Slot<PlanRecord>, _ state: TransactionState) {
        plans[plan].isDone = true
        if reservation == plan { reservation = nil }
        let report = report(of: plan, state)
        announce(.transactionCompleted(plans[plan].id, state))
        for waiting in plans[plan].waiting {
            plansByToken[waiting.token] = nil
            emit(.complete(waiting.token, report))
        }
        for action in plans[plan].steps.flatMap(\.actions) { forget(action) }
        plans.remove(plan)
    }

    func report(of plan: Slot<PlanRecord>, _ state: TransactionState) -> TransactionReport {
        let entries = plans[plan].steps.flatMap(\.actions).map { slot in
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
