internal import CSQLite

/// A copy of an open database, made in steps between which the database is in use. Changes that its
/// connection makes meanwhile are in the copy, too.
final class DatabaseCopy {
    /// The pages of a step: a step is short, so that no look-up waits for it.
    private static let pagesPerStep: Int32 = 256

    private let source: Connection
    private let path: String
    private let destination: OpaquePointer
    private var backup: OpaquePointer?

    /// - Parameter path: The path of the copy, where there is no file yet.
    init(of source: Connection, to path: String) throws(StoreError) {
        try StoreFile.create(path)
        (self.source, self.path) = (source, path)
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        guard let opened else {
            throw StoreError(.unavailable, "not enough memory to open a database")
        }
        destination = opened
        backup =
            code == SQLITE_OK ? sqlite3_backup_init(opened, "main", source.handle, "main") : nil
        guard backup != nil else { throw Connection.error(sqlite3_errcode(opened), opened, path) }
    }

    deinit {
        sqlite3_backup_finish(backup)
        sqlite3_close_v2(destination)
    }

    /// Copies some pages. Returns true when the copy is complete, and on the disk.
    func step() throws(StoreError) -> Bool {
        let code = sqlite3_backup_step(backup, Self.pagesPerStep)
        switch code {
        case SQLITE_OK: return false
        case SQLITE_DONE: return true
        default: throw Connection.error(code, destination, path)
        }
    }
}
