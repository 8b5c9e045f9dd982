internal import CallArbitration
internal import CallModel

/// What follows from the settlement of an action (sections 5 and 6), and whose the audio is
/// (section 7).
extension NaiveArbiter {
    mutating func settleAndGoOn(_ number: Int, _ state: ActionState) {
        guard let action = action(number) else { return }
        settle(number, state)
        if let plan = action.plan { goOn(plan) } else { actions.removeAll { $0.number == number } }
        pump(action.provider)
    }

    mutating func cancel(_ number: Int) {
        guard let action = action(number), !action.isSettled else { return }
        if isWithProvider(action), isConnected(action.provider) { wanted.cancelled.append(number) }
        settleAndGoOn(number, .cancelled)
    }

    /// It is over: what that means for its call.
    mutating func settle(_ number: Int, _ state: ActionState) {
        guard let action = action(number), !action.isSettled else { return }
        change(action: number) { $0.state = state }
        disarm(.action(number))
        if action.isSent { abandon(action, state) }
        if !action.isForEndedCall, action.kind.kind == .start || action.kind == .answer {
            showsLife(action.call)
        }
        if !action.isForEndedCall, call(action.call) != nil {
            switch state {
            case .fulfilled: fulfil(action)
            case .failed, .cancelled: fail(action, state)
            case .timedOut: loseToSilence(action)
            case .planned, .queued, .dispatched, .skipped: break
            }
        }
        settleGroups()
    }

    /// Its provider may do it all the same.
    private mutating func abandon(_ action: Action, _ state: ActionState) {
        guard state != .fulfilled, state != .failed else { return }
        switch action.kind {
        case .start, .answer, .setHeld, .transfer, .attendedTransfer, .deflect: break
        case .end, .setMuted, .setGroup, .playDTMF, .setEndpoint, .setVideo, .setText: return
        }
        abandoned.append(
            Abandoned(
                action: action.number, call: action.call, provider: action.provider,
                kind: action.kind,
                wasCancelled: state == .cancelled
                    || state == .timedOut && purpose(of: action) == .hold,
                because: action.cause.becauseOf))
    }

    private mutating func fulfil(_ action: Action) {
        switch action.kind {
        case .start: startIsDone(action.call)
        case .answer, .setHeld(false): becomeActive(action.call, action.cause)
        case .end where call(action.call)?.isExternal == true: break
        case .end: finish(action.call, .localEnded, action.cause)
        case .setHeld: becomeHeld(action.call)
        case .setMuted, .setGroup, .playDTMF: break
        case .setEndpoint(let id): change(action.call) { $0.properties.endpoints.use(id) }
        case .setVideo(let video): agree(on: video, of: action.call)
        case .setText(let hasText): agree(onText: hasText, of: action.call)
        case .transfer, .attendedTransfer, .deflect:
            goElsewhere(action.call, action.kind, action.cause)
        }
    }

    /// Rule 45: the user has decided, whatever the other side asked for.
    private mutating func agree(on video: VideoDirection, of id: CallID) {
        change(id) {
            $0.properties.video = video
            $0.properties.videoRequest = nil
        }
        disarm(.videoRequest(id))
    }

    /// Rule 46, likewise.
    private mutating func agree(onText hasText: Bool, of id: CallID) {
        change(id) {
            $0.properties.hasText = hasText
            $0.properties.textRequest = false
        }
        disarm(.textRequest(id))
    }

    /// Rule 41.
    mutating func goElsewhere(_ id: CallID, _ action: CallAction, _ cause: Cause) {
        var ids = [id]
        if case .attendedTransfer(let other) = action { ids.append(other) }
        let reason: EndDetail.Reason = action.kind == .deflect ? .deflected : .transferred
        let former = said
        defer { said = former }
        for id in ids {
            guard let call = call(id) else { continue }
            said = former.map { Said(call: id, at: $0.at, isEnd: true) }
            finish(
                id, call.wasConnected ? .localEnded : .declined, cause, detail: EndDetail(reason))
        }
    }

    private mutating func startIsDone(_ id: CallID) {
        guard let call = call(id), call.state == .starting else { return }
        change(id) { $0.state = .dialing }
        arm(.dial(id), policy.dialTimeoutMS)
        settleGroups()
        if liveGroup == call.group { giveAudio(to: call.group) }
    }

    mutating func becomeActive(_ id: CallID, _ cause: Cause) {
        guard let call = call(id) else { return }
        let moment = moment(of: call, isEnd: false)
        change(id) {
            $0.state = .active
            $0.connectedAt = $0.connectedAt ?? moment
        }
        for name in [Deadline.Name.ring(id), .dial(id)] { disarm(name) }
        settleGroups()
        payDebt(of: call.group)
        giveAudio(to: call.group)
    }

