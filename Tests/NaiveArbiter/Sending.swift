internal import CallArbitration
internal import CallModel

/// Actions on their way to providers (section 6; protocol, O4), replies and deadlines.
extension NaiveArbiter {
    /// Wants a provider to do something to one of its calls, as soon as it can be sent.
    mutating func act(_ kind: CallAction, on call: Call, for plan: Int? = nil) {
        let own = provider(of: call)?.configuration.actionDeadlinesMS[kind.kind]
        let asked = plan.flatMap { self.plan($0)?.wish.options.deadlineMS }
        actions.append(
            Action(
                number: nextNumber(), call: call.id, provider: call.provider, kind: kind,
                plans: plan.map { [$0] } ?? [],
                deadlineMS: asked ?? own ?? policy.deadlines[kind.kind], since: now))
        if kind == .setHeld(true) { stopTones(on: call.id) }
        if kind == .answer { change(call.id) { $0.wasAnswered = true } }
        if provider(of: call)?.isConnected != true, let action = actions.last {
            arm(.action(action.number), action.deadlineMS)
        }
        sendWhatCan(on: call.id)
    }

    /// Rule 35: a hold stops tones, and none are sent behind it.
    mutating func stopTones(on call: CallID) {
        let tones = actions.filter { $0.call == call && $0.kind.kind == .playDTMF }
        for action in tones.filter({ !$0.isSent }) + tones.filter(\.isSent) {
            cancel(action.number, .cancelled)
        }
    }

    /// One at a time on a call; an end overtakes the rest (O4).
    mutating func sendWhatCan(on call: CallID) {
        while let next = actions.first(where: { $0.call == call && !$0.isSent }) {
            guard provider(next.provider)?.isConnected == true else { return wait(next) }
            let sent = actions.filter { $0.call == call && $0.isSent }
            if sent.isEmpty, next.kind == .setHeld(true), self.call(call)?.state == .held {
                // Somebody else's hold was quicker (rule 30).
                settle(next, .fulfilled)
                continue
            }
            guard sent.isEmpty || next.kind == .end else { return }
            send(next.number)
        }
    }

    /// Rule 27: for its provider, within its own deadline.
    private mutating func wait(_ action: Action) {
        let isNext = !actions.contains { $0.call == action.call && $0.isSent }
        guard isNext, instant(of: .action(action.number)) == nil else { return }
        arm(.action(action.number), action.deadlineMS)
    }

    private mutating func send(_ number: Int) {
        let now = now
        change(action: number) {
            $0.isSent = true
            $0.since = now
        }
        guard let action = action(number) else { return }
        if case .start = action.kind { arm(.startSilence(action.call), policy.startSilenceMS) }
        // What waited for its provider did so within its own deadline (rule 27).
        if instant(of: .action(number)) == nil { arm(.action(number), action.deadlineMS) }
        wanted.work.append(.perform(action.call, action.kind, attempt: action.attempt))
        wanted.sent.append(action)
    }

    /// Takes it back: whoever waits for it hears that it was overtaken.
    mutating func cancel(_ number: Int, _ reason: RefusalReason) {
        guard let action = action(number) else { return }
        if action.isSent {
            if provider(action.provider)?.isConnected == true {
                wanted.cancelled.append(number)
            }
            withdraw(action, isNeedless: true)
        }
        settle(action, .overtaken(reason))
    }

    /// The ids that the engine gave to what it sent: its nth action of a kind on a call is ours.
    mutating func learnIDs(from effects: [ArbiterEffect]) {
        var dispatches = effects.compactMap { effect -> Dispatch? in
            if case .perform(let dispatch) = effect { dispatch } else { nil }
        }
        for action in wanted.sent {
            let match = dispatches.firstIndex {
                $0.call == action.call && $0.kind == action.kind && $0.attempt == action.attempt
            }
            guard let match else { continue }
            ids[action.number] = dispatches.remove(at: match).action
        }
        learnIDsOfWaiting(from: effects)
    }

    /// What waits for its provider has a deadline, and so an id, before it is sent.
    private mutating func learnIDsOfWaiting(from effects: [ArbiterEffect]) {
        let known = actions.compactMap { ids[$0.number] }
        var timers = effects.compactMap { effect -> ActionID? in
            if case .startTimer(.action(let id), _) = effect, !known.contains(id) {
                id
            } else {
                nil
            }
        }
        for action in actions where ids[action.number] == nil {
            guard instant(of: .action(action.number)) != nil, !timers.isEmpty else { continue }
            ids[action.number] = timers.removeFirst()
        }
    }

    /// The engine's timers, and the ids of the plans that have one.
    mutating func noteTimers(_ event: ArbiterEvent, _ effects: [ArbiterEffect]) {
        if case .timerFired(let fired) = event { timers.removeAll { $0.timer == fired } }
        for effect in effects {
            switch effect {
            case .startTimer(let timer, let instant):
                timers.removeAll { $0.timer == timer }
                timers.append((timer, instant))
                guard case .endingWait(let id) = timer else { continue }
                let waiting = plans.first {
                    $0.id == nil && instant == self.instant(of: .endingWait($0.number))
                }
                if let waiting { change(plan: waiting.number) { $0.id = id } }
            case .stopTimer(let timer): timers.removeAll { $0.timer == timer }
            default: break
            }
        }
    }

