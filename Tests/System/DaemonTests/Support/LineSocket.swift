import Glibc

/// A connection that sends bytes and reads lines, and knows nothing of JSON.
final class LineSocket {
    let descriptor: Int32
    private var received: [UInt8] = []
    private var readIndex = 0
    private var isAtEnd = false

    convenience init(_ path: String) throws {
        self.init(try UnixSocket.connected(to: path))
    }

    /// Takes over a connected descriptor.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    deinit {
        close(descriptor)
    }

    /// Sends all of it; the other side has to read in time.
    func send(_ bytes: [UInt8]) throws {
        let deadline = ContinuousClock.now + ceiling
        var sent = 0
        while sent < bytes.count {
            sent += try sendSome(bytes[sent...])
            if sent < bytes.count, !waitFor(POLLOUT, on: descriptor, until: deadline) {
                throw CeilingReached(waitedFor: "room to send")
            }
        }
    }

    /// Sends what the system takes at once; 0 if it takes nothing now.
    func sendSome(_ bytes: ArraySlice<UInt8>) throws -> Int {
        let count = bytes.withUnsafeBytes {
            Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if count < 0, errno != EAGAIN { throw SystemError("send") }
        return max(count, 0)
    }

    func shutdownWriting() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// The next line with its LF taken off; nil at the end of the stream.
    func line() throws -> String? {
        let deadline = ContinuousClock.now + ceiling
        var searched = readIndex
        while true {
            if let end = received[searched...].firstIndex(of: 0x0A) {
                defer { readIndex = end + 1 }
                return String(decoding: received[readIndex..<end], as: UTF8.self)
            }
            searched = received.count
            if isAtEnd {
                guard readIndex < received.count else { return nil }
                defer { readIndex = received.count }
                return String(decoding: received[readIndex...], as: UTF8.self) + "<no LF>"
            }
            guard waitFor(POLLIN, on: descriptor, until: deadline) else {
                throw CeilingReached(waitedFor: "a line")
            }
            searched -= readSome()
        }
    }

    /// Whether the other side has sent nothing and left the connection open, as far as the system
    /// knows now. Only meaningful after something else proved that the daemon is done.
    var isSilent: Bool {
        readSome()
        return readIndex == received.count && !isAtEnd
    }

    /// Reads once, without waiting. Returns by how much older bytes moved towards the front.
    @discardableResult
    func readSome(atMost limit: Int = 262_144) -> Int {
        let moved = readIndex
        received.removeFirst(readIndex)
        readIndex = 0
        let count = withUnsafeTemporaryAllocation(byteCount: limit, alignment: 1) { buffer in
            let count = recv(descriptor, buffer.baseAddress, limit, 0)
            if count > 0 { received.append(contentsOf: buffer[..<count]) }
            return count
        }
        if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { isAtEnd = true }
        return moved
    }
}
