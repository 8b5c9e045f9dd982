internal import BrokerJSON
package import BrokerSocket
internal import CallArbitration
package import CallJournal
internal import CallModel
package import CallPlugins
package import CallProtocol
package import CallStore
package import Logging

/// The shell around the arbiter: reads the frames of its peers, routes them, lets the arbiter
/// decide, and sends the replies, requests and events that follow.
///
/// The broker does no input or output of its own. What happens comes in through `handle`, on the
/// thread of the loop; what is to be sent goes into the connections' queues. So the same broker
/// runs behind a socket, in a test, and under a fuzzer.
///
/// The broker consists of parts, each of which owns its state and the rules for it. The broker
/// alone calls the arbiter, and carries out an effect by handing it to the part that owns it. A
/// part reaches the others through its broker.
package final class Broker {
    package let configuration: BrokerConfiguration
    package let table: MethodTable
    let limits: BrokerLimits
    let logger: Logger
    /// An id that changes with every start.
    package let instance = RandomID.uuid()
    /// The id of the sequence in which events are numbered: the same after a restart that resumes
    /// from the journal.
    let epochBits: UUIDBits
    package let epoch: String
    /// The members of the result of `rpc.discover`: constant, and long.
    lazy var discovery: [UInt8] = {
        var writer = JSONWriter()
        OpenRPC(table).write(to: &writer)
        return writer.bytes
    }()
    /// The arbiter, which decides about every call.
    var arbiter: Arbiter
    var stats = StatsResult()
    package internal(set) var phase = Phase.running

    /// A phase in the life of a broker.
    package enum Phase {
        /// The decisions of an earlier broker are carried out again; no peer is connected.
        case replaying
        case running
        /// An admin has requested the shutdown.
        case mustStop
        /// Peers are being dismissed; this ends no call.
        case stopping
    }

    // The clock and what a turn may cost.
    let clock: TurnClock
    let timers: BrokerTimers
    let turn: TurnBudget
    // Peers, and what they are sent.
    let peers: PeerTable
    let processes = PeerProcesses()
    let grants = Grants()
    let outbox: Outbox
    let events: EventPublisher
    // Calls.
    let sessions = ProviderSessions()
    let requests: PendingRequests
    let transactionLog = TransactionLog()
    let performer: Performer
    let handover = AudioHandover()
    let emergencies = EmergencyDialer()
    let refusedDials = RefusedDials()
    let calls = CallIndex()
    let written = WrittenProperties()
    let trace: DecisionTrace
    let quality = CallQualityReports()
    let participants = ConferenceParticipants()
    let endpoints = HostEndpoints()
    let lineSettings = LineSettings()
    let texts = CallTexts()
    let tones = TonePauses()
    let forwarded = ForwardedRequests()
    let startable = StartableApps()
    let pushes = PushDelivery()
    let pushTokens = PushTokens()
    let allowed: AllowedPublisher
    let presence: PresencePublisher
    let screener = CallScreener()
    let trials = IncomingTrials()
    let screens = ScreenPresenter()
    let questions = AppQuestions()
    let questionPresenter = QuestionPresenter()
    // The user's side.
    let policy: PolicyStore
    let store = UserStore()
    let history: HistoryWriter
    let backups = BackupMaker()
    // Plugins, the journal, and tests.
    let plugins: PluginSupervisor
    let manifests = ManifestScanner()
    let journal: JournalWriter
    let testClock = TestClock()

    package init(
        configuration: BrokerConfiguration, clock: LoopClock, ownUID: UInt32, logger: Logger
    ) {
        self.configuration = configuration
        self.logger = logger
        limits = configuration.limits
        table = configuration.isTestMode ? .withTestMethods : .standard
        self.clock = TurnClock(clock)
        timers = BrokerTimers(self.clock)
        turn = TurnBudget(configuration.limits)
        epochBits = configuration.epoch ?? UUIDBits.random()
        epoch = epochBits.description
        arbiter = Arbiter(policy: configuration.policy, lineage: epochBits.high)
        peers = PeerTable(limits, self.clock, ownUID: ownUID)
        outbox = Outbox(limits)
        events = EventPublisher(limits, self.clock, turn, peers, outbox)
        trace = DecisionTrace(self.clock, events)
        requests = PendingRequests(self.clock, outbox, events)
        performer = Performer(self.clock, outbox, events)
        allowed = AllowedPublisher(events)
        presence = PresencePublisher(events, self.clock)
        policy = PolicyStore(configuration.choices)
        history = HistoryWriter(self.clock)
        journal = JournalWriter(self.clock, history)
        plugins = PluginSupervisor(isTest: configuration.isTestMode)
        attachParts()
    }

    private func attachParts() {
        let parts = [
            peers, processes, grants, outbox, events, sessions, requests, transactionLog, performer,
            handover, emergencies, refusedDials, calls,
            trace, quality, participants, endpoints, lineSettings, texts, tones,
            forwarded, startable, pushes, pushTokens, allowed, presence, screener, trials,
            screens, questions, questionPresenter, policy,
            store, history, backups, plugins, manifests,
            journal,
            testClock,
        ]
        for part in parts { part.attach(to: self) }
    }

    var isReplaying: Bool {
        phase == .replaying
    }

    var isStopping: Bool {
        phase == .stopping
    }

    // MARK: - The loop's side

    /// The time at which the loop must run another turn although nothing happens; nil means never.
    package var nextDeadline: MonotonicTime? {
        hasWork ? clock.now : timers.nextDeadline
    }

    /// Returns true if work waits for the next turn rather than for an event.
    package var hasWork: Bool {
        turn.hasBacklog || events.hasLaggingPeers || plugins.hasWork
            || manifests.isReading && !isStopping
            || configuration.isTestMode && testClock.hasWork
    }

    /// Begins a turn: `clock` is the time of everything that happens in it.
    package func beginTurn(_ clock: LoopClock) {
        self.clock.beginTurn(clock)
        journal.recordClock()
        handleSleep()
        history.recordClock()
        turn.begin()
        stats.turns += 1
    }

    private func handleSleep() {
        guard let sleptMS = clock.takeSleepMS() else { return }
        journal.append(.slept(sleptMS))
        apply(sleptMS: sleptMS)
    }

    /// Counts the time that the host has slept for calls that ring or dial. Those whose time has
    /// expired by that end in this turn.
    func apply(sleptMS: Int) {
        timers.age(byMS: sleptMS)
        screener.age(byMS: sleptMS)
    }

    package func handle(_ event: EventLoop.Event) {
        dispatch(event)
        turn.end(part(of: event), by: event.connection)
    }

    private func part(of event: EventLoop.Event) -> TurnPart {
        switch event {
        case .opened, .descriptorsExhausted: .opening
        case .received: turn.part
        case .inputEnded, .closed: .closing
        case .blocked, .drained: .send
        case .exited: .exit
        case .logged, .changed: .plugins
        case .woken: .store
        case .signal: .stop
        }
    }

    private func dispatch(_ event: EventLoop.Event) {
        switch event {
        case .opened(let connection): peers.open(connection)
        case .received(let connection, let bytes): frames.receive(bytes, from: connection)
        case .inputEnded(let connection): peers.endInput(of: connection)
        case .blocked(let connection): peers.handleBlocked(connection)
        case .drained(let connection): peers.handleDrained(connection)
        case .closed(let connection): peers.close(connection)
        case .descriptorsExhausted: peers.makeRoom()
        case .exited(let process): sessions.recordExit(of: process)
        case .logged(let log, let bytes): pluginLogs.receive(bytes, from: log)
        case .changed: manifests.rescan()
        case .woken:
            store.drain()
            journal.drainDisk()
            processes.drain()
        case .signal: break
        }
    }

    /// Fires every timer that is due at `time`.
    ///
    /// - Returns: the number of timers that fired.
    @discardableResult
    package func fireTimers(dueBy time: MonotonicTime) -> Int {
        plugins.update()
        var count = 0
        while let purpose = timers.popDue(at: time) {
            fire(purpose)
            turn.meter.end(.timer, at: .now())
            count += 1
        }
        plugins.update()
        pushes.update()
        turn.meter.end(.plugins, at: .now())
        return count
    }

    /// Begins to stop: requests under way may complete, and no new ones begin.
    package func beginStop() {
        journal.append(.stopping)
        publishStopping()
        phase = .stopping
        testClock.stop()
    }

    /// Returns true if no provider has an unanswered action.
    package var hasNoActionsInFlight: Bool {
        performer.isIdle
    }

    /// Dismisses every peer; the loop runs until their connections are closed. With a journal,
    /// providers can resume their sessions at the next broker.
    package func dismissAllPeers() {
        for peer in peers.all {
            if !journal.isKept {
                peers.dismiss(peer, reason: .stopping, "the broker is stopping")
            } else {
                peers.dismiss(
                    peer, reason: .restarting, "the broker is stopping; its successor goes on",
                    isResumable: true, reconnectAfterMS: Self.reconnectAfterMS)
            }
        }
        plugins.stop()
    }

    private static let reconnectAfterMS = 200

    func publishStopping() {
        events.publish(.stopping) { $0.member("reason", "stopping" as StaticString) }
    }

    package var isIdle: Bool {
        peers.connections == 0 && !plugins.hasProcesses
    }

    /// Returns the origin of a peer's requests: the app on a provider's connection, the user on any
    /// other.
    func requester(_ peer: Peer) -> Requester {
        if let session = peer.session { return .app(session.provider) }
        return peer.rights.isForOwnCalls ? .app(ProviderID(peer.identity ?? "")) : .user
    }

    /// Returns a call as clients see it; nil if the arbiter does not know it.
    func view(of call: CallID) -> CallView? {
        readArbiter { $0.view(of: call) }
    }

    /// Returns the provider and the state of a call; nil if the arbiter does not know it.
    func outline(of call: CallID) -> CallOutline? {
        readArbiter { $0.outline(of: call) }
    }

    /// Returns a call without what is allowed with it; nil if the arbiter does not know it.
    func summary(of call: CallID) -> CallView? {
        readArbiter { $0.summary(of: call) }
    }

    /// Returns the configuration of a provider; nil if the arbiter does not know it.
    func configuration(of provider: ProviderID) -> ProviderConfiguration? {
        readArbiter { $0.configuration(of: provider) }
    }

    /// The live, held and ringing calls of the host.
    var hostFacts: HostFacts {
        readArbiter { $0.hostFacts }
    }

    /// Reads the arbiter where it is. A property of this class would be copied for each call of
    /// a method of another module, since that could change it meanwhile.
    func readArbiter<Value>(_ read: (inout Arbiter) -> Value) -> Value {
        read(&arbiter)
    }

    /// Returns a new id, for a call that its client has not named.
    func newCall() -> CallID {
        CallID(UUIDBits.random())
    }

    /// The token of a request that expects no reply.
    static let noToken = RequestToken(0)

    func fire(_ purpose: TimerPurpose) {
        switch purpose {
        case .hello(let peer):
            peer.timers.hello = nil
            peers.dismiss(peer, reason: .helloTimeout, "no hello and no ping came in time")
        case .closing(let peer): peer.connection.abort()
        case .stall(let peer): peers.checkStall(of: peer)
        case .heartbeat(let peer): heartbeats.fire(peer)
        case .bookmark: events.sendBookmarks()
        case .presence: presence.updateDoNotDisturb()
        case .lookup: processes.giveUp()
        case .arbiter(.screening(let call)): screener.expire(call)
        case .trial(let call): screener.expire(call)
        case .arbiter(let timer): decide(.timerFired(timer))
        case .tones(let call): tones.fire(call)
        case .presenting(let call, let screen): screens.expire(presenting: call, screen: screen)
        case .usingEndpoint(let request): endpoints.expire(request: request)
        case .handover: handover.expire()
        case .forwardedRequest(let number): forwarded.expire(number)
        case .asking(let number): questionPresenter.expire(number)
        case .startingApp(let provider): startable.expire(provider)
        case .push(let number): pushes.expire(number)
        case .journal: journal.retry()
        case .history: history.retry()
        case .store: store.retry()
        case .plugin(let plugin, let timer): plugins.fire(timer, of: plugin)
        case .droppedLines(let plugin): pluginLogs.reportDroppedLines(of: plugin)
        case .rescan: manifests.rescan()
        case .grants: grants.expire()
        case .endPlugins: plugins.terminate()
        }
    }
}

