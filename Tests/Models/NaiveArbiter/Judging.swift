internal import CallArbitration
internal import CallModel

/// What has come of a step, and what that means for its plan.
extension NaiveArbiter {
    /// Whether the plan goes on.
    mutating func judge(_ number: Int) -> Bool {
        guard let step = step(of: number) else { return false }
        let done = step.actions.compactMap { action($0) }
        switch step.purpose {
        case .awaitEnding:
            disarm(.endingWait(number))
            return true
        case .sendBack:
            for action in done { wasSentBack(action) }
            return true
        case .end, .speakAgain, .grant, .yield, .awaitHold: return true
        case .asked where isAwaitedHold(done): return true
        case .hold:
            let failed = done.filter { action in
                let isRefusal =
                    action.state == .failed || action.state == .timedOut && isForReport(action)
                return isRefusal && call(action.call) != nil
            }
            if !failed.isEmpty { return holdFailed(number, failed.map(\.call)) }
            rememberHeld(number, done)
            return true
        case .asked:
            guard let unsuccessful = unsuccessful(of: done) else {
                regroup(done)
                return true
            }
            giveUp(number, refused(for: unsuccessful))
            return false
        }
    }

    /// Somebody waits for this hold: who was silent has lost his call, and the others are held.
    private func isAwaitedHold(_ done: [Action]) -> Bool {
        planAwaitingHold != nil
            && done.allSatisfy { action in
                action.kind == .setHeld(true)
                    && (action.state == .fulfilled || call(action.call) == nil)
            }
    }

    /// A member that ended meanwhile does not spoil what the others did (rule 18).
    private func unsuccessful(of done: [Action]) -> Action? {
        let isDoneByOthers = done.contains { $0.state == .fulfilled }
        return done.first { action in
            switch action.state {
            case .fulfilled, .skipped: false
            case .cancelled: !isDoneByOthers || call(action.call) != nil
            case .timedOut: !isAwaitedEnd(action)
            case .planned, .queued, .dispatched, .failed: true
            }
        }
    }

    /// Rule 7: something is to become live after it, and its call is over here anyway.
    func isAwaitedEnd(_ action: Action) -> Bool {
        guard action.kind == .end, let plan = action.plan.flatMap({ plan($0) }),
            let index = plan.steps.firstIndex(where: { $0.actions.contains(action.number) })
        else { return false }
        guard plan.steps[index].purpose == .asked else { return plan.steps[index].purpose == .end }
        return plan.steps[(index + 1)...].contains { step in
            step.purpose == .asked
                && step.actions.contains { self.action($0)?.kind.bringsToLife == true }
        }
    }

    private func refused(for action: Action) -> Refused {
        let calls = call(action.call).map { [$0.id] } ?? []
        switch action.state {
        case .timedOut: return Refused(.deadlineExceeded, nil, calls)
        case .cancelled: return Refused(calls.isEmpty ? .callEnded : .cancelled, nil, calls)
        case .planned, .queued, .dispatched, .fulfilled, .failed, .skipped:
            if provider(action.provider)?.isRevoked == true {
                return Refused(.unentitled, .rights, calls)
            }
            return isConnected(action.provider)
                ? Refused(.providerFailed, nil, calls)
                : Refused(.providerGone, .providerLost, calls)
        }
    }

    /// Mute and grouping change when all members have done it (rules 22, 22a and 34).
    private mutating func regroup(_ done: [Action]) {
        let fulfilled = done.filter { $0.state == .fulfilled && call($0.call) != nil }
        guard let first = fulfilled.first, let call = call(first.call) else { return }
        switch first.kind {
        case .setMuted(let isMuted): change(group: call.group) { $0.isMuted = isMuted }
        case .setGroup(let other): regroup(fulfilled.map(\.call), with: other, first.cause)
        case .start, .answer, .end, .setHeld, .playDTMF, .setEndpoint, .setVideo, .setText,
            .transfer,
            .attendedTransfer,
            .deflect:
            break
        }
    }

    // Holds that somebody waits for.

    /// Rules 5a and 20.
    private mutating func holdFailed(_ number: Int, _ failed: [CallID]) -> Bool {
        guard let plan = plan(number) else { return false }
        guard let cause = causeOfEndingInstead(plan) else {
            giveUp(number, Refused(.holdFailed, .holdFailed, failed))
            return false
        }
        var planned = PlannedStep(
            .end,
            failed.compactMap { call($0) }.filter { $0.state != .ending }.map { implied(.end, $0) })
        planned.rule = cause.rule
        let added = newStep(planned, cause, plan, isAwaited: true)
        change(plan: number) { $0.steps.insert(added, at: $0.next + 1) }
        if let step = step(of: number) {
            rememberHeld(number, step.actions.compactMap { action($0) })
        }
        return true
    }

    private func causeOfEndingInstead(_ plan: Plan) -> Cause? {
        if plan.target.flatMap({ call($0) })?.isEmergency == true {
            return Cause(.arbitration, rule: .emergency, becauseOf: plan.target)
        }
        guard policy.onHoldFailure == .end, plan.requester == .user else { return nil }
        return Cause(.policy, rule: .holdFailed, becauseOf: plan.target)
    }

