internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallProtocol
internal import CallStore

/// Before a call rings: who is asked about it, and what comes of it (rule 32).
final class CallScreener {
    private unowned let broker: Broker

    /// Calls that do not ring yet.
    private var screenings: [CallID: Screening] = [:]
    /// Calls that the current event has brought to be screened, published, or given another remote side.
    private var unscreened: [CallID] = []
    private var added: [CallID] = []
    private var renamed: [CallID] = []
    private var recentCallers = RecentCallers()
    /// The screeners and directories that are connected.
    private(set) var advisers: [Peer] = []

    init(_ broker: Broker) {
        self.broker = broker
    }

    /// How long a look-up may take to improve a call that rings already.
    private static let lookUpLateMS = 5_000

    /// Whether there is anything that a call has to pass.
    func needsScreening() -> Bool {
        broker.store.hasCallerData || broker.policy.choices.screening.silencesUnknownCallers
            || isQuiet
            || broker.filters.hasFilters
    }

    /// Whether do-not-disturb is on at the moment.
    var isQuiet: Bool {
        broker.policy.choices.screening.doNotDisturb.isActive(
            at: broker.clock.unixMS,
            minuteOfWeek: ClockTime.minuteOfWeek(unixMS: broker.clock.unixMS))
    }

    /// The effect: a call waits for its verdict. It is asked about when the event is over: a plugin that
    /// has to be started for it may bring events of its own.
    func screen(_ call: CallID) {
        if !broker.isReplaying { unscreened.append(call) }
    }

    /// Notes a call that was published.
    func noteAdded(_ call: CallID) {
        if !broker.isReplaying { added.append(call) }
    }

    /// Notes a published call that has another remote side now.
    func noteRenamed(_ call: CallID) {
        if !broker.isReplaying { renamed.append(call) }
    }

    /// Asks, behind an event, about the calls that it has brought.
    func finish(_ event: ArbiterEvent) {
        noteRemotes(after: event)
        var decided: CallID?
        if case .screeningSettled(let call, _) = event { decided = call }
        while let call = unscreened.popLast() { begin(screening: call) }
        while let call = added.popLast() { meet(call, isIdentified: call == decided) }
        while let call = renamed.popLast() { noteRemote(of: call) }
    }

    func isScreening(_ call: CallID) -> Bool {
        screenings[call] != nil
    }

    /// Whether an answer of a source still counts for a call.
    func awaits(_ source: Screening.Source, of call: CallID) -> Bool {
        screenings[call]?.awaits(source) ?? false
    }

    /// Lets the time that the host has slept count for those who call again.
    func age(byMS sleptMS: Int) {
        recentCallers.age(byMS: sleptMS)
    }

    private func begin(screening call: CallID) {
        broker.filters.bringUpFilters()
        guard let view = broker.arbiter.screenedView(of: call) else { return }
        var screening = Screening(of: view.properties.remote)
        askStore(about: view, &screening)
        broker.filters.askFilters(about: view, &screening)
        if let timer = screenings[call]?.timer { broker.timers.cancel(timer) }
        screenings[call] = screening
        goOn(screening: call)
    }

    private func askStore(about view: CallView, _ screening: inout Screening) {
        if broker.store.askStore(about: view.call, view.properties.remote) {
            let patience = broker.clock.now.advanced(
                milliseconds: broker.arbiter.policy.screeningMS)
            screening.ask(.store, until: patience)
        } else if broker.store.hasCallerData, let fault = broker.store.fault,
            let remote = view.properties.remote
        {
            screening.answer(.store, broker.store.answerWithoutStore(about: remote, fault))
        }
    }

    // MARK: - Who it is

    /// A call is told of: whoever is to show it comes, and if nobody was asked before who it is with,
    /// that is asked now. Nothing waits for it.
    /// - Parameter isIdentified: everybody was asked before it rang.
    private func meet(_ call: CallID, isIdentified: Bool) {
        guard !broker.isStopping else { return }
        broker.screens.start()
        guard !isIdentified, let view = broker.arbiter.summary(of: call), view.caller == nil else {
            return
        }
        identify(call)
    }

    /// Everybody who may know it says who a call is with that everybody knows of.
    private func identify(_ call: CallID) {
        guard let view = broker.arbiter.summary(of: call), let remote = view.properties.remote else {
            return
        }
        broker.filters.bringUpFilters { $0.contains(.directory) }
        broker.store.askStore(about: call, remote)
        for peer in advisers where peer.stage == .ready && peer.roles.contains(.directory) {
            identify(call, with: peer)
        }
    }

    /// A directory is asked, unless a better one has said who it is.
    func identify(_ call: CallID, with peer: Peer) {
        guard let view = broker.arbiter.summary(of: call), let remote = view.properties.remote,
            let identity = peer.identity, broker.callers.isBetter(identity, than: view.caller)
        else { return }
        lookUp(call, remote, with: peer)
    }

    /// After a report: a call may be with somebody else than before. The name of before is not his, and
    /// who has not rung yet is looked at anew.
    func noteRemote(of call: CallID) {
        guard !broker.isReplaying else { return }
        if let screening = screenings[call] {
            let view = broker.arbiter.screenedView(of: call)
            if let view, view.properties.remote != screening.remote { unscreened.append(call) }
            return
        }
        guard let caller = broker.arbiter.summary(of: call)?.caller else { return identify(call) }
        if caller.isKnown { broker.decide(.callerIdentified(call, .nobody)) }
        identify(call)
    }

