internal import CallArbitration
internal import CallModel

/// Section 5: a plan is done step by step; the next begins when the last is settled.
extension NaiveArbiter {
    /// Accepts a plan and begins it.
    mutating func carryOut(_ planned: Planned, _ wish: Wish) {
        let number = nextNumber()
        var plan = Plan(
            number: number, requester: wish.requester, waiting: wish.waiting, cause: wish.cause,
            deadlineMS: wish.deadlineMS, target: planned.target, choice: planned.choice,
            id: wish.id)
        for (index, step) in planned.steps.enumerated() {
            var cause = wish.cause
            if step.purpose != .asked, step.parts.first?.isImplied != false {
                cause = Cause(.arbitration, becauseOf: planned.target ?? wish.cause.becauseOf)
            }
            cause.rule = step.rule ?? wish.cause.rule
            let isAwaited = step.purpose == .end || planned.isAwaitedEnd(index)
            plan.steps.append(newStep(step, cause, plan, isAwaited: isAwaited))
        }
        plan.wantsRoom =
            planned.steps.contains { $0.purpose.makesRoom } || planned.regroups
            || planned.waitsItsTurn
        plans.append(plan)
        claimReservation(number, from: 0)
        accept(number)
        for silent in planned.dropped {
            announce(.startSilent, silent)
            let because = planned.target ?? wish.cause.becauseOf
            dismiss(
                silent, .failed,
                Cause(.arbitration, rule: .alreadyDialing, becauseOf: because))
        }
        begin(number)
    }

    /// One at most: who ends what another waits for has it after that one.
    private mutating func claimReservation(_ number: Int, from first: Int) {
        guard reservation == nil, let plan = plan(number), plan.wantsRoom else { return }
        let isNeeded = plan.steps[first...].contains { step in
            guard let first = step.actions.first.flatMap({ action($0) }) else { return true }
            return step.purpose.makesRoom || first.kind.bringsToLife
                || first.kind.kind == .setGroup
        }
        if isNeeded { reservation = number }
    }

    /// What nobody asked for.
    mutating func carryOut(_ planned: Planned, _ cause: Cause) {
        carryOut(planned, Wish(cause))
    }

    mutating func newStep(
        _ step: PlannedStep, _ cause: Cause, _ plan: Plan, isAwaited: Bool
    ) -> Step {
        var numbers: [Int] = []
        for part in step.parts {
            let number = nextNumber()
            actions.append(
                Action(
                    number: number, call: part.call, provider: part.provider, kind: part.kind,
                    cause: cause, isImplied: part.isImplied, plan: plan.number,
                    deadlineMS: deadlineMS(part, plan, isAwaited: isAwaited),
                    askedAt: now))
            numbers.append(number)
        }
        return Step(purpose: step.purpose, actions: numbers)
    }

    /// What something else waits for has no more than the host gives it, whatever its app wants.
    private func deadlineMS(_ part: Part, _ plan: Plan, isAwaited: Bool) -> Int {
        let own = deadlineMS(part.kind.kind, part.provider, plan.deadlineMS)
        return isAwaited ? min(own, policy.endingWaitMS) : own
    }

    /// Whoever asks may say so, else the provider, else the host.
    func deadlineMS(_ kind: ActionKind, _ provider: ProviderID, _ asked: Int?) -> Int {
        let own = self.provider(provider)?.configuration.actionDeadlinesMS[kind]
        return asked.map { min(max($0, 1), 600_000) }
            ?? own.map { min(max($0, 1_000), 600_000) } ?? policy.deadlines[kind]
    }

    /// Rule 27: of several mutes of a provider that is away only the newest counts.
    private mutating func replaceMute(by step: Step, of number: Int) {
        guard let first = step.actions.first.flatMap({ action($0) }),
            first.kind.kind == .setMuted, let group = call(first.call)?.group,
            !isConnected(first.provider)
        else { return }
        for older in plans where older.number != number && !older.isGivenUp {
            let all = allActions(of: older)
            let isMuting = all.contains {
                $0.kind.kind == .setMuted && $0.isWaiting && call($0.call)?.group == group
            }
            guard isMuting, all.allSatisfy({ $0.state == .queued }) else { continue }
            giveUp(older.number, Refused(.cancelled, .providerLost))
        }
    }

