internal import BrokerSocket

/// Where a store is kept.
package enum StorePlace: Hashable, Sendable {
    /// Gone when the process ends.
    case memory
    /// In a folder of our own that is there already: `store.sqlite`, and a file for each part of the
    /// caller directory.
    case folder(String)
}

/// Something about the store that the host's keeper has to know, in words.
package enum StoreNotice: Hashable, Sendable, CustomStringConvertible {
    /// A file was no database any more. It was moved aside, and a new one begun.
    case damaged(file: String, keptAs: String, why: String)
    /// The caller directory's file of a source was no database any more: it needs to be loaded
    /// anew.
    case directoryDamaged(source: String, keptAs: String, why: String)
    /// The files of a store are gone or damaged and cannot even be moved aside.
    case failed(String)
    /// The file cannot be opened: nothing can be asked, and nothing kept. It is tried again with each use.
    case closed(why: String)
    /// It can be opened again.
    case open

    package var description: String {
        switch self {
        case .damaged(let file, let kept, let why):
            "\(file) was damaged (\(why)) and is kept as \(kept); contacts, blocks and history "
                + "begin anew"
        case .directoryDamaged(let source, let kept, let why):
            "the caller directory of \(source) was damaged (\(why)) and is kept as \(kept); "
                + "load it again"
        case .failed(let why), .closed(let why): why
        case .open: "it can be opened again"
        }
    }
}

/// The durable state of the user's side: contacts, blocks, history, and the caller directory. Used
/// from one thread, the second one (`StoreThread`).
///
/// It is opened when it is first needed. What fails for want of room or of rights has changed
/// nothing, and the next use tries again; a file that is damaged is moved aside (never removed)
/// and a new one begun. Each function that writes is one transaction, or a part of the one that is
/// open.
package final class CallStore {
    /// What SQLite may keep of the file in memory.
    static let cacheKiB = 256
    static let fileName = "store.sqlite"

    package let place: StorePlace
    private var connection: Connection?
    private var notices: [StoreNotice] = []
    var knownRegion: String??
    /// The next file that is opened takes the place of a damaged one.
    private var isAfterDamage = false
    /// That it cannot be opened was said.
    private var isClosedForNow = false
    let shelf: DirectoryShelf

    package init(_ place: StorePlace) {
        self.place = place
        shelf = DirectoryShelf(place)
    }

    /// Closes its files.
    package func shut() {
        shut(isDamaged: false)
    }

    private func shut(isDamaged: Bool) {
        shelf.shut()
        connection?.shut(isDamaged: isDamaged)
        connection = nil
        knownRegion = nil
    }

    /// Opens the files, if they are not open.
    package func open() throws(StoreError) {
        _ = try database()
    }

    /// What happened since the last time it was asked.
    package func takeNotices() -> [StoreNotice] {
        defer { notices = [] }
        return notices + shelf.takeNotices()
    }

    func database() throws(StoreError) -> Connection {
        if let connection { return connection }
        do throws(StoreError) {
            let opened = try openAll()
            if isClosedForNow { notices.append(.open) }
            isClosedForNow = false
            return opened
        } catch {
            if !isClosedForNow { notices.append(.closed(why: error.description)) }
            isClosedForNow = true
            throw error
        }
    }

    private func openAll() throws(StoreError) -> Connection {
        let opened: Connection
        do throws(StoreError) {
            opened = try openFile()
        } catch {
            guard error.code == .damaged else { throw error }
            try setAside(error)
            opened = try openFile()
        }
        connection = opened
        do throws(StoreError) {
            if isAfterDamage { try shelf.adopt(into: opened) }
            isAfterDamage = false
            try shelf.read(from: opened)
            try renewOldKeys()
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
            opened.shut(isDamaged: error.code == .damaged)
            throw error
        }
        return opened
    }

    /// Reads it from end to end; it is bounded by the retention of the history.
    private static func check(_ connection: Connection) throws(StoreError) {
        let verdict = try connection.first("PRAGMA quick_check(1)") { $0.text(0) }
        guard verdict == "ok" else {
            throw StoreError(.damaged, "\(connection.path ?? "memory") is damaged inside")
        }
    }

    /// The damaged file gets another name, and the next use begins a new one.
    func setAside(_ error: StoreError) throws(StoreError) {
        let wasOpen = connection?.path
        shut(isDamaged: true)
        guard let path = wasOpen ?? path else { return }
        let kept = try StoreFile.setAside(path)
        isAfterDamage = true
        notices.append(.damaged(file: path, keptAs: kept, why: error.description))
    }

    /// All of it or nothing: a transaction of its own, or a part of the one that is open.
    func atomically<Value>(
        _ work: (Connection) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        let connection = try database()
        if connection.isInTransaction { return try inSavepoint(connection, work) }
        try connection.run("BEGIN IMMEDIATE", [])
        do throws(StoreError) {
            let value = try work(connection)
            try connection.run("COMMIT", [])
            shelf.settle(connection)
            return value
        } catch {
            rollBack(connection)
            throw error
        }
    }

    /// Undoes what was done since the transaction began.
    func rollBack(_ connection: Connection) {
        if connection.isInTransaction { try? connection.run("ROLLBACK", []) }
        knownRegion = nil
        shelf.settle(connection)
    }

    /// The same, whether or not the file is open.
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
            // Some errors have undone the whole transaction already.
            if connection.isInTransaction {
                try connection.run("ROLLBACK TO part", [])
                try connection.run("RELEASE part", [])
            }
            knownRegion = nil
            throw error
        }
    }
}
