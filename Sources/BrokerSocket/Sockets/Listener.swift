internal import CLinux
internal import Glibc

/// A listening Unix socket: bound to a path, or inherited from a service manager.
///
/// Two daemons must never serve one path, and none may take the path of a running one. A lock file
/// beside the socket decides that: only its holder may remove a socket that nobody listens on. The
/// lock ends with its process, however that ends, and the file stays: removing it would let two
/// processes hold "the" lock on two different files.
package struct Listener: Sendable {
    /// The maximum number of connections waiting to be accepted; the kernel reduces it to
    /// `net.core.somaxconn`. Unix sockets do not queue beyond it: a non-blocking connect fails with
    /// EAGAIN.
    package static let backlog: Int32 = 4_096

    package let descriptor: Int32
    package let path: String
    private let lock: FileLock?
    private let identity: FileIdentity?

    private struct FileIdentity: Equatable, Sendable {
        let device: dev_t
        let inode: ino_t

        init?(path: String) {
            var status = stat()
            guard lstat(path, &status) == 0 else { return nil }
            device = status.st_dev
            inode = status.st_ino
        }
    }

    // MARK: - Binding to a path

    /// Binds to `path` with mode 0600: for this user only.
    package init(path: String) throws(SocketError) {
        let address = try SocketAddress(path: path)
        guard !address.isAbstract else {
            throw SocketError(
                .unusable,
                "\(path) is an abstract socket, to which any user can connect: use a path")
        }
        let lock = try FileLock(
            path + ".lock", "\(path) is already served", advice: Self.advice)
        do throws(SocketError) {
            try Self.clearStaleSocket(path, address)
            descriptor = try Self.bindAndListen(path, address)
        } catch {
            lock.release()
            throw error
        }
        self.path = path
        self.lock = lock
        identity = FileIdentity(path: path)
    }

    private static let advice = "choose another path with --socket"

    /// Removes the socket of a dead daemon, recognized by a refused connection.
    private static func clearStaleSocket(
        _ path: String, _ address: SocketAddress
    ) throws(SocketError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw SocketError(.unusable, "\(path) exists and is not a socket: move it away")
        }
        let probe = linux_stream_socket()
        guard probe >= 0 else { throw .system("cannot create a socket") }
        defer { close(probe) }
        guard address.withPointer({ connect(probe, $0, $1) }) != 0, errno == ECONNREFUSED else {
            throw SocketError(
                .inUse, "\(path) is already served: stop it, or \(advice)")
        }
        guard unlink(path) == 0 else { throw .system("cannot remove the stale socket \(path)") }
    }

    private static func bindAndListen(
        _ path: String, _ address: SocketAddress
    ) throws(SocketError) -> Int32 {
        let socket = linux_stream_socket()
        guard socket >= 0 else { throw .system("cannot create a socket") }
        // The file takes its mode from the socket, so it is never open to others; the umask would
        // be that of the whole process.
        guard fchmod(socket, 0o600) == 0, address.withPointer({ bind(socket, $0, $1) }) == 0,
            Glibc.listen(socket, backlog) == 0
        else {
            let failure = errno
            close(socket)
            throw .system("cannot listen on \(path)", failure)
        }
        return socket
    }

    // MARK: - Socket activation

    /// Returns the listening sockets passed by a service manager (sd_listen_fds(3)): none unless
    /// `LISTEN_PID` is the pid of this process.
    package static func activatedDescriptors(
        environment: [String: String]
    ) throws(SocketError) -> Range<Int32> {
        guard environment["LISTEN_PID"].flatMap({ Int32($0) }) == getpid(),
            let count = environment["LISTEN_FDS"].flatMap({ Int32($0) }), count > 0
        else { return 3..<3 }
        guard count <= .max - 3 else {
            throw SocketError(
                .unusable, "LISTEN_FDS is not a valid number of descriptors: \(count)")
        }
        for descriptor in 3..<3 + count { try checkActivated(descriptor) }
        return 3..<3 + count
    }

    private static func checkActivated(_ descriptor: Int32) throws(SocketError) {
        guard option(SO_DOMAIN, of: descriptor) == AF_UNIX,
            option(SO_TYPE, of: descriptor) == Int32(SOCK_STREAM.rawValue),
            option(SO_ACCEPTCONN, of: descriptor) == 1
        else {
            throw SocketError(
                .unusable,
                "descriptor \(descriptor) from socket activation is not a listening "
                    + "Unix stream socket: use ListenStream= with a path")
        }
    }

    private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }

    /// Takes ownership of one of `activatedDescriptors`.
    package init(activated descriptor: Int32) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        path = Self.boundPath(of: descriptor) ?? "descriptor \(descriptor)"
        lock = nil
        identity = nil
    }

    private static func boundPath(of descriptor: Int32) -> String? {
        var address = sockaddr_un()
        var size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &size)
            }
        }
        guard status == 0 else { return nil }
        let bytes = withUnsafeBytes(of: address.sun_path) { $0.prefix { $0 != 0 } }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    // MARK: - The end

    /// Stops listening. A path is removed if it still refers to this socket; an inherited socket
    /// remains open in the service manager.
    package func shutDown() {
        if let identity, FileIdentity(path: path) == identity { unlink(path) }
        close(descriptor)
        lock?.release()
    }
}
