internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallProtocol
internal import CallStore

/// Before a call rings: who is asked about it, and what comes of it (rule 32).
extension Broker {
    /// How long look-ups are waited for before the ring.
    private static let lookUpMS = 700
    /// How long a look-up may take to improve a call that rings already.
    private static let lookUpLateMS = 5_000

    /// Whether there is anything that a call has to pass.
    func needsScreening() -> Bool {
        knowsPeople || choices.screening.silencesUnknownCallers || isQuiet
            || !advisers.isEmpty
    }

    /// Whether do-not-disturb is on at the moment.
    private var isQuiet: Bool {
        choices.screening.doNotDisturb.isActive(
            at: unixMS, minuteOfWeek: ClockTime.minuteOfWeek(unixMS: unixMS))
    }

    /// The effect: a call waits for its verdict.
    func screen(_ call: CallID) {
        guard let view = arbiter.screenedView(of: call), !isRecovering else { return }
        var screening = Screening()
        let patience = now.advanced(milliseconds: arbiter.policy.screeningMS)
        if askStore(about: call, view.properties.remote) {
            screening.ask(.store, until: patience)
        } else if knowsPeople, let fault = storeHealth.fault, let remote = view.properties.remote {
            screening.answer(.store, answerWithoutStore(about: remote, fault))
        }
        for peer in advisers where peer.stage == .ready {
            if peer.roles.contains(.screener) {
                let identity = peer.identity ?? ""
                let budgetMS = budgets[identity] ?? arbiter.policy.screeningMS
                check(view, with: peer, budgetMS: budgetMS)
                screening.ask(
                    .plugin(peer.number), until: now.advanced(milliseconds: budgetMS),
                    otherwise: closed.contains(identity) ? .block(.screener, by: identity) : .none)
            } else if peer.roles.contains(.directory), let remote = view.properties.remote {
                lookUp(call, remote, with: peer)
                screening.ask(
                    .plugin(peer.number), until: now.advanced(milliseconds: Self.lookUpMS))
            }
        }
        screenings[call] = screening
        screened.append(call)
    }

    /// An outgoing call: who it is may be shown, but nothing waits for it. One that comes in was
    /// screened.
    func identify(dialled call: CallID) {
        guard !isRecovering, knowsPeople || !advisers.isEmpty,
            let view = arbiter.view(of: call), view.direction == .outgoing, view.caller == nil,
            let remote = view.properties.remote
        else { return }
        askStore(about: call, remote)
        for peer in advisers where peer.stage == .ready && peer.roles.contains(.directory) {
            lookUp(call, remote, with: peer)
        }
    }

    /// After an event: those who were asked meanwhile may have nothing to wait for.
    func settleScreened() {
        while let call = screened.popLast() { goOn(screening: call) }
    }

    // MARK: - Asking

    private func check(_ view: CallView, with peer: Peer, budgetMS: Int) {
        let id = peer.outgoing.open(.check(view.call))
        request(peer, id, "screener.check") { writer in
            writer.member("call", view.call)
            writer.member("provider", view.provider)
            writer.name("remote")
            if let remote = view.properties.remote { writer.value(remote) } else { writer.null() }
            var rest = view.properties
            rest.remote = nil
            writer.members(of: rest)
            writer.member("deadline_ms", budgetMS)
        }
    }

    private func lookUp(_ call: CallID, _ remote: Handle, with peer: Peer) {
        let id = peer.outgoing.open(.lookUp(call))
        request(peer, id, "directory.lookup") { writer in
            writer.member("remote", remote)
            writer.member("deadline_ms", Self.lookUpLateMS)
        }
    }

    // MARK: - Answers

    func settle(check call: CallID, _ outcome: Message.Outcome, by peer: Peer) {
        guard screenings[call]?.awaits(.plugin(peer.number)) ?? false else { return }
        guard let answer = Screening.Answer(check: outcome, by: peer.identity ?? "") else {
            return giveUp(peer, on: call)
        }
        settle(.plugin(peer.number), answer, of: call)
    }

    func settle(lookUp call: CallID, _ outcome: Message.Outcome, by peer: Peer) {
        guard let answer = Screening.Answer(lookUp: outcome, by: peer.identity ?? "") else {
            return giveUp(peer, on: call)
        }
        if screenings[call]?.awaits(.plugin(peer.number)) ?? false {
            settle(.plugin(peer.number), answer, of: call)
        } else if let caller = answer.caller {
            improve(call, caller)
        }
    }

    /// Somebody who was asked has an answer, in time.
    func settle(_ source: Screening.Source, _ answer: Screening.Answer, of call: CallID) {
        screenings[call]?.answer(source, answer)
        goOn(screening: call)
    }

