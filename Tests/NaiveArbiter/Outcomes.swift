internal import CallArbitration
internal import CallModel

/// What follows from the settlement of an action (sections 5 and 6), and whose the audio is
/// (section 7).
extension NaiveArbiter {
    /// It is over: changes the call, tells the plans that wait for it, sends what waited behind it.
    mutating func settle(_ action: Action, _ outcome: Outcome) {
        actions.removeAll { $0.number == action.number }
        disarm(.action(action.number))
        if !action.isIgnored, call(action.call) != nil {
            switch outcome {
            case .fulfilled: fulfil(action)
            case .failed(let failure): fail(action, failure)
            case .timedOut: break
            case .overtaken: break
            }
        }
        releaseUnusedAudio()
        for plan in action.plans { hear(plan, action.call, outcome) }
        if action.kind == .end { goOnAfterEnding() }
        sendWhatCan(on: action.call)
    }

    private mutating func fulfil(_ action: Action) {
        guard let call = call(action.call) else { return }
        switch action.kind {
        case .start: startIsDone(call)
        case .answer: becomeActive(call.id)
        case .end: finish(call.id, call.ending?.reason ?? .localEnded, isSettledEnd: true)
        case .setHeld(true): becomeHeld(call.id)
        case .setHeld: becomeActive(call.id)
        case .setMuted: break
        case .setGroup(.some(let other)): join(call.id, with: other)
        case .setGroup: leave(call.id)
        case .playDTMF: break
        }
    }

    private mutating func startIsDone(_ call: Call) {
        guard call.state == .starting else { return }
        change(call.id) {
            $0.state = .dialing
            $0.isSilentStart = false
        }
        arm(.dial(call.id), policy.dialTimeoutMS)
        disarm(.startSilence(call.id))
        giveAudio(to: call.group)
    }

    mutating func becomeActive(_ id: CallID) {
        guard let call = call(id) else { return }
        let isAnswered = call.direction == .incoming && !call.wasConnected
        change(id) {
            $0.state = .active
            $0.wasConnected = true
        }
        for name in [Deadline.Name.ring(id), .dial(id), .startSilence(id)] { disarm(name) }
        change(group: call.group) {
            $0.heldBecauseOf = nil
            // Rule 34: a newly answered call starts unmuted.
            if isAnswered { $0.isMuted = false }
        }
        giveAudio(to: call.group)
    }

    mutating func becomeHeld(_ id: CallID) {
        guard let call = call(id) else { return }
        change(id) {
            $0.state = .held
            $0.wasConnected = true
        }
        disarm(.ring(id))
        stopTones(on: id)
        guard !isLive(group: call.group) else { return }
        let order = nextNumber()
        change(group: call.group) { $0.heldOrder = order }
        takeAudio(from: call.group)
    }

    /// A failed start or answer ends its call, a failed end still ends the call here; the rest
    /// leaves the call as it was.
    private mutating func fail(_ action: Action, _ failure: ActionFailure) {
        switch action.kind {
        case .start, .answer: finish(action.call, .failed)
        case .end:
            let reason = call(action.call)?.ending?.reason ?? .localEnded
            finish(action.call, reason, isSettledEnd: true)
        case .setHeld:
            // Protocol, section 5: a provider that does not know how to hold.
            guard failure.code == -32_601 else { return }
            change(action.call) { $0.properties.supportsHolding = false }
        case .setMuted, .setGroup, .playDTMF: break
        }
    }

    /// Section 6. The provider hears of it; a call that is lost to it is ended there too.
    mutating func timeOut(_ action: Action) {
        if action.isSent, provider(action.provider)?.isConnected == true {
            wanted.timedOut.append(action.number)
            wanted.cancelled.append(action.number)
        }
        guard !action.isIgnored, let call = call(action.call) else {
            return settle(action, .timedOut)
        }
        actions.removeAll { $0.number == action.number }
        if action.kind.kind == .start || action.kind == .answer {
            overtaken.append((action.number, call.id, action.provider))
        }
        switch action.kind {
        case .start, .answer:
            wanted.anomalies.append(.providerSilent)
            endByHost(call.id, .failed, wasStartSent: true)
        case .end: finish(call.id, call.ending?.reason ?? .localEnded, isSettledEnd: true)
        case .setHeld(true) where isWaitedFor(action):
            change(call.id) { $0.wasAnswered = true }
            endByHost(call.id, .failed)
        case .setHeld: withdraw(action, isNeedless: false)
        case .setMuted, .setGroup, .playDTMF: break
        }
        releaseUnusedAudio()
        for plan in action.plans { hear(plan, action.call, .timedOut) }
        if action.kind == .end { goOnAfterEnding() }
        sendWhatCan(on: call.id)
    }

    /// Rule 5b: something waits for this hold.
    private func isWaitedFor(_ hold: Action) -> Bool {
        hold.plans.contains {
            if case .sendBack? = plan($0)?.running?.work { return true }
            return plan($0)?.running?.becauseOf != nil
        }
    }

    mutating func dialTooLong(_ id: CallID) {
        wanted.anomalies.append(.dialStuck)
        endByHost(id, .failed)
    }

    /// Rule 10: no sign of life for five seconds.
    mutating func startIsSilent(_ id: CallID) {
        disarm(.startSilence(id))
        change(id) { $0.isSilentStart = true }
    }

    /// Any report and any progress is one.
    mutating func showsLife(_ id: CallID) {
        disarm(.startSilence(id))
        change(id) { $0.isSilentStart = false }
    }

    // Section 7.

    mutating func giveAudio(to group: Int) {
        guard audio != group else { return }
        if let holder = audio { takeAudio(from: holder) }
        audio = group
        audioName = name(of: group)
        wanted.work.append(.activate(audioName))
    }

    /// A resume that was to keep its group alive has failed.
    private mutating func releaseUnusedAudio() {
        if let holder = audio { releaseAudio(of: holder) }
    }

    mutating func takeAudio(from group: Int) {
        guard audio == group else { return }
        audio = nil
        wanted.work.append(.deactivate(audioName))
    }
}
