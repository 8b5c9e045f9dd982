internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallProtocol
internal import CallStore

/// The screening of calls before they ring (rule 32), and the identification of their callers. Owns
/// the screenings under way and the connected screeners and directories.
final class CallScreener: BrokerPart {
    /// The screenings under way, by the calls that do not ring yet.
    private var screenings: [CallID: Screening] = [:]
    /// Calls that the current event requires to be screened.
    private var unscreened: [CallID] = []
    /// Calls that the current event has published.
    private var added: [CallID] = []
    /// Calls whose remote side the current event has changed.
    private var renamed: [CallID] = []
    private var recentCallers = RecentCallers()
    /// The screeners and directories that are connected.
    private(set) var screeners: [Peer] = []

    /// The deadline in a look-up request. Before a call rings, the broker waits a shorter time.
    private static let lookUpLateMS = 5_000

    /// Returns true if a call has to be screened before it rings.
    func needsScreening() -> Bool {
        broker.store.hasCallerData || broker.policy.choices.screening.silencesUnknownCallers
            || isQuiet
            || broker.filters.hasFilters
    }

    /// True while do-not-disturb is on.
    var isQuiet: Bool {
        broker.policy.choices.screening.doNotDisturb.isActive(
            at: broker.clock.unixMS,
            minuteOfWeek: ClockTime.minuteOfWeek(unixMS: broker.clock.unixMS))
    }

    /// Carries out the effect `screen`. The screening begins after the event: a plugin that has to
    /// be started for it may cause events of its own.
    func screen(_ call: CallID) {
        if !broker.isReplaying { unscreened.append(call) }
    }

    /// Records a call that was published.
    func recordAdded(_ call: CallID) {
        if !broker.isReplaying { added.append(call) }
    }

    /// Records a published call whose remote side has changed.
    func recordRenamed(_ call: CallID) {
        if !broker.isReplaying { renamed.append(call) }
    }

    /// Begins, after an event, the screenings and look-ups that it requires.
    func finish(_ event: ArbiterEvent) {
        updateRemotes(after: event)
        var decided: CallID?
        if case .screeningSettled(let call, _) = event { decided = call }
        while let call = unscreened.popLast() { begin(screening: call) }
        while let call = added.popLast() { prepare(call, isIdentified: call == decided) }
        while let call = renamed.popLast() { updateRemote(of: call) }
    }

    /// Returns true if a call still waits for the response of a source.
    func awaits(_ source: Screening.Source, of call: CallID) -> Bool {
        screenings[call]?.awaits(source) ?? false
    }

    /// Counts the time that the host has slept towards the age of recent calls.
    func age(byMS sleptMS: Int) {
        recentCallers.age(byMS: sleptMS)
    }

    private func begin(screening call: CallID) {
        broker.filters.bringUpFilters()
        if let view = broker.arbiter.screenedView(of: call) { begin(screening: view) }
    }

    /// Begins the screening of a call, or of a trial, which starts no plugin.
    func begin(screening view: CallView) {
        var screening = Screening(of: view.properties.remote)
        askStore(about: view, &screening)
        broker.filters.askFilters(about: view, &screening)
        screenings[view.call] = screening
        proceed(screening: view.call)
    }

    /// Returns the view of a call that is screened, or of a trial.
    private func screenedView(of call: CallID) -> CallView? {
        broker.trials.view(of: call) ?? broker.arbiter.screenedView(of: call)
    }

    private func askStore(about view: CallView, _ screening: inout Screening) {
        if broker.store.askStore(about: view.call, view.properties.remote) {
            let deadline = broker.clock.now.advanced(
                milliseconds: broker.arbiter.policy.screeningMS)
            screening.ask(.store, until: deadline)
        } else if broker.store.hasCallerData, let fault = broker.store.fault,
            let remote = view.properties.remote
        {
            screening.apply(
                broker.store.responseWithoutStore(about: remote, fault), of: .store)
        }
    }

    // MARK: - Identification

    /// Prepares a published call: starts the on-demand screens, and identifies the caller unless
    /// the screening did so. Nothing waits for the outcome.
    ///
    /// - Parameter isIdentified: True if all sources received a request before the call rang.
    private func prepare(_ call: CallID, isIdentified: Bool) {
        guard !broker.isStopping else { return }
        broker.screens.start()
        guard !isIdentified, let view = broker.summary(of: call), view.caller == nil else {
            return
        }
        identify(call)
    }