    /// How the engine calls a timer.
    func timer(for name: Deadline.Name) -> TimerID? {
        switch name {
        case .action(let number): ids[number].map { .action($0) }
        case .ring(let call): .ring(call)
        case .dial(let call): .dial(call)
        case .startSilence(let call): .startSilence(call)
        case .screening(let call): .screening(call)
        case .grace(let provider): .grace(provider)
        case .emergencyCallback(let provider): .emergencyCallback(provider)
        case .endingWait(let number): plan(number)?.id.map { .endingWait($0) }
        }
    }

    // What providers and clocks say to them.

    mutating func takeAnswer(_ id: ActionID, _ provider: ProviderID, _ outcome: Outcome) {
        if let action = actions.first(where: { ids[$0.number] == id && $0.provider == provider }) {
            return settle(action, outcome)
        }
        takeLate(id, provider, outcome)
    }

    /// Rule 29: a late success of a start or an answer whose call is over is taken back. A hold that
    /// was taken back too late is a hold that nobody needs any more: it is undone (rule 17a).
    private mutating func takeLate(_ id: ActionID, _ provider: ProviderID, _ outcome: Outcome) {
        guard outcome == .fulfilled, self.provider(provider) != nil else { return }
        if let index = overtaken.firstIndex(where: {
            ids[$0.action] == id && $0.provider == provider
        }) {
            let late = overtaken.remove(at: index)
            guard let call = call(late.call) else {
                return actEnd(onEnded: late.call, of: late.provider)
            }
            // The answer was taken back, and the call rang on: rule 13.
            guard [.ringing, .waiting].contains(call.state) else { return }
            disarm(.ring(call.id))
            askForAudio(call)
        }
        let match = withdrawn.firstIndex { ids[$0.action] == id && $0.provider == provider }
        guard let match else { return }
        let late = withdrawn.remove(at: match)
        guard let call = call(late.call) else { return }
        if late.isHold, call.state == .active {
            becomeHeld(call.id)
            if late.isNeedless { restore(call.group) }
        } else if !late.isHold, call.state == .held {
            askForAudio(call)
        }
    }

    /// Remembers what its provider may do all the same.
    mutating func withdraw(_ action: Action, isNeedless: Bool) {
        guard action.isSent, case .setHeld(let isHold) = action.kind else { return }
        withdrawn.append(
            Withdrawn(
                action: action.number, call: action.call, provider: action.provider, isHold: isHold,
                isNeedless: isNeedless))
    }

    /// An end for a call that is over here; its result is ignored (section 5).
    mutating func actEnd(onEnded call: CallID, of provider: ProviderID) {
        guard let known = self.provider(provider), known.isConnected else { return }
        let deadline = known.configuration.actionDeadlinesMS[.end] ?? policy.deadlines.end
        let number = nextNumber()
        actions.append(
            Action(
                number: number, call: call, provider: provider, kind: .end, isIgnored: true,
                plans: [],
                deadlineMS: deadline, since: now))
        send(number)
    }

    /// Progress extends, never beyond twice the deadline it began with.
    mutating func extend(_ id: ActionID, _ provider: ProviderID, byMS milliseconds: Int) {
        let match = actions.first { ids[$0.number] == id && $0.provider == provider }
        guard let action = match, let old = instant(of: .action(action.number)) else { return }
        let most = action.since.advanced(
            byMS: action.deadlineMS * policy.extensionPercentMax / 100)
        showsLife(action.call)
        let instant = min(most, max(old, now.advanced(byMS: milliseconds)))
        setDeadline(.action(action.number), at: instant)
    }

    mutating func takeTimer(_ timer: TimerID) {
        switch timer {
        case .action(let id):
            guard let action = actions.first(where: { ids[$0.number] == id }) else { return }
            disarm(.action(action.number))
            timeOut(action)
        case .ring(let call): ringTooLong(call)
        case .dial(let call): dialTooLong(call)
        case .startSilence(let call): startIsSilent(call)
        case .screening(let call): settleScreening(of: call, .timedOut)
        case .grace(let provider): graceIsOver(provider)
        case .emergencyCallback(let provider):
            disarm(.emergencyCallback(provider))
            callbacks.removeAll { $0 == provider }
        case .endingWait(let id):
            if let plan = plans.first(where: { $0.id == id }) { stopAwaitingEnding(plan.number) }
        }
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

    // Replies.

    mutating func reply(_ token: RequestToken, _ reply: Wanted.Reply) {
        wanted.replies.append((token, reply))
    }

    mutating func refuse(_ token: RequestToken, _ reason: RefusalReason, _ rule: Rule?) {
        reply(token, .refused(reason, rule))
    }
}
