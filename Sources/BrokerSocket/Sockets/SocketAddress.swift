internal import CLinux
internal import Glibc

/// The address of a Unix socket: a path, or an abstract name written with a leading `@`.
struct SocketAddress {
    /// The maximum length of a path in bytes, without the terminating NUL.
    static let pathBytesMax = 107

    private var storage = sockaddr_un()
    private let length: socklen_t
    /// Indicates an abstract name, which is not a file and has no permissions.
    let isAbstract: Bool

    init(path: String) throws(SocketError) {
        var bytes = Array(path.utf8)
        guard bytes.count <= Self.pathBytesMax else {
            throw SocketError(.longPath(path: path, bytesMax: Self.pathBytesMax))
        }
        guard !bytes.isEmpty, !bytes.contains(0) else {
            throw SocketError(.noPath)
        }
        isAbstract = bytes[0] == UInt8(ascii: "@")
        if isAbstract { bytes[0] = 0 }
        storage.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &storage.sun_path) { $0.copyBytes(from: bytes) }
        let head = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        length = socklen_t(head + bytes.count + (isAbstract ? 0 : 1))
    }

    /// Calls `body` with the address in the form for bind, connect and sendto.
    func withPointer<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafePointer(to: storage) { typed in
            typed.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}
