internal import CLinux
internal import Glibc

/// A file that only grows, and only its owner can read. What was appended outlives the process as soon
/// as the call returns, and the host once `sync` does.
package final class AppendFile {
    /// Where it is, for errors.
    private var path: String
    private let descriptor: Int32
    private var size: Int

    /// A new and empty file, in the place of what was there.
    package init(creating path: String) throws(SocketError) {
        self.path = path
        HostFile.remove(path)
        descriptor = try PlainFile.open(
            path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600, to: "cannot create")
        size = 0
    }

    /// A new one with this in it, which is on the disk: to be renamed to what it is to replace.
    package convenience init(
        writing bytes: [UInt8], to path: String
    ) throws(SocketError) {
        try self.init(creating: path)
        try append(bytes, [])
        try sync()
    }

    /// One that is there, and has so many bytes.
    package init(goingOn path: String, at size: Int) throws(SocketError) {
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

    /// Writes both parts one behind the other, or nothing of them.
    package func append(_ head: [UInt8], _ rest: [UInt8]) throws(SocketError) {
        var done = 0
        let total = head.count + rest.count
        while done < total {
            let count = write(head.dropFirst(done), rest.dropFirst(max(0, done - head.count)))
            if count >= 0 {
                done += count
            } else if errno != EINTR {
                let error = SocketError.system("cannot write to \(path)")
                takeBack()
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

    /// A part that was written would look like damage to who reads the file.
    private func takeBack() {
        guard ftruncate(descriptor, off_t(size)) == 0 else { return }
        lseek(descriptor, off_t(size), SEEK_SET)
    }

    /// Takes the place of what has the new name.
    package func rename(to name: String) throws(SocketError) {
        try HostFile.rename(path, to: name)
        path = name
    }

    package func sync() throws(SocketError) {
        try Self.sync(descriptor, path)
    }

    /// The same for another thread, which waits instead: of all that is appended by then.
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
