internal import BrokerJSON
package import BrokerSocket
internal import CallJournal
internal import CallPlugins
internal import CallProtocol
internal import CallStore
package import Logging

/// The daemon process: sockets, signals, the service manager, and the loop that runs the broker.
package final class Daemon {
    /// Descriptors kept free of connections: for files, pipes and the accept that rejects a
    /// connection.
    private static let spareDescriptors = 16
    /// The time for requests under way when the daemon stops, and then for clients to read their
    /// goodbye.
    private static let stopMS = 2_000
    private static let readyRetryMS = 100
    /// The time after a logged stall in which no other is logged: `broker.stats` counts them all.
    private static let stallPauseMS = 10_000

    private let loop: EventLoop
    private let broker: Broker
    private let listeners: [Listener]
    private let store: StoreThread
    private let disk: DiskThread
    private let notifier: ServiceNotifier
    private let temporaryFolder: String?
    private let announces: Bool
    private let logger: Logger
    private let log: LineWriter
    private let options: ServeOptions
    private let groups = ControlGroups()
    /// The services of the user's systemd that plugins run in; nil if they are children of this
    /// process.
    private var services: TransientServices?
    private var pluginFolders: FolderWatch?
    private var stop: Stop?
    /// The watch over the running loop; nil if its thread could not be started.
    private var watch: TurnWatch?
    private var nextStallLine = MonotonicTime.zero
    /// The processor time of the loop's thread when this turn began, where that is measured.
    private var processorTime = MonotonicTime.zero
    private let turnLimitMS: Int?
    private var nextWatchdog: MonotonicTime?
    /// The time at which to notify the service manager again that the daemon is ready: it waits for
    /// that.
    private var nextReady: MonotonicTime?

    /// A stage of stopping.
    private enum Stop {
        /// Requests under way may complete until then.
        case settling(MonotonicTime)
        /// Clients may read their goodbye until then.
        case leaving(MonotonicTime)

        var deadline: MonotonicTime {
            switch self {
            case .settling(let deadline), .leaving(let deadline): deadline
            }
        }
    }

    /// Does everything that can fail: afterwards the daemon is ready to serve.
    ///
    /// - Parameter log: the writer of lines for people, which are written as they are.
    package init(_ options: ServeOptions, logger: Logger, _ log: LineWriter) throws {
        self.logger = logger
        self.log = log
        announces = options.announces
        self.options = options
        turnLimitMS = options.turnLimitMS
        HostProcess.ignoreBrokenPipes()
        let configuration = try Self.configuration(options)
        try Self.checkPluginFolders(options)
        loop = try EventLoop(clock: options.isTestMode ? .manual(.zero) : .monotonic)
        try loop.watch(signals: HostProcess.terminationSignals)
        (listeners, temporaryFolder) = try Self.listen(options)
        for listener in listeners { try loop.accept(on: listener) }
        do {
            let wakeup = try Wakeup()
            try loop.watch(wakeup)
            let folder = try Self.stateFolder(options)
            store = try StoreThread(folder.map { .folder($0) } ?? .memory, wakes: wakeup)
            disk = try DiskThread(wakes: wakeup)
            let loader = try BrokerLoader(
                configuration, clock: loop.clock, store, disk, wakes: wakeup, logger)
            broker = try Self.broker(folder, loader)
            HostProcess.giveBackLargeBuffers()
            if let reader = ProcessReader() {
                broker.processes.attach(try PeerLookup(reader, wakes: wakeup))
            } else {
                logger.warning("/proc does not describe processes; nobody is in a sandbox")
            }
        } catch {
            for listener in listeners { listener.shutDown() }
            throw error
        }
        loop.clock = broker.clock.loopClock
        notifier = ServiceNotifier(environment: options.environment)
        if options.explains {
            broker.trace.onDecision = { log.write($0 + "\n") }
        }
        beginPlugins()
    }

    /// Reserves descriptors for the maximum number of connections, so that no client waits for that
    /// later. Must be called before a second thread is started.
    package static func reserveDescriptors() {
        HostProcess.reserveDescriptors(BrokerLimits().connections + 2 * spareDescriptors)
    }

    // MARK: - Plugins

    /// Starts the plugins: in test mode only those of the test.
    private func beginPlugins() {
        let standard =
            options.isTestMode ? [] : PluginFolders.standard(environment: options.environment)
        // Plugins run in folders of their own, where a relative path would be wrong.
        let places =
            standard + options.pluginFolders.map { PluginFolders.Place(HostProcess.absolute($0)) }
        let socket = listeners.first.map { HostProcess.absolute($0.path) } ?? ""
        let store = ChoicesFile(options)
        if !options.isTestMode { services = Self.services(options, besides: socket) }
        services?.findRunning()
        let watch = try? FolderWatch(on: loop)
        pluginFolders = watch
        let (loop, groups, services) = (loop, groups, services)
        broker.beginTurn(loop.clock)
        var host = PluginHost(
            environment: BundledFiles.environment(options.environment), socket: socket,
            spawn: { settings throws(SocketError) in
                if let services { return try loop.spawn(settings, in: services) }
                return try loop.spawn(settings, in: groups)
            },
            readManifests: { ManifestFolders(places, watch: { watch?.watch($0, $1) }).next },
            isProgram: HostFile.isProgram,
            save: { [disk] bytes, then in
                disk.submit({ () throws(SocketError) in try store.write(bytes) }, then: then)
            },
            quarantine: { () throws(SocketError) in try store.quarantine() })
        host.folders = places.map(\.path)
        host.appEnvironment = options.environment
        host.ownProgram = HostProcess.program
        broker.plugins.begin(
            host, choices: Result { () throws(SocketError) in try store.read() })
        services?.stopRemaining()
    }

    private static func services(
        _ options: ServeOptions, besides socket: String
    ) -> TransientServices? {
        guard let slash = socket.lastIndex(of: "/") else { return nil }
        return TransientServices(
            environment: options.environment, folder: String(socket[..<slash]))
    }

    private static func configuration(_ options: ServeOptions) throws -> BrokerConfiguration {
        JSONDocument.seedHashing()
        var configuration = BrokerConfiguration()
        configuration.isTestMode = options.isTestMode
        if let file = options.configurationFile {
            let text = try HostFile.read(file, bytesMax: 1 << 20)
            do throws(ConfigurationError) {
                try configuration.merge(text)
            } catch {
                throw ConfigurationError("\(file): \(error)")
            }
        }
        let room = HostProcess.raiseDescriptorLimit() - 2 * spareDescriptors
        configuration.limits.connections = min(configuration.limits.connections, max(1, room))
        return configuration
    }

    private static func checkPluginFolders(_ options: ServeOptions) throws(SocketError) {
        for folder in options.pluginFolders where !HostFile.isFolder(folder) {
            throw SocketError(.unusable, "--plugin-dir \(folder) is not a folder")
        }
    }

    private static func broker(
        _ folder: String?, _ loader: BrokerLoader
    ) throws(SocketError) -> Broker {
        guard let folder else { return loader.makeFresh() }
        let state = try JournalFolder(folder)
        try BackupFiles.complete(in: folder)
        return try loader.load(from: state)
    }

    /// Returns the state folder; nil if the daemon keeps no journal.
    private static func stateFolder(_ options: ServeOptions) throws(SocketError) -> String? {
        guard options.keepsJournal, !options.isTestMode || options.stateFolder != nil else {
            return nil
        }
        let state = StateFolder(
            option: options.stateFolder, environment: options.environment, uid: HostProcess.userID)
        try PrivateFolder.prepare(
            state.path, isChosen: options.stateFolder != nil, followsLink: true)
        return state.path
    }

    /// Returns the sockets from a service manager, or one of the daemon's own. In test mode, if no
    /// path was given, it is in a temporary folder, which the daemon removes when it stops.
    private static func listen(_ options: ServeOptions) throws(SocketError) -> ([Listener], String?)
    {
        let activated = try Listener.activatedDescriptors(environment: options.environment)
        guard activated.isEmpty else { return (activated.map { Listener(activated: $0) }, nil) }
        if options.isTestMode, options.socket == nil {
            let folder = try HostFile.makeTemporaryFolder(
                prefix: "callbroker-test", environment: options.environment)
            return ([try Listener(path: folder + "/broker.sock")], folder)
        }
        let place = SocketPath(
            option: options.socket, environment: options.environment, uid: HostProcess.userID)
        if let folder = place.privateFolder { try PrivateFolder.prepare(folder) }
        return ([try Listener(path: place.path)], nil)
    }

    // MARK: - The loop

    /// Serves until a signal stops the daemon.
    package func run() {
        announce()
        let log = log
        watch = try? TurnWatch { Self.reportHang($0, to: log) }
        HostProcess.unmapProgram()
        while !isOver { turn() }
        broker.plugins.kill()
        services?.finishSignals()
        groups.close()
        broker.history.flush()
        store.stop()
        disk.stop(withinMS: Self.stopMS)
        logger.info("stopped")
    }

    private var isOver: Bool {
        guard case .leaving(let deadline) = stop else { return false }
        return broker.isIdle || loop.clock.now >= deadline
    }

    private func announce() {
        for listener in listeners where announces {
            log.write("listening on \(listener.path)\n")
        }
        notifyReady()
        if notifier.watchdogIntervalMS != nil { nextWatchdog = .now() }
    }

    private func notifyReady() {
        let isNotified = notifier.notify("READY=1")
        nextReady = isNotified ? nil : .now().advanced(milliseconds: Self.readyRetryMS)
    }

    /// Runs one turn: serves first the processes that have used little lately, then those that have
    /// to wait, and what is due; then every connection is written once.
    private func turn() {
        loop.wait(
            until: earliest(
                earliest(broker.nextDeadline, nextWatchdog), earliest(nextReady, stop?.deadline)),
            hostDeadline: broker.settleDeadline)
        beginTurn()
        var isQuiet = true
        loop.dispatch(unless: broker.turn.mustWait) { event in
            isQuiet = false
            if case .signal = event { beginStop() }
            broker.handle(event)
        }
        // What has to wait was read too, or still will be.
        if loop.isBehind { isQuiet = false }
        if loop.isBehind || broker.hasWork { serveWaiting() }
        broker.sessions.handleExits()
        broker.fireTimers(dueBy: loop.pollTime)
        if broker.configuration.isTestMode { advanceTest(isQuiet: isQuiet) }
        if broker.phase == .mustStop, stop == nil { beginStop() }
        continueStopping()
        broker.publishDerived()
        settle()
        feedWatchdog()
        if let nextReady, nextReady <= .now() { notifyReady() }
        endTurn()
    }

    /// Serves processes that have to wait, which share a few milliseconds. The others get their
    /// replies before.
    private func serveWaiting() {
        settle()
        broker.turn.beginWaiting()
        // Before more is read: earlier replies have been sent, as far as the peer reads them.
        broker.frames.resumeBacklog()
        loop.dispatchWaiting(while: { broker.turn.mayRead }) { broker.handle($0) }
    }

    private func settle() {
        // A peer that disconnects while the loop writes causes events: those too are committed
        // first.
        loop.settle(prepare: { commit() }, while: { broker.turn.mayClose }) { broker.handle($0) }
    }

    private func beginTurn() {
        let now = MonotonicTime.now()
        watch?.beginTurn(at: now)
        broker.turn.meter.begin(at: now)
        if turnLimitMS != nil { processorTime = .ofThread() }
        broker.beginTurn(loop.clock)
    }

    private func commit() {
        guard broker.journal.hasEntries else { return }
        // Attributes the time since the part before to sending.
        broker.turn.meter.end(.send, at: .now())
        broker.journal.commit()
        broker.turn.meter.end(.commit, at: .now())
    }

    private func endTurn() {
        let now = MonotonicTime.now()
        broker.turn.meter.end(.send, at: now)
        watch?.endTurn()
        let longest = broker.turn.meter.longestPart
        if let turnLimitMS { checkProcessorTime(longest, turnLimitMS) }
        guard let stall = broker.turn.meter.endTurn(at: now), now >= nextStallLine else { return }
        nextStallLine = now.advanced(milliseconds: Self.stallPauseMS)
        logger.warning(
            "a turn of the loop took \(stall.milliseconds) ms, mostly \(stall.part.name)"
        )
    }

    private func checkProcessorTime(_ longest: TurnPart, _ limitMS: Int) {
        let usedMS = MonotonicTime.ofThread().milliseconds - processorTime.milliseconds
        guard usedMS > Int64(limitMS) else { return }
        logger.critical(
            "a turn of the loop used \(usedMS) ms of processor time, mostly \(longest.name)")
    }

    private static func reportHang(_ stack: [String], to log: LineWriter) {
        log.write("callbroker: one turn of the loop has taken 2 s; its stack:\n")
        let frames = stack.isEmpty ? ["(uninterruptible system call)"] : stack
        for frame in frames { log.write("    \(frame)\n") }
    }

    private func earliest(_ one: MonotonicTime?, _ other: MonotonicTime?) -> MonotonicTime? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }

    /// Moves the clock of a test, which stands while the store is at work, and answers requests
    /// that wait for the broker to settle.
    private func advanceTest(isQuiet: Bool) {
        if isQuiet, broker.isThreadIdle {
            if broker.mayAdvance { loop.clock = .manual(broker.stepAdvance()) }
            broker.answerSettled()
        }
        broker.expireSettleWaits(at: .now())
    }

    /// Notifies the watchdog, from the loop itself, so that a loop that hangs is noticed.
    private func feedWatchdog() {
        guard let due = nextWatchdog, let interval = notifier.watchdogIntervalMS else { return }
        let now = MonotonicTime.now()
        guard now >= due else { return }
        notifier.notify("WATCHDOG=1")
        nextWatchdog = now.advanced(milliseconds: interval)
    }

    /// Begins to stop: accepts no new connections and starts no new requests.
    private func beginStop() {
        guard stop == nil else { return hurry() }
        logger.info("stopping")
        nextReady = nil
        notifier.notify("STOPPING=1")
        for listener in listeners {
            loop.stopAccepting(on: listener)
            listener.shutDown()
        }
        if let temporaryFolder {
            HostFile.remove(temporaryFolder + "/broker.sock.lock")
            HostFile.removeFolder(temporaryFolder)
        }
        // The clock of a test is not moved by requests any more.
        loop.clock = loop.clock.running
        broker.beginTurn(loop.clock)
        broker.beginStop()
        stop = .settling(loop.clock.now.advanced(milliseconds: Self.stopMS))
    }

    /// Stops at once, on the second signal.
    private func hurry() {
        if case .settling = stop { broker.dismissAllPeers() }
        stop = .leaving(.zero)
    }

    private func continueStopping() {
        guard case .settling(let deadline) = stop,
            broker.hasNoActionsInFlight || loop.clock.now >= deadline
        else { return }
        broker.dismissAllPeers()
        stop = .leaving(loop.clock.now.advanced(milliseconds: Self.stopMS))
    }
}