    /// Whoever was held is held because of the call that wanted the room.
    private mutating func rememberHeld(_ number: Int, _ done: [Action]) {
        guard let target = plan(number)?.target.flatMap({ call($0) }) else { return }
        let held = done.compactMap { call($0.call) }
            .first { $0.state == .held && $0.group != target.group }
        guard let held else { return }
        change(plan: number) { $0.hasHeld = true }
        remember(held.group, heldFor: target.id)
    }

    /// Rule 13: it is held because of the one that it would have disturbed.
    private mutating func wasSentBack(_ action: Action) {
        guard let call = call(action.call) else { return }
        if call.isUnanswered, !call.isTaken { ringOn(call.id) }
        guard call.state == .held, let live = liveGroup, live != call.group,
            let reason = name(of: live)
        else { return }
        remember(call.group, heldFor: reason)
    }

    // Giving up.

    /// What was not sent is skipped, what is under way is taken back, but for an end.
    mutating func giveUp(_ number: Int, _ refused: Refused) {
        guard let plan = plan(number), !plan.isGivenUp else { return }
        change(plan: number) {
            $0.isGivenUp = true
            $0.refused = refused
        }
        if reservation == number { reservation = nil }
        let half = halfDone(plan)
        for step in plan.steps {
            for action in step.actions { callOff(action, hasBegun: step.hasBegun) }
        }
        let all = allActions(of: plan)
        conclude(number, .failed)
        let starts = all.filter { $0.kind.kind == .start }
        endUnstarted(starts, refused, plan.cause)
        takeBack(half, plan.cause)
        for answer in all where answer.kind == .answer {
            if let call = call(answer.call), call.isUnanswered, !call.isTaken { ringOn(call.id) }
        }
        guard let target = plan.target, call(target) != nil else { return }
        if plan.steps.contains(where: { $0.purpose == .grant }) { return sendBack(target) }
        if plan.hasHeld { bringBackHeld(for: target, plan.cause) }
    }

    private mutating func callOff(_ number: Int, hasBegun: Bool) {
        guard let action = action(number), !action.isSettled else { return }
        if action.kind == .end, action.isUnderWay {
            // It goes on without its plan.
            change(action: number) { $0.plan = nil }
            pump(action.provider)
        } else if hasBegun {
            cancel(number)
        } else {
            if isWithProvider(action), isConnected(action.provider) {
                wanted.cancelled.append(number)
            }
            change(action: number) { $0.state = .skipped }
            disarm(.action(number))
        }
    }

    /// Rule 22a: what some of its members did, if others did not; and who was held of the group of a
    /// call that was to leave it, and did not.
    private func halfDone(_ plan: Plan) -> [Action] {
        guard plan.next < plan.steps.count else { return [] }
        let step = plan.steps[plan.next]
        var numbers: [Int] = []
        if step.actions.count > 1, step.purpose == .hold || step.purpose == .asked {
            numbers += step.actions
        }
        if let group = plan.target.flatMap({ call($0) })?.group {
            for earlier in plan.steps[..<plan.next] where earlier.purpose == .hold {
                numbers += earlier.actions.filter {
                    action($0).flatMap { call($0.call) }?.group == group
                }
            }
        }
        return numbers.compactMap { action($0) }.filter { $0.state == .fulfilled }
    }

    private mutating func takeBack(_ done: [Action], _ cause: Cause) {
        let undone = done.compactMap { action -> Part? in
            guard let call = call(action.call), let kind = opposite(of: action.kind, call) else {
                return nil
            }
            return implied(kind, call)
        }
        guard let first = undone.first else { return }
        var planned = Planned()
        planned.target = first.call
        planned.steps = [PlannedStep(.speakAgain, undone)]
        carryOut(
            planned,
            Cause(.arbitration, rule: .groupActions, becauseOf: cause.becauseOf ?? first.call))
    }

    private func opposite(of kind: CallAction, _ call: Call) -> CallAction? {
        switch kind {
        case .setHeld(true): call.state == .held ? .setHeld(false) : nil
        case .setMuted(let isMuted): .setMuted(!isMuted)
        case .setGroup:
            .setGroup(with: members(of: call.group).first { $0.id != call.id }?.id)
        case .start, .answer, .end, .setHeld, .playDTMF, .setEndpoint, .setVideo, .setText,
            .transfer,
            .attendedTransfer,
            .deflect:
            nil
        }
    }

    /// Calls that were made for a start that does not happen.
    private mutating func endUnstarted(
        _ starts: [Action], _ refused: Refused, _ cause: Cause
    ) {
        for start in starts {
            guard call(start.call)?.state == .starting, current(start.call) == nil else { continue }
            if start.attempt > 0 { endAtProvider(start.call, start.provider, cause) }
            if refused.reason == .cancelled, refused.rule == nil {
                finish(start.call, .cancelled, cause)
            } else {
                finish(
                    start.call, .failed,
                    Cause(.arbitration, rule: refused.rule, becauseOf: refused.blocking.first))
            }
        }
    }

    /// The call did not become live: what was held for it comes back (rules 5a, 17a and 19).
    mutating func bringBackHeld(for call: CallID, _ cause: Cause) {
        guard let held = heldFor(call).last else { return }
        bringBack(
            held.number,
            Cause(.arbitration, rule: cause.rule == .swap ? .swap : .restored, becauseOf: call))
    }
}
