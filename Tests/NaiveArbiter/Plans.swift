internal import CallArbitration
internal import CallModel

/// Section 5: a plan is done step by step; the next begins when the last is settled.
extension NaiveArbiter {
    /// Accepts a plan and begins it.
    mutating func carryOut(
        _ steps: [Step], _ wish: Wish, _ choice: AnswerChoice = .plain, id: TransactionID? = nil
    ) {
        let number = nextNumber()
        var plan = Plan(number: number, wish: wish, tokens: [], steps: steps, id: id)
        plan.choice = choice
        if let token = wish.token {
            if wish.options.wait == .accepted { reply(token, .accepted(isJoined: false)) }
            plan.tokens = [token]
        }
        plans.append(plan)
        for step in steps {
            // Somebody has taken it: it cannot ring too long any more.
            guard case .answer(let call) = step.work else { continue }
            disarm(.ring(call))
        }
        advance(number)
    }

    mutating func advance(_ number: Int) {
        while let plan = plan(number), plan.running == nil {
            guard let step = plan.steps.first else { return complete(number) }
            change(plan: number) {
                $0.steps.removeFirst()
                $0.running = step
                $0.outcomes = []
            }
            begin(step, of: number)
            if !isWaiting(number) { conclude(number) }
        }
    }

    private mutating func begin(_ step: Step, of plan: Int) {
        switch step.work {
        case .hold(let group):
            for call in members(of: group) where call.state == .active {
                act(.setHeld(true), on: call, for: plan)
            }
        case .clear(let group):
            for call in members(of: group) {
                let reason = call.isSilentStart ? .failed : reasonOfEnd(call)
                end(call.id, reason, isWished: true, for: plan)
            }
        case .clearRest(let group):
            for call in members(of: group) where !yields(call) {
                let reason = call.isSilentStart ? .failed : reasonOfEnd(call)
                end(call.id, reason, isWished: false, for: plan)
            }
        case .awaitEnding(let group):
            if isGoing(group: group) { arm(.endingWait(plan), policy.endingWaitMS) }
        case .start(let id, let arguments): act(.start(arguments), on: id, for: plan)
        case .answer(let id): act(.answer, on: id, for: plan)
        case .grant(let id): becomeActive(id)
        case .sendBack(let id): act(.setHeld(true), on: id, for: plan)
        case .resume(let group):
            change(group: group) { $0.heldBecauseOf = nil }
            for call in members(of: group) where call.state == .held {
                act(.setHeld(false), on: call, for: plan)
            }
        case .end(let id):
            guard let call = call(id) else { return }
            // Rule 16: the user's, or its own app's.
            let isWished = self.plan(plan)?.wish.requester != .admin
            end(id, reasonOfEnd(call), isWished: isWished, for: plan)
        case .mute(let group, let isMuted):
            for call in members(of: group) where call.state != .ending {
                act(.setMuted(isMuted), on: call, for: plan)
            }
        case .muteOne(let id, let isMuted): act(.setMuted(isMuted), on: id, for: plan)
        case .join(let id, let other): act(.setGroup(with: other), on: id, for: plan)
        case .leave(let id): act(.setGroup(with: nil), on: id, for: plan)
        case .tones(let id, let digits, let style):
            act(.playDTMF(digits: digits, style), on: id, for: plan)
        }
    }

    private mutating func act(_ kind: CallAction, on id: CallID, for plan: Int) {
        guard let call = call(id) else { return }
        act(kind, on: call, for: plan)
    }

    private func isWaiting(_ number: Int) -> Bool {
        if case .awaitEnding(let group)? = plan(number)?.running?.work {
            return isGoing(group: group)
        }
        return actions.contains { $0.plans.contains(number) }
    }

    /// One action of the running step is settled.
    mutating func hear(_ number: Int, _ call: CallID, _ outcome: Outcome) {
        change(plan: number) { $0.outcomes.append((call, outcome)) }
        guard plan(number)?.running != nil, !isWaiting(number) else { return }
        conclude(number)
        advance(number)
    }

    /// Everything that the running step began is settled.
    private mutating func conclude(_ number: Int) {
        guard let plan = plan(number), let step = plan.running else { return }
        change(plan: number) { $0.running = nil }
        let failures = plan.outcomes.filter { $0.outcome != .fulfilled }
        switch step.work {
        case .hold(let group): concludeHold(of: group, step, plan, failures.map(\.outcome))
        case .sendBack(let id): concludeSendingBack(id)
        case .clear, .clearRest, .awaitEnding, .grant: break
        case .mute(let group, let isMuted):
            concludeMute(of: group, isMuted, plan, failures)
        case .end, .start, .answer, .resume, .muteOne, .join, .leave, .tones:
            guard let failure = failures.first, !step.mayFail else { return }
            fail(number, reason(for: failure.outcome))
        }
    }

