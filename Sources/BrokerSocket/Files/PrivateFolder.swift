internal import CLinux
internal import Glibc

/// A folder that only its owner can enter, so that what lies in it needs no other protection.
package enum PrivateFolder {
    /// Makes the folder 0700, its missing parents too, or checks that it is one: a real folder, ours,
    /// closed to everybody else.
    ///
    /// - Parameters:
    ///   - isChosen: somebody named this very folder. Then it is enough that nobody else can write to
    ///     it.
    ///   - followsLink: a link of ours may lead to it, as where its owner has moved it to another disk.
    package static func prepare(
        _ path: String, isChosen: Bool = false, followsLink: Bool = false
    ) throws(SocketError) {
        try makeParents(of: path)
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw .system("cannot make folder \(path)") }
        try check(path, closedBits: isChosen ? 0o022 : 0o077, followsLink: followsLink)
    }

    private static func makeParents(of path: String) throws(SocketError) {
        for index in path.indices.dropFirst() where path[index] == "/" {
            let parent = String(path[..<index])
            if mkdir(parent, 0o700) != 0, errno != EEXIST, errno != EROFS, errno != EACCES {
                throw .system("cannot make folder \(parent)")
            }
        }
    }

    private static func check(
        _ path: String, closedBits: mode_t, followsLink: Bool
    ) throws(SocketError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw .system("cannot look at folder \(path)") }
        if status.st_mode & S_IFMT == S_IFLNK {
            guard followsLink else {
                throw SocketError(.unusable, "\(path) is a link, not a folder: move it away")
            }
            try checkOwner(status, "link", path)
            guard stat(path, &status) == 0 else { throw .system("the link \(path) leads nowhere") }
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw SocketError(.unusable, "\(path) is not a folder: move it away")
        }
        try checkOwner(status, "folder", path)
        guard status.st_mode & closedBits == 0 else {
            throw SocketError(
                .unusable, "the folder \(path) is open to others: run chmod 700 \(path)")
        }
    }

    private static func checkOwner(
        _ status: stat, _ kind: String, _ path: String
    ) throws(SocketError) {
        guard status.st_uid != getuid() else { return }
        throw SocketError(
            .unusable,
            "the \(kind) \(path) belongs to user \(status.st_uid), not to us: "
                + "remove it or choose another place")
    }
}
