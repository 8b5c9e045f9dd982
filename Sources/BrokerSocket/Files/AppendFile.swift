internal import CLinux
internal import Glibc

/// An append-only file that only its owner can read. Appended bytes survive the process once the
/// call has returned, and the host once `sync` has.
package final class AppendFile {
    /// The path, for errors.
    private var path: String
    private let descriptor: Int32
    private var size: Int

    /// Creates an empty file, replacing what was at the path.
    package init(creating path: String) throws(SocketError) {
        self.path = path
        HostFile.remove(path)
        descriptor = try PlainFile.open(
            path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600, to: "cannot create")
        size = 0
    }

    /// Creates a file with these contents, synced to the disk: to be renamed to the file that it
    /// replaces.
    package convenience init(
        writing bytes: [UInt8], to path: String
    ) throws(SocketError) {
        try self.init(creating: path)
        try append(bytes, [])
        try sync()
    }

    /// Opens an existing file of that many bytes, to append to it.
    package init(resuming path: String, at size: Int) throws(SocketError) {
        self.path = path
        self.size = size
        descriptor = try PlainFile.open(path, O_WRONLY | O_NOFOLLOW, to: "cannot write to")
        guard lseek(descriptor, off_t(size), SEEK_SET) == size else {
            throw .system("cannot write to \(path)")
        }
    }

    deinit {
        close(descriptor)
    }

    /// Appends both parts, one after the other, or nothing.
    package func append(_ head: [UInt8], _ rest: [UInt8]) throws(SocketError) {
        var done = 0
        let total = head.count + rest.count
        while done < total {
            let count = write(head.dropFirst(done), rest.dropFirst(max(0, done - head.count)))
            if count >= 0 {
                done += count
            } else if errno != EINTR {
                let error = SocketError.system("cannot write to \(path)")
                truncatePartialWrite()
                throw error
            }
        }
        size += total
    }

    private func write(_ head: ArraySlice<UInt8>, _ rest: ArraySlice<UInt8>) -> Int {
        head.withUnsafeBytes { head in
            rest.withUnsafeBytes { rest in
                let parts = [head, rest].map {
                    iovec(
                        iov_base: UnsafeMutableRawPointer(mutating: $0.baseAddress),
                        iov_len: $0.count)
                }
                return writev(descriptor, parts, 2)
            }
        }
    }

    /// Truncates a partial write, which a reader would take for damage.
    private func truncatePartialWrite() {
        guard ftruncate(descriptor, off_t(size)) == 0 else { return }
        lseek(descriptor, off_t(size), SEEK_SET)
    }

    /// Renames the file, replacing what has the new name.
    package func rename(to name: String) throws(SocketError) {
        try HostFile.rename(path, to: name)
        path = name
    }

    /// Waits until everything appended is on the disk.
    package func sync() throws(SocketError) {
        try Self.sync(descriptor, path)
    }

    /// Returns a `sync` to run on another thread. It covers everything that has been appended by
    /// the time it runs.
    package func syncLater() throws(SocketError) -> @Sendable () throws(SocketError) -> Void {
        let (copy, path) = (fcntl(descriptor, F_DUPFD_CLOEXEC, 0), path)
        guard copy >= 0 else { throw .system("cannot sync \(path)") }
        return { () throws(SocketError) in
            defer { close(copy) }
            try Self.sync(copy, path)
        }
    }

    private static func sync(_ descriptor: Int32, _ path: String) throws(SocketError) {
        while fdatasync(descriptor) != 0 {
            guard errno == EINTR else { throw .system("cannot sync \(path)") }
        }
    }
}