    private func reason(for outcome: Outcome) -> RefusalReason {
        switch outcome {
        case .fulfilled, .failed: .providerFailed
        case .timedOut: .deadlineExceeded
        case .overtaken(let reason): reason
        }
    }

    /// Rules 22a and 34: never half muted; who was ended meanwhile did not fail.
    private mutating func concludeMute(
        of group: Int, _ isMuted: Bool, _ plan: Plan, _ failures: [(call: CallID, outcome: Outcome)]
    ) {
        guard let failure = failures.first,
            !isOver(failures.map(\.outcome)) || failures.count == plan.outcomes.count
        else { return change(group: group) { $0.isMuted = isMuted } }
        fail(plan.number, reason(for: failure.outcome))
        for done in plan.outcomes where done.outcome == .fulfilled {
            carryOut([Step(.muteOne(done.call, !isMuted))], .automatic)
        }
    }

    /// Rule 13: it is held because of the one that it would have disturbed.
    private mutating func concludeSendingBack(_ id: CallID) {
        guard let call = call(id), isHeld(group: call.group) else { return }
        let other = liveGroup.flatMap { name(of: $0) }
        change(group: call.group) { $0.heldBecauseOf = other }
    }

    private func isOver(_ outcomes: [Outcome]) -> Bool {
        outcomes.allSatisfy { if case .overtaken = $0 { true } else { false } }
    }

    /// Rules 5a, 5b and 22a.
    private mutating func concludeHold(
        of group: Int, _ step: Step, _ plan: Plan, _ failures: [Outcome]
    ) {
        let failed = failures.first { if case .failed = $0 { true } else { false } }
        guard let failed else {
            if let call = step.becauseOf, !isEnding(group: group) {
                change(group: group) { $0.heldBecauseOf = call }
                change(plan: plan.number) { $0.held.append(group) }
            }
            // Rule 10a, for the members that were ended meanwhile.
            if step.becauseOf != nil, hasEnding(group: group), !plan.steps.isEmpty {
                if case .grant(let call)? = plan.steps.first?.work, plan.wish.isAutomatic {
                    return change(plan: plan.number) { $0.steps = [Step(.sendBack(call))] }
                }
                let wait = Step(.awaitEnding(group: group), becauseOf: step.becauseOf)
                return change(plan: plan.number) { $0.steps.insert(wait, at: 0) }
            }
            // Who was ended meanwhile did not fail to be held.
            if step.becauseOf == nil, failures.count == plan.outcomes.count || !isOver(failures),
                let failure = failures.first
            {
                fail(plan.number, reason(for: failure))
            }
            return
        }
        let isForEmergency = step.becauseOf.flatMap { call($0) }?.isEmergency == true
        if isForEmergency
            || step.becauseOf != nil && policy.onHoldFailure == .end && plan.wish.isUser
        {
            change(plan: plan.number) { $0.steps.insert(Step(.clear(group: group)), at: 0) }
            return
        }
        if case .grant(let call)? = plan.steps.first?.work {
            let back = Step(.sendBack(call))
            if plan.wish.isAutomatic {
                return change(plan: plan.number) { $0.steps = [back] }
            }
            fail(plan.number, .holdFailed)
            return carryOut([back], .automatic)
        }
        fail(plan.number, step.becauseOf == nil ? reason(for: failed) : .holdFailed)
    }

    /// The rest is skipped.
    mutating func fail(_ number: Int, _ reason: RefusalReason) {
        guard let plan = plan(number) else { return }
        plans.removeAll { $0.number == number }
        disarm(.endingWait(number))
        for token in plan.tokens { reply(token, .completed(reason)) }
        for step in plan.steps {
            // A call made for this start.
            if case .start(let id, _) = step.work {
                finish(id, call(id)?.ending?.reason ?? .failed)
            }
        }
        for step in plan.steps {
            if case .answer(let id) = step.work { ringOn(id) }
        }
        // Rules 17a and 19, section 6: the former one comes back.
        for group in plan.held where self.group(group)?.heldBecauseOf != nil { restore(group) }
    }

    private mutating func complete(_ number: Int) {
        guard let plan = plan(number) else { return }
        plans.removeAll { $0.number == number }
        for token in plan.tokens { reply(token, .completed(nil)) }
        if plan.wish.isAutomatic { goOnAfterEnding() }
    }

