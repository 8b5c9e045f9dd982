internal import CLinux
internal import Glibc

/// An exclusive lock of one process. The lock ends with its process, however that ends, and the
/// file stays: removing it would let two processes hold "the" lock on two different files.
package struct FileLock: Sendable {
    private let descriptor: Int32

    /// - Parameters:
    ///   - path: The path of the file.
    ///   - complaint: The error if another process has the lock, up to " by process 7".
    ///   - advice: An alternative to stopping that process.
    package init(_ path: String, _ complaint: String, advice: String) throws(SocketError) {
        try self.init(path) { holder in
            "\(complaint)\(holder.map { " by process \($0)" } ?? ""): stop it, or \(advice)"
        }
    }

    /// - Parameter refusal: Returns the error if another process has the lock; its parameter is
    ///   that process, if it is known.
    package init(_ path: String, refusal: (String?) -> String) throws(SocketError) {
        descriptor = try PlainFile.open(
            path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600, to: "cannot open the lock file")
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            defer { close(descriptor) }
            throw SocketError(.inUse, refusal(Self.holder(of: descriptor)))
        }
        let pid = Array("\(getpid())\n".utf8)
        ftruncate(descriptor, 0)
        pwrite(descriptor, pid, pid.count, 0)
    }

    private static func holder(of descriptor: Int32) -> String? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let digits = bytes.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }
        return digits.isEmpty ? nil : String(decoding: digits, as: UTF8.self)
    }

    /// Releases the lock; another process may take it now.
    package func release() {
        // A child that is being started may keep the descriptor open a moment longer.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
