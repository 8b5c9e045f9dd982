internal import CallArbitration
internal import CallModel

/// What providers and clocks say to actions.
extension NaiveArbiter {
    /// It is done, or with a failure it is not.
    mutating func takeAnswer(
        _ id: ActionID, _ provider: ProviderID, _ failure: ActionFailure?, at: Instant? = nil
    ) {
        let state: ActionState = failure == nil ? .fulfilled : .failed
        guard let action = actions.first(where: { ids[$0.number] == id && $0.provider == provider })
        else { return takeLate(id, provider, state, at) }
        if action.isSent {
            change(action: action.number) { $0.failure = failure }
            if failure?.code == -32_601, action.kind.kind == .setHeld {
                // Protocol, section 5: a provider that does not know how to hold.
                change(action.call) { $0.properties.supportsHolding = false }
            }
            return saying(at, of: action.kind, action.call) {
                $0.settleAndGoOn(action.number, state)
            }
        }
        if action.state == .queued, action.isOffered, action.early == nil, let number = action.plan,
            let offer = offer(to: provider, for: number), offer.state != .declined
        {
            // Who takes a whole transaction settles it in any order; to settle one is to take it.
            change(action: action.number) {
                ($0.early, $0.earlyAt, $0.failure) = (state, at, failure)
            }
            if offer.state == .asked { settleOffer(of: number, to: provider, .taken) }
            return
        }
        takeLate(id, provider, state, at)
    }

    /// Rule 29: ignored, unless something has come to pass that we had stopped waiting for. No call
    /// lives unseen; an answer, a hold, a resume and a transfer count as reports.
    private mutating func takeLate(
        _ id: ActionID, _ provider: ProviderID, _ state: ActionState, _ at: Instant?
    ) {
        wanted.announced.append(.actionLate)
        guard state == .fulfilled, self.provider(provider) != nil,
            let index = abandoned.firstIndex(where: {
                ids[$0.action] == id && $0.provider == provider
            })
        else { return }
        let late = abandoned.remove(at: index)
        guard let call = call(late.call) else {
            if late.kind.kind == .start || late.kind == .answer {
                endAtProvider(late.call, provider, Cause(.arbitration, rule: .lateAnswer))
            }
            return
        }
        switch late.kind {
        case .setHeld(true) where call.state == .active:
            becomeHeld(call.id)
            if let because = late.because, group(call.group)?.isHeld == true,
                self.call(because)?.group != call.group
            {
                remember(call.group, heldFor: because)
            }
            if late.wasCancelled { bringBack(call, late) }
        case .setHeld(false) where call.state == .held: askForAudio(call.id)
        case .answer where call.isUnanswered || call.isExternal: askForAudio(call.id)
        case .transfer, .attendedTransfer,
            .deflect where call.isUnanswered:
            saying(at, of: late.kind, call.id) {
                $0.goElsewhere(call.id, late.kind, Cause(.provider, rule: .lateAnswer))
            }
        case .start, .answer, .setHeld, .end, .setMuted, .setGroup, .playDTMF, .setEndpoint,
            .setVideo, .setText,
            .deflect:
            return
        }
    }

    /// Nobody needs the hold any more.
    private mutating func bringBack(_ call: Call, _ late: Abandoned) {
        guard liveGroup == call.group else {
            return bringBack(
                call.group, Cause(.arbitration, rule: .restored, becauseOf: late.because))
        }
        var planned = Planned()
        planned.steps = [PlannedStep(.speakAgain, [implied(.setHeld(false), call)])]
        carryOut(planned, Cause(.arbitration, rule: .groupActions, becauseOf: late.because))
    }

    /// Progress extends, never beyond twice the deadline it began with.
    mutating func extend(_ id: ActionID, _ provider: ProviderID, byMS milliseconds: Int) {
        let match = actions.first {
            ids[$0.number] == id && $0.provider == provider && $0.isSent
        }
        guard let action = match, let old = instant(of: .action(action.number)) else {
            return wanted.announced.append(.actionLate)
        }
        if !action.isForEndedCall { showsLife(action.call) }
        let until = min(action.latest, max(old, now.advanced(byMS: max(0, milliseconds))))
        setDeadline(.action(action.number), at: until)
    }

