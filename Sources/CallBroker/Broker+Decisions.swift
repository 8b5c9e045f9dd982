internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallProtocol

/// Between the frames and the arbiter: events go in, effects come out and are carried out in order.
/// Nothing is decided here.
extension Broker {
    /// Lets the arbiter decide about an event, and does what follows.
    func decide(_ event: ArbiterEvent) {
        journal?.append(event, at: instant)
        carryOut(event)
        tellRefusedDials()
    }

    /// The time of this turn, as the arbiter and the journal count it.
    var instant: Instant {
        Instant(nanoseconds: now.nanoseconds)
    }

    /// The same whether it happens or is repeated from a journal.
    func carryOut(_ event: ArbiterEvent) {
        if case .timerFired(let timer) = event { noteFired(timer) }
        let effects = arbiter.apply(event, at: instant)
        let ended = RecordedEnds(in: effects)
        for effect in effects { run(effect, ended, after: event) }
        noteRemotes(after: event)
        settleScreened()
        placeEmergencies()
        allowed.isOld = true
    }

    /// A call that has not rung yet is changed without a word to others.
    private func noteRemotes(after event: ArbiterEvent) {
        switch event {
        case .callReported(let report):
            if screenings[report.call] != nil { noteRemote(of: report.call) }
        case .providerRegistered(let registration):
            for live in registration.calls ?? [] where screenings[live.call] != nil {
                noteRemote(of: live.call)
            }
        default: break
        }
    }

    /// Lets the arbiter decide about a request; its reply comes as an effect, now or later.
    func ask(
        _ target: ReplyTarget, _ form: WaitingRequest.Form, _ event: (RequestToken) -> ArbiterEvent
    ) {
        lastToken += 1
        let token = lastToken
        waiting[token] = WaitingRequest(target: target, form: form)
        decide(event(RequestToken(token)))
        guard let request = waiting[token], !request.isAccepted else { return }
        waiting[token]?.isPostponed = true
        tokens[RequestKey(target)] = token
        postpone(target)
    }

    private func run(
        _ effect: ArbiterEffect, _ ended: RecordedEnds, after event: ArbiterEvent
    ) {
        switch effect {
        case .acknowledge(let token): acknowledge(token)
        case .refuse(let token, let refusal): refuse(token, refusal)
        case .confirmIncoming(let token, let call, let state, let presentation):
            confirm(token, call, state, presentation)
        case .confirmRegistration(let token, let provider, let calls, let dropped):
            confirm(token, provider, calls: calls, dropped: dropped)
        case .accept(let token, let report): accept(token, report)
        case .complete(let token, let report): complete(token, report)
        case .offer(let transaction, let provider, let actions):
            offer(transaction, to: provider, actions)
        case .perform(let dispatch): perform(dispatch)
        case .cancelPerform(let action, let provider): cancel(action, at: provider)
        case .tellTimedOut(let action, let kind, let call, let provider):
            tellTimedOut(action, kind, call, provider)
        case .activateAudio(let provider, let group, let calls):
            tellAudio("audio.activated", provider, group, calls)
        case .deactivateAudio(let provider, let group, let calls):
            tellAudio("audio.deactivated", provider, group, calls)
        case .resetProvider(let provider, let reason): reset(provider, reason)
        case .startTimer(let timer, let instant): start(timer, at: instant)
        case .stopTimer(let timer): stop(timer)
        case .announce(let announcement): announce(announcement, ended)
        case .note(let decision): note(decision, after: event)
        case .record(let entry): record(entry)
        case .screen(let call): screen(call)
        }
    }

    private func note(_ decision: Decision, after event: ArbiterEvent) {
        let isFilter = decision.rule == .filters
        note(
            decision, filteredBy: isFilter ? event.filter : nil,
            explanation: isFilter ? explanation : nil)
    }

    /// What somebody did, or did not do, for `call.explain`.
    func note(
        _ decision: Decision, filteredBy: String? = nil, explanation: Explanation? = nil,
        failure: ActionFailure? = nil
    ) {
        decisions.add(
            DecisionLog.Step(
                decision: decision, failure: failure, filteredBy: filteredBy,
                explanation: explanation, seq: feed.seq, atMS: unixMS))
        if let tellDecision { tellDecision(DecisionText(decision, self).description) }
    }

    // MARK: - The clock

    func start(_ timer: TimerID, at instant: Instant) {
        if let running = armed[timer] { timers.cancel(running.handle) }
        let deadline = MonotonicTime(nanoseconds: instant.nanoseconds)
        armed[timer] = (timers.start(at: deadline, .arbiter(timer)), deadline)
    }

    private func stop(_ timer: TimerID) {
        if let running = armed.removeValue(forKey: timer) { timers.cancel(running.handle) }
    }

    private func noteFired(_ timer: TimerID) {
        stop(timer)
        guard case .offer(let transaction, let provider) = timer else { return }
        withdrawOffer(transaction, from: provider)
    }

    /// An instant of the arbiter in milliseconds of Unix time.
    func unixMS(_ instant: Instant) -> Int64 {
        instant.nanoseconds / 1_000_000 + wallOffsetMS
    }

    /// What a client calls a time, as the arbiter does.
    func instant(atUnixMS milliseconds: Int64?) -> Instant? {
        milliseconds.map { Instant.zero.advanced(byMS: Int($0 - wallOffsetMS)) }
    }

    /// The time of this turn.
    var unixMS: Int64 {
        now.milliseconds + wallOffsetMS
    }
}

extension ArbiterEvent {
    /// Who keeps the call from ringing, or from ringing aloud.
    fileprivate var filter: String? {
        guard case .screeningSettled(_, let verdict) = self else { return nil }
        return switch verdict {
        case .block(_, let by), .silence(let by): by
        case .doNotDisturb: "do_not_disturb"
        case .allow, .ring, .ringInCall, .timedOut: nil
        }
    }
}
