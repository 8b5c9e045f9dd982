internal import CallArbitration
internal import CallModel

/// Rules 16 to 18 and 39, and the ends of section 5: how a call comes to its end, and who comes back
/// after it.
extension NaiveArbiter {
    /// Somebody here wants the call to end: it wins every race (protocol, O6). One whose start was
    /// never sent, and one whose provider is away, ends here and now; but not if its app may talk on.
    mutating func beginEnd(of call: Call, by number: Int) {
        guard let end = action(number) else { return }
        let id = call.id
        let isUnseen = call.state == .starting && current(id) == nil
        let isToldToSpeak = current(id)?.kind.bringsToLife == true
        let talksOn = livesApart(call.provider) && (speaks(call) || isToldToSpeak)
        let isSilent = call.state == .starting && call.isSilentStart && end.isImplied
        if isSilent { announce(.startSilent, id) }
        let wasLive = liveGroup == call.group
        let reason = isSilent ? .failed : localReason(call)
        change(id) {
            $0.state = .ending
            $0.ending = Ending(reason: reason, cause: end.cause, wasLive: wasLive)
        }
        for name in [Deadline.Name.ring(id), .dial(id)] { disarm(name) }
        cancelWaiting(on: id) { $0 != .end }
        if let current = current(id) { cancel(current.number) }
        if let waiting = reservation, waiting != end.plan, waits(waiting, for: id) {
            giveUp(waiting, Refused(.cancelled, .busy))
        }
        guard self.call(id) != nil else { return settle(number, .fulfilled) }
        settleGroups()
        if isUnseen || !isConnected(call.provider) && !talksOn {
            settle(number, .fulfilled)
        } else {
            dispatch(number)
        }
    }

    /// Rule 15: what waits for room has something to do with that call.
    private func waits(_ number: Int, for id: CallID) -> Bool {
        guard let plan = plan(number) else { return false }
        return plan.target == id
            || allActions(of: plan).contains {
                $0.call == id && $0.state == .queued && !$0.isImplied && $0.kind != .end
            }
    }

    func localReason(_ call: Call) -> EndReason {
        if let ending = call.ending { return ending.reason }
        if call.wasConnected { return .localEnded }
        return call.direction == .incoming ? .declined : .cancelled
    }

    /// Ended by a rule, a limit, a time-out: at its provider too, whatever that answers.
    mutating func dismiss(_ id: CallID, _ reason: EndReason, _ cause: Cause) {
        guard let call = call(id) else { return }
        cancelWaiting(on: id) { _ in true }
        endAtProvider(id, call.provider, cause)
        finish(id, reason, cause)
    }

    /// The call is over: history, the audio, whoever waited for it, whoever was held for it.
    mutating func finish(
        _ id: CallID, _ reason: EndReason, _ cause: Cause, isLoss: Bool = false
    ) {
        guard let call = call(id) else { return }
        // Whoever wanted the end first has ended it, however it came about.
        let (reason, cause) = call.ending.map { ($0.reason, $0.cause) } ?? (reason, cause)
        let wasLive = liveGroup == call.group
        let neverSpoke = !call.wasConnected || isBeingResumedOver(call)
        record(call, reason, cause)
        if let token = call.screening, !call.isRefused {
            refuse(
                token,
                cause.isRevocation ? Refused(.unentitled, .rights) : .init(.callEnded, .filters))
        }
        let former = handOverDebts(of: call)
        forget(call, isLoss: isLoss && call.ending == nil)
        callOffActions(on: call, cause)
        if let former, neverSpoke || wasLive {
            comeBack(former, after: call, cause, hasSpoken: !neverSpoke)
        }
    }

    /// It was to take the place of the group that was held for it, and never did (rule 19).
    private func isBeingResumedOver(_ call: Call) -> Bool {
        guard call.state == .held || call.state == .active,
            let action = current(call.id) ?? waiting(on: call.id).first,
            action.kind == .setHeld(false)
        else { return false }
        return action.plan.flatMap { plan($0) }?.hasHeld == true
    }

    private mutating func record(_ call: Call, _ reason: EndReason, _ cause: Cause) {
        wanted.history.append(
            Wanted.Entry(
                call: call.id, reason: reason, missed: missed(call, reason, cause), cause: cause,
                hasVideo: call.properties.hasVideo, filteredBy: call.filteredBy,
                createdAt: call.createdAt, connectedAt: call.connectedAt,
                endedAt: moment(of: call, isEnd: true)))
        guard call.screening == nil else { return }
        wanted.announced.append(.callRemoved(call.id, cause))
    }

    /// Rule 39: every reason why the call, ending now, was missed.
    private func missed(_ call: Call, _ reason: EndReason, _ cause: Cause) -> MissedReasons {
        // Who answered did not miss it.
        guard call.isUnanswered && !call.isTaken else { return [] }
        var missed = call.missed
        switch reason {
        case .unanswered: if cause.rule != .emergency { missed.insert(.unanswered) }
        case .remoteEnded: missed.insert(.callerGaveUp)
        // Its app has taken it, and would not hold it (rule 13).
        case .failed where cause.rule == .reportedActive: return []
        case .failed: missed.insert(cause.isLoss ? .providerLost : .callerGaveUp)
        case .filtered: return missed
        case .answeredElsewhere, .declinedElsewhere, .localEnded, .declined, .cancelled: return []
        }
        if call.isSilenced { missed.insert(.silenced) }
        if let since = call.rangSince, now < since.advanced(byMS: policy.shortRingMS) {
            missed.insert(.shortRing)
        }
        return missed
    }