    mutating func becomeHeld(_ id: CallID) {
        guard let call = call(id) else { return }
        let moment = believed(call.takenAt, since: call.connectingAt ?? call.createdAt)
        // Rule 35.
        stopTones(on: id)
        change(id) {
            $0.state = .held
            $0.connectedAt = $0.connectedAt ?? moment
        }
        for name in [Deadline.Name.ring(id), .dial(id)] { disarm(name) }
        settleGroups()
    }

    /// A failed start or answer ends its call, a failed end still ends the call here; the rest
    /// leaves the call as it was.
    private mutating func fail(_ action: Action, _ state: ActionState) {
        switch action.kind {
        case .answer where call(action.call)?.isExternal == true: break
        case .start, .answer:
            guard state == .cancelled else {
                return finish(
                    action.call, .failed, Cause(.provider, rule: action.cause.rule),
                    failure: action.failure)
            }
            if let call = call(action.call), call.isUnanswered, call.isTaken { ringOn(call.id) }
        case .end: if state != .cancelled { finish(action.call, .localEnded, action.cause) }
        case .setHeld(true) where purpose(of: action) == .yield && state == .failed:
            let because = action.cause.becauseOf
            dismiss(
                action.call, .failed, Cause(.provider, rule: .emergency, becauseOf: because),
                action.failure)
        case .setHeld, .setMuted, .setGroup, .playDTMF, .setEndpoint, .setVideo, .setText,
            .transfer,
            .attendedTransfer,
            .deflect:
            break
        }
    }

    /// Silence costs the silent call where something waits for it (principle 6).
    private mutating func loseToSilence(_ action: Action) {
        switch action.kind {
        case .answer where call(action.call)?.isExternal == true: break
        case .start, .answer: dismiss(action.call, .failed, Cause(.timeout))
        case .end: finish(action.call, .localEnded, action.cause)
        case .setHeld(true) where planAwaitingHold != nil && call(action.call)?.group == liveGroup:
            let because = action.cause.becauseOf
            dismiss(
                action.call, .failed, Cause(.timeout, rule: .holdTimedOut, becauseOf: because))
        case .setHeld(true):
            let because = action.cause.becauseOf
            switch purpose(of: action) {
            case .hold where !isForReport(action):
                dismiss(
                    action.call, .failed,
                    Cause(.timeout, rule: .holdTimedOut, becauseOf: because))
            case .sendBack:
                dismiss(
                    action.call, .failed,
                    Cause(.timeout, rule: .reportedActive, becauseOf: because))
            case .yield:
                dismiss(
                    action.call, .failed,
                    Cause(.timeout, rule: .emergency, becauseOf: because))
            case .asked, .hold, .end, .awaitEnding, .awaitHold, .speakAgain, .grant, nil: break
            }
        case .setHeld, .setMuted, .setGroup, .playDTMF, .setEndpoint, .setVideo, .setText,
            .transfer,
            .attendedTransfer,
            .deflect:
            break
        }
    }

    /// Rule 13: for a report nobody's conversation ends, unless it is an emergency's.
    func isForReport(_ action: Action) -> Bool {
        guard let plan = action.plan.flatMap({ plan($0) }) else { return false }
        return plan.steps.contains { $0.purpose == .grant }
            && plan.target.flatMap { call($0) }?.isEmergency != true
    }

    func purpose(of action: Action) -> Purpose? {
        action.plan.flatMap { plan($0) }?.steps.first { $0.actions.contains(action.number) }?
            .purpose
    }

    /// Its answer was called off: it rings, or waits, in its old place and for no longer than before.
    mutating func ringOn(_ id: CallID) {
        guard let call = call(id) else { return }
        change(id) { $0.isTaken = false }
        if instant(of: .ring(id)) == nil { setDeadline(.ring(id), at: max(now, call.ringsUntil)) }
    }

    // Who is held, and whose the audio is.

    /// Looks at every group anew, after something about its members has changed.
    mutating func settleGroups() {
        if let holder = audio, !isLive(group: holder) { takeAudio() }
        groups.removeAll { group in !calls.contains { $0.group == group.number } }
        for group in groups where isHeld(group: group.number) != group.isHeld {
            let order = nextNumber()
            change(group: group.number) {
                $0.isHeld.toggle()
                if $0.isHeld { $0.heldOrder = order } else { $0.isOffered = false }
            }
        }
    }

    mutating func giveAudio(to group: Int) {
        guard audio != group else { return }
        audio = group
        audioName = name(of: group)
        wanted.work.append(.activate(audioName))
        wanted.announced.append(.audioChanged(from: nil, to: audioName))
    }

    mutating func takeAudio() {
        wanted.work.append(.deactivate(audioName))
        wanted.announced.append(.audioChanged(from: audioName, to: nil))
        audio = nil
        audioName = nil
    }
}
