import BrokerSocket
import Glibc

/// An event loop that is turned by hand and writes down what happened. Connections are named by
/// their number, in the order they came.
final class LoopHarness {
    enum Seen: Equatable {
        case opened(Int)
        case received(Int, String)
        case inputEnded(Int)
        case blocked(Int)
        case drained(Int)
        case closed(Int)
        case woken
        case signal(Int32)
        /// By its descriptor.
        case exited(Int32)
        case logged(String)
        case changed
        case descriptorsExhausted
    }

    let loop: EventLoop
    private(set) var connections: [Connection] = []
    /// Who is left for `wait`.
    var mustWait: (Connection) -> Bool = { _ in false }

    init(clock: LoopClock = .monotonic, eventsMax: Int = EventLoop.eventsMax) throws {
        loop = try EventLoop(clock: clock, eventsMax: eventsMax)
    }

    deinit {
        for connection in connections { connection.abort() }
        loop.settle { _ in }
    }

    /// A connection whose other end is the test's.
    ///
    /// - Parameters:
    ///   - least: the least number that the loop's descriptor may have.
    ///   - process: at the other end; nil: this one.
    func connect(
        _ type: __socket_type = SOCK_STREAM, sendBufferBytes: Int32? = nil, least: Int32? = nil,
        process: Int32? = nil
    ) -> (connection: Connection, peer: SocketPeer) {
        var (mine, theirs) = SocketPeer.pair(type, sendBufferBytes: sendBufferBytes)
        if let least {
            let moved = fcntl(mine, F_DUPFD_CLOEXEC, least)
            close(mine)
            mine = moved
        }
        guard let connection = loop.adopt(mine, of: process) else {
            fatalError("a socket pair has credentials")
        }
        connections.append(connection)
        return (connection, theirs)
    }

    /// One turn of what is there already; it does not wait unless told until when.
    @discardableResult
    func turn(
        until deadline: MonotonicTime? = .zero, _ react: (EventLoop.Event) -> Void = { _ in }
    ) -> [Seen] {
        var seen: [Seen] = []
        loop.wait(until: deadline)
        loop.dispatch(unless: mustWait) { event in
            seen.append(note(event))
            react(event)
        }
        return seen + settle(react)
    }

    /// What is done for those who wait.
    func wait(whileTrue hasTime: () -> Bool) -> [Seen] {
        var seen: [Seen] = []
        loop.dispatchWaiting(while: hasTime) { seen.append(note($0)) }
        return seen + settle()
    }

    /// The end of a turn by itself.
    @discardableResult
    func settle(_ react: (EventLoop.Event) -> Void = { _ in }) -> [Seen] {
        var seen: [Seen] = []
        loop.settle { event in
            seen.append(note(event))
            react(event)
        }
        return seen
    }

    private func note(_ event: EventLoop.Event) -> Seen {
        switch event {
        case .opened(let connection):
            connections.append(connection)
            return .opened(number(of: connection))
        case .received(let connection, let bytes):
            return .received(number(of: connection), String(decoding: bytes, as: UTF8.self))
        case .inputEnded(let connection): return .inputEnded(number(of: connection))
        case .blocked(let connection): return .blocked(number(of: connection))
        case .drained(let connection): return .drained(number(of: connection))
        case .closed(let connection): return .closed(number(of: connection))
        case .woken: return .woken
        case .signal(let number): return .signal(number)
        case .exited(let process): return .exited(process.descriptor)
        case .logged(_, let bytes): return .logged(String(decoding: bytes, as: UTF8.self))
        case .changed: return .changed
        case .descriptorsExhausted: return .descriptorsExhausted
        }
    }

    private func number(of connection: Connection) -> Int {
        connections.firstIndex { $0 === connection } ?? -1
    }
}

/// How many sockets this process has open.
func openSockets() -> Int {
    TemporaryFolder.names(in: "/proc/self/fd").compactMap { Int32($0) }.count { descriptor in
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }
}

/// Whether a descriptor becomes readable before a test has waited far too long.
func becomesReadable(_ descriptor: Int32, withinMS milliseconds: Int32 = 60_000) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, milliseconds) == 1
}

/// Whether something comes true before a test has waited far too long.
func becomesTrue(_ condition: () -> Bool) -> Bool {
    let end = MonotonicTime.now().advanced(milliseconds: 60_000)
    while !condition() {
        if MonotonicTime.now() > end { return false }
        sched_yield()
    }
    return true
}
