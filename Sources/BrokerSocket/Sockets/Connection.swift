internal import CLinux
internal import Glibc

/// One accepted connection: a descriptor, and the bytes that wait to be sent on it.
///
/// What is sent within one turn of the loop leaves in one write at the end of the turn. What the
/// peer does not take stays in the queue; the owner watches `queuedBytes` and stops reading from a
/// peer that does not read. An idle connection owns no buffer at all, and one whose queue is a frame that
/// many get only refers to it.
///
/// Without a loop a connection is a plain buffer: that is how a broker runs in memory, for tests
/// and fuzzing.
package final class Connection {
    /// Names the connection as long as it is open; small, and used again afterwards.
    package let slot: Int
    package let credentials: PeerCredentials

    /// What becomes of the connection.
    package enum State: Sendable {
        /// Both directions work.
        case open
        /// Nothing more is read; it closes once the queue is empty.
        case draining
        /// The descriptor closes at the end of this turn.
        case closed
    }

    package private(set) var state = State.open
    /// The peer will send no more.
    package private(set) var hasInputEnded = false
    package private(set) var isReadingPaused = false
    /// Frames in the queue, a partly sent one included.
    package private(set) var queuedFrames = 0
    /// All bytes the peer has taken so far: progress, for those who wait for it.
    package private(set) var sentBytes = 0

    private var queue: [UInt8] = []
    /// The queue is one frame that others have in theirs.
    private var isQueueShared = false
    private let loop: EventLoop?
    private let processInMemory: ProcessWatch?
    /// Without a loop: hears of each frame as it is queued, so that the order between connections is known.
    package var whenQueued: (() -> Void)?
    private var isQueuedForFlush = false
    /// The last write left something in the queue.
    private(set) var isBlocked = false
    /// A write has failed for good, or the peer is gone: nothing more will be sent.
    package private(set) var isDeaf = false
    /// Nothing more will be sent; the peer hears the end of the stream behind what is queued.
    private var hasOutputEnded = false
    /// What epoll watches for us.
    private var interest: UInt32 = 0
    /// What epoll has found, while the connection waits for its turn; else 0.
    var ready: UInt32 = 0

    /// A connection in memory.
    /// - Parameter process: at its other end.
    package init(
        inMemory slot: Int, credentials: PeerCredentials = .own, process: ProcessWatch? = nil
    ) {
        self.slot = slot
        self.credentials = credentials
        loop = nil
        processInMemory = process
    }

    init(descriptor: Int32, credentials: PeerCredentials, loop: EventLoop) {
        slot = Int(descriptor)
        self.credentials = credentials
        self.loop = loop
        processInMemory = nil
    }

    package var queuedBytes: Int {
        queue.count
    }

    // MARK: - Sending

    /// Queues one whole frame.
    package func send(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard state == .open, !isDeaf, !hasOutputEnded else { return }
        if queue.isEmpty || isQueueShared { takeOwnBuffer() }
        queue.append(contentsOf: bytes)
        queuedFrames += 1
        scheduleFlush()
    }

    /// Queues one whole frame that others get too: nothing is copied if nothing waits in front of it.
    package func send(shared frame: [UInt8]) {
        guard queue.isEmpty else { return send(frame) }
        guard state == .open, !isDeaf else { return }
        queue = frame
        isQueueShared = true
        queuedFrames += 1
        scheduleFlush()
    }

    private func takeOwnBuffer() {
        let frame = queue
        queue = loop?.takeSpareBuffer() ?? []
        queue.append(contentsOf: frame)
        isQueueShared = false
    }

    package func send(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { send($0) }
    }

    /// Takes what an in-memory connection has sent so far.
    package func takeSent() -> [UInt8] {
        defer { emptyQueue() }
        return queue
    }

    private func emptyQueue() {
        queue = []
        isQueueShared = false
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
        let count = queue.withUnsafeBufferPointer {
            Glibc.send(Int32(slot), $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if count == queue.count {
            sentBytes += count
            if !isQueueShared { loop?.giveBack(buffer: &queue) }
            emptyQueue()
        } else if count >= 0 {
            sentBytes += count
            queuedFrames -= queue.prefix(count).count { $0 == UInt8(ascii: "\n") }
            if isQueueShared { takeOwnBuffer() }
            queue.removeFirst(count)
        } else if errno != EAGAIN, errno != EINTR, errno != ENOBUFS, errno != ENOMEM {
            // A peer that wants to hear more than this would hear it behind a hole.
            if errno != EPIPE { shutdown(Int32(slot), Int32(SHUT_RDWR)) }
            discardOutput()
        }
    }

    /// The peer is gone, or does not read any more. What it says may still be read.
    package func discardOutput() {
        isDeaf = true
        emptyQueue()
        if hasInputEnded || state == .draining { abort() }
    }

    // MARK: - Reading

    /// Stops or goes on reading from this peer; what it sends meanwhile waits in the kernel.
    package func pauseReading(_ pause: Bool) {
        guard isReadingPaused != pause else { return }
        isReadingPaused = pause
        updateInterest()
    }

    /// The peer will send no more.
    package func endInput() {
        hasInputEnded = true
        updateInterest()
    }

    /// The peer has sent its last byte. The loop looks afterwards what is still to be watched: most
    /// connections close now.
    func noteEndOfInput() {
        hasInputEnded = true
    }

    /// Reads once into `buffer`. Nil if there is nothing to read after all.
    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int? {
        let count = recv(Int32(slot), buffer.baseAddress, buffer.count, 0)
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EINTR ? nil : 0
    }

    /// Watches for what can still happen.
    func updateInterest() {
        var wanted: UInt32 = 0
        if state == .open, !hasInputEnded, !isReadingPaused { wanted |= EPOLLIN.rawValue }
        if !queue.isEmpty, !isQueuedForFlush { wanted |= EPOLLOUT.rawValue }
        watch(wanted)
    }

    /// What has been found waits for its turn, and is not found again meanwhile; until `updateInterest`.
    func watchForChangesOnly() {
        watch(interest | EPOLLET.rawValue)
    }

    private func watch(_ wanted: UInt32) {
        guard wanted != interest, state != .closed, let loop else { return }
        interest = wanted
        // One that cannot be watched would never be heard again.
        if !loop.watch(Int32(slot), events: wanted, operation: EPOLL_CTL_MOD) { abort() }
    }

    /// Begins to watch the descriptor. Whether the kernel can.
    func register() -> Bool {
        interest = EPOLLIN.rawValue
        return loop?.watch(Int32(slot), events: interest, operation: EPOLL_CTL_ADD) ?? false
    }

    // MARK: - The end

    /// Reads no more, and closes once everything queued is sent.
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

    /// Sends no more than what is queued, and goes on reading.
    package func endOutput() {
        guard state == .open, !hasOutputEnded else { return }
        hasOutputEnded = true
        scheduleFlush()
    }

    /// Closes at the end of this turn; what is still queued is lost.
    package func abort() {
        guard state != .closed else { return }
        state = .closed
        emptyQueue()
        loop?.closeLater(self)
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