    /// Rule 15: what waits for a call that is over, or about to be, is not done; what was sent for
    /// it is taken back.
    mutating func cancelPlans(for call: CallID, _ reason: RefusalReason) {
        for plan in plans where plan.steps.contains(where: { isAbout(call, $0) }) {
            // It will hear of it from the action that it waits for.
            if plan.running?.work.subject == call { continue }
            cancelPlan(plan.number, reason)
        }
        // What only made room for it.
        for plan in plans where plan.wish.isAutomatic && plan.running?.becauseOf == call {
            cancelPlan(plan.number, reason)
        }
    }

    private func isAbout(_ id: CallID, _ step: Step) -> Bool {
        if case .resume(let group) = step.work {
            return members(of: group).allSatisfy { $0.id == id || $0.state == .ending }
        }
        // An end step has nothing against a call that is over.
        if case .end = step.work { return false }
        return step.work.subject == id
    }

    /// What waits for room waits no longer; what was sent to bring a call to life is left to be
    /// ended with it.
    mutating func cancelReservations() {
        for plan in plans where plan.steps.contains(where: { $0.work.isReserving }) {
            cancelPlan(plan.number, .cancelled)
        }
    }

    private mutating func cancelPlan(_ number: Int, _ reason: RefusalReason) {
        for action in actions where action.plans == [number] && action.kind != .end {
            change(action: action.number) { $0.plans = [] }
            cancel(action.number, reason)
        }
        fail(number, reason)
    }

    /// Rule 10a: whoever waited for an end goes on.
    mutating func goOnAfterEnding() {
        for number in plans.map(\.number) {
            guard case .awaitEnding(let group)? = plan(number)?.running?.work,
                !isGoing(group: group)
            else { continue }
            disarm(.endingWait(number))
            conclude(number)
            advance(number)
        }
    }

    mutating func stopAwaitingEnding(_ number: Int) {
        guard case .awaitEnding(let group)? = plan(number)?.running?.work else { return }
        for call in members(of: group) {
            guard let end = actions.first(where: { $0.call == call.id && $0.kind == .end }) else {
                continue
            }
            disarm(.action(end.number))
            timeOut(end)
        }
    }

    /// Protocol, section 7: who has joined leaves again; with the last one the plan stops. What was
    /// sent is taken back, but for an end.
    mutating func takeCancel(_ token: RequestToken) {
        guard let plan = plans.first(where: { $0.tokens.contains(token) }) else { return }
        if plan.tokens.count > 1 {
            change(plan: plan.number) { $0.tokens.removeAll { $0 == token } }
            return reply(token, .completed(.cancelled))
        }
        // A call made for a start goes with it.
        for case .start(let id, _) in plan.steps.map(\.work) { noteWish(toEnd: id) }
        switch plan.running?.work {
        case .start(let id, _):
            plans.removeAll { $0.number == plan.number }
            reply(token, .completed(.cancelled))
            endByHost(id, .cancelled)
        case .answer(let id):
            rememberAnswer(of: id)
            cancelPlan(plan.number, .cancelled)
            ringOn(id)
        default: cancelPlan(plan.number, .cancelled)
        }
    }

    /// It may have come too late.
    private mutating func rememberAnswer(of id: CallID) {
        let answer = actions.first { $0.call == id && $0.kind == .answer && $0.isSent }
        if let answer { overtaken.append((answer.number, id, answer.provider)) }
    }

    private mutating func noteWish(toEnd id: CallID) {
        change(id) { $0.ending = Ending(reason: .cancelled, isWished: true, wasLive: false) }
    }

    private mutating func ringOn(_ id: CallID) {
        guard let call = call(id), [.ringing, .waiting].contains(call.state) else { return }
        change(id) { $0.wasAnswered = false }
        setDeadline(.ring(id), at: max(now, call.ringsUntil))
    }
}

extension NaiveArbiter.Step.Work {
    /// It makes a call live, or regroups.
    var isReserving: Bool {
        switch self {
        case .start, .answer, .grant, .resume, .join, .leave: true
        case .sendBack, .hold, .clear, .clearRest, .awaitEnding, .end, .mute, .muteOne, .tones:
            false
        }
    }

    func holds(_ other: Int) -> Bool {
        if case .hold(other) = self { true } else { false }
    }

    /// The one call that it is about.
    var subject: CallID? {
        switch self {
        case .start(let call, _), .answer(let call), .grant(let call), .sendBack(let call),
            .end(let call), .muteOne(let call, _), .join(let call, _), .leave(let call),
            .tones(let call, _, _):
            call
        case .hold, .clear, .clearRest, .awaitEnding, .resume, .mute: nil
        }
    }
}