/// The interface of the loop, and of tests that stand in for it.
extension Broker {
    /// Handles the exits of processes, after everything that was readable has been read.
    package func handleExits() {
        sessions.handleExits()
    }

    package func resumeBacklog() {
        frames.resumeBacklog()
    }

    /// Publishes, at the end of a turn, what follows from the state of calls and has no number:
    /// allowed actions, and the presence of the host.
    package func publishDerived() {
        allowed.publishChanges()
        presence.publishChange()
    }

    /// Writes the decisions of this turn to the journal, before any of their consequences are sent.
    package func commit() {
        journal.commit()
    }

    package func attach(_ journal: Journal) {
        self.journal.begin(journal)
    }

    package var stateFolder: String? {
        get { journal.stateFolder }
        set { journal.stateFolder = newValue }
    }

    package func attach(_ disk: DiskThread) {
        journal.attach(disk)
    }

    package func attach(_ lookup: PeerLookup) {
        processes.attach(lookup)
    }

    package func attach(_ store: StoreThread) {
        self.store.attach(store)
    }

    package func drainStore() {
        store.drain()
    }

    /// Returns true if no thread beside the loop has work under way.
    package var isThreadIdle: Bool {
        isStoreIdle && processes.isIdle
    }

    /// Returns true if neither the store nor the disk has work under way.
    package var isStoreIdle: Bool {
        store.isIdle && journal.isDiskIdle
    }

