import Glibc

/// A system call that failed, with the reason the system gave.
struct SystemError: Error, CustomStringConvertible {
    let call: String
    let code: Int32

    init(_ call: String, code: Int32 = errno) {
        self.call = call
        self.code = code
    }

    var description: String {
        "\(call): \(String(cString: strerror(code)))"
    }
}

/// Something the test waited for did not happen before the ceiling.
struct CeilingReached: Error {
    let waitedFor: String
}

/// The longest any single wait may take. No test depends on how long a wait took.
let ceiling = Duration.seconds(60)

/// Waits until a descriptor has one of `events`, at most until `deadline`.
func waitFor(_ events: Int32, on descriptor: Int32, until deadline: ContinuousClock.Instant) -> Bool
{
    var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    while true {
        let left = max(deadline - .now, .zero)
        let milliseconds = left.components.seconds * 1_000 + 1
        let count = poll(&request, 1, Int32(milliseconds))
        if count > 0 { return true }
        if count < 0, errno == EINTR { continue }
        return false
    }
}

/// The few calls on Unix sockets that the suite needs. Every descriptor is closed on exec, so that
/// no other test's child can hold a connection open.
enum UnixSocket {
    static func make(_ type: __socket_type = SOCK_STREAM) throws -> Int32 {
        let flags = Int32(type.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_UNIX, flags, 0)
        guard descriptor >= 0 else { throw SystemError("socket") }
        return descriptor
    }

    static func connected(to path: String) throws -> Int32 {
        let descriptor = try make()
        guard withAddress(path, { connect(descriptor, $0, $1) }) == 0 else {
            let error = SystemError("connect")
            close(descriptor)
            throw error
        }
        return descriptor
    }

    static func bound(to path: String, _ type: __socket_type = SOCK_STREAM) throws -> Int32 {
        let descriptor = try make(type)
        guard withAddress(path, { bind(descriptor, $0, $1) }) == 0 else {
            let error = SystemError("bind")
            close(descriptor)
            throw error
        }
        return descriptor
    }

    static func listening(on path: String) throws -> Int32 {
        let descriptor = try bound(to: path)
        guard listen(descriptor, 64) == 0 else { throw SystemError("listen") }
        return descriptor
    }

    /// Whether a datagram found room.
    static func sends(_ text: String, to path: String) throws -> Bool {
        let descriptor = try make(SOCK_DGRAM)
        defer { close(descriptor) }
        let flags = Int32(MSG_DONTWAIT)
        let count = withAddress(path) {
            Int32(sendto(descriptor, text, text.utf8.count, flags, $0, $1))
        }
        if count < 0, errno != EAGAIN { throw SystemError("sendto") }
        return count >= 0
    }

    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        precondition(path.utf8.count < MemoryLayout.size(ofValue: address.sun_path))
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

/// Runs `body` with the effective user of this thread changed, so that what it connects belongs to
/// that user. The raw call is needed because the library's own changes every thread. Root only.
func asUser<Result>(_ user: uid_t, _ body: () throws -> Result) throws -> Result {
    try ThreadUser.become(user)
    defer { try? ThreadUser.become(0) }
    return try body()
}

private enum ThreadUser {
    typealias Call = @convention(c) (Int, Int, Int, Int) -> Int

    #if arch(x86_64)
        static let setresuid = 117
    #else
        static let setresuid = 147
    #endif

    static func become(_ user: uid_t) throws {
        guard let symbol = dlsym(nil, "syscall") else { throw SystemError("dlsym", code: ENOSYS) }
        let call = unsafeBitCast(symbol, to: Call.self)
        guard call(setresuid, -1, Int(user), -1) == 0 else { throw SystemError("setresuid") }
    }
}

/// The descriptors this process may open, raised as far as it goes when first asked.
let descriptorLimit: Int = {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return Int(limit.rlim_cur)
}()
