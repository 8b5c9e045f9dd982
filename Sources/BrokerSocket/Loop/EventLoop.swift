internal import CLinux
internal import Glibc

/// One thread's epoll loop: it accepts, reads, writes and closes; what the bytes mean is the
/// owner's business.
///
/// The owner goes round in turns: `wait` for something to happen, `dispatch` it, and `settle`: write
/// each connection that got something to send exactly once, and close what is to be closed. Descriptors
/// are only closed there, so a number cannot be used again while events still name it.
///
/// Connections that the owner does not want to come first wait in a queue, across turns if need be:
/// `dispatchWaiting` goes on with them, one process after the other, as long as there is time.
///
/// The loop belongs to the thread that runs it; only `Wakeup` may be touched from others.
package final class EventLoop {
    package enum Event {
        case opened(Connection)
        /// Bytes that were read; valid during the call only.
        case received(Connection, UnsafeBufferPointer<UInt8>)
        /// The peer shut its writing side, or is gone.
        case inputEnded(Connection)
        /// The peer did not take all of its queue; the rest waits until it reads.
        case blocked(Connection)
        /// A peer that did not read does so again, or never will.
        case drained(Connection)
        /// The connection is closed; its slot will be used again.
        case closed(Connection)
        /// Another thread called `Wakeup.signal`.
        case woken
        case signal(Int32)
        /// A process that was watched has exited.
        case exited(ProcessWatch)
        /// What a child wrote; valid during the call only.
        case logged(LogPipe, UnsafeBufferPointer<UInt8>)
        /// Something that is watched has changed: names of files in a folder.
        case changed(FolderWatch)
        /// No descriptor is free for a connection that waits. Accepting pauses for a moment.
        case descriptorsExhausted

        /// The connection whose event it is.
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
        /// What its process had sent comes first.
        case exit(ProcessWatch)
    }

    /// Spare buffers keep so much: enough for one event to each of a thousand connections.
    private static let spareBytesMax = 2_097_152
    /// What one read takes at most.
    private static let readBytes = 65_536
    /// What one wait finds at most. One that has more to say than it may keeps its place in the kernel's
    /// list: whoever is behind so many of them would have to wait for several turns.
    package static let eventsMax = 16_384
    /// Accepted per turn at most, so that a storm of connections does not starve those we have.
    private static let acceptsPerTurn = 64
    /// More than so many that wait would be found in each turn again, at 0.6 us each (measured).
    package static let foundAgainMax = 256
    /// How long accepting pauses when no descriptor is free.
    private static let acceptPauseMS = 100

    package var clock: LoopClock
    /// When this turn began to look for events: what was readable before is handled by the time
    /// the turn ends. A deadline up to this instant may fire.
    package private(set) var pollTime: MonotonicTime
    package private(set) var connectionCount = 0

    private let epoll: Int32
    private var sources: [Source?] = []
    private var flushing: [Connection] = []
    private var beingFlushed: [Connection] = []
    private var closing = FIFO<Connection>()
    /// Descriptors that are watched no more.
    private var forgotten: [Int32] = []
    private var listeners: [Int32] = []
    private var acceptAgain: MonotonicTime?
    /// What the last wait has found and nobody has been handed yet.
    package private(set) var readyCount = 0
    private var waiting = FairQueue<Waiting>()
    private var spareBuffers: [[UInt8]] = []
    private var spareBytes = 0
    private let events: UnsafeMutableBufferPointer<epoll_event>
    private let input = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: readBytes)

    package init(
        clock: LoopClock = .monotonic, eventsMax: Int = EventLoop.eventsMax
    ) throws(SocketError) {
        self.clock = clock
        events = .allocate(capacity: eventsMax)
        pollTime = clock.now
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw .system("cannot make an epoll descriptor") }
    }

    deinit {
        close(epoll)
        events.deallocate()
        input.deallocate()
    }

    // MARK: - Sources

    /// Accepts connections on a listening descriptor, which stays its owner's.
    package func accept(on listener: Listener) throws(SocketError) {
        try add(.listener, listener.descriptor)
        listeners.append(listener.descriptor)
    }

    /// Accepts no more on this listener; its owner closes it afterwards.
    package func stopAccepting(on listener: Listener) {
        watch(listener.descriptor, events: 0, operation: EPOLL_CTL_DEL)
        sources[Int(listener.descriptor)] = nil
        listeners.removeAll { $0 == listener.descriptor }
    }

    package func watch(_ wakeup: Wakeup) throws(SocketError) {
        try add(.wakeup(wakeup), wakeup.descriptor)
    }

    /// Blocks these signals for the process and delivers them as events instead. Call it before a
    /// second thread exists.
    package func watch(signals: [Int32]) throws(SocketError) {
        var set = sigset_t()
        sigemptyset(&set)
        for number in signals { sigaddset(&set, number) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let descriptor = linux_signalfd(&set)
        guard descriptor >= 0 else { throw .system("cannot make a signalfd") }
        try add(.signals, descriptor)
    }

    /// Takes the descriptor over; nil if the kernel has no room for one more.
    func watch(process pid: Int32, _ descriptor: Int32) -> ProcessWatch? {
        let process = ProcessWatch(pid, descriptor: descriptor, loop: self)
        do throws(SocketError) { try add(.process(process), descriptor) } catch {
            close(descriptor)
            return nil
        }
        return process
    }

    /// Takes the descriptor of a pipe over.
    func watch(_ log: LogPipe) throws(SocketError) {
        try add(.log(log), log.descriptor)
    }

    /// Takes the descriptor over.
    func watch(_ folder: FolderWatch) throws(SocketError) {
        try add(.folder(folder), folder.descriptor)
    }

    /// Watches a descriptor no more, and closes it at the end of the turn.
    func forget(_ descriptor: Int32) {
        watch(descriptor, events: 0, operation: EPOLL_CTL_DEL)
        sources[Int(descriptor)] = nil
        forgotten.append(descriptor)
    }

    /// Takes over a connected socket as if it had been accepted.
    ///
    /// - Parameter process: at the other end, of a pair that we have made ourselves.
    @discardableResult
    package func adopt(_ descriptor: Int32, of process: Int32? = nil) -> Connection? {
        guard var credentials = PeerCredentials(of: descriptor) else {
            close(descriptor)
            return nil
        }
        if let process {
            credentials = PeerCredentials(pid: process, uid: credentials.uid, gid: credentials.gid)
        }
        let connection = Connection(descriptor: descriptor, credentials: credentials, loop: self)
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

    /// False if the kernel refuses, for lack of memory or of watches.
    @discardableResult
    func watch(_ descriptor: Int32, events: UInt32, operation: Int32) -> Bool {
        var event = epoll_event()
        event.events = events
        event.data.fd = descriptor
        return epoll_ctl(epoll, operation, descriptor, &event) == 0
    }

    // MARK: - A turn

    /// Waits for events until `deadline` (nil: for ever; one that has passed: not at all).
    ///
    /// - Parameter hostDeadline: another one, of the host's own clock, which goes on while that of a
    ///   test stands.
    package func wait(until deadline: MonotonicTime?, hostDeadline: MonotonicTime? = nil) {
        pollTime = clock.now
        let count = epoll_wait(
            epoll, events.baseAddress, Int32(events.count),
            milliseconds(until: deadline, hostDeadline))
        readyCount = max(0, Int(count))
        resumeAccepting()
    }

    /// Something waits that the next `wait` does not have to wait for.
    package var isBehind: Bool {
        !waiting.isEmpty || !closing.isEmpty
    }

    /// Hands every event that the wait found to `handle`; reads each readable connection once.
    ///
    /// - Parameter mustWait: connections that are left for `dispatchWaiting`.
    package func dispatch(
        unless mustWait: (Connection) -> Bool = { _ in false }, _ handle: (Event) -> Void
    ) {
        for index in 0..<readyCount {
            dispatch(Int(events[index].data.fd), events[index].events, mustWait, handle)
        }
        readyCount = 0
    }

    /// Goes on with the connections that wait: with one of them, and with more while there is time.
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

    /// Writes and closes what is due, until nothing is. What is handled on the way may lead to more.
    ///
    /// - Parameters:
    ///   - prepare: called before anything is written, and at the end.
    ///   - hasTime: whether more than one connection may be closed; the rest is, the next time.
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
        for descriptor in forgotten { close(descriptor) }
        forgotten.removeAll(keepingCapacity: true)
    }

    private func flush(_ handle: (Event) -> Void) {
        // What is sent meanwhile waits for the next time: it is not prepared yet.
        swap(&flushing, &beingFlushed)
        for connection in beingFlushed {
            let wasBlocked = connection.isBlocked
            connection.flush()
            if connection.isBlocked {
                handle(.blocked(connection))
            } else if wasBlocked {
                handle(.drained(connection))
            }
        }
        beingFlushed.removeAll(keepingCapacity: true)
    }

    private func release(_ connection: Connection, _ handle: (Event) -> Void) {
        sources[connection.slot] = nil
        close(Int32(connection.slot))
        connectionCount -= 1
        handle(.closed(connection))
    }

    /// Milliseconds as epoll wants them; -1 is for ever.
    private func milliseconds(
        until deadline: MonotonicTime?, _ hostDeadline: MonotonicTime?
    ) -> Int32 {
        if isBehind { return 0 }
        var wait = deadline.flatMap { clock.milliseconds(from: pollTime, until: $0) }
        for time in [acceptAgain, hostDeadline] {
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
        // What a process does stays in its order, over all its connections.
        case .connection(let connection)
        where waiting.holds(anythingOf: connection.credentials.pid) || mustWait(connection):
            connection.ready = ready
            waiting.append(.connection(connection), of: connection.credentials.pid)
            if waiting.count > Self.foundAgainMax { connection.watchForChangesOnly() }
        case .connection(let connection): dispatch(connection, ready, handle)
        case .listener: acceptWaiting(Int32(descriptor), handle)
        case .wakeup(let wakeup):
            wakeup.reset()
            handle(.woken)
        case .signals: readSignals(Int32(descriptor), handle)
        case .process(let process) where !waiting.holds(anythingOf: process.pid):
            handle(.exited(process))
        case .process(let process):
            if !process.isWaiting { waiting.append(.exit(process), of: process.pid) }
            process.isWaiting = true
        case .log(let log): log.read(into: input) { handle(.logged(log, $0)) }
        case .folder(let folder):
            folder.reset()
            handle(.changed(folder))
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
            connection.noteEndOfInput()
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

    /// A listener with a connection that cannot be accepted is readable for ever: without a pause
    /// the loop would spin.
    private func pauseAccepting() {
        acceptAgain = MonotonicTime.now().advanced(milliseconds: Self.acceptPauseMS)
        for listener in listeners { watch(listener, events: 0, operation: EPOLL_CTL_MOD) }
    }

    private func resumeAccepting() {
        guard let due = acceptAgain, MonotonicTime.now() >= due else { return }
        acceptAgain = nil
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

    /// Buffers go round among the connections that have something to send.
    func takeSpareBuffer() -> [UInt8] {
        guard let buffer = spareBuffers.popLast() else { return [] }
        spareBytes -= buffer.capacity
        return buffer
    }

    func giveBack(buffer: inout [UInt8]) {
        if spareBytes + buffer.capacity <= Self.spareBytesMax {
            buffer.removeAll(keepingCapacity: true)
            spareBytes += buffer.capacity
            spareBuffers.append(buffer)
        }
        buffer = []
    }
}
