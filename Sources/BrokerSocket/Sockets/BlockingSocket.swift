internal import CLinux
internal import Glibc

/// A client's end of a connection, for programs that send a request and wait for the reply. Every
/// call waits until its deadline at most.
package final class BlockingSocket {
    let descriptor: Int32
    private var received: [UInt8] = []
    /// The number of received bytes that are known to contain no LF.
    private var searched = 0
    /// Indicates one read after the deadline, which is allowed for data that arrived in time.
    private var hasReadAfterDeadline = false

    /// The maximum length of a line: more than a broker ever queues for a client.
    private static let lineBytesMax = 1 << 26

    /// Connects to a listening Unix socket.
    package init(path: String, deadline: MonotonicTime) throws(SocketError) {
        descriptor = try Self.connected(to: path, deadline: deadline)
    }

    /// Connects to a listening Unix socket. The caller closes the descriptor, or lets a loop adopt
    /// it. While the queue of connections is full (EAGAIN), it retries.
    package static func connected(
        to path: String, deadline: MonotonicTime
    ) throws(SocketError) -> Int32 {
        let address = try SocketAddress(path: path)
        let descriptor = linux_stream_socket()
        guard descriptor >= 0 else { throw .system("cannot create a socket") }
        while address.withPointer({ connect(descriptor, $0, $1) }) != 0 {
            let failure = errno
            guard failure == EAGAIN, MonotonicTime.now() < deadline else {
                close(descriptor)
                throw connectError(path, failure)
            }
            poll(nil, 0, 10)
        }
        return descriptor
    }

    deinit {
        close(descriptor)
    }

    private static func connectError(_ path: String, _ number: Int32) -> SocketError {
        let words = SocketError.systemMessage(number)
        switch number {
        case ENOENT, ECONNREFUSED, ENOTDIR:
            return SocketError(.noListener(path: path, reason: words))
        case EAGAIN: return SocketError(.notAccepting(path: path))
        default: return SocketError(.unreachable(path: path, reason: words))
        }
    }

    /// Sends all bytes.
    package func send(_ bytes: [UInt8], deadline: MonotonicTime) throws(SocketError) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                sent += count
            } else if errno == EAGAIN {
                try wait(for: POLLOUT, deadline)
            } else if errno != EINTR {
                throw .system("cannot send to the broker")
            }
        }
    }

    /// Receives the next line without its LF; nil if the broker has closed the connection.
    package func receiveLine(deadline: MonotonicTime) throws(SocketError) -> [UInt8]? {
        while true {
            if let end = received[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                searched = 0
                defer { received.removeSubrange(...end) }
                return Array(received[..<end])
            }
            searched = received.count
            guard searched <= Self.lineBytesMax else {
                throw SocketError(.longLine(bytesMax: Self.lineBytesMax))
            }
            try checkTime(deadline)
            guard try receiveMore(deadline) else { return nil }
        }
    }

    /// Ends the wait for a peer that never ends a line, or keeps sending unrequested lines.
    private func checkTime(_ deadline: MonotonicTime) throws(SocketError) {
        let isLate = MonotonicTime.now() >= deadline
        defer { hasReadAfterDeadline = isLate }
        if isLate, hasReadAfterDeadline { throw Self.timeout }
    }

    /// The received bytes that have not been returned as a line.
    package var rest: [UInt8] {
        received
    }

    /// Shuts down the sending side; the broker replies to open requests and closes.
    package func endOutput() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    private func receiveMore(_ deadline: MonotonicTime) throws(SocketError) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            if count > 0 { received.append(contentsOf: chunk[..<count]) }
            if count >= 0 { return count > 0 }
            if errno == EAGAIN {
                try wait(for: POLLIN, deadline)
            } else if errno == ECONNRESET {
                return false
            } else if errno != EINTR {
                throw .system("cannot read from the broker")
            }
        }
    }

    private static let timeout = SocketError(.noReply)

    private func wait(for event: Int32, _ deadline: MonotonicTime) throws(SocketError) {
        let now = MonotonicTime.now()
        let rest = LoopClock.monotonic.milliseconds(from: now, until: deadline) ?? 0
        var entry = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        if poll(&entry, 1, rest) == 0 {
            throw Self.timeout
        }
    }
}
