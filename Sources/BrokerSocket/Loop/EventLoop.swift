internal import CLinux
internal import Glibc

/// An epoll loop of one thread. It accepts, reads, writes and closes; the meaning of the bytes is
/// up to its owner.
///
/// The owner runs it in turns: `wait` for events, `dispatch` them, and `settle`: write each
/// connection that has output exactly once, and close what is due. Descriptors are closed only
/// there, so a number cannot be reused while events still refer to it.
///
/// Connections that the owner does not want to serve first are queued, across turns if need be:
/// `dispatchWaiting` serves them one process after the other, as time permits.
///
/// The loop belongs to the thread that runs it; only `Wakeup` may be used from other threads.
package final class EventLoop {
    package enum Event {
        /// A new connection was accepted.
        case opened(Connection)
        /// Bytes were read; valid during the call only.
        case received(Connection, UnsafeBufferPointer<UInt8>)
        /// The peer shut down its writing side, or is gone.
        case inputEnded(Connection)
        /// The peer did not take the whole queue; the rest is sent when it reads again.
        case blocked(Connection)
        /// The peer of a blocked connection reads again, or never will.
        case drained(Connection)
        /// The connection is closed; its slot will be reused.
        case closed(Connection)
        /// Another thread called `Wakeup.signal`.
        case woken
        /// The process received a signal.
        case signal(Int32)
        /// A watched process has exited.
        case exited(ProcessWatch)
        /// A child wrote to its log; valid during the call only.
        case logged(LogPipe, UnsafeBufferPointer<UInt8>)
        /// Names in a watched folder may have changed.
        case changed(FolderWatch)
        /// No descriptor is free for a pending connection. Accepting pauses for a moment.
        case descriptorsExhausted

        /// The connection that the event concerns; nil if there is none.
        package var connection: Connection? {
            switch self {
            case .opened(let one), .received(let one, _), .inputEnded(let one), .blocked(let one),
                .drained(let one), .closed(let one):
                one
            default: nil
            }
        }
    }

    private enum Source {
        case listener
        case wakeup(Wakeup)
        case signals
        case connection(Connection)
        case process(ProcessWatch)
        case log(LogPipe)
        case folder(FolderWatch)
    }

    private enum Waiting {
        case connection(Connection)
        /// An exit that is handled after what the process sent.
        case exit(ProcessWatch)
    }

    /// The maximum capacity of the spare buffers: enough for one event to each of a thousand
    /// connections.
    private static let spareBytesMax = 2_097_152
    /// The maximum number of bytes per read.
    private static let readBytes = 65_536
    /// The maximum number of bytes per write that has several parts.
    private static let writeBytes = 65_536
    /// The maximum number of events per wait. A connection with more to read keeps its place in the
    /// kernel's list, so a connection behind this many events would wait for several turns.
    package static let eventsMax = 16_384
    /// The maximum number of connections accepted per turn, so that a storm of them does not starve
    /// the others.
    private static let acceptsPerTurn = 64
    /// The number of queued connections up to which all of them are watched level-triggered. Beyond
    /// it, finding each again in every turn costs too much: 0.6 us each (measured).
    package static let levelTriggeredMax = 256
    /// The pause of accepting when no descriptor is free.
    private static let acceptPauseMS = 100

    /// The clock that deadlines are measured by.
    package var clock: LoopClock
    /// The time at which this turn began to look for events: whatever was readable before it is
    /// handled by the end of the turn. A deadline up to this time may fire.
    package private(set) var pollTime: MonotonicTime
    /// The number of open connections.
    package private(set) var connectionCount = 0

    private let epoll: Int32
    private var sources: [Source?] = []
    private var flushing = FIFO<Connection>()
    private var closing = FIFO<Connection>()
    /// Descriptors that are no longer watched, to be closed at the end of the turn.
    private var descriptorsToClose: [Int32] = []
    private var listeners: [Int32] = []
    private var acceptResumeTime: MonotonicTime?
    /// The number of events that the last wait found and that are not dispatched yet.
    package private(set) var readyCount = 0
    private var waiting = FairQueue<Waiting>()
    private var spareBuffers: [[UInt8]] = []
    private var spareBytes = 0
    private let events: UnsafeMutableBufferPointer<epoll_event>
    private let input = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: readBytes)
    /// Where the parts of a connection's output are put together for one write.
    let output = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: writeBytes)

    package init(
        clock: LoopClock = .monotonic, eventsMax: Int = EventLoop.eventsMax
    ) throws(SocketError) {
        self.clock = clock
        events = .allocate(capacity: eventsMax)
        pollTime = clock.now
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw .system("cannot create an epoll descriptor") }
    }

    deinit {
        close(epoll)
        events.deallocate()
        input.deallocate()
        output.deallocate()
    }

    // MARK: - Sources

    /// Accepts connections on a listener. The descriptor stays the owner's.
    package func accept(on listener: Listener) throws(SocketError) {
        try add(.listener, listener.descriptor)
        listeners.append(listener.descriptor)
    }

    /// Stops accepting on a listener; its owner closes it afterward.
    package func stopAccepting(on listener: Listener) {
        watch(listener.descriptor, events: 0, operation: EPOLL_CTL_DEL)
        sources[Int(listener.descriptor)] = nil
        listeners.removeAll { $0 == listener.descriptor }
    }

    /// Watches for signals from other threads.
    package func watch(_ wakeup: Wakeup) throws(SocketError) {
        try add(.wakeup(wakeup), wakeup.descriptor)
    }

    /// Blocks these signals for the process and delivers them as events. Call it before a second
    /// thread exists.
    package func watch(signals: [Int32]) throws(SocketError) {
        var set = sigset_t()
        sigemptyset(&set)
        for number in signals { sigaddset(&set, number) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let descriptor = linux_signalfd(&set)
        guard descriptor >= 0 else { throw .system("cannot create a signalfd") }
        try add(.signals, descriptor)
    }

    /// Watches a process by its descriptor, which the loop closes; nil if the kernel refuses
    /// another watch.
    func watch(process pid: Int32, _ descriptor: Int32) -> ProcessWatch? {
        let process = ProcessWatch(pid, descriptor: descriptor, loop: self)
        do throws(SocketError) { try add(.process(process), descriptor) } catch {
            close(descriptor)
            return nil
        }
        return process
    }

    /// Watches a pipe. The loop closes its descriptor.
    func watch(_ log: LogPipe) throws(SocketError) {
        try add(.log(log), log.descriptor)
    }

    /// Watches a set of folders. The loop closes their descriptor.
    func watch(_ folder: FolderWatch) throws(SocketError) {
        try add(.folder(folder), folder.descriptor)
    }

    /// Stops watching a descriptor, and closes it at the end of the turn.
    func stopWatching(_ descriptor: Int32) {
        watch(descriptor, events: 0, operation: EPOLL_CTL_DEL)
        sources[Int(descriptor)] = nil
        descriptorsToClose.append(descriptor)
    }

    /// Adopts a connected socket as if it had been accepted. The loop closes the descriptor.
    ///
    /// - Parameter process: The process at the other end of a socket pair that this process
    ///   created.
    @discardableResult
    package func adopt(_ descriptor: Int32, of process: Int32? = nil) -> Connection? {
        guard var credentials = PeerCredentials(of: descriptor) else {
            close(descriptor)
            return nil
        }
        if let process {
            credentials = PeerCredentials(pid: process, uid: credentials.uid, gid: credentials.gid)
        }
        let connection = Connection(
            descriptor: descriptor, credentials: credentials,
            known: process == nil ? nil : PeerProcess(), loop: self)
        guard connection.register() else {
            close(descriptor)
            return nil
        }
        set(.connection(connection), at: descriptor)
        connectionCount += 1
        return connection
    }

    private func add(_ source: Source, _ descriptor: Int32) throws(SocketError) {
        guard watch(descriptor, events: EPOLLIN.rawValue, operation: EPOLL_CTL_ADD) else {
            throw .system("cannot watch descriptor \(descriptor)")
        }
        set(source, at: descriptor)
    }

    private func set(_ source: Source, at descriptor: Int32) {
        while sources.count <= Int(descriptor) { sources.append(nil) }
        sources[Int(descriptor)] = source
    }

    /// Changes the events that epoll watches; returns false if the kernel refuses, for lack of
    /// memory or of watches.
    @discardableResult
    func watch(_ descriptor: Int32, events: UInt32, operation: Int32) -> Bool {
        var event = epoll_event()
        event.events = events
        event.data.fd = descriptor
        return epoll_ctl(epoll, operation, descriptor, &event) == 0
    }

    // MARK: - A turn

    /// Waits for events until `deadline` (nil: without limit; in the past: not at all).
    ///
    /// - Parameter hostDeadline: A second deadline on the host's own clock, which runs while that
    ///   of a test stands still.
    package func wait(until deadline: MonotonicTime?, hostDeadline: MonotonicTime? = nil) {
        pollTime = clock.now
        let count = epoll_wait(
            epoll, events.baseAddress, Int32(events.count),
            milliseconds(until: deadline, hostDeadline))
        readyCount = max(0, Int(count))
        resumeAccepting()
    }

    /// Indicates that there is work for which the next `wait` returns at once.
    package var isBehind: Bool {
        !waiting.isEmpty || !closing.isEmpty
    }

    /// Passes every event that the wait found to `handle`; reads each readable connection once.
    ///
    /// - Parameter mustWait: Selects the connections to queue for `dispatchWaiting`.
    package func dispatch(
        unless mustWait: (Connection) -> Bool = { _ in false }, _ handle: (Event) -> Void
    ) {
        for index in 0..<readyCount {
            dispatch(Int(events[index].data.fd), events[index].events, mustWait, handle)
        }
        readyCount = 0
    }

    /// Serves the queued connections: one, and more while there is time.
    package func dispatchWaiting(while hasTime: () -> Bool, _ handle: (Event) -> Void) {
        while let next = waiting.popFirst() {
            switch next {
            case .connection(let connection):
                let ready = connection.ready
                connection.ready = 0
                dispatch(connection, ready, handle)
                connection.updateInterest()
            case .exit(let process): handle(.exited(process))
            }
            guard hasTime() else { return }
        }
    }

    /// Writes and closes what is due, until nothing is. Handlers may cause more of it.
    ///
    /// - Parameters:
    ///   - prepare: Called before anything is written, and at the end.
    ///   - hasTime: Returns whether to close more than one connection; the others are closed the
    ///     next time.
    ///   - handle: Receives what writing and closing cause.
    package func settle(
        prepare: () -> Void = {}, while hasTime: () -> Bool = { true }, _ handle: (Event) -> Void
    ) {
        var mayClose = true
        while !flushing.isEmpty || mayClose && !closing.isEmpty {
            prepare()
            flush(handle)
            while mayClose, let connection = closing.popFirst() {
                release(connection, handle)
                mayClose = hasTime()
            }
        }
        prepare()
        for descriptor in descriptorsToClose { close(descriptor) }
        descriptorsToClose.removeAll(keepingCapacity: true)
    }

    private func flush(_ handle: (Event) -> Void) {
        // Output from now on is flushed the next time: it is not prepared yet.
        for _ in 0..<flushing.count {
            guard let connection = flushing.popFirst() else { return }
            let wasBlocked = connection.isBlocked
            connection.flush()
            if connection.isBlocked {
                handle(.blocked(connection))
            } else if wasBlocked {
                handle(.drained(connection))
            }
        }
    }

    private func release(_ connection: Connection, _ handle: (Event) -> Void) {
        sources[connection.slot] = nil
        close(Int32(connection.slot))
        connectionCount -= 1
        handle(.closed(connection))
    }

    /// Returns the wait in milliseconds for epoll; -1 is without limit.
    private func milliseconds(
        until deadline: MonotonicTime?, _ hostDeadline: MonotonicTime?
    ) -> Int32 {
        if isBehind { return 0 }
        var wait = deadline.flatMap { clock.milliseconds(from: pollTime, until: $0) }
        for time in [acceptResumeTime, hostDeadline] {
            guard let time else { continue }
            let pause = LoopClock.monotonic.milliseconds(from: .now(), until: time) ?? 0
            wait = min(pause, wait ?? pause)
        }
        return wait ?? -1
    }

    private func dispatch(
        _ descriptor: Int, _ ready: UInt32, _ mustWait: (Connection) -> Bool,
        _ handle: (Event) -> Void
    ) {
        switch sources[descriptor] {
        case .connection(let connection) where connection.ready != 0: connection.ready |= ready
        // The events of a process stay in order, over all its connections.
        case .connection(let connection)
        where waiting.contains(elementsOf: connection.credentials.pid) || mustWait(connection):
            connection.ready = ready
            waiting.append(.connection(connection), of: connection.credentials.pid)
            if waiting.count > Self.levelTriggeredMax { connection.watchForChangesOnly() }
        case .connection(let connection): dispatch(connection, ready, handle)
        case .listener: acceptWaiting(Int32(descriptor), handle)
        case .wakeup(let wakeup):
            wakeup.reset()
            handle(.woken)
        case .signals: readSignals(Int32(descriptor), handle)
        case .process(let process) where !waiting.contains(elementsOf: process.pid):
            handle(.exited(process))
        case .process(let process):
            if !process.isQueued { waiting.append(.exit(process), of: process.pid) }
            process.isQueued = true
        case .log(let log): log.read(into: input) { handle(.logged(log, $0)) }
        case .folder(let folder):
            if folder.readChanges() { handle(.changed(folder)) }
        case nil: break
        }
    }

    private func dispatch(_ connection: Connection, _ ready: UInt32, _ handle: (Event) -> Void) {
        if ready & EPOLLOUT.rawValue != 0, connection.state != .closed {
            connection.flush()
            handle(.drained(connection))
        }
        if ready & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 {
            connection.discardOutput()
            handle(.drained(connection))
        }
        // Reading may have been paused since the event was found.
        guard ready & EPOLLIN.rawValue != 0, connection.state == .open,
            !connection.isReadingPaused
        else { return }
        read(connection, handle)
    }

    private func read(_ connection: Connection, _ handle: (Event) -> Void) {
        guard let count = connection.read(into: input) else { return }
        if count > 0 {
            handle(.received(connection, UnsafeBufferPointer(rebasing: input[..<count])))
        } else {
            connection.markInputEnded()
            handle(.inputEnded(connection))
            connection.updateInterest()
        }
    }

    private func readSignals(_ descriptor: Int32, _ handle: (Event) -> Void) {
        var info = signalfd_siginfo()
        while Glibc.read(descriptor, &info, MemoryLayout<signalfd_siginfo>.size) > 0 {
            handle(.signal(Int32(info.ssi_signo)))
        }
    }

    // MARK: - Accepting

    private func acceptWaiting(_ listener: Int32, _ handle: (Event) -> Void) {
        for _ in 0..<Self.acceptsPerTurn {
            let descriptor = linux_accept(listener)
            if descriptor >= 0 {
                if let connection = adopt(descriptor) { handle(.opened(connection)) }
            } else if errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS {
                pauseAccepting()
                return handle(.descriptorsExhausted)
            } else if errno != ECONNABORTED, errno != EINTR {
                return
            }
        }
    }

    /// Pauses accepting. A listener with a connection that cannot be accepted stays readable, so
    /// the loop would spin.
    private func pauseAccepting() {
        acceptResumeTime = MonotonicTime.now().advanced(milliseconds: Self.acceptPauseMS)
        for listener in listeners { watch(listener, events: 0, operation: EPOLL_CTL_MOD) }
    }

    private func resumeAccepting() {
        guard let due = acceptResumeTime, MonotonicTime.now() >= due else { return }
        acceptResumeTime = nil
        for listener in listeners {
            watch(listener, events: EPOLLIN.rawValue, operation: EPOLL_CTL_MOD)
        }
    }

    // MARK: - For connections

    func flushLater(_ connection: Connection) {
        flushing.append(connection)
    }

    func closeLater(_ connection: Connection) {
        closing.append(connection)
    }

    /// Returns an empty buffer. Buffers are reused among the connections that have something to
    /// send.
    func spareBuffer() -> [UInt8] {
        guard let buffer = spareBuffers.popLast() else { return [] }
        spareBytes -= buffer.capacity
        return buffer
    }

    func recycle(buffer: inout [UInt8]) {
        if spareBytes + buffer.capacity <= Self.spareBytesMax {
            buffer.removeAll(keepingCapacity: true)
            spareBytes += buffer.capacity
            spareBuffers.append(buffer)
        }
        buffer = []
    }
}
