internal import CLinux
internal import Glibc

/// A stream to a program, for code that polls several of them at once.
package final class PolledStream {
    /// The result of a read.
    package enum Input {
        case bytes([UInt8])
        /// No data is available yet.
        case nothing
        case end
    }

    package let descriptor: Int32

    /// Takes ownership of the descriptor.
    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        Glibc.close(descriptor)
    }

    /// Creates both ends of a stream.
    package static func pair() throws(SocketError) -> (PolledStream, PolledStream) {
        var ends: [Int32] = [-1, -1]
        guard linux_stream_pair(&ends) == 0 else { throw .system("cannot create a socket pair") }
        return (PolledStream(ends[0]), PolledStream(ends[1]))
    }

    /// Accepts a pending connection; nil if there is none.
    package static func accepted(from listener: Listener) -> PolledStream? {
        accepted(on: listener.descriptor)
    }

    static func accepted(on listener: Int32) -> PolledStream? {
        let descriptor = linux_accept(listener)
        return descriptor < 0 ? nil : PolledStream(descriptor)
    }

    /// Makes the descriptor blocking, for a program that shares it and expects that.
    package func makeBlocking() {
        _ = fcntl(descriptor, F_SETFL, 0)
    }

    /// Reads the available bytes.
    package func read() -> Input {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        if count > 0 { return .bytes(Array(chunk[..<count])) }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .end
    }

    /// Writes, and returns the number of bytes taken; nil if the stream is broken.
    package func write(_ bytes: ArraySlice<UInt8>) -> Int? {
        let count = bytes.withUnsafeBytes {
            send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EINTR ? 0 : nil
    }

    /// Indicates that the other end has read everything written.
    package var isRead: Bool {
        var count: Int32 = 0
        return ioctl(descriptor, UInt(TIOCOUTQ), &count) != 0 || count == 0
    }

    /// Shuts down the writing side.
    package func endOutput() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Shuts down both sides.
    package func shutDown() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Waits until one of the descriptors is readable, up to that many milliseconds.
    package static func wait(for descriptors: [Int32], milliseconds: Int) {
        var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        poll(&entries, nfds_t(entries.count), Int32(clamping: milliseconds))
    }
}
