internal import BrokerJSON
internal import BrokerRPC
package import BrokerSocket
internal import CallArbitration
package import CallJournal
internal import CallModel
package import CallProtocol
internal import CallStore
package import Logging

/// The shell around the decisions: it knows the peers, reads their frames, routes them, and sends
/// what they get.
///
/// It does no input or output of its own. What happens comes in through `handle`, on the thread of
/// the loop; what is to be sent goes into the connections' queues. So the same broker runs behind a
/// socket, in a test, and under a fuzzer.
package final class Broker {
    package let configuration: BrokerConfiguration
    package let table: MethodTable
    /// The members of what `rpc.discover` returns: always the same, and long.
    lazy var document: [UInt8] = {
        var writer = JSONWriter()
        OpenRPC(table).write(to: &writer)
        return writer.bytes
    }()
    /// Changes with every start.
    package let instance = RandomID.uuid()
    /// Names the line of states that events are numbered in.
    let epochBits: UUIDBits
    package let epoch: String
    /// What the loop is to do next on behalf of `test.advance`.
    package internal(set) var advance: Advance?
    /// An admin said that it is enough.
    package internal(set) var mustStop = false
    /// Everybody is being said goodbye to; that ends no call.
    var isStopping = false
    /// Gets a line about every decision.
    package var tellDecision: ((String) -> Void)?
    var stats = StatsResult()
    /// How long turns take, and why.
    package var meter = TurnMeter()
    /// What the frame that is handled now asks for.
    var part = TurnPart.response

    let limits: BrokerLimits
    let logger: Logger
    let startedAt: MonotonicTime
    package var clock: LoopClock
    /// The instant of the current turn.
    var now: MonotonicTime
    var users: UserLedger
    /// By slot of the connection.
    var peers: [Peer?] = []
    /// Who presents calls, and which.
    var screens = Screens()
    var timers = TimerQueue<TimerPurpose>()
    /// Peers with frames that wait for their next turn.
    var backlog = FairQueue<Peer>()
    var turn: TurnShare
    var lastPeerNumber = 0

    /// The programs that we start and watch.
    var plugins: PluginTable
    var rescanTimer: TimerQueue<TimerPurpose>.Handle?

    /// Who decides.
    var arbiter: Arbiter
    /// Gets everything that decides how things go on, before its consequences leave.
    package internal(set) var journal: Journal?
    /// Where that lies; nil if it is in no folder.
    package var stateFolder: String?
    /// Addresses that are not called, and of which screens do not know yet.
    var refusedDials: [RefusedDial] = []
    /// Requests that the arbiter has not answered, or not finished with, by their tokens.
    var waiting: [UInt64: WaitingRequest] = [:]
    var lastToken: UInt64 = 0
    /// The tokens of those whose replies did not come at once.
    var tokens: [RequestKey: UInt64] = [:]
    var asked = AskedTransactions()
    var sessions = SessionTable()
    var formerSessions = FormerSessions()
    /// Those whose processes are watched.
    var watched: [ObjectIdentifier: ProviderSession] = [:]
    /// Actions that providers work on, or were offered.
    var dispatched: [ActionID: Dispatch] = [:]
    var settledActions = SettledActions()
    var completion: Completion?
    /// The arbiter's timers that run.
    var armed: [TimerID: (handle: TimerQueue<TimerPurpose>.Handle, deadline: MonotonicTime)] = [:]
    /// Between the monotonic clock and Unix time.
    var wallOffsetMS: Int64

    /// Does what takes the disk its time; nil: that is done at once.
    var disk: DiskThread?
    /// What is kept on disk beside the journal.
    var store: StoreThread?
    var storeHealth = StoreHealth()
    /// There is somebody to look up in it.
    var knowsPeople = false
    /// What counts while it cannot be asked.
    var rememberedBlocks = RememberedBlocks()
    /// With which app the user calls whom.
    var preferredApps = PreferredApps()
    /// Missed calls that are new to the user.
    var missed = 0
    /// Entries of the history on their way there.
    var history = HistoryQueue()
    var retention = RetentionClock()
    /// Runs until the history is brought to a store again that failed.
    var saveTimer: TimerQueue<TimerPurpose>.Handle?
    /// What happened before is carried out again, and nobody hears of it.
    var isRecovering = false

    /// Plugins that are asked about calls.
    var advisers: [Peer] = []
    /// What the user has dialled, until somebody has reached the far end; and those of it that nobody has,
    /// with the call that has failed.
    var emergencyDials: [CallID: EmergencyDial] = [:]
    var unplacedEmergencies: [(CallID, EmergencyDial)] = []

    /// Calls that do not ring yet, and those of them that this event brought.
    var screenings: [CallID: Screening] = [:]
    var screened: [CallID] = []
    /// Calls that everybody has been told of in this event.
    var newcomers: [CallID] = []
    /// Calls that are with somebody else since this event.
    var renamed: [CallID] = []
    /// What the one who decides about a call says of it, while it is decided, and which call that is.
    var explanation: Explanation?
    var judged: CallID?
    var recentCallers = RecentCallers()
    var presentations = Presentations()
    var allowed = AllowedLedger()
    /// In the test mode: those that were pinged and have not reacted yet, by number.
    var pinged: [Int: Peer] = [:]
    /// How long the host has slept.
    var asleepMS: Int64
    /// What the user chose for the host; the arbiter has its part of it.
    var choices: HostChoices

    var feed: EventFeed
    var subscribers = Subscribers()
    /// Peers whose subscriptions are behind, and which may be ready for more.
    var laggards = FIFO<Peer>()
    /// In the test mode: those that may be behind yet, by number.
    var behindReaders: [Int: Peer] = [:]
    /// What this event has cost for others: it is not whoever makes it happen who has so many watchers.
    var crowdNanoseconds: Int64 = 0
    /// Events that may be sent in this turn yet; what is more waits for the next one.
    var eventsLeft: Int
    var bookmarkTimer: TimerQueue<TimerPurpose>.Handle?
    var calls = CallList()
    var decisions = DecisionLog()
    /// Processes that have exited in this turn.
    var exits: [ProcessWatch] = []
    /// Those who wait for everything to come to rest.
    var settleRequests: [SettleRequest] = []
    /// Frames are written here before they are queued.
    var scratch = JSONWriter()

    package init(
        configuration: BrokerConfiguration, clock: LoopClock, ownUID: UInt32, logger: Logger
    ) {
        self.configuration = configuration
        self.clock = clock
        self.logger = logger
        limits = configuration.limits
        table = configuration.isTestMode ? .withTestMethods : .standard
        startedAt = clock.now
        now = clock.now
        turn = TurnShare(configuration.limits)
        eventsLeft = configuration.limits.eventsPerTurn
        users = UserLedger(limits: configuration.limits, ownUID: ownUID)
        wallOffsetMS = clock.unixMS - clock.now.milliseconds
        asleepMS = clock.asleepMS
        epochBits = configuration.epoch ?? UUIDBits.random()
        epoch = epochBits.description
        arbiter = Arbiter(policy: configuration.policy, lineage: epochBits.high)
        choices = configuration.choices
        plugins = PluginTable(isTestMode: configuration.isTestMode)
        feed = EventFeed(
            countMax: configuration.limits.feedEvents, bytesMax: configuration.limits.feedBytes)
    }

    // MARK: - The loop's side

    /// When the loop must call again although nothing happens; nil: never.
    package var nextDeadline: MonotonicTime? {
        hasWork ? now : timers.nextDeadline
    }

    /// Whether something waits for the next turn rather than for an event.
    package var hasWork: Bool {
        !backlog.isEmpty || !laggards.isEmpty || mayAdvance || hasSettled
            || plugins.haveParted || plugins.reading.isUnderWay && !isStopping
    }

    /// Takes the time for everything that follows in this turn.
    package func beginTurn(_ clock: LoopClock) {
        self.clock = clock
        now = clock.now
        let offset = clock.unixMS - now.milliseconds
        // Milliseconds of drift are not worth a time that moves; a clock that was set is.
        if abs(offset - wallOffsetMS) > 1_000 { wallOffsetMS = offset }
        journal?.wallOffsetMS = wallOffsetMS
        noteSleep(asleepMS: clock.asleepMS)
        retention.note(wallMS: clock.unixMS, runningMS: runningMS)
        turn.begin()
        eventsLeft = limits.eventsPerTurn
        stats.turns += 1
    }

    /// Everything that was readable has been read: now for the processes that are gone.
    package func settleExits() {
        guard !exits.isEmpty else { return }
        let gone = exits
        exits = []
        for process in gone {
            if hasFramesLeft(from: process) { exits.append(process) } else { noteExit(of: process) }
        }
        meter.end(.exit, at: .now())
    }

    package func handle(_ event: EventLoop.Event) {
        carryOut(event)
        end(part(of: event), by: event.connection)
    }

    /// A part of the turn is over, and counts for the process at the other end of a connection.
    func end(_ part: TurnPart, by connection: Connection?) {
        let now = MonotonicTime.now()
        let used = meter.end(part, at: now) - crowdNanoseconds
        crowdNanoseconds = 0
        guard let connection else { return }
        turn.note(connection.credentials.pid, nanoseconds: used, at: now)
    }

    private func part(of event: EventLoop.Event) -> TurnPart {
        switch event {
        case .opened, .descriptorsExhausted: .opening
        case .received: part
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
        case .opened(let connection): open(connection)
        case .received(let connection, let bytes): receive(bytes, from: connection)
        case .inputEnded(let connection): endInput(of: connection)
        case .blocked(let connection): noteBlocked(connection)
        case .drained(let connection): noteDrained(connection)
        case .closed(let connection): close(connection)
        case .descriptorsExhausted: makeRoom()
        case .exited(let process): exits.append(process)
        case .logged(let log, let bytes): takeLog(bytes, from: log)
        case .changed: rescan()
        case .woken:
            settleStore()
            settleDisk()
        case .signal: break
        }
    }

    /// Fires every timer that is due at `time`. How many fired.
    @discardableResult
    package func fireTimers(dueBy time: MonotonicTime) -> Int {
        settlePlugins()
        var count = 0
        while let purpose = timers.popDue(at: time) {
            fire(purpose)
            meter.end(.timer, at: .now())
            count += 1
        }
        settlePlugins()
        meter.end(.plugins, at: .now())
        return count
    }

    /// From now on nothing new is begun. What is under way may come to its end.
    package func beginStop() {
        journal?.append(JournalEntry(.stopping, at: instant))
        tellStopping()
        isStopping = true
        let targets = settleRequests.map(\.target) + [advance?.target].compactMap { $0 }
        settleRequests = []
        advance = nil
        for target in targets {
            answer(target, RPCError(.stopping, reason: "stopping", "the broker is stopping"))
        }
    }

    /// No provider works on anything.
    package var isSettled: Bool {
        dispatched.isEmpty
    }

    /// The loop goes on until all are gone. Who comes to the next broker can go on with its session, if
    /// we keep a journal.
    package func sayGoodbye() {
        for case let peer? in peers {
            if journal == nil {
                dismiss(peer, reason: "stopping", "the broker is stopping")
            } else {
                dismiss(
                    peer, reason: "restarting", "the broker is stopping; its successor goes on",
                    isResumable: true, reconnectAfterMS: Self.reconnectAfterMS)
            }
        }
        stopPlugins()
    }

    private static let reconnectAfterMS = 200

    func tellStopping() {
        tell(.stopping) { $0.member("reason", "stopping" as StaticString) }
    }

    package var isIdle: Bool {
        users.connections == 0 && !hasPluginProcesses
    }
}
