internal import CLinux
internal import Glibc

/// A connection: a descriptor, and the bytes to be sent on it.
///
/// Frames sent within one turn of the loop leave in one write at the end of the turn. Bytes that
/// the peer does not take stay in the queue; the owner watches `queuedBytes` and stops reading from
/// a peer that does not read. An idle connection owns no buffer at all (`OutputQueue`).
///
/// Without a loop a connection is a plain buffer, for brokers in memory: tests and fuzzing.
package final class Connection {
    /// The number of the connection while it is open; small, and reused afterward.
    package let slot: Int
    /// The identity of the peer's process.
    package let credentials: PeerCredentials
    /// The description of the peer's process, where it needs no lookup.
    package let knownProcess: PeerProcess?
    /// The time since the boot at which the connection was opened, in milliseconds.
    private let openedAtMS: Int64

    /// States of a connection.
    package enum State: Sendable {
        /// Open in both directions.
        case open
        /// Not read any more; closes once the queue is empty.
        case draining
        /// Closed; the descriptor closes at the end of this turn.
        case closed
    }

    package private(set) var state = State.open
    /// Indicates that the peer will send no more.
    package private(set) var hasInputEnded = false
    /// Indicates that the owner has paused reading.
    package private(set) var isReadingPaused = false
    /// The number of frames in the queue, including a partly sent one.
    package private(set) var queuedFrames = 0
    /// The number of bytes that the peer has taken so far, as a measure of its progress.
    package private(set) var sentBytes = 0

    private var queue = OutputQueue()
    private let loop: EventLoop?
    private let processInMemory: ProcessWatch?
    /// A handler for each queued frame of a connection without a loop, so that the order between
    /// connections is known.
    package var whenQueued: (() -> Void)?
    private var isQueuedForFlush = false
    /// Indicates that the last write left something in the queue.
    private(set) var isBlocked = false
    /// Indicates that a write failed permanently or the peer is gone: nothing more will be sent.
    package private(set) var isDeaf = false
    /// Indicates that the sending side is shut down once the queue is empty.
    private var hasOutputEnded = false
    /// The events that epoll watches for.
    private var interest: UInt32 = 0
    /// The events found for a queued connection; 0 if it is not queued.
    var ready: UInt32 = 0

    /// Creates a connection in memory.
    ///
    /// - Parameters:
    ///   - slot: The number of the connection.
    ///   - credentials: The identity of the peer's process.
    ///   - process: The process at the other end.
    ///   - known: The description of the process.
    package init(
        inMemory slot: Int, credentials: PeerCredentials = .own, process: ProcessWatch? = nil,
        known: PeerProcess = PeerProcess()
    ) {
        self.slot = slot
        self.credentials = credentials
        knownProcess = known
        openedAtMS = 0
        loop = nil
        processInMemory = process
    }

    /// - Parameter known: The description of a child at the other end.
    init(
        descriptor: Int32, credentials: PeerCredentials, known: PeerProcess?, loop: EventLoop
    ) {
        slot = Int(descriptor)
        self.credentials = credentials
        knownProcess = known
        openedAtMS = MonotonicTime.sinceBoot().milliseconds
        self.loop = loop
        processInMemory = nil
    }

    /// The number of bytes in the queue.
    package var queuedBytes: Int {
        queue.count
    }

    // MARK: - Sending

    /// Queues a whole frame.
    package func send(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard state == .open, !isDeaf, !hasOutputEnded else { return }
        queue.append(bytes, loop)
        queuedFrames += 1
        scheduleFlush()
    }

    /// Queues a whole frame that is sent to many.
    package func send(shared frame: [UInt8]) {
        guard state == .open, !isDeaf, !hasOutputEnded else { return }
        queue.append(shared: frame, loop)
        queuedFrames += 1
        scheduleFlush()
    }

    package func send(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { send($0) }
    }

    /// Takes the output of a connection in memory.
    package func takeSent() -> [UInt8] {
        queuedFrames = 0
        return queue.takeAll()
    }

    private func emptyQueue() {
        queue.removeAll()
        queuedFrames = 0
    }

    private func scheduleFlush() {
        guard let loop else { return whenQueued?() ?? () }
        guard !isQueuedForFlush else { return }
        isQueuedForFlush = true
        loop.flushLater(self)
    }

    /// Writes once.
    func flush() {
        isQueuedForFlush = false
        guard state != .closed else { return }
        if !queue.isEmpty { write() }
        isBlocked = !queue.isEmpty
        if hasOutputEnded, queue.isEmpty { shutdown(Int32(slot), Int32(SHUT_WR)) }
        if state == .draining, queue.isEmpty { abort() }
        updateInterest()
    }

    private func write() {
        let count = queue.isOnePiece ? queue.withHead { put($0) } : putParts()
        if count == queue.count {
            sentBytes += count
            queue.removeAll(loop)
            queuedFrames = 0
        } else if count >= 0 {
            sentBytes += count
            queuedFrames -= queue.removeFirst(count, loop)
        } else if errno != EAGAIN, errno != EINTR, errno != ENOBUFS, errno != ENOMEM {
            // After the lost bytes, a peer that keeps reading would see a gap.
            if errno != EPIPE { shutdown(Int32(slot), Int32(SHUT_RDWR)) }
            discardOutput()
        }
    }

    private func put(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        Glibc.send(Int32(slot), bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Writes the first parts of the queue, as many as fit into one write.
    private func putParts() -> Int {
        guard let loop else { return 0 }
        let count = queue.copy(to: loop.output)
        return put(UnsafeBufferPointer(rebasing: loop.output[..<count]))
    }

    /// Discards the queue, as the peer is gone or does not read. Its input may still be read.
    package func discardOutput() {
        isDeaf = true
        emptyQueue()
        if hasInputEnded || state == .draining { abort() }
    }

    // MARK: - Reading

    /// Pauses or resumes reading; the kernel buffers what the peer sends meanwhile.
    package func pauseReading(_ pause: Bool) {
        guard isReadingPaused != pause else { return }
        isReadingPaused = pause
        updateInterest()
    }

    /// Marks the end of input, and updates the watched events.
    package func endInput() {
        hasInputEnded = true
        updateInterest()
    }

    /// Marks the end of input. The loop updates the watched events after the handler has run: most
    /// connections close in it.
    func markInputEnded() {
        hasInputEnded = true
    }

    /// Reads once into `buffer`; nil if there is nothing to read after all.
    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int? {
        let count = recv(Int32(slot), buffer.baseAddress, buffer.count, 0)
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EINTR ? nil : 0
    }

    /// Updates the watched events to those that can still occur.
    func updateInterest() {
        var wanted: UInt32 = 0
        if state == .open, !hasInputEnded, !isReadingPaused { wanted |= EPOLLIN.rawValue }
        if !queue.isEmpty, !isQueuedForFlush { wanted |= EPOLLOUT.rawValue }
        watch(wanted)
    }

    /// Makes epoll report the pending events once, until `updateInterest`: the connection is
    /// queued, and must not be found again in each turn.
    func watchForChangesOnly() {
        watch(interest | EPOLLET.rawValue)
    }

    private func watch(_ wanted: UInt32) {
        guard wanted != interest, state != .closed, let loop else { return }
        interest = wanted
        // A connection that cannot be watched would never be served again.
        if !loop.watch(Int32(slot), events: wanted, operation: EPOLL_CTL_MOD) { abort() }
    }

    /// Begins to watch the descriptor; returns false if the kernel refuses.
    func register() -> Bool {
        interest = EPOLLIN.rawValue
        return loop?.watch(Int32(slot), events: interest, operation: EPOLL_CTL_ADD) ?? false
    }

    // MARK: - The end

    /// Stops reading, and closes once the queue is sent.
    package func closeAfterSending() {
        guard state == .open else { return }
        state = .draining
        if loop == nil {
            state = .closed
        } else if queue.isEmpty {
            abort()
        } else {
            scheduleFlush()
            updateInterest()
        }
    }

    /// Shuts down the sending side once the queue is sent, and keeps reading.
    package func endOutput() {
        guard state == .open, !hasOutputEnded else { return }
        hasOutputEnded = true
        scheduleFlush()
    }

    /// Closes at the end of this turn; the queue is lost.
    package func abort() {
        guard state != .closed else { return }
        state = .closed
        emptyQueue()
        loop?.closeLater(self)
    }

    /// Returns a reference to the process at the other end, for a lookup.
    func openPeer() -> PeerHandle {
        PeerHandle(
            pid: credentials.pid, openedAtMS: openedAtMS,
            descriptor: credentials.openProcessDescriptor(of: Int32(slot)))
    }

    /// Watches the process at the other end; nil if the kernel cannot.
    package func watchProcess() -> ProcessWatch? {
        guard let loop else { return processInMemory }
        guard let descriptor = credentials.openProcessDescriptor(of: Int32(slot)) else {
            return nil
        }
        return loop.watch(process: credentials.pid, descriptor)
    }
}