    private mutating func accept(_ number: Int) {
        guard let plan = plan(number) else { return }
        for waiting in plan.waiting where waiting.wait == .accepted {
            reply(waiting.token, .accepted(report(of: number, .accepted)))
        }
        wanted.announced.append(.transactionAccepted)
        for action in allActions(of: plan) where action.kind == .answer {
            // Somebody has taken it: it cannot ring too long any more.
            if call(action.call)?.isUnanswered == true { disarm(.ring(action.call)) }
        }
    }

    func allActions(of plan: Plan) -> [Action] {
        plan.steps.flatMap(\.actions).compactMap { action($0) }
    }

    func report(of number: Int, _ state: TransactionState) -> Wanted.Report {
        var report = Wanted.Report(state: state)
        guard let plan = plan(number) else { return report }
        let numbers = plan.steps.flatMap(\.actions).sorted()
        report.entries = numbers.compactMap { action($0) }.map {
            Wanted.Report.Entry(
                kind: $0.kind.kind, call: $0.call, isImplied: $0.isImplied, state: $0.state,
                failure: $0.state == .failed ? $0.failure : nil)
        }
        report.refused = plan.refused
        return report
    }

    private func isGoing(_ number: Int) -> Bool {
        plan(number)?.isGivenUp == false
    }

    func step(of number: Int) -> Step? {
        guard let plan = plan(number), plan.next < plan.steps.count else { return nil }
        return plan.steps[plan.next]
    }

    /// Begins the next step, and those behind it, until one has to wait.
    mutating func begin(_ number: Int) {
        while isGoing(number) {
            guard let step = step(of: number) else { return complete(number) }
            change(plan: number) { $0.steps[$0.next].hasBegun = true }
            guard mayBegin(step, of: number) else { return }
            replaceMute(by: step, of: number)
            for action in step.actions where isGoing(number) {
                if self.action(action)?.state == .queued { prepare(action, step.purpose) }
            }
            if isGoing(number), let plan = plan(number) {
                claimReservation(number, from: plan.next + 1)
            }
            guard isGoing(number), isOver(number), judge(number) else { return }
            change(plan: number) { $0.next += 1 }
        }
    }

    /// Goes on after something that the plan waited for.
    mutating func goOn(_ number: Int) {
        guard isGoing(number), step(of: number)?.hasBegun == true, isOver(number), judge(number)
        else { return }
        change(plan: number) { $0.next += 1 }
        begin(number)
    }

    private func isOver(_ number: Int) -> Bool {
        guard let step = step(of: number) else { return false }
        return step.actions.allSatisfy { action($0)?.isSettled != false }
            && (step.purpose != .awaitEnding && step.purpose != .awaitHold || liveGroup == nil)
    }

    /// The plan that waits for somebody else's hold, which has the reservation.
    var planAwaitingHold: Plan? {
        guard let plan = reservation.flatMap({ plan($0) }), !plan.isGivenUp,
            let step = step(of: plan.number), step.purpose == .awaitHold, step.hasBegun
        else { return nil }
        return plan
    }

    /// Rules 5 and 5a. Whether there was anything to do.
    mutating func goOnAfterHold() -> Bool {
        guard let plan = planAwaitingHold else { return false }
        guard let live = liveGroup else {
            goOn(plan.number)
            return true
        }
        if isHoldUnderWay(live) || isEnding(group: live) { return false }
        let speaking = members(of: live).filter { $0.state == .active }
        guard policy.onHoldFailure == .end, plan.requester == .user else {
            giveUp(plan.number, Refused(.holdFailed, .holdFailed, speaking.map(\.id)))
            return true
        }
        var planned = PlannedStep(.end, speaking.map { implied(.end, $0) })
        planned.rule = .holdFailed
        let added = newStep(
            planned, Cause(.policy, rule: .holdFailed, becauseOf: plan.target), plan,
            isAwaited: true)
        change(plan: plan.number) {
            $0.steps.insert(added, at: $0.next + 1)
            $0.next += 1
        }
        begin(plan.number)
        return true
    }

    func isAwaitingEnding(_ plan: Plan) -> Bool {
        guard !plan.isGivenUp, let step = step(of: plan.number) else { return false }
        return step.purpose == .awaitEnding && step.hasBegun
    }

    private mutating func mayBegin(_ step: Step, of number: Int) -> Bool {
        switch step.purpose {
        case .awaitHold: return liveGroup == nil
        case .hold, .end, .sendBack, .yield: return true
        case .awaitEnding:
            guard liveGroup != nil else { return true }
            arm(.endingWait(number), policy.endingWaitMS)
            return false
        case .grant: return grant(number)
        case .asked, .speakAgain: return takePlace(step, of: number)
        }
    }

