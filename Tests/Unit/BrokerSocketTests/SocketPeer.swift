import Glibc

/// The test's end of a connection: plain system calls that never wait.
final class SocketPeer {
    private(set) var descriptor: Int32

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Connects to a listening path; nil if nobody listens.
    init?(connectingTo path: String) {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        if status != 0 {
            close()
            return nil
        }
    }

    deinit {
        close()
    }

    /// Two connected sockets: one for the loop, which does not block, and one for the test.
    static func pair(
        _ type: __socket_type = SOCK_STREAM, sendBufferBytes: Int32? = nil
    ) -> (loops: Int32, tests: SocketPeer) {
        var ends: [Int32] = [-1, -1]
        let flags = SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        socketpair(AF_UNIX, Int32(type.rawValue | flags), 0, &ends)
        if var bytes = sendBufferBytes {
            setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &bytes, 4)
        }
        return (ends[0], SocketPeer(descriptor: ends[1]))
    }

    @discardableResult
    func send(_ text: String) -> Int {
        send(Array(text.utf8))
    }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Int {
        Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// What one read returns: nil if there is nothing yet, empty at the end of the stream.
    func read(upTo count: Int = 1 << 20) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = recv(descriptor, &bytes, count, Int32(MSG_DONTWAIT))
        return got < 0 ? nil : Array(bytes.prefix(got))
    }

    /// Everything there is to read now.
    func readAll() -> [UInt8] {
        var all: [UInt8] = []
        while let part = read(), !part.isEmpty { all += part }
        return all
    }

    func readText() -> String {
        String(decoding: readAll(), as: UTF8.self)
    }

    /// Whether the stream has ended, and nothing is left to read. It may take a moment: a child that
    /// another test is just starting has our descriptors until it runs its own program.
    var isAtEnd: Bool {
        becomesReadable(descriptor) && read() == []
    }

    func endOutput() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    func endInput() {
        shutdown(descriptor, Int32(SHUT_RD))
    }

    /// Shut first, so that the end is seen at once although a child that another test is just
    /// starting still has the descriptor.
    func close() {
        guard descriptor >= 0 else { return }
        shutdown(descriptor, Int32(SHUT_RDWR))
        Glibc.close(descriptor)
        descriptor = -1
    }
}
