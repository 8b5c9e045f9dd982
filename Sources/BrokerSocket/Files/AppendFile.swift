internal import CLinux
internal import Glibc

/// An append-only file that only its owner can read. Appended bytes survive the process once the
/// call has returned, and the host once `sync` has.
package final class AppendFile {
    /// An open file that goes from one thread to another.
    package struct Handle: Sendable {
        fileprivate let path: String
        fileprivate let descriptor: Int32
        fileprivate let size: Int
        fileprivate let room: MappedRoom?

        /// Closes the file. If it has no name any more, its blocks are freed, which can take long.
        package func close() {
            room?.unmap()
            Glibc.close(descriptor)
        }
    }

    /// The bytes that are written at once: in between, other threads can run.
    private static let pieceBytes = 1 << 16

    /// The path, for errors.
    private var path: String
    private let descriptor: Int32
    package private(set) var size: Int
    private var room: MappedRoom?
    private var isHandedOver = false

    /// Creates an empty file, replacing what was at the path.
    package init(creating path: String) throws(SocketError) {
        self.path = path
        HostFile.remove(path)
        descriptor = try PlainFile.open(
            path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600, to: "cannot create")
        size = 0
    }

    /// Creates a file with these contents, synced to the disk: to be renamed to the file that it
    /// replaces.
    ///
    /// - Parameter room: The bytes to make room for behind them.
    package convenience init(
        writing bytes: [UInt8], to path: String, room: Int = 0
    ) throws(SocketError) {
        try self.init(creating: path)
        for start in stride(from: 0, to: bytes.count, by: Self.pieceBytes) {
            try append([], Array(bytes[start...].prefix(Self.pieceBytes)))
            HostThread.yield()
        }
        makeRoom(room)
        try sync()
    }

    /// Opens an existing file, to append to its first bytes; removes those behind them.
    ///
    /// - Parameter room: The bytes to make room for.
    package init(resuming path: String, at size: Int, room: Int = 0) throws(SocketError) {
        self.path = path
        self.size = size
        descriptor = try PlainFile.open(path, O_RDWR | O_NOFOLLOW, to: "cannot write to")
        if ftruncate(descriptor, off_t(size)) != 0 { throw .system("cannot write to \(path)") }
        makeRoom(room)
    }

    /// Continues with a file that another thread has handed over.
    package init(_ handle: Handle) {
        (path, descriptor, size, room) = (handle.path, handle.descriptor, handle.size, handle.room)
    }

    deinit {
        if !isHandedOver { handle.close() }
    }

    private var handle: Handle {
        Handle(path: path, descriptor: descriptor, size: size, room: room)
    }

    /// Returns the file for another thread. This one must not use it any more.
    package func handOver() -> Handle {
        isHandedOver = true
        return handle
    }

    /// Makes room for later bytes, if the file system gives it: their appending is a copy then.
    package func makeRoom(_ bytes: Int) {
        guard bytes > 0 else { return }
        room = MappedRoom(in: descriptor, from: size, bytes: bytes)
        // An allocation that fails may leave a part.
        if room == nil { ftruncate(descriptor, off_t(size)) }
    }

    private func dropRoom() {
        room?.unmap()
        room = nil
    }

    /// Appends both parts, one after the other, or nothing. Of the first one a process that is
    /// killed leaves all or nothing, if it has eight bytes.
    package func append(_ head: [UInt8], _ rest: [UInt8]) throws(SocketError) {
        let total = head.count + rest.count
        if let room, room.hasRoom(for: total, at: size) {
            guard room.store(head, rest, at: size) else {
                throw SocketError(
                    .unusable, "cannot write to \(path): another program has cut it short")
            }
        } else {
            try write(head, rest, at: size)
        }
        size += total
    }

    /// Replaces bytes that were appended.
    package func overwrite(_ bytes: [UInt8], at place: Int) throws(SocketError) {
        try write(bytes, [], at: place)
    }

    private func write(_ head: [UInt8], _ rest: [UInt8], at place: Int) throws(SocketError) {
        var done = 0
        while done < head.count + rest.count {
            let count = write(
                head.dropFirst(done), rest.dropFirst(max(0, done - head.count)), at: place + done)
            if count >= 0 {
                done += count
            } else if errno != EINTR {
                let error = SocketError.system("cannot write to \(path)")
                // A reader would take a partial write for damage.
                dropRoom()
                ftruncate(descriptor, off_t(size))
                throw error
            }
        }
    }

    private func write(_ head: ArraySlice<UInt8>, _ rest: ArraySlice<UInt8>, at place: Int) -> Int {
        head.withUnsafeBytes { head in
            rest.withUnsafeBytes { rest in
                let parts = [head, rest].map {
                    iovec(
                        iov_base: UnsafeMutableRawPointer(mutating: $0.baseAddress),
                        iov_len: $0.count)
                }
                return pwritev(descriptor, parts, 2, off_t(place))
            }
        }
    }

    /// Renames the file, replacing what has the new name.
    package func rename(to name: String) throws(SocketError) {
        try HostFile.rename(path, to: name)
        path = name
    }

    /// Records that another thread has renamed the file.
    package func didRename(to name: String) {
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
