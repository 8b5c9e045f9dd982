internal import BrokerJSON
package import BrokerSocket
internal import CallJournal
internal import CallPlugins
internal import CallProtocol
internal import CallStore
package import Logging

/// The process: sockets, signals, the service manager, and the loop that turns around the broker.
package final class Daemon {
    /// Descriptors kept free of connections: for files, pipes and the accept that says no.
    private static let spareDescriptors = 16
    /// How long what is under way gets when we stop, and clients to read their goodbye.
    private static let stopMS = 2_000
    private static let readyAgainMS = 100
    /// How long no other stall is logged after one: `broker.stats` counts them all.
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
    private var pluginFolders: FolderWatch?
    private var stop: Stop?
    /// Watches while the loop runs; nil if there is no thread for it.
    private var watch: TurnWatch?
    private var nextStallLine = MonotonicTime.zero
    /// The processor time of the loop's thread when this turn began, where that is measured.
    private var processorTime = MonotonicTime.zero
    private let turnLimitMS: Int?
    private var nextWatchdog: MonotonicTime?
    /// When to tell the service manager once more that we are ready: it waits for that.
    private var nextReady: MonotonicTime?

    /// How far we are with stopping.
    private enum Stop {
        /// Until then for what is under way.
        case settling(MonotonicTime)
        /// Until then for reading the goodbye.
        case leaving(MonotonicTime)

        var deadline: MonotonicTime {
            switch self {
            case .settling(let deadline), .leaving(let deadline): deadline
            }
        }
    }

    /// Gets everything that can fail out of the way: afterwards the daemon is ready to serve.
    ///
    /// - Parameter log: where lines go that are told to people as they are.
    package init(_ options: ServeOptions, logger: Logger, _ log: LineWriter) throws {
        self.logger = logger
        self.log = log
        announces = options.announces
        self.options = options
        turnLimitMS = options.turnLimitMS
        HostProcess.ignoreBrokenPipes()
        HostProcess.giveBackLargeBuffers()
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
            let heir = try Heir(
                configuration, clock: loop.clock, store, wakes: wakeup, logger)
            broker = try Self.broker(folder, heir)
            disk = try DiskThread(wakes: wakeup)
            broker.journal.attach(disk)
        } catch {
            for listener in listeners { listener.shutDown() }
            throw error
        }
        loop.clock = broker.clock.loopClock
        notifier = ServiceNotifier(environment: options.environment)
        if options.explains {
            broker.trace.tellDecision = { log.write($0 + "\n") }
        }
        beginPlugins()
    }

    /// Makes room for as many connections as there may be: no caller waits for it when they come. Call it
    /// before there is a second thread.
    package static func reserveDescriptors() {
        HostProcess.reserveDescriptors(BrokerLimits().connections + 2 * spareDescriptors)
    }

    // MARK: - Plugins

    /// In test mode there are those of the test, and no others.
    private func beginPlugins() {
        let standard =
            options.isTestMode ? [] : PluginFolders.standard(environment: options.environment)
        // Plugins work in folders of their own: what they are told must be true there.
        let folders = standard + options.pluginFolders.map(HostProcess.absolute)
        let socket = listeners.first.map { HostProcess.absolute($0.path) } ?? ""
        let store = ChoicesFile(options)
        let (loop, groups) = (loop, groups)
        pluginFolders = try? FolderWatch(folders, on: loop)
        broker.beginTurn(loop.clock)
        broker.plugins.begin(
            PluginHost(
                environment: options.environment, socket: socket,
                spawn: { settings throws(SocketError) in try loop.spawn(settings, in: groups) },
                readManifests: { ManifestFolders(folders, read: Self.manifest).next },
                isProgram: HostFile.isProgram,
                keep: { [disk] bytes, then in
                    disk.submit({ () throws(SocketError) in try store.write(bytes) }, then: then)
                },
                keepAside: { () throws(SocketError) in try store.keepAside() }),
            choices: Result { () throws(SocketError) in try store.read() })
    }

    private static func manifest(_ path: String) -> PluginCatalogue.File {
        do throws(SocketError) {
            let text = try HostFile.read(path, bytesMax: PluginCatalogue.bytesMax)
            return PluginCatalogue.File(path, text)
        } catch {
            return PluginCatalogue.File(path, fault: error.description)
        }
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
        _ folder: String?, _ heir: Heir
    ) throws(SocketError) -> Broker {
        guard let folder else { return heir.startAnew() }
        return try heir.takeOver(try JournalFolder(folder))
    }

    /// Nil if nothing is to be kept.
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

    /// The sockets that a service manager gave us, or one of our own. In test mode, where nobody
    /// chose a path, it lies in a folder that goes away with us.
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

    /// Serves until a signal says stop.
    package func run() {
        announce()
        let log = log
        watch = try? TurnWatch { Self.reportHang($0, to: log) }
        HostProcess.unmapProgram()
        while !isOver { turn() }
        broker.plugins.kill()
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
        tellReady()
        if notifier.watchdogIntervalMS != nil { nextWatchdog = .now() }
    }

    private func tellReady() {
        let isTold = notifier.notify("READY=1")
        nextReady = isTold ? nil : .now().advanced(milliseconds: Self.readyAgainMS)
    }

    /// One turn: who is to be served first, who has to wait, what is due; then every connection is
    /// written once.
    private func turn() {
        loop.wait(
            until: earliest(broker.nextDeadline, nextWatchdog, nextReady, stop?.deadline),
            hostDeadline: broker.settleDeadline)
        beginTurn()
        var isQuiet = !loop.isBehind
        loop.dispatch(unless: broker.turn.mustWait) { event in
            isQuiet = false
            if case .signal = event { beginStop() }
            broker.handle(event)
        }
        if loop.isBehind || broker.hasWork { serveWaiting() }
        broker.sessions.settleExits()
        broker.fireTimers(dueBy: loop.pollTime)
        // The clock of a test stands while the store is at work.
        if isQuiet, broker.isStoreIdle { moveTestClock() }
        if broker.configuration.isTestMode { broker.giveUpSettling(at: .now()) }
        if broker.phase == .mustStop, stop == nil { beginStop() }
        goOnStopping()
        broker.tellAllowed()
        settle()
        feedWatchdog()
        if let nextReady, nextReady <= .now() { tellReady() }
        endTurn()
    }

    /// Those who wait share a few milliseconds. Whoever did not have to has its replies before.
    private func serveWaiting() {
        settle()
        broker.turn.beginWaiting()
        // Before more is read: what was asked for has been sent, as far as its peer takes it.
        broker.frames.resumeBacklog()
        loop.dispatchWaiting(while: { broker.turn.mayRead }) { broker.handle($0) }
    }

    private func settle() {
        // Who goes while we write is told of to others: that too is kept first.
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
        // What was sent since the time before, if anything was.
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
            "a turn of the loop took \(stall.milliseconds) ms, mostly \(stall.part.name): everybody waited"
        )
    }

    private func checkProcessorTime(_ longest: TurnPart, _ limitMS: Int) {
        let usedMS = MonotonicTime.ofThread().milliseconds - processorTime.milliseconds
        guard usedMS > Int64(limitMS) else { return }
        logger.critical(
            "a turn of the loop used \(usedMS) ms of processor time, mostly \(longest.name)")
    }

    private static func reportHang(_ stack: [String], to log: LineWriter) {
        log.write("callbroker: one turn of the loop has taken 2 s; it is at\n")
        let frames = stack.isEmpty ? ["a place in the kernel that cannot be interrupted"] : stack
        for frame in frames { log.write("    \(frame)\n") }
    }

    private func earliest(_ deadlines: MonotonicTime?...) -> MonotonicTime? {
        deadlines.compactMap { $0 }.min()
    }

    private func moveTestClock() {
        if broker.mayAdvance { loop.clock = .manual(broker.stepAdvance()) }
        broker.answerSettled()
    }

    /// From the loop itself, so that a loop that hangs is noticed.
    private func feedWatchdog() {
        guard let due = nextWatchdog, let interval = notifier.watchdogIntervalMS else { return }
        let now = MonotonicTime.now()
        guard now >= due else { return }
        notifier.notify("WATCHDOG=1")
        nextWatchdog = now.advanced(milliseconds: interval)
    }

    /// Takes no new connections and begins nothing new.
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
        // Nobody moves the clock of a test any more.
        loop.clock = loop.clock.running
        broker.beginTurn(loop.clock)
        broker.beginStop()
        stop = .settling(loop.clock.now.advanced(milliseconds: Self.stopMS))
    }

    /// The second signal waits for nobody.
    private func hurry() {
        if case .settling = stop { broker.sayGoodbye() }
        stop = .leaving(.zero)
    }

    private func goOnStopping() {
        guard case .settling(let deadline) = stop, broker.isSettled || loop.clock.now >= deadline
        else { return }
        broker.sayGoodbye()
        stop = .leaving(loop.clock.now.advanced(milliseconds: Self.stopMS))
    }
}