    // MARK: - Asking

    func check(_ view: CallView, with peer: Peer, withinMS milliseconds: Int) {
        let id = peer.outgoing.open(.check(view.call, view.properties.remote))
        broker.outbox.request(peer, id, "screener.check") { writer in
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
        broker.outbox.request(peer, id, "directory.lookup") { writer in
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
        return broker.arbiter.summary(of: call)?.properties.remote == remote
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
        guard let view = broker.arbiter.summary(of: call), let caller = broker.callers.best(callers),
            broker.callers.isBetter(caller.source, than: view.caller)
        else { return }
        broker.decide(.callerIdentified(call, caller))
    }

    // MARK: - The verdict

    /// Its time, or that of somebody who was asked, is over.
    func expire(screening call: CallID) {
        screenings[call]?.timer = nil
        if screenings[call]?.hasMissed(.store, at: broker.clock.now) ?? false,
            let remote = broker.arbiter.screenedView(of: call)?.properties.remote
        {
            let answer = broker.store.answerWithoutStore(about: remote, "it did not answer in time")
            screenings[call]?.answerLate(.store, answer)
        }
        for source in screenings[call]?.late(at: broker.clock.now) ?? [] {
            screenings[call]?.giveUp(source, lateness(of: source))
        }
        goOn(screening: call)
    }

    private func goOn(screening call: CallID) {
        guard let screening = screenings[call] else { return }
        if let timer = screening.timer { broker.timers.cancel(timer) }
        guard let deadline = screening.nextDeadline else { return conclude(screening, of: call) }
        screenings[call]?.timer = broker.timers.start(at: deadline, .screening(call))
    }

    private func conclude(_ screening: Screening, of call: CallID) {
        screenings[call] = nil
        let remote = broker.arbiter.screenedView(of: call)?.properties.remote
        if let caller = broker.callers.best(screening.callers) {
            broker.decide(.callerIdentified(call, caller))
        }
        let verdict = screening.verdict(
            isQuiet: isQuiet && !isRepeated(remote),
            silencesUnknown: broker.policy.choices.screening.silencesUnknownCallers,
            busyInCall: broker.policy.choices.policy.busyInCall)
        broker.decide(
            .screeningSettled(call, verdict), explanation: screening.explanation(of: verdict))
    }

    // MARK: - Who calls again

    /// Whoever is let through does not call a third time in vain.
    private func isRepeated(_ remote: Handle?) -> Bool {
        guard broker.policy.choices.screening.doNotDisturb.letsRepeatedCallsPass, let remote else {
            return false
        }
        return recentCallers.includes(key(of: remote), at: broker.clock.instant)
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
        HandleKey(remote, region: broker.policy.choices.screening.region)
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

extension CallScreener {
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

    /// From now on a screener, or a directory, is asked about calls.
    func beAdvised(by peer: Peer) {
        guard !peer.roles.isDisjoint(with: [.screener, .directory]) else { return }
        advisers.append(peer)
    }

    /// The session of one is open: it is asked about the calls that wait for it, and a directory about
    /// those that ring or talk already.
    func welcome(_ peer: Peer) {
        guard peer.stage == .ready, let identity = peer.identity,
            !peer.roles.isDisjoint(with: [.screener, .directory])
        else { return }
        for call in screenings.keys.sorted() {
            guard let screening = screenings[call], let view = broker.arbiter.screenedView(of: call)
            else {
                continue
            }
            for source in broker.filters.sources(of: identity, peer.roles, view)
            where screening.awaits(source) {
                broker.filters.ask(source, about: view, peer, screening)
            }
        }
        guard peer.roles.contains(.directory) else { return }
        for call in broker.calls.open { identify(call, with: peer) }
    }

    /// A plugin has another state: those who wait for one that does not come go on.
    func settleFilter(_ plugin: Plugin) {
        guard plugin.isFilter, !screenings.isEmpty else { return }
        let isThere = advisers.contains { $0.stage == .ready && $0.identity == plugin.identity }
        guard !isThere else { return }
        for call in screenings.keys.sorted() {
            for source in [.screener(plugin.identity), .directory(plugin.identity)]
                as [Screening.Source]
            {
                guard let deadline = screenings[call]?.deadline(of: source),
                    let absence = broker.filters.absence(of: plugin, until: deadline)
                else { continue }
                giveUp(source, on: call, absence)
            }
        }
    }

    /// Why somebody whose time is over has said nothing.
    func lateness(of source: Screening.Source) -> Absence {
        let wasAsked = advisers.contains { $0.stage == .ready && $0.identity == source.identity }
        return wasAsked ? .late : .coming
    }

    /// The time of a call is over that nobody looks at any more: the broker was started anew meanwhile.
    func expire(unseen call: CallID) {
        guard let plugin = broker.plugins.table.filters.first(where: { $0.requiredBy != nil })
        else {
            return broker.decide(.timerFired(.screening(call)))
        }
        broker.decide(
            .screeningSettled(call, .block(.screener, by: plugin.identity)),
            explanation: Explanation(.brokerRestarted, of: plugin.identity, blocks: true))
    }
}