    /// Nothing becomes live while anything else is.
    private mutating func takePlace(_ step: Step, of number: Int) -> Bool {
        guard !step.actions.isEmpty else { return true }
        let first = step.actions.compactMap { action($0) }.first { call($0.call) != nil }
        guard let first, let call = call(first.call) else {
            // Who is gone cannot speak again, and does not matter.
            if step.purpose == .speakAgain { return true }
            giveUp(number, Refused(.callEnded, .unknownCall))
            return false
        }
        guard first.kind.bringsToLife else {
            if first.kind.kind == .setGroup { reservation = reservation ?? number }
            return true
        }
        guard call.state != .ending else {
            giveUp(number, Refused(.cancelled, .busy))
            return false
        }
        if first.kind.kind == .start || first.kind == .answer, call.isEmergency {
            if reservation == number { reservation = nil }
            let plan = plan(number)
            makeWay(for: call.id, plan?.requester == .user ? plan?.choice : nil)
            if reservation == nil, hasNewcomerAhead(number) { reservation = number }
        }
        if let live = liveGroup, live != call.group {
            giveWay(number, to: live)
            return false
        }
        if reservation == number, !hasNewcomerAhead(number) { reservation = nil }
        if call.isUnanswered { change(call.id) { $0.isTaken = true } }
        disarm(.ring(call.id))
        return true
    }

    /// Another call of the same transaction still waits for room.
    private func hasNewcomerAhead(_ number: Int) -> Bool {
        guard let plan = plan(number) else { return false }
        return plan.steps[(plan.next + 1)...].contains { step in
            step.purpose == .asked
                && step.actions.contains { action($0)?.kind.bringsToLife == true }
        }
    }

    /// Another group is live after all: if it is ending, its end is awaited (rule 10a).
    private mutating func giveWay(_ number: Int, to live: Int) {
        guard isEnding(group: live), reservation == nil || reservation == number else {
            return giveUp(number, Refused(.busy, .busy, members(of: live).map(\.id)))
        }
        change(plan: number) {
            $0.steps.insert(Step(purpose: .awaitEnding, actions: [], hasBegun: true), at: $0.next)
        }
        reservation = number
        arm(.endingWait(number), policy.endingWaitMS)
    }

    /// Rule 13: it speaks already, and now it may.
    private mutating func grant(_ number: Int) -> Bool {
        guard let plan = plan(number), let call = plan.target.flatMap({ call($0) }),
            liveGroup == nil
        else {
            giveUp(number, Refused(.callEnded, .unknownCall))
            return false
        }
        if reservation == number { reservation = nil }
        becomeActive(call.id, plan.cause)
        return true
    }

    private mutating func complete(_ number: Int) {
        guard let plan = plan(number) else { return }
        conclude(number, .completed)
        // Rule 22: none of the members could be resumed.
        let resumes = plan.hasHeld && plan.steps.contains { $0.purpose == .speakAgain }
        guard resumes, liveGroup == nil, let target = plan.target else { return }
        bringBackHeld(for: target, plan.cause)
    }

    mutating func conclude(_ number: Int, _ state: TransactionState) {
        guard let plan = plan(number) else { return }
        if reservation == number { reservation = nil }
        disarm(.endingWait(number))
        for offer in plan.offers { disarm(.offer(number, offer.provider)) }
        wanted.announced.append(.transactionCompleted(state))
        for waiting in plan.waiting {
            var report = report(of: number, state)
            report.isJoined = waiting.isJoined && waiting.wait == .completed
            reply(waiting.token, .completed(report))
        }
        actions.removeAll { $0.plan == number }
        plans.removeAll { $0.number == number }
    }
}

extension NaiveArbiter.Planned {
    /// As long as calls are merged or split nothing else becomes live (rule 15).
    var regroups: Bool {
        steps.contains { $0.parts.first?.kind.kind == .setGroup }
    }

    /// Rule 7: something is to become live after it.
    func isAwaitedEnd(_ index: Int) -> Bool {
        steps[index].purpose == .asked && steps[index].parts.first?.kind == .end
            && steps[(index + 1)...].contains { step in
                step.purpose == .asked && step.parts.first?.kind.bringsToLife == true
            }
    }

    /// A call becomes live after what was asked for before it: an end, say.
    var waitsItsTurn: Bool {
        steps.dropFirst().contains { step in
            step.purpose == .asked && step.parts.first?.kind.bringsToLife == true
        }
    }
}