    /// Asks every source for the remote side of a published call.
    private func identify(_ call: CallID) {
        guard let view = broker.summary(of: call), let remote = view.properties.remote
        else {
            return
        }
        broker.filters.bringUpFilters { $0.contains(.directory) }
        broker.store.askStore(about: call, remote)
        for peer in screeners where peer.stage == .ready && peer.roles.contains(.directory) {
            identify(call, with: peer)
        }
    }

    /// Asks a directory, unless a source with a better rank has identified the caller.
    func identify(_ call: CallID, with peer: Peer) {
        guard let view = broker.summary(of: call), let remote = view.properties.remote,
            let identity = peer.identity, broker.callers.isBetter(identity, than: view.caller)
        else { return }
        lookUp(call, remote, with: peer)
    }

    /// Finds the calls whose remote side an event may have changed before they ring, which is not
    /// published.
    private func updateRemotes(after event: ArbiterEvent) {
        switch event {
        case .callReported(let report):
            if screenings[report.call] != nil { updateRemote(of: report.call) }
        case .providerRegistered(let registration):
            for live in registration.calls ?? [] where screenings[live.call] != nil {
                updateRemote(of: live.call)
            }
        default: break
        }
    }

    /// Handles a report that may have changed the remote side of a call. The earlier name does not
    /// apply to the new side, and a call that does not ring yet is screened again.
    func updateRemote(of call: CallID) {
        guard !broker.isReplaying else { return }
        if let screening = screenings[call] {
            let view = screenedView(of: call)
            if let view, view.properties.remote != screening.remote { unscreened.append(call) }
            return
        }
        guard let caller = broker.summary(of: call)?.caller else { return identify(call) }
        if caller.isKnown { broker.decide(.callerIdentified(call, .nobody)) }
        identify(call)
    }

    // MARK: - Screeners

    /// Adds a connected screener or directory.
    func addScreener(_ peer: Peer) {
        guard !peer.roles.isDisjoint(with: [.screener, .directory]) else { return }
        screeners.append(peer)
    }

    /// Removes a screener or directory that has disconnected, and stops waiting for its responses.
    func removeScreener(_ peer: Peer) {
        guard screeners.contains(where: { $0 === peer }) else { return }
        screeners.removeAll { $0 === peer }
        let identity = peer.identity ?? ""
        for call in screenings.keys.sorted() {
            abandon(.screener(identity), on: call, .left)
            abandon(.directory(identity), on: call, .left)
        }
    }