    /// As long as its own group goes on, the oldest takes over what was held because of it (rule 18);
    /// else the last of them may come back.
    private mutating func handOverDebts(of call: Call) -> Int? {
        let debts = heldFor(call.id).map(\.number)
        let heir = members(of: call.group).first { $0.id != call.id }
        for group in debts {
            if let heir {
                remember(group, heldFor: heir.id)
            } else {
                change(group: group) { $0.heldBecauseOf = nil }
            }
        }
        return heir == nil ? debts.last : nil
    }

    /// Takes the call out of every list; its id is not accepted again.
    private mutating func forget(_ call: Call, isLoss: Bool) {
        let id = call.id
        let isOver = call.isEmergency
        calls.removeAll { $0.id == id }
        endedCalls.removeAll { $0.call == id }
        endedCalls.append(EndedCall(call: id, at: now, isLoss: isLoss))
        for name in [Deadline.Name.ring(id), .dial(id), .startSilence(id), .screening(id)] {
            disarm(name)
        }
        settleGroups()
        guard isOver else { return }
        // Rule 20: for five minutes its provider's calls come in as call-backs.
        if !callbacks.contains(call.provider) { callbacks.append(call.provider) }
        arm(.emergencyCallback(call.provider), policy.emergencyCallbackMS)
    }

    /// What was not sent goes first, lest it be sent now. However the end came about, it is what an
    /// end wanted.
    private mutating func callOffActions(on call: Call, _ cause: Cause) {
        let under = actions.filter {
            $0.call == call.id && !$0.isForEndedCall && $0.isUnderWay
        }
        let others = under.filter { $0.kind != .end }
        for action in others.filter(\.isWaiting) + others.filter(\.isSent) {
            settleAndGoOn(action.number, cause.isLoss ? .failed : .cancelled)
        }
        for end in under where end.kind == .end { settleAndGoOn(end.number, .fulfilled) }
        guard let waiting = reservation, plan(waiting)?.target == call.id else { return }
        if cause.isRevocation { return giveUp(waiting, Refused(.unentitled, .rights)) }
        giveUp(
            waiting,
            cause.isLoss ? Refused(.providerGone, cause.rule) : Refused(.callEnded, .unknownCall))
    }

    // Who comes back.

    private mutating func comeBack(
        _ group: Int, after call: Call, _ cause: Cause, hasSpoken: Bool
    ) {
        guard self.group(group)?.isHeld == true, let name = name(of: group) else { return }
        let isLocal = cause.origin == .user || cause.origin == .app
        guard hasSpoken, !isLocal else {
            // Rules 17a and 16.
            let rule: Rule = hasSpoken ? .resumeAfterUserEnd : .restored
            guard policy.resumeAfterUserEnd, mayComeBack(group) else { return }
            return resume(group, Cause(.arbitration, rule: rule, becauseOf: call.id))
        }
        // Rule 17.
        if policy.resumeAfterRemoteEnd, mayComeBack(group) {
            return resume(group, Cause(.policy, rule: .resumeOffered, becauseOf: call.id))
        }
        guard liveGroup == nil, reservation == nil else { return }
        wanted.announced.append(.resumeOffered(name, becauseOf: call.id))
    }

    /// If nothing rings, dials or is active, and its provider did not opt out.
    private func mayComeBack(_ group: Int) -> Bool {
        let wants = provider(ofGroup: group).flatMap { provider($0) }?.configuration
            .resumesWhenFreed
        return ringingCalls.isEmpty && wants == true && isFree(for: group)
    }

    private func isFree(for group: Int) -> Bool {
        let isUrgent = members(of: group).contains(where: \.isEmergency)
        return liveGroup == nil && reservation == nil && self.group(group)?.isHeld == true
            && (emergencies.isEmpty || isUrgent)
    }

    /// The call that it was held for stays as it was: whatever rings rang before.
    mutating func bringBack(_ group: Int, _ cause: Cause) {
        guard isFree(for: group) else { return }
        resume(group, cause)
    }

    private mutating func resume(_ group: Int, _ cause: Cause) {
        var planned = Planned()
        planned.target = name(of: group)
        let held = members(of: group).filter { $0.state == .held }
        planned.steps = [PlannedStep(.asked, held.map { implied(.setHeld(false), $0) })]
        carryOut(planned, cause)
    }
}

extension Cause {
    /// Its provider has gone (rules 26 to 28), or may have no calls any more.
    var isLoss: Bool {
        rule == .providerExited || rule == .providerLost || rule == .brokerRestarted
            || isRevocation
    }

    /// Rule 33: the administrator has said so.
    var isRevocation: Bool {
        origin == .admin
    }
}
