internal import CLinux
internal import Glibc

/// Our end of a stream to one program, for those who look at several and wait for all of them
/// together.
package final class PolledStream {
    package enum Input {
        case bytes([UInt8])
        /// Nothing for the moment.
        case nothing
        case end
    }

    package let descriptor: Int32

    /// Takes the descriptor over.
    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        Glibc.close(descriptor)
    }

    /// Two ends of a new stream.
    package static func pair() throws(SocketError) -> (PolledStream, PolledStream) {
        var ends: [Int32] = [-1, -1]
        guard linux_stream_pair(&ends) == 0 else { throw .system("cannot make a socket pair") }
        return (PolledStream(ends[0]), PolledStream(ends[1]))
    }

    /// A connection that waits; nil if none does.
    package static func accepted(from listener: Listener) -> PolledStream? {
        let descriptor = linux_accept(listener.descriptor)
        return descriptor < 0 ? nil : PolledStream(descriptor)
    }

    /// For a program that must not find the flag set by somebody else.
    package func makeBlocking() {
        _ = fcntl(descriptor, F_SETFL, 0)
    }

    package func read() -> Input {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        if count > 0 { return .bytes(Array(chunk[..<count])) }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .end
    }

    /// How much of it was taken; nil if nobody ever takes anything again.
    package func write(_ bytes: ArraySlice<UInt8>) -> Int? {
        let count = bytes.withUnsafeBytes {
            send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EINTR ? 0 : nil
    }

    /// Whether the other end has read everything that was written.
    package var isRead: Bool {
        var count: Int32 = 0
        return ioctl(descriptor, UInt(TIOCOUTQ), &count) != 0 || count == 0
    }

    /// We say no more.
    package func endOutput() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Neither side says more.
    package func shutDown() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Waits until one of these can be read, for so long at most.
    package static func wait(for descriptors: [Int32], milliseconds: Int) {
        var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        poll(&entries, nfds_t(entries.count), Int32(clamping: milliseconds))
    }
}
