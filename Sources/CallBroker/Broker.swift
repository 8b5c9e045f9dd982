internal import BrokerJSON
internal import BrokerRPC
package import BrokerSocket
internal import CallArbitration
package import CallJournal
internal import CallModel
package import CallPlugins
package import CallProtocol
package import CallStore
package import Logging

/// The shell around the decisions: it reads the frames of its peers, routes them, lets the arbiter decide, and
/// sends what follows.
///
/// It does no input or output of its own. What happens comes in through `handle`, on the thread of
/// the loop; what is to be sent goes into the connections' queues. So the same broker runs behind a
/// socket, in a test, and under a fuzzer.
///
/// It consists of parts, each of which owns its state and the rules for it. The broker composes them: it
/// alone asks the arbiter, and carries an effect out by handing it to the part that it is for. A part
/// reaches the others through its broker.
package final class Broker {
    package let configuration: BrokerConfiguration
    package let table: MethodTable
    let limits: BrokerLimits
    let logger: Logger
    /// Changes with every start.
    package let instance = RandomID.uuid()
    /// The line of states in which events are numbered: the same after a restart that goes on.
    let epochBits: UUIDBits
    package let epoch: String
    private let ownUID: UInt32
    /// The members of what `rpc.discover` returns: always the same, and long.
    lazy var discovery: [UInt8] = {
        var writer = JSONWriter()
        OpenRPC(table).write(to: &writer)
        return writer.bytes
    }()
    /// Decides about every call.
    var arbiter: Arbiter
    var stats = StatsResult()
    package internal(set) var phase = Phase.running

    /// Where in its life a broker is.
    package enum Phase {
        /// What an earlier broker decided is carried out again, and nobody is connected.
        case replaying
        case running
        /// An admin has asked for the end.
        case mustStop
        /// Everybody is being said goodbye to; that ends no call.
        case stopping
    }

    // The clock and what a turn may cost.
    let clock: TurnClock
    let timers: BrokerTimers
    let turn: TurnBudget
    // Peers, and what they are sent.
    lazy var peers = PeerTable(self, ownUID: ownUID)
    lazy var outbox = Outbox(self)
    lazy var events = EventPublisher(self)
    // Calls.
    lazy var sessions = ProviderSessions(self)
    lazy var requests = PendingRequests(self)
    lazy var performer = Performer(self)
    lazy var emergencies = EmergencyDialer(self)
    lazy var refusedDials = RefusedDials(self)
    lazy var calls = CallIndex(self)
    lazy var trace = DecisionTrace(self)
    lazy var allowed = AllowedPublisher(self)
    lazy var screener = CallScreener(self)
    lazy var screens = ScreenPresenter(self)
    // The user's side.
    lazy var policy = PolicyStore(self)
    lazy var store = UserStore(self)
    lazy var history = HistoryWriter(self)
    // Plugins, the journal, and tests.
    lazy var plugins = PluginSupervisor(self)
    lazy var manifests = ManifestScanner(self)
    lazy var journal = JournalWriter(self)
    lazy var testClock = TestClock(self)

    package init(
        configuration: BrokerConfiguration, clock: LoopClock, ownUID: UInt32, logger: Logger
    ) {
        self.configuration = configuration
        self.logger = logger
        self.ownUID = ownUID
        limits = configuration.limits
        table = configuration.isTestMode ? .withTestMethods : .standard
        self.clock = TurnClock(clock)
        timers = BrokerTimers(self.clock)
        turn = TurnBudget(configuration.limits)
        epochBits = configuration.epoch ?? UUIDBits.random()
        epoch = epochBits.description
        arbiter = Arbiter(policy: configuration.policy, lineage: epochBits.high)
    }

    var isReplaying: Bool {
        phase == .replaying
    }

    var isStopping: Bool {
        phase == .stopping
    }

    // MARK: - The loop's side

    /// When the loop must call again although nothing happens; nil: never.
    package var nextDeadline: MonotonicTime? {
        hasWork ? clock.now : timers.nextDeadline
    }

    /// Whether something waits for the next turn rather than for an event.
    package var hasWork: Bool {
        turn.hasBacklog || events.hasLaggingPeers || testClock.hasWork || plugins.hasWork
            || manifests.isReading && !isStopping
    }

    /// Takes the time for everything that follows in this turn.
    package func beginTurn(_ clock: LoopClock) {
        self.clock.beginTurn(clock)
        journal.noteClock()
        noteSleep()
        history.noteClock()
        turn.begin()
        stats.turns += 1
    }

    private func noteSleep() {
        guard let sleptMS = clock.takeSleepMS() else { return }
        journal.append(.slept(sleptMS))
        carryOut(sleptMS: sleptMS)
    }

    /// Lets the time that the host has slept count for what rings or dials. What is over by that ends in
    /// this turn.
    func carryOut(sleptMS: Int) {
        timers.age(byMS: sleptMS)
        screener.age(byMS: sleptMS)
    }

    package func handle(_ event: EventLoop.Event) {
        carryOut(event)
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

    private func carryOut(_ event: EventLoop.Event) {
        switch event {
        case .opened(let connection): peers.open(connection)
        case .received(let connection, let bytes): frames.receive(bytes, from: connection)
        case .inputEnded(let connection): peers.endInput(of: connection)
        case .blocked(let connection): peers.noteBlocked(connection)
        case .drained(let connection): peers.noteDrained(connection)
        case .closed(let connection): peers.close(connection)
        case .descriptorsExhausted: peers.makeRoom()
        case .exited(let process): sessions.noteExitLater(of: process)
        case .logged(let log, let bytes): pluginLogs.takeLog(bytes, from: log)
        case .changed: manifests.rescan()
        case .woken:
            store.settle()
            journal.settleDisk()
        case .signal: break
        }
    }

    /// Fires every timer that is due at `time`. How many fired.
    @discardableResult
    package func fireTimers(dueBy time: MonotonicTime) -> Int {
        plugins.settle()
        var count = 0
        while let purpose = timers.popDue(at: time) {
            fire(purpose)
            turn.meter.end(.timer, at: .now())
            count += 1
        }
        plugins.settle()
        turn.meter.end(.plugins, at: .now())
        return count
    }

    /// From now on nothing new is begun. What is under way may come to its end.
    package func beginStop() {
        journal.append(.stopping)
        tellStopping()
        phase = .stopping
        testClock.stop()
    }

    /// No provider works on anything.
    package var isSettled: Bool {
        performer.isIdle
    }

    /// The loop goes on until all are gone. Who comes to the next broker can go on with its session, if
    /// we keep a journal.
    package func sayGoodbye() {
        for peer in peers.all {
            if !journal.isKept {
                peers.dismiss(peer, reason: "stopping", "the broker is stopping")
            } else {
                peers.dismiss(
                    peer, reason: "restarting", "the broker is stopping; its successor goes on",
                    isResumable: true, reconnectAfterMS: Self.reconnectAfterMS)
            }
        }
        plugins.stop()
    }

    private static let reconnectAfterMS = 200

    func tellStopping() {
        events.publish(.stopping) { $0.member("reason", "stopping" as StaticString) }
    }

    package var isIdle: Bool {
        peers.connections == 0 && !plugins.hasProcesses
    }

    /// For whom a connection speaks: on that of a provider it is the app, any other is the user.
    func requester(_ peer: Peer) -> Requester {
        peer.session.map { .app($0.provider) } ?? .user
    }

    /// A call that a client has not named.
    func newCall() -> CallID {
        CallID(UUIDBits.random())
    }

    /// Nobody waits for a reply.
    static let noToken = RequestToken(0)

    func fire(_ purpose: TimerPurpose) {
        switch purpose {
        case .hello(let peer):
            peer.helloTimer = nil
            peers.dismiss(peer, reason: "hello_timeout", "no hello and no ping came in time")
        case .closing(let peer): peer.connection.abort()
        case .stall(let peer): peers.judgeStall(of: peer)
        case .heartbeat(let peer): heartbeats.fire(peer)
        case .bookmark: events.sendBookmarks()
        // Somebody who was asked may have longer than that.
        case .arbiter(.screening(let call)):
            if !screener.isScreening(call) { screener.expire(unseen: call) }
        case .arbiter(let timer):
            decide(.timerFired(timer))
            if case .startSilence(let call) = timer { emergencies.noteSilentStart(of: call) }
        case .screening(let call): screener.expire(screening: call)
        case .presenting(let call, let screen): screens.expire(presenting: call, screen: screen)
        case .journal: journal.retry()
        case .history: history.retry()
        case .store: store.retry()
        case .plugin(let plugin, let timer): plugins.fire(timer, of: plugin)
        case .droppedLines(let plugin): pluginLogs.tellDroppedLines(of: plugin)
        case .rescan: manifests.rescan()
        case .endPlugins: plugins.terminate()
        }
    }
}

// What the loop, and tests that stand in for it, do with the parts.
extension Broker {
    /// Handles the exits of processes: everything that was readable has been read.
    package func settleExits() {
        sessions.settleExits()
    }

    package func resumeBacklog() {
        frames.resumeBacklog()
    }

    /// Tells, at the end of a turn, of each call with which the user may do something else now.
    package func tellAllowed() {
        allowed.publishChanges()
    }

    /// Keeps what this turn has decided, before anything of it leaves.
    package func commit() {
        journal.commit()
    }

    package func keep(in journal: Journal) {
        self.journal.begin(journal)
    }

    package var stateFolder: String? {
        get { journal.stateFolder }
        set { journal.stateFolder = newValue }
    }

    package func attach(_ disk: DiskThread) {
        journal.attach(disk)
    }

    package func attach(_ store: StoreThread) {
        self.store.attach(store)
    }

    package func settleStore() {
        store.settle()
    }

    /// Nothing is under way in the store, nor on the disk.
    package var isStoreIdle: Bool {
        store.isIdle && journal.isDiskIdle
    }

    /// Receives a line about every decision.
    package var tellDecision: ((String) -> Void)? {
        get { trace.tellDecision }
        set { trace.tellDecision = newValue }
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
    package func take(_ connection: Connection, for entry: PluginCatalogue.Entry) {
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

    package func giveUpSettling(at hostTime: MonotonicTime) {
        testClock.giveUp(at: hostTime)
    }

    package var settleDeadline: MonotonicTime? {
        testClock.deadline
    }
}