    /// It failed, or is gone.
    private func giveUp(_ peer: Peer, on call: CallID) {
        guard screenings[call]?.awaits(.plugin(peer.number)) ?? false else { return }
        screenings[call]?.giveUp(.plugin(peer.number))
        goOn(screening: call)
    }

    /// It is asked no more, and nobody waits for its answers.
    func dropAdviser(_ peer: Peer) {
        for call in screenings.keys.sorted() { giveUp(peer, on: call) }
        advisers.removeAll { $0 === peer }
    }

    /// A call that is known already gets to be known better.
    func improve(_ call: CallID, _ caller: Caller) {
        guard let view = arbiter.view(of: call) else { return }
        decide(.callerIdentified(call, view.caller?.improved(by: caller) ?? caller))
    }

    // MARK: - The verdict

    /// Its time, or that of somebody who was asked, is over.
    func expire(screening call: CallID) {
        screenings[call]?.timer = nil
        if screenings[call]?.hasMissed(.store, at: now) ?? false,
            let remote = arbiter.screenedView(of: call)?.properties.remote
        {
            let answer = answerWithoutStore(about: remote, "it did not answer in time")
            screenings[call]?.answerLate(.store, answer)
        }
        screenings[call]?.expire(at: now)
        goOn(screening: call)
    }

    private func goOn(screening call: CallID) {
        guard let screening = screenings[call] else { return }
        if let timer = screening.timer { timers.cancel(timer) }
        guard let deadline = screening.nextDeadline else { return conclude(screening, of: call) }
        screenings[call]?.timer = timers.start(at: deadline, .screening(call))
    }

    private func conclude(_ screening: Screening, of call: CallID) {
        screenings[call] = nil
        let remote = arbiter.screenedView(of: call)?.properties.remote
        if let caller = screening.caller { decide(.callerIdentified(call, caller)) }
        let verdict = screening.verdict(
            isQuiet: isQuiet && !isRepeated(remote),
            silencesUnknown: choices.screening.silencesUnknownCallers)
        explanation = screening.explanation(of: verdict) ?? screening.storeFault
        decide(.screeningSettled(call, verdict))
        explanation = nil
    }

    // MARK: - Who calls again

    /// Whoever is let through does not call a third time in vain.
    private func isRepeated(_ remote: Handle?) -> Bool {
        guard choices.screening.doNotDisturb.letsRepeatedCallsPass, let remote else { return false }
        return recentCallers.includes(key(of: remote), at: instant)
    }

    /// Somebody has called in vain.
    func noteTried(_ entry: HistoryEntry) {
        let last = entry.last
        guard last.direction == .incoming, last.connectedAt == nil,
            let remote = last.properties.remote
        else { return }
        recentCallers.note(key(of: remote), at: last.createdAt)
    }

    /// The same however it is written.
    private func key(of remote: Handle) -> HandleKey {
        HandleKey(remote, region: choices.screening.region)
    }
}

extension Screening.Answer {
    /// What a screener says; nil for an error, or for what is no answer.
    fileprivate init?(check outcome: Message.Outcome, by identity: String) {
        guard case .result(let result) = outcome, let word = result["verdict"]?.utf8 else {
            return nil
        }
        if word.reads("block") { verdict = .block(.screener, by: identity) }
        if word.reads("allow") { verdict = .allow }
        if word.reads("silence") { verdict = .silence(by: identity) }
        if let text = Self.text(result["explain"], bytesMax: Explanation.bytesMax) {
            explanation = Explanation(by: identity, text: text)
        }
        if let label = Self.text(result["label"]) {
            caller = Caller(label: label, source: identity)
        }
    }

    /// What a directory says; nil for an error.
    fileprivate init?(lookUp outcome: Message.Outcome, by identity: String) {
        guard case .result(let result) = outcome else { return nil }
        if result["blocked"]?.boolean ?? false { verdict = .block(.blockList, by: identity) }
        let isSpam = result["spam"]?.boolean ?? false
        let name = Self.text(result["display_name"])
        let label = Self.text(result["label"]) ?? (isSpam ? "Spam" : nil)
        guard name != nil || label != nil else { return }
        caller = Caller(name: name, label: label, source: identity)
    }

    /// A text that is no longer than one of ours may be.
    private static func text(
        _ value: JSONValue?, bytesMax: Int = Caller.textBytesMax
    ) -> String? {
        guard let text = value?.string, !text.isEmpty, text.utf8.count <= bytesMax else {
            return nil
        }
        return text
    }
}
