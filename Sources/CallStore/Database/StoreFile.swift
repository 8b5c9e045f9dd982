internal import BrokerSocket

/// Operations on the store's files.
enum StoreFile {
    /// Creates a file that only its owner can read; SQLite gives its own files beside it the same
    /// mode.
    static func create(_ path: String) throws(StoreError) {
        do throws(SocketError) {
            if try !HostFile.exists(path) { _ = try AppendFile(creating: path) }
        } catch {
            throw StoreError(.unavailable, error.description)
        }
    }

    /// Throws if the file, or one of SQLite's beside it, is not a regular file: SQLite would wait
    /// for the other end of a named pipe.
    static func check(_ path: String) throws(StoreError) {
        do throws(SocketError) {
            for part in ["", "-wal", "-journal", "-shm"] { try HostFile.checkIsFile(path + part) }
        } catch {
            throw StoreError(.unavailable, error.description)
        }
    }

    /// Syncs the folder, so that the file survives a loss of power.
    static func syncFolder(of path: String) throws(StoreError) {
        do throws(SocketError) {
            try HostFile.syncFolder(folder(of: path))
        } catch {
            throw StoreError(.unavailable, error.description)
        }
    }

    /// Renames a damaged file, and SQLite's files beside it, to an unused name, and returns that.
    static func moveAside(_ path: String) throws(StoreError) -> String {
        do throws(SocketError) {
            var number = 1
            while try HostFile.exists("\(path).damaged-\(number)") { number += 1 }
            let kept = "\(path).damaged-\(number)"
            for part in ["-wal", "-journal"] where try HostFile.exists(path + part) {
                try HostFile.rename(path + part, to: kept + part)
            }
            try HostFile.rename(path, to: kept)
            try HostFile.syncFolder(folder(of: path))
            return kept
        } catch {
            throw StoreError(.unavailable, "cannot move a damaged file aside: \(error)")
        }
    }

    /// Removes a file, and SQLite's files beside it.
    static func remove(_ path: String) {
        for part in ["", "-wal", "-journal"] { HostFile.remove(path + part) }
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }
}
