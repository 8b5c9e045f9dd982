internal import CLinux
internal import Glibc

/// A folder that only its owner can enter, so that its contents need no other protection.
package enum PrivateFolder {
    /// Creates the folder with mode 0700, and its missing parents, or checks an existing one: a
    /// real folder of this user, closed to all others.
    ///
    /// - Parameters:
    ///   - path: The path of the folder.
    ///   - isChosen: The user chose this folder. It then suffices that no other user can write to
    ///     it.
    ///   - followsLink: Accepts a symbolic link of this user, as when the folder was moved to
    ///     another disk.
    package static func prepare(
        _ path: String, isChosen: Bool = false, followsLink: Bool = false
    ) throws(SocketError) {
        try makeParents(of: path)
        if mkdir(path, 0o700) != 0, errno != EEXIST {
            throw .system("cannot create the folder \(path)")
        }
        try check(path, closedBits: isChosen ? 0o022 : 0o077, followsLink: followsLink)
    }

    private static func makeParents(of path: String) throws(SocketError) {
        for index in path.indices.dropFirst() where path[index] == "/" {
            let parent = String(path[..<index])
            if mkdir(parent, 0o700) != 0, errno != EEXIST, errno != EROFS, errno != EACCES {
                throw .system("cannot create the folder \(parent)")
            }
        }
    }

    private static func check(
        _ path: String, closedBits: mode_t, followsLink: Bool
    ) throws(SocketError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw .system("cannot access the folder \(path)") }
        if status.st_mode & S_IFMT == S_IFLNK {
            guard followsLink else {
                throw SocketError(.unusable, "\(path) is a link, not a folder: move it away")
            }
            try checkOwner(status, "link", path)
            guard stat(path, &status) == 0 else { throw .system("the link \(path) is broken") }
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
            "the \(kind) \(path) belongs to user \(status.st_uid), not to this user: "
                + "remove it or choose another place")
    }
}
