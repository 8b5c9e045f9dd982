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
    /// How long a look-up may take to improve a call that rings already.
    private static let lookUpLateMS = 5_000

    /// Whether there is anything that a call has to pass.
    func needsScreening() -> Bool {
        knowsPeople || choices.screening.silencesUnknownCallers || isQuiet
            || hasFilters
    }

    /// Whether do-not-disturb is on at the moment.
    var isQuiet: Bool {
        choices.screening.doNotDisturb.isActive(
            at: unixMS, minuteOfWeek: ClockTime.minuteOfWeek(unixMS: unixMS))
    }

    /// The effect: a call waits for its verdict. It is asked about when the event is over: a plugin that
    /// has to be started for it may bring events of its own.
    func screen(_ call: CallID) {
        if !isRecovering { screened.append(call) }
    }

    /// After an event: what it has brought is asked about.
    func settleScreened() {
        while let call = screened.popLast() { begin(screening: call) }
        while let call = newcomers.popLast() { meet(call) }
        while let call = renamed.popLast() { noteRemote(of: call) }
    }

    private func begin(screening call: CallID) {
        bringUpFilters()
        guard let view = arbiter.screenedView(of: call) else { return }
        var screening = Screening(of: view.properties.remote)
        askStore(about: view, &screening)
        askFilters(about: view, &screening)
        if let timer = screenings[call]?.timer { timers.cancel(timer) }
        screenings[call] = screening
        goOn(screening: call)
    }

    private func askStore(about view: CallView, _ screening: inout Screening) {
        if askStore(about: view.call, view.properties.remote) {
            let patience = now.advanced(milliseconds: arbiter.policy.screeningMS)
            screening.ask(.store, until: patience)
        } else if knowsPeople, let fault = storeHealth.fault, let remote = view.properties.remote {
            screening.answer(.store, answerWithoutStore(about: remote, fault))
        }
    }

    // MARK: - Who it is

    /// A call is told of: whoever is to show it comes, and if nobody was asked before who it is with,
    /// that is asked now. Nothing waits for it.
    private func meet(_ call: CallID) {
        guard !isStopping else { return }
        bringUpScreens()
        guard call != judged, let view = arbiter.glance(at: call), view.caller == nil else {
            return
        }
        identify(call)
    }

    /// Everybody who may know it says who a call is with that everybody knows of.
    private func identify(_ call: CallID) {
        guard let view = arbiter.glance(at: call), let remote = view.properties.remote else {
            return
        }
        bringUpFilters { $0.contains(.directory) }
        askStore(about: call, remote)
        for peer in advisers where peer.stage == .ready && peer.roles.contains(.directory) {
            identify(call, with: peer)
        }
    }

    /// A directory is asked, unless a better one has said who it is.
    func identify(_ call: CallID, with peer: Peer) {
        guard let view = arbiter.glance(at: call), let remote = view.properties.remote,
            let identity = peer.identity, isBetter(identity, than: view.caller)
        else { return }
        lookUp(call, remote, with: peer)
    }

    /// After a report: a call may be with somebody else than before. The name of before is not his, and
    /// who has not rung yet is looked at anew.
    func noteRemote(of call: CallID) {
        guard !isRecovering else { return }
        if let screening = screenings[call] {
            let view = arbiter.screenedView(of: call)
            if let view, view.properties.remote != screening.remote { screened.append(call) }
            return
        }
        guard let caller = arbiter.glance(at: call)?.caller else { return identify(call) }
        if caller.isKnown { decide(.callerIdentified(call, .nobody)) }
        identify(call)
    }

    // MARK: - Asking

    func check(_ view: CallView, with peer: Peer, withinMS milliseconds: Int) {
        let id = peer.outgoing.open(.check(view.call, view.properties.remote))
        request(peer, id, "screener.check") { writer in
            writer.member("call", view.call)
            writer.member("provider", view.provider)
            writer.name("remote")
            if let remote = view.properties.remote { writer.value(remote) } else { writer.null() }
            var rest = view.properties
            rest.remote = nil
            writer.members(of: rest)
            writer.member("deadline_ms", milliseconds)
        }
    }

    func lookUp(_ call: CallID, _ remote: Handle, with peer: Peer) {
        let id = peer.outgoing.open(.lookUp(call, remote))
        request(peer, id, "directory.lookup") { writer in
            writer.member("remote", remote)
            writer.member("deadline_ms", Self.lookUpLateMS)
        }
    }

    // MARK: - Answers

    /// - Parameter remote: whom it was asked about; the call may be with somebody else by now.
    func settle(
        check call: CallID, with remote: Handle?, _ outcome: Message.Outcome, by peer: Peer
    ) {
        let identity = peer.identity ?? ""
        guard let screening = screenings[call], screening.remote == remote,
            screening.awaits(.screener(identity))
        else { return }
        guard let answer = Screening.Answer(check: outcome, by: identity) else {
            return giveUp(.screener(identity), on: call, .failed)
        }
        settle(.screener(identity), answer, of: call)
    }

    func settle(
        lookUp call: CallID, with remote: Handle, _ outcome: Message.Outcome, by peer: Peer
    ) {
        let identity = peer.identity ?? ""
        let isAwaited = screenings[call]?.awaits(.directory(identity)) ?? false
        guard isWith(remote, call) else { return }
        guard let answer = Screening.Answer(lookUp: outcome, by: identity) else {
            return giveUp(.directory(identity), on: call, .failed)
        }
        if isAwaited {
            settle(.directory(identity), answer, of: call)
        } else {
            improve(call, answer.callers)
        }
    }

    /// Whether a call is still with whom somebody was asked about.
    func isWith(_ remote: Handle, _ call: CallID) -> Bool {
        if let screening = screenings[call] { return screening.remote == remote }
        return arbiter.glance(at: call)?.properties.remote == remote
    }

    /// Somebody who was asked has an answer, in time.
    func settle(_ source: Screening.Source, _ answer: Screening.Answer, of call: CallID) {
        screenings[call]?.answer(source, answer)
        goOn(screening: call)
    }

    /// It failed, is gone, or does not come.
    func giveUp(_ source: Screening.Source, on call: CallID, _ why: Absence) {
        guard screenings[call]?.awaits(source) ?? false else { return }
        screenings[call]?.giveUp(source, why)
        goOn(screening: call)
    }

    /// It is asked no more, and nobody waits for its answers.
    func dropAdviser(_ peer: Peer) {
        guard advisers.contains(where: { $0 === peer }) else { return }
        advisers.removeAll { $0 === peer }
        let identity = peer.identity ?? ""
        for call in screenings.keys.sorted() {
            giveUp(.screener(identity), on: call, .left)
            giveUp(.directory(identity), on: call, .left)
        }
    }

    /// A call that everybody knows of gets to be known better.
    func improve(_ call: CallID, _ callers: [Caller]) {
        guard let view = arbiter.glance(at: call), let caller = best(callers),
            isBetter(caller.source, than: view.caller)
        else { return }
        decide(.callerIdentified(call, caller))
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
        for source in screenings[call]?.late(at: now) ?? [] {
            screenings[call]?.giveUp(source, lateness(of: source))
        }
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
        if let caller = best(screening.callers) { decide(.callerIdentified(call, caller)) }
        let verdict = screening.verdict(
            isQuiet: isQuiet && !isRepeated(remote),
            silencesUnknown: choices.screening.silencesUnknownCallers,
            busyInCall: choices.policy.busyInCall)
        explanation = screening.explanation(of: verdict)
        judged = call
        decide(.screeningSettled(call, verdict))
        (explanation, judged) = (nil, nil)
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
            callers = [Caller(label: label, source: identity)]
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
        callers = [Caller(name: name, label: label, source: identity)]
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
