internal import BrokerSocket

/// The store's files in its folder.
enum StoreFile {
    /// Only its owner can read it; what SQLite puts beside it gets the same rights.
    static func create(_ path: String) throws(StoreError) {
        do throws(SocketError) {
            if try !HostFile.exists(path) { _ = try AppendFile(creating: path) }
        } catch {
            throw StoreError(.unavailable, error.description)
        }
    }

    /// SQLite opens the file, and what it put beside it, by itself, and waits for the other end of a
    /// named pipe.
    static func check(_ path: String) throws(StoreError) {
        do throws(SocketError) {
            for part in ["", "-wal", "-journal", "-shm"] { try HostFile.checkIsFile(path + part) }
        } catch {
            throw StoreError(.unavailable, error.description)
        }
    }

    /// That the file is there outlives a loss of power.
    static func syncFolder(of path: String) throws(StoreError) {
        do throws(SocketError) {
            try HostFile.syncFolder(folder(of: path))
        } catch {
            throw StoreError(.unavailable, error.description)
        }
    }

    /// Gives a damaged file, and what SQLite put beside it, another name that nothing has. That name.
    static func setAside(_ path: String) throws(StoreError) -> String {
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

    static func remove(_ path: String) {
        for part in ["", "-wal", "-journal"] { HostFile.remove(path + part) }
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }
}