    /// Receives a line about every decision.
    package var onDecision: ((String) -> Void)? {
        get { trace.onDecision }
        set { trace.onDecision = newValue }
    }

    // MARK: - Plugins

    package func beginPlugins(_ host: PluginHost, choices: Result<[UInt8], SocketError>) {
        plugins.begin(host, choices: choices)
    }

    package func rescan() {
        manifests.rescan()
    }

    package var isReadingManifests: Bool {
        manifests.isReading
    }

    package var hasPluginProcesses: Bool {
        plugins.hasProcesses
    }

    package func killPlugins() {
        plugins.kill()
    }

    /// Binds a connection to a manifest, without supervising what is at its other end.
    package func bind(_ connection: Connection, to entry: PluginCatalog.Entry) {
        peers[connection]?.plugin = Plugin(entry)
    }

    // MARK: - Tests

    package var advance: Advance? {
        testClock.advance
    }

    package var mayAdvance: Bool {
        testClock.mayAdvance
    }

    package func stepAdvance() -> MonotonicTime {
        testClock.step()
    }

    package func answerSettled() {
        testClock.answerSettled()
    }

    package func expireSettleWaits(at hostTime: MonotonicTime) {
        testClock.expire(at: hostTime)
    }

    package var settleDeadline: MonotonicTime? {
        testClock.deadline
    }
}
