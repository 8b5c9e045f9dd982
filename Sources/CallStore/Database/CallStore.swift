/// The location of a store.
package enum StorePlace: Hashable, Sendable {
    /// In memory, until the process ends.
    case memory
    /// An existing private folder, with `store.sqlite` and a file for each source of the caller
    /// directory.
    case folder(String)
}

/// A report about the store's files for the administrator of the host.
package enum StoreNotice: Hashable, Sendable, CustomStringConvertible {
    /// A file was not a valid database. It was moved aside, and a new one was created.
    case damaged(file: String, keptAs: String, why: String)
    /// The file of a caller directory was not a valid database; the directory has to be loaded
    /// again.
    case directoryDamaged(source: String, keptAs: String, why: String)
    /// The files of the store are missing or damaged, and could not be moved aside.
    case failed(String)
    /// The file cannot be opened, so nothing can be read or saved. Each use tries again.
    case closed(why: String)
    /// The file could be opened again.
    case open

    package var description: String {
        switch self {
        case .damaged(let file, let kept, let why):
            "\(file) was damaged (\(why)) and has been saved as \(kept); contacts, blocks and "
                + "history start empty"
        case .directoryDamaged(let source, let kept, let why):
            "the caller directory of \(source) was damaged (\(why)) and has been saved as \(kept); "
                + "load it again"
        case .failed(let why), .closed(let why): why
        case .open: "the store can be opened again"
        }
    }
}

/// The user's durable data: contacts, blocks, history, and the caller directory. Used on one
/// thread, that of `StoreThread`.
///
/// The store is opened when it is first needed. An operation that fails for lack of space or
/// permission changes nothing, and the next use tries again; a damaged file is moved aside (never
/// removed), and a new one is created. Each function that writes is a transaction, or a part of the
/// open one.
package final class CallStore {
    /// The size of SQLite's cache, in KiB.
    static let cacheKiB = 256
    static let fileName = "store.sqlite"

    package let place: StorePlace
    private var connection: Connection?
    private var notices: [StoreNotice] = []
    var knownRegion: String??
    /// Indicates that the next file to be opened replaces a damaged one.
    private var isAfterDamage = false
    /// Indicates that a failure to open has been reported.
    private var hasReportedFailure = false
    let directoryIndex: DirectoryIndex
    /// The backup under way; nil if there is none.
    var backup: StoreBackup?
    /// The look-ups for which reads are interrupted; nil if there are none.
    var lookUps: LookUps?

    package init(_ place: StorePlace) {
        self.place = place
        directoryIndex = DirectoryIndex(place)
    }

    /// Closes the files.
    package func shut() {
        shut(isDamaged: false)
    }

    private func shut(isDamaged: Bool) {
        backup = nil
        directoryIndex.close()
        connection?.close(isDamaged: isDamaged)
        connection = nil
        knownRegion = nil
    }

    /// Opens the files, unless they are open.
    package func open() throws(StoreError) {
        _ = try database()
    }

    /// Returns the notices since the last call.
    package func takeNotices() -> [StoreNotice] {
        defer { notices = [] }
        return notices + directoryIndex.takeNotices()
    }

    func database() throws(StoreError) -> Connection {
        if let connection { return connection }
        do throws(StoreError) {
            let opened = try openAll()
            if hasReportedFailure { notices.append(.open) }
            hasReportedFailure = false
            return opened
        } catch {
            if !hasReportedFailure { notices.append(.closed(why: error.description)) }
            hasReportedFailure = true
            throw error
        }
    }

    private func openAll() throws(StoreError) -> Connection {
        let opened: Connection
        do throws(StoreError) {
            opened = try openFile()
        } catch {
            guard error.code == .damaged else { throw error }
            try moveAside(error)
            opened = try openFile()
        }
        connection = opened
        do throws(StoreError) {
            if isAfterDamage { try directoryIndex.adopt(into: opened) }
            isAfterDamage = false
            try directoryIndex.read(from: opened)
            try upgradeKeys()
            lookUps?.watch(opened)
        } catch {
            shut()
            throw error
        }
        return opened
    }

    private var path: String? {
        switch place {
        case .memory: nil
        case .folder(let folder): "\(folder)/\(Self.fileName)"
        }
    }

    private func openFile() throws(StoreError) -> Connection {
        if let path { try StoreFile.create(path) }
        let opened = try Connection(path: path, cacheKiB: Self.cacheKiB)
        do throws(StoreError) {
            try opened.run("PRAGMA cell_size_check = ON")
            try opened.run("PRAGMA foreign_keys = ON")
            try opened.run("PRAGMA synchronous = FULL")
            try opened.run("PRAGMA journal_size_limit = 4194304")
            try Self.check(opened)
            try Schema.recognize(opened)
            try opened.run("PRAGMA journal_mode = WAL")
            try Schema.prepare(opened)
        } catch {
            opened.close(isDamaged: error.code == .damaged)
            throw error
        }
        return opened
    }

    /// Checks the whole file, whose size is bounded by the retention of the history.
    private static func check(_ connection: Connection) throws(StoreError) {
        let verdict = try connection.first("PRAGMA quick_check(1)") { $0.text(0) }
        guard verdict == "ok" else {
            throw StoreError(.damaged, "\(connection.path ?? "memory") is damaged")
        }
    }

    /// Moves a damaged file aside; the next use creates a new one.
    func moveAside(_ error: StoreError) throws(StoreError) {
        let wasOpen = connection?.path
        shut(isDamaged: true)
        guard let path = wasOpen ?? path else { return }
        let kept = try StoreFile.moveAside(path)
        isAfterDamage = true
        notices.append(.damaged(file: path, keptAs: kept, why: error.description))
    }

    /// Runs `work` as a transaction, or as a part of the open one: all of it or nothing takes
    /// effect.
    func atomically<Value>(
        _ work: (Connection) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        let connection = try database()
        if connection.isInTransaction { return try inSavepoint(connection, work) }
        try connection.run("BEGIN IMMEDIATE", [])
        do throws(StoreError) {
            let value = try work(connection)
            try connection.run("COMMIT", [])
            directoryIndex.reconcile(connection)
            return value
        } catch {
            rollBack(connection)
            throw error
        }
    }

    /// Indicates an open transaction.
    var isInTransaction: Bool {
        connection?.isInTransaction ?? false
    }

    /// Rolls back the open transaction.
    func rollBack(_ connection: Connection) {
        if connection.isInTransaction { try? connection.run("ROLLBACK", []) }
        knownRegion = nil
        directoryIndex.reconcile(connection)
    }

    /// Rolls back the open transaction, if the file is open.
    func rollBackAll() {
        if let connection { rollBack(connection) }
    }

    private func inSavepoint<Value>(
        _ connection: Connection, _ work: (Connection) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        try connection.run("SAVEPOINT part", [])
        do throws(StoreError) {
            let value = try work(connection)
            try connection.run("RELEASE part", [])
            return value
        } catch {
            // Some errors have rolled back the whole transaction already.
            if connection.isInTransaction {
                try connection.run("ROLLBACK TO part", [])
                try connection.run("RELEASE part", [])
            }
            knownRegion = nil
            throw error
        }
    }
}