    /// Rule 10: any report and any progress is a sign of life.
    mutating func showsLife(_ id: CallID) {
        disarm(.startSilence(id))
        change(id) { $0.isSilentStart = false }
    }

    /// Rule 20: told once more, it means that another app is to place it.
    private mutating func passOn(_ id: CallID) {
        guard let call = call(id), call.isSilentStart, call.isEmergency, call.state == .starting
        else { return }
        if current(id) != nil {
            announce(.startSilent, id)
            dismiss(id, .failed, Cause(.arbitration, rule: .emergency))
        } else if let plan = waiting(on: id).first?.plan {
            giveUp(plan, Refused(.deadlineExceeded, .emergency))
        }
    }

    mutating func takeTimer(_ timer: TimerID) {
        switch timer {
        case .action(let id):
            guard let action = actions.first(where: { ids[$0.number] == id }) else { return }
            disarm(.action(action.number))
            timeOut(action.number)
        case .ring(let call):
            disarm(.ring(call))
            change(call) { $0.missed.insert(.unanswered) }
            dismiss(call, .unanswered, Cause(.timeout, rule: .ringTimeout))
        case .dial(let call):
            disarm(.dial(call))
            announce(.dialStuck, call)
            dismiss(call, .failed, Cause(.timeout))
        case .startSilence(let call) where instant(of: .startSilence(call)) == nil:
            passOn(call)
        case .startSilence(let call):
            disarm(.startSilence(call))
            change(call) { $0.isSilentStart = true }
        case .screening(let call): settleScreening(of: call, .timedOut)
        case .videoRequest(let call):
            disarm(.videoRequest(call))
            change(call) { $0.properties.videoRequest = nil }
        case .textRequest(let call):
            disarm(.textRequest(call))
            change(call) { $0.properties.textRequest = false }
        case .grace(let provider):
            disarm(.grace(provider))
            remove(provider, .graceExpired, .providerLost)
        case .emergencyCallback(let provider):
            disarm(.emergencyCallback(provider))
            callbacks.removeAll { $0 == provider }
        case .endingWait(let id):
            if let plan = plans.first(where: { $0.id == id }) { endingWaitIsOver(plan.number) }
        case .offer(let id, let provider): settleOffer(id, provider, false)
        }
    }

    /// Rule 10a: it is ended here.
    private mutating func endingWaitIsOver(_ number: Int) {
        disarm(.endingWait(number))
        guard let live = liveGroup else { return }
        for call in members(of: live) where call.state == .ending {
            let end = actions(on: call.id).first { $0.kind == .end && $0.isUnderWay }
            if let end { timeOut(end.number) }
        }
        if let live = liveGroup {
            giveUp(number, Refused(.busy, .busy, members(of: live).map(\.id)))
        }
    }

    /// Section 6. The provider hears of it.
    mutating func timeOut(_ number: Int) {
        guard let action = action(number) else { return }
        if action.isSent {
            if isConnected(action.provider) {
                wanted.timedOut.append(number)
                wanted.cancelled.append(number)
            }
            wanted.announced.append(.anomaly(.providerSilent, action.call))
        }
        settleAndGoOn(number, .timedOut)
    }

    mutating func announce(_ anomaly: Anomaly, _ call: CallID) {
        wanted.announced.append(.anomaly(anomaly, call))
    }

    // Deadlines.

    func instant(of name: Deadline.Name) -> Instant? {
        deadlines.first { $0.name == name }?.at
    }

    mutating func arm(_ name: Deadline.Name, _ milliseconds: Int) {
        setDeadline(name, at: now.advanced(byMS: milliseconds))
    }

    mutating func setDeadline(_ name: Deadline.Name, at instant: Instant) {
        disarm(name)
        deadlines.append(Deadline(name: name, at: instant))
    }

    mutating func disarm(_ name: Deadline.Name) {
        deadlines.removeAll { $0.name == name }
    }
}
