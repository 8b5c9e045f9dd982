/// One generation of one source of the caller directory: a file of its own, a row for each number.
///
/// While it is loaded nothing protects it: a load that does not come to its end is thrown away as a
/// whole. Once it is complete it is written to the disk and from then on changed in transactions.
final class DirectoryFile {
    /// What SQLite may keep of each file in memory: the inner pages of a tree of 10 million numbers, which
    /// are 1 MiB, and so many others that it is never an inner one that has not been used for longest.
    static let cacheKiB = 8_192
    /// Stands between the labels of one number.
    static let separator: Character = "\n"

    let number: Int64
    let connection: Connection
    private let find: Statement
    private let insert: Statement
    var labels = 0
    var blocks = 0
    private var lastLabelled: Int64 = 0
    private var lastBlocked: Int64 = 0

    /// What is to be done with a file.
    enum Use {
        /// Nothing is in it yet.
        case load
        /// It is complete.
        case serve
    }

    init(_ number: Int64, path: String?, for use: Use) throws(StoreError) {
        self.number = number
        if use == .load, let path {
            StoreFile.remove(path)
            try StoreFile.create(path)
        }
        connection = try Connection(path: path, cacheKiB: Self.cacheKiB)
        do throws(StoreError) {
            try Self.prepare(connection, use)
            find = try connection.statement("SELECT blocked, labels FROM entry WHERE number = ?")
            insert = try connection.statement(
                """
                INSERT INTO entry VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET
                    blocked = blocked | ?2, labels = CASE WHEN ?3 IS NULL THEN labels
                        WHEN labels IS NULL THEN ?3 ELSE labels || char(10) || ?3 END
                """)
            if use == .serve {
                labels = try count("labels")
                blocks = try count("blocks")
            }
        } catch {
            connection.shut()
            throw error
        }
    }

    private static func prepare(_ connection: Connection, _ use: Use) throws(StoreError) {
        switch use {
        case .load:
            try connection.run("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
            try connection.run(
                """
                CREATE TABLE entry(number INTEGER PRIMARY KEY, blocked INTEGER, labels TEXT);
                CREATE TABLE total(
                    labels INTEGER, blocks INTEGER, source TEXT, generation INTEGER);
                INSERT INTO total VALUES (0, 0, NULL, NULL);
                """)
        case .serve:
            let journal = connection.path == nil ? "MEMORY" : "TRUNCATE"
            try connection.run("PRAGMA journal_mode = \(journal); PRAGMA synchronous = FULL")
        }
    }

    private func count(_ column: String) throws(StoreError) -> Int {
        let found = try connection.first("SELECT \(column) FROM total") { Int($0.integer(0)) }
        guard let found else {
            throw StoreError(.damaged, "\(connection.path ?? "memory") has no totals")
        }
        return found
    }

    /// Labels and blocks.
    var entries: Int { labels + blocks }

    /// Calls `read` with what is said of the number, if there is anything.
    func look(up number: Int64, _ read: (_ isBlocked: Bool, _ labels: String?) -> Void)
        throws(StoreError)
    {
        try find.look(up: number) { read($0.flag(0), $0.optionalText(1)) }
    }

    /// Adds entries that are in order among themselves and behind those before. All or none.
    func append(_ entries: [DirectoryEntry], entriesMax: Int) throws(StoreError) {
        let (labelled, blocked) = try checkOrder(entries)
        guard self.entries + entries.entryCount <= entriesMax else {
            throw StoreError(
                .directory(.maximumEntriesExceeded),
                "a source has \(entriesMax) entries at most")
        }
        try connection.run("BEGIN", [])
        for entry in entries { try write(entry) }
        try connection.run("COMMIT", [])
        (lastLabelled, lastBlocked) = (labelled, blocked)
        count(entries)
    }

    func write(_ entry: DirectoryEntry) throws(StoreError) {
        try insert.run([
            .integer(entry.number), .flag(entry.isBlocked), .optional(entry.label),
        ])
    }

    func count(_ entries: [DirectoryEntry]) {
        for entry in entries {
            if entry.label != nil { labels += 1 }
            if entry.isBlocked { blocks += 1 }
        }
    }

    /// As CallKit has it, labels and blocks are each in ascending order for themselves.
    private func checkOrder(
        _ entries: [DirectoryEntry]
    ) throws(StoreError) -> (labelled: Int64, blocked: Int64) {
        var (labelled, blocked) = (lastLabelled, lastBlocked)
        for (index, entry) in entries.enumerated() {
            try DirectoryFile.check(entry, index)
            if entry.label != nil { try advance(&labelled, to: entry.number, index) }
            if entry.isBlocked { try advance(&blocked, to: entry.number, index) }
        }
        return (labelled, blocked)
    }

    private func advance(_ last: inout Int64, to number: Int64, _ index: Int) throws(StoreError) {
        guard number != last else {
            throw StoreError(
                .directory(.duplicateEntries), "entry \(index) has the number of the one before")
        }
        guard number > last else {
            throw StoreError(
                .directory(.entriesOutOfOrder),
                "entry \(index) has a lower number than the one before; sort them")
        }
        last = number
    }

    static func check(_ entry: DirectoryEntry, _ index: Int) throws(StoreError) {
        guard entry.number > 0, entry.number < .max else {
            throw StoreError(.invalid, "entry \(index): a number is 1 or more")
        }
        guard entry.isBlocked || entry.label != nil else {
            throw StoreError(.invalid, "entry \(index) has no label and does not block")
        }
        guard let label = entry.label else { return }
        guard (1...DirectoryShelf.labelBytesMax).contains(label.utf8.count),
            !label.utf8.contains(where: { $0 < 0x20 })
        else {
            throw StoreError(
                .invalid,
                "entry \(index): a label is one line of 1 to \(DirectoryShelf.labelBytesMax) bytes")
        }
    }

    /// Nothing more is to come: it will be there after a loss of power, and says whose it is.
    func complete(_ source: String, generation: Int64) throws(StoreError) {
        // This commit writes the whole file to the disk. To open the file once more for that would
        // give up SQLite's locks when it is closed.
        try connection.run("PRAGMA synchronous = FULL")
        try connection.run(
            "UPDATE total SET labels = ?, blocks = ?, source = ?, generation = ?",
            [.integer(labels), .integer(blocks), .text(source), .integer(generation)])
        if let path = connection.path { try StoreFile.syncFolder(of: path) }
        try Self.prepare(connection, .serve)
    }

    /// Whose it is; nil for a load that did not come to its end.
    func owner() throws(StoreError) -> (source: String, generation: Int64)? {
        try connection.first(
            "SELECT source, generation FROM total WHERE source IS NOT NULL"
        ) { ($0.text(0), $0.integer(1)) }
    }

    func shut() {
        connection.shut()
    }
}

extension [DirectoryEntry] {
    /// Labels and blocks.
    var entryCount: Int {
        reduce(0) { $0 + ($1.label == nil ? 0 : 1) + ($1.isBlocked ? 1 : 0) }
    }
}
