internal import CLinux
internal import Glibc

/// Operations on a folder with everything in it, which leave symbolic links as they are.
package enum FolderTree {
    /// The bytes of a file that are copied at a time.
    private static let pieceBytes = 1 << 18

    /// Copies a folder to a path where nothing is yet.
    ///
    /// The copy has synced files, so that a rename of it survives a loss of power. Modes are kept,
    /// except that others may not write.
    ///
    /// - Parameter isLeftOut: Returns true for the names that are not copied.
    /// - Throws: also if there is something that is no file, folder or link.
    package static func copy(
        _ source: String, to target: String, without isLeftOut: (String) -> Bool = { _ in false }
    ) throws(SocketError) {
        guard mkdir(target, 0o777) == 0 else {
            throw .system("cannot create the folder \(target)")
        }
        for name in try HostFile.names(inFolder: source, most: .max) where !isLeftOut(name) {
            let (from, to) = ("\(source)/\(name)", "\(target)/\(name)")
            if let link = HostFile.linkTarget(from) {
                try makeLink(to: link, at: to)
            } else if HostFile.isFolder(from) {
                try copy(from, to: to, without: isLeftOut)
            } else {
                try copyFile(from, to)
            }
        }
        try HostFile.syncFolder(target)
    }

    private static func copyFile(_ source: String, _ target: String) throws(SocketError) {
        let input = try PlainFile.open(source, O_RDONLY)
        defer { close(input) }
        var status = stat()
        guard fstat(input, &status) == 0 else { throw .system("cannot access \(source)") }
        let output = open(
            target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, status.st_mode & 0o755)
        guard output >= 0 else { throw .system("cannot write \(target)") }
        defer { close(output) }
        while true {
            let count = sendfile(output, input, nil, pieceBytes)
            if count == 0 { break }
            guard count > 0 || errno == EINTR else { throw .system("cannot copy \(source)") }
        }
        guard fsync(output) == 0 else { throw .system("cannot sync \(target)") }
    }

    /// Removes what is at the path; a folder with everything in it.
    package static func remove(_ path: String) throws(SocketError) {
        if HostFile.linkTarget(path) == nil, HostFile.isFolder(path) {
            for name in try HostFile.names(inFolder: path, most: .max) {
                try remove("\(path)/\(name)")
            }
        }
        guard Glibc.remove(path) == 0 || errno == ENOENT else {
            throw .system("cannot remove \(path)")
        }
    }

    /// Makes a symbolic link.
    package static func makeLink(to target: String, at path: String) throws(SocketError) {
        guard symlink(target, path) == 0 else { throw .system("cannot create the link \(path)") }
    }

    /// Exchanges what two paths name, at once.
    package static func exchange(_ one: String, _ other: String) throws(SocketError) {
        guard linux_exchange(one, other) == 0 else {
            throw .system("cannot exchange \(one) and \(other)")
        }
    }

    /// Renames, unless something has the new name already.
    package static func rename(_ path: String, toNew name: String) throws(SocketError) {
        guard linux_rename_new(path, name) == 0 else {
            throw .system("cannot rename \(path) to \(name)")
        }
    }
}
