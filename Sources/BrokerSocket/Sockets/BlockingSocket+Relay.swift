internal import Glibc

/// Relaying of standard input and output.
extension BlockingSocket {
    /// Copies both ways until the broker closes. The end of standard input is passed on.
    ///
    /// - Parameter shown: Transforms the broker's bytes for standard output.
    package func relayStandardStreams(
        showing shown: ([UInt8]) -> [UInt8] = { $0 }
    ) throws(SocketError) {
        var entries = [
            pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            if poll(&entries, 2, -1) < 0 {
                if errno == EINTR { continue }
                throw .system("cannot wait")
            }
            if entries[1].revents != 0, try !copy(from: descriptor, to: STDOUT_FILENO, shown) {
                return
            }
            if entries[0].revents != 0, try !copy(from: STDIN_FILENO, to: descriptor) {
                endOutput()
                // `poll` ignores a negative descriptor.
                entries[0].fd = -1
            }
        }
    }

    /// Copies the available bytes; returns false at the end.
    private func copy(
        from source: Int32, to sink: Int32, _ shown: ([UInt8]) -> [UInt8] = { $0 }
    ) throws(SocketError) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = read(source, &chunk, chunk.count)
        guard count > 0 else {
            guard count < 0 else { return false }
            if errno == EINTR || errno == EAGAIN { return true }
            if errno == ECONNRESET || errno == EIO { return false }
            throw .system("cannot read")
        }
        try write(shown(Array(chunk[..<count]))[...], to: sink)
        return true
    }

    private func write(_ bytes: ArraySlice<UInt8>, to sink: Int32) throws(SocketError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(sink, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var entry = pollfd(fd: sink, events: Int16(POLLOUT), revents: 0)
                poll(&entry, 1, -1)
            } else if errno != EINTR {
                throw .system("cannot write")
            }
        }
    }
}