    /// Sends a screener or directory whose session has opened the requests about calls that wait
    /// for it, and a directory those about published calls.
    func sendPendingRequests(to peer: Peer) {
        guard peer.stage == .ready, let identity = peer.identity,
            !peer.roles.isDisjoint(with: [.screener, .directory])
        else { return }
        for call in screenings.keys.sorted() {
            guard let screening = screenings[call], let view = screenedView(of: call) else {
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

    /// Handles a change of a plugin's state: calls do not wait any longer for a filter that will
    /// not connect.
    func settleFilter(_ plugin: Plugin) {
        guard plugin.isFilter, !screenings.isEmpty else { return }
        let isConnected = screeners.contains {
            $0.stage == .ready && $0.identity == plugin.identity
        }
        guard !isConnected else { return }
        for call in screenings.keys.sorted() {
            for source in [.screener(plugin.identity), .directory(plugin.identity)]
                as [Screening.Source]
            {
                guard let deadline = screenings[call]?.deadline(of: source),
                    let absence = broker.filters.absence(of: plugin, until: deadline)
                else { continue }
                abandon(source, on: call, absence)
            }
        }
    }

    // MARK: - Requests

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
            if broker.trials.includes(view.call) { writer.member("dry_run", true) }
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

    // MARK: - Responses

    /// Applies the response of a screener.
    ///
    /// - Parameter remote: the remote side in the request; that of the call may have changed since.
    func settle(
        check call: CallID, with remote: Handle?, _ outcome: Message.Outcome, by peer: Peer
    ) {
        let identity = peer.identity ?? ""
        guard let screening = screenings[call], screening.remote == remote,
            screening.awaits(.screener(identity))
        else { return }
        guard let response = Screening.Response(check: outcome, by: identity) else {
            return abandon(.screener(identity), on: call, .failed)
        }
        apply(response, of: .screener(identity), to: call)
    }

    func settle(
        lookUp call: CallID, with remote: Handle, _ outcome: Message.Outcome, by peer: Peer
    ) {
        let identity = peer.identity ?? ""
        let isAwaited = screenings[call]?.awaits(.directory(identity)) ?? false
        guard isWith(remote, call) else { return }
        guard let response = Screening.Response(lookUp: outcome, by: identity) else {
            return abandon(.directory(identity), on: call, .failed)
        }
        if isAwaited {
            apply(response, of: .directory(identity), to: call)
        } else {
            refineCaller(of: call, response.callers)
        }
    }

    /// Returns true if the remote side of a call is still the one in a request.
    func isWith(_ remote: Handle, _ call: CallID) -> Bool {
        if let screening = screenings[call] { return screening.remote == remote }
        return broker.summary(of: call)?.properties.remote == remote
    }

    /// Applies a response that has come in time.
    func apply(_ response: Screening.Response, of source: Screening.Source, to call: CallID) {
        screenings[call]?.apply(response, of: source)
        proceed(screening: call)
    }

    /// Stops waiting for a source that has failed, has disconnected, or will not connect.
    private func abandon(_ source: Screening.Source, on call: CallID, _ why: Absence) {
        guard screenings[call]?.awaits(source) ?? false else { return }
        screenings[call]?.abandon(source, why)
        proceed(screening: call)
    }

    /// Sets the caller of a published call, if a source with a better rank identifies it.
    func refineCaller(of call: CallID, _ callers: [Caller]) {
        guard let view = broker.summary(of: call),
            let caller = broker.callers.best(callers),
            broker.callers.isBetter(caller.source, than: view.caller)
        else { return }
        broker.decide(.callerIdentified(call, caller))
    }

    /// Records that the caller of a call is a priority caller.
    func prioritize(_ call: CallID) {
        if broker.trials.includes(call) { return broker.trials.prioritize(call) }
        broker.decide(.callerPrioritized(call))
    }

    // MARK: - The verdict

    /// Handles the time-out of a call that is screened.
    func expire(_ call: CallID) {
        if screenings[call] == nil { expire(unseen: call) } else { expire(screening: call) }
    }

    /// Handles the deadline of a screening: the sources that have missed it are abandoned.
    private func expire(screening call: CallID) {
        if screenings[call]?.hasMissed(.store, at: broker.clock.now) ?? false,
            let remote = screenedView(of: call)?.properties.remote
        {
            let response = broker.store.responseWithoutStore(
                about: remote, "it did not answer in time")
            screenings[call]?.applyLate(response, of: .store)
        }
        for source in screenings[call]?.late(at: broker.clock.now) ?? [] {
            screenings[call]?.abandon(source, lateness(of: source))
        }
        proceed(screening: call)
    }

    /// Returns the reason why a source has missed its deadline.
    private func lateness(of source: Screening.Source) -> Absence {
        let wasAsked = screeners.contains { $0.stage == .ready && $0.identity == source.identity }
        return wasAsked ? .late : .coming
    }

    /// Handles the time-out of a call without a screening: the broker was restarted meanwhile.
    private func expire(unseen call: CallID) {
        guard let plugin = broker.plugins.table.filters.first(where: { $0.requiredBy != nil })
        else {
            return broker.decide(.timerFired(.screening(call)))
        }
        broker.decide(
            .screeningSettled(call, .block(.screener, by: plugin.identity)),
            explanation: Explanation(.brokerRestarted, of: plugin.identity, blocks: true))
    }

    /// Concludes a screening if no source is pending; otherwise moves the arbiter's timer to the
    /// next deadline.
    private func proceed(screening call: CallID) {
        guard let screening = screenings[call] else { return }
        guard let deadline = screening.nextDeadline else { return conclude(screening, of: call) }
        if broker.trials.includes(call) { return broker.trials.move(call, to: deadline) }
        broker.timers.move(.screening(call), to: deadline)
    }

    private func conclude(_ screening: Screening, of call: CallID) {
        screenings[call] = nil
        let isTrial = broker.trials.includes(call)
        if !isTrial, let caller = broker.callers.best(screening.callers) {
            broker.decide(.callerIdentified(call, caller))
        }
        if screening.isPriority { prioritize(call) }
        let view = screenedView(of: call)
        let exception = isQuiet ? exception(for: view) : nil
        let verdict = verdict(of: screening, isQuiet: isQuiet && exception == nil)
        if isTrial { return broker.trials.conclude(call, verdict) }
        let isQuietOtherwise = self.verdict(of: screening, isQuiet: true) == .doNotDisturb
        broker.decide(
            .screeningSettled(call, verdict),
            explanation: isQuietOtherwise && exception != nil
                ? exception : screening.explanation(of: verdict))
    }

    /// Returns the explanation of why a call passes do-not-disturb; nil if it does not.
    private func exception(for view: CallView?) -> Explanation? {
        guard let properties = view?.properties else { return nil }
        let doNotDisturb = broker.policy.choices.screening.doNotDisturb
        if doNotDisturb.lets(pass: properties.priority) { return .priorityCaller }
        return isRepeated(properties.remote) ? .repeatedCall : nil
    }

    private func verdict(of screening: Screening, isQuiet: Bool) -> ScreeningVerdict {
        screening.verdict(
            isQuiet: isQuiet,
            silencesUnknown: broker.policy.choices.screening.silencesUnknownCallers,
            busyInCall: broker.policy.choices.policy.busyInCall)
    }

    // MARK: - Repeated calls

    /// Returns true if a repeated call passes do-not-disturb.
    private func isRepeated(_ remote: Handle?) -> Bool {
        guard broker.policy.choices.screening.doNotDisturb.letsRepeatedCallsPass, let remote else {
            return false
        }
        return recentCallers.includes(key(of: remote), at: broker.clock.instant)
    }

    /// Records an incoming call that was not answered.
    func recordMissedAttempt(_ entry: HistoryEntry) {
        let last = entry.last
        guard last.direction == .incoming, last.connectedAt == nil,
            let remote = last.properties.remote
        else { return }
        recentCallers.add(key(of: remote), at: last.createdAt)
    }

    /// Returns the key of a handle, which does not depend on its spelling.
    private func key(of remote: Handle) -> HandleKey {
        HandleKey(remote, region: broker.policy.choices.screening.region)
    }
}

extension Screening.Response {
    /// Creates the response of a screener; nil for an error or an invalid result.
    fileprivate init?(check outcome: Message.Outcome, by identity: String) {
        guard case .result(let result) = outcome, let word = result["verdict"]?.utf8 else {
            return nil
        }
        if word.reads("block") {
            verdict = .block(Self.reason(in: result), by: identity)
        }
        if word.reads("allow") { verdict = .allow }
        if word.reads("silence") { verdict = .silence(by: identity) }
        isPriority = result["priority"]?.boolean ?? false
        if let text = Self.text(result["explain"], bytesMax: Explanation.bytesMax) {
            explanation = Explanation(by: identity, text: text)
        }
        if let label = Self.text(result["label"]) {
            callers = [Caller(label: label, source: identity)]
        }
    }

    /// Returns the reason why a screener blocks a call.
    private static func reason(in result: JSONValue) -> RefusalReason {
        let word = result["reason"]?.utf8
        let others: [RefusalReason] = [.restrictedSharing, .sensitiveParticipants]
        return others.first { word?.reads($0.word) ?? false } ?? .screener
    }

    /// Creates the response of a directory; nil for an error.
    fileprivate init?(lookUp outcome: Message.Outcome, by identity: String) {
        guard case .result(let result) = outcome else { return nil }
        if result["blocked"]?.boolean ?? false { verdict = .block(.blockList, by: identity) }
        let isSpam = result["spam"]?.boolean ?? false
        let name = Self.text(result["display_name"])
        let label = Self.text(result["label"]) ?? (isSpam ? "Spam" : nil)
        guard name != nil || label != nil else { return }
        callers = [Caller(name: name, label: label, source: identity)]
    }

    /// Returns a text, unless it is empty or too long.
    private static func text(
        _ value: JSONValue?, bytesMax: Int = Caller.textBytesMax
    ) -> String? {
        guard let text = value?.string, !text.isEmpty, text.utf8.count <= bytesMax else {
            return nil
        }
        return text
    }
}
