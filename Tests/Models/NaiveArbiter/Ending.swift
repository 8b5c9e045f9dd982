internal import CallArbitration
internal import CallModel

/// Rules 18 and 39, and the ends of section 5: how a call comes to its end.
extension NaiveArbiter {
    /// Somebody here wants the call to end: it wins every race (protocol, O6). One whose start was
    /// never sent, and one whose provider is away, ends here and now; but not if its app may talk on.
    mutating func beginEnd(of call: Call, by number: Int) {
        guard let end = action(number) else { return }
        guard !call.isExternal else { return leaveElsewhere(call, for: number) }
        let id = call.id
        let isUnseen = call.state == .starting && current(id) == nil
        let isToldToSpeak = current(id)?.kind.bringsToLife == true
        let talksOn = livesApart(call.provider) && (speaks(call) || isToldToSpeak)
        let isSilent = call.state == .starting && call.isSilentStart && end.isImplied
        if isSilent { announce(.startSilent, id) }
        let wasLive = liveGroup == call.group
        let reason = isSilent ? .failed : localReason(call)
        if call.isUnanswered, !call.isTaken { lastEnd = end.cause.origin }
        if call.isEmergency { beginCallbacks(of: call.provider) }
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
    func waits(_ number: Int, for id: CallID) -> Bool {
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
    mutating func dismiss(
        _ id: CallID, _ reason: EndReason, _ cause: Cause, _ failure: ActionFailure? = nil
    ) {
        guard let call = call(id) else { return }
        cancelWaiting(on: id) { _ in true }
        endAtProvider(id, call.provider, cause)
        finish(id, reason, cause, failure: failure)
    }

    /// The call is over: history, the audio, whoever waited for it, whoever was held for it.
    mutating func finish(
        _ id: CallID, _ reason: EndReason, _ cause: Cause, isLoss: Bool = false,
        failure: ActionFailure? = nil, detail: EndDetail? = nil
    ) {
        guard let call = call(id) else { return }
        // Whoever wanted the end first has ended it, however it came about.
        let (reason, cause) = call.ending.map { ($0.reason, $0.cause) } ?? (reason, cause)
        let wasLive = liveGroup == call.group
        let neverSpoke = !call.wasConnected || isBeingResumedOver(call)
        record(call, reason, cause, failure, call.ending == nil ? detail : nil)
        if let token = call.screening, !call.isRefused {
            refuse(
                token,
                cause.isRevocation ? Refused(.unentitled, .rights) : .init(.callEnded, .filters))
        }
        if wasLive || !call.wasConnected && !call.isExternal { lastEnd = cause.origin }
        let debts = handOverDebts(of: call, cause, wasLive: wasLive)
        forget(call, isLoss: isLoss && call.ending == nil)
        callOffActions(on: call, cause)
        if neverSpoke, let last = debts.last, group(last)?.heldFor == nil {
            bringBack(last, Cause(.arbitration, rule: .restored, becauseOf: id))
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

    private mutating func record(
        _ call: Call, _ reason: EndReason, _ cause: Cause, _ failure: ActionFailure?,
        _ detail: EndDetail?
    ) {
        wanted.history.append(
            Wanted.Entry(
                call: call.id, reason: reason, missed: missed(call, reason, cause), cause: cause,
                hasVideo: call.properties.hasVideo, filteredBy: call.filteredBy,
                createdAt: call.createdAt, connectedAt: call.connectedAt,
                endedAt: moment(of: call, isEnd: true), failure: failure,
                detail: detail ?? failure.flatMap { wordsOf($0) }))
        guard call.screening == nil else { return }
        wanted.announced.append(.callRemoved(call.id, cause))
    }

    /// The app's own words, if it gave any, are the words for the end: those of the protocol first,
    /// then those of its network, then others.
    private func wordsOf(_ failure: ActionFailure) -> EndDetail? {
        let words = EndDetail.Reason.all.map(\.rawValue)
        let ofNetwork = EndDetail(code: failure.appCode).reason
        var reason: String? = failure.reason == "unspecified" ? nil : failure.reason
        if failure.reason.utf8.count > 64 { reason = nil }
        if let word = reason, !words.contains(word), let ofNetwork { reason = ofNetwork.rawValue }
        if reason == nil, failure.message == nil, failure.appCode == nil { return nil }
        return EndDetail(
            reason.map(EndDetail.Reason.init(rawValue:)), text: failure.message,
            code: failure.appCode)
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
        case .failed: missed.insert(.providerLost)
        case .filtered: return missed
        case .answeredElsewhere, .declinedElsewhere, .localEnded, .declined, .cancelled: return []
        }
        if call.isSilenced { missed.insert(.silenced) }
        if let since = call.rangSince, now < since.advanced(byMS: policy.shortRingMS) {
            missed.insert(.shortRing)
        }
        return missed
    }

    /// Takes the call out of every list; its id is not accepted again.
    private mutating func forget(_ call: Call, isLoss: Bool) {
        let id = call.id
        let isOver = call.isEmergency
        calls.removeAll { $0.id == id }
        endedCalls.removeAll { $0.call == id }
        endedCalls.append(EndedCall(call: id, at: now, isLoss: isLoss))
        for name in [
            Deadline.Name.ring(id), .dial(id), .startSilence(id), .screening(id), .videoRequest(id),
            .textRequest(id),
        ] {
            disarm(name)
        }
        settleGroups()
        if isOver { beginCallbacks(of: call.provider) }
    }

    /// Rule 20: for five minutes its provider's calls come in as call-backs.
    private mutating func beginCallbacks(of provider: ProviderID) {
        if !callbacks.contains(provider) { callbacks.append(provider) }
        arm(.emergencyCallback(provider), policy.emergencyCallbackMS)
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
        // Rule 15.
        if cause.origin == .policy, cause.rule == .emergency {
            return giveUp(waiting, Refused(.cancelled, .busy))
        }
        giveUp(
            waiting,
            cause.isLoss ? Refused(.providerGone, cause.rule) : Refused(.callEnded, .unknownCall))
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
