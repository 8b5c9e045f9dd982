internal import CLinux
internal import Glibc

/// Functions that open regular files only, without blocking: a named pipe waits for its other end,
/// and a device may have no end.
enum PlainFile {
    /// Opens a file. The caller closes the descriptor.
    ///
    /// - Parameter purpose: The beginning of an error, up to the path.
    static func open(
        _ path: String, _ flags: Int32, mode: mode_t = 0, to purpose: String = "cannot open"
    ) throws(SocketError) -> Int32 {
        let descriptor = Glibc.open(path, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, mode)
        let number = errno
        var status = stat()
        let isKnown =
            if descriptor >= 0 {
                fstat(descriptor, &status) == 0
            } else {
                (flags & O_NOFOLLOW != 0 ? lstat(path, &status) : stat(path, &status)) == 0
            }
        if isKnown, let fault = fault(status.st_mode, path) {
            if descriptor >= 0 { close(descriptor) }
            throw fault
        }
        guard descriptor >= 0 else { throw .system("\(purpose) \(path)", number) }
        return descriptor
    }

    /// Throws if there is something at the path that is not a file. For files that a library opens.
    static func check(_ path: String) throws(SocketError) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        if let fault = fault(status.st_mode, path) { throw fault }
    }

    /// Reads the whole file, even if its reported size is wrong: files in /proc report none.
    static func bytes(
        of descriptor: Int32, _ path: String, bytesMax: Int
    ) throws(SocketError) -> [UInt8] {
        var status = stat()
        let size = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
        var (bytes, count) = ([UInt8](repeating: 0, count: min(size, bytesMax) + 1), 0)
        while count <= bytesMax, size <= bytesMax {
            if count == bytes.count {
                let more = min(max(count, 1 << 16), bytesMax + 1 - count)
                bytes += [UInt8](repeating: 0, count: more)
            }
            let part = bytes[count...].withUnsafeMutableBytes {
                read(descriptor, $0.baseAddress, $0.count)
            }
            if part < 0, errno == EINTR { continue }
            if part < 0 { throw .system("cannot read \(path)") }
            if part == 0 {
                bytes.removeLast(bytes.count - count)
                return bytes
            }
            count += part
        }
        throw SocketError(.unusable, "\(path) has more than \(bytesMax) bytes")
    }

    private static func fault(_ mode: mode_t, _ path: String) -> SocketError? {
        let kind =
            switch mode & S_IFMT {
            case S_IFREG: ""
            case S_IFIFO: "a named pipe"
            case S_IFDIR: "a folder"
            case S_IFLNK: "a link"
            case S_IFSOCK: "a socket"
            default: "a device"
            }
        guard !kind.isEmpty else { return nil }
        return SocketError(.unusable, "\(path) is \(kind), not a file: move it away")
    }
}
