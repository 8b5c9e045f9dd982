internal import CSQLite
internal import Glibc

/// An open database, used on one thread.
///
/// `cacheKiB` limits SQLite's memory; statements are prepared once and cached, so their texts are
/// few and fixed.
final class Connection {
    /// The path of the file; nil for a database in memory.
    let path: String?
    let handle: OpaquePointer
    private var statements: [String: Statement] = [:]

    /// Opens a file, which may be empty or missing.
    init(path: String?, cacheKiB: Int) throws(StoreError) {
        self.path = path
        if let path { try StoreFile.check(path) }
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(path ?? ":memory:", &opened, flags, nil)
        guard let opened else {
            throw StoreError(.unavailable, "not enough memory to open a database")
        }
        handle = opened
        guard code == SQLITE_OK else {
            let error = Self.error(code, handle, path)
            sqlite3_close_v2(opened)
            throw error
        }
        sqlite3_extended_result_codes(handle, 1)
        // Nothing is written to a file that may turn out to be damaged.
        csqlite_checkpoint_on_close(handle, 0)
        do throws(StoreError) {
            try prepare(cacheKiB: cacheKiB)
        } catch {
            sqlite3_close_v2(opened)
            throw error
        }
    }

    private func prepare(cacheKiB: Int) throws(StoreError) {
        // No other process uses the file: no lock is taken and released for each statement, and no
        // memory is shared. Any statement before this one would open the file in the other mode.
        try run("PRAGMA locking_mode = EXCLUSIVE")
        try run("PRAGMA cache_size = -\(cacheKiB)")
        try run("PRAGMA temp_store = MEMORY")
    }

    /// Closes the file. The connection must not be used afterward.
    ///
    /// - Parameter isDamaged: Leaves the file and its write-ahead log as they are.
    func close(isDamaged: Bool = false) {
        if !isDamaged { csqlite_checkpoint_on_close(handle, 1) }
        for statement in statements.values { statement.finalize() }
        statements = [:]
        sqlite3_close_v2(handle)
    }

    /// Indicates an open transaction; some errors end it.
    var isInTransaction: Bool {
        sqlite3_get_autocommit(handle) == 0
    }

    /// The number of rows that the last statement added, changed or removed.
    var changedRows: Int {
        Int(sqlite3_changes(handle))
    }

    var lastRowID: Int64 {
        sqlite3_last_insert_rowid(handle)
    }

    /// Runs statements without results, and does not cache them.
    func run(_ text: String) throws(StoreError) {
        let code = sqlite3_exec(handle, text, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code) }
    }

    /// Runs a statement without results; it is prepared once.
    func run(_ text: String, _ values: [Field]) throws(StoreError) {
        try statement(text).run(values)
    }

    /// Returns the rows of a statement, each read by `read`.
    func rows<Item>(
        _ text: String, _ values: [Field] = [], _ read: (Row) throws(StoreError) -> Item
    ) throws(StoreError) -> [Item] {
        try statement(text).rows(values, read)
    }

    /// Returns the first row of a statement; nil if there is none.
    func first<Item>(
        _ text: String, _ values: [Field] = [], _ read: (Row) throws(StoreError) -> Item
    ) throws(StoreError) -> Item? {
        try statement(text).first(values, read)
    }

    /// Returns a prepared statement, which is cached.
    func statement(_ text: String) throws(StoreError) -> Statement {
        if let known = statements[text] { return known }
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(
            handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared else { throw error(code) }
        let statement = Statement(prepared, of: self)
        statements[text] = statement
        return statement
    }

    /// Returns the error for a result code.
    func error(_ code: Int32) -> StoreError {
        Self.error(code, handle, path)
    }

    /// Returns the error for a result code, without SQLite's own message, which could quote a
    /// value.
    static func error(_ code: Int32, _ handle: OpaquePointer, _ path: String?)
        -> StoreError
    {
        let name = path ?? "the database in memory"
        let words = String(cString: sqlite3_errstr(code))
        let system = sqlite3_system_errno(handle)
        return switch code & 0xFF {
        case SQLITE_FULL: StoreError(.diskFull, "\(name): no space left")
        case SQLITE_IOERR where system == ENOSPC || system == EDQUOT:
            StoreError(.diskFull, "\(name): no space left")
        case SQLITE_READONLY: StoreError(.readOnly, "\(name) is not writable")
        case SQLITE_IOERR where sqlite3_db_readonly(handle, "main") == 1 || system == EROFS:
            StoreError(.readOnly, "\(name) is not writable")
        case SQLITE_CORRUPT, SQLITE_NOTADB: StoreError(.damaged, "\(name) is damaged: \(words)")
        case SQLITE_CONSTRAINT:
            StoreError(.invalid, "violates a constraint of the database: \(words)")
        default: StoreError(.unavailable, "\(name): \(words) (SQLite error \(code))")
        }
    }
}
