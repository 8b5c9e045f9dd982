#if canImport(Glibc)
    internal import Glibc
#endif

/// The type, owner and permissions of a file.
struct FilePermissions {
    let isSocket: Bool
    let isSticky: Bool
    let mode: UInt32
    let owner: UInt32

    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        isSocket = status.st_mode & S_IFMT == S_IFSOCK
        isSticky = status.st_mode & 0o1000 != 0
        mode = status.st_mode & 0o777
        owner = status.st_uid
    }

    var octal: String {
        "0" + String(mode, radix: 8)
    }
}
