/// A file with one generation of a source of the caller directory: a row for each number.
///
/// A file is not protected while it is loaded: an incomplete load is discarded as a whole. Once it
/// is complete it is synced to the disk, and is then changed in transactions.
final class DirectoryFile {
    /// The size of SQLite's cache for each file: the inner pages of a tree of 10 million numbers,
    /// which take up 1 MiB, and enough others that an inner one is never the least recently used.
    static let cacheKiB = 8_192
    /// The separator between the labels of a number.
    static let separator: Character = "\n"

    let number: Int64
    let connection: Connection
    private let find: Statement
    private let insert: Statement
    var labels = 0
    var blocks = 0
    private var lastLabeled: Int64 = 0
    private var lastBlocked: Int64 = 0

    /// The purpose of opening a file.
    enum Use {
        /// Loading into a new file.
        case load
        /// Serving a complete file.
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
            connection.close()
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

    /// The number of labels and blocks.
    var entries: Int { labels + blocks }

    /// Calls `read` with the facts about a number, if there are any.
    func lookUp(_ number: Int64, _ read: (_ isBlocked: Bool, _ labels: String?) -> Void)
        throws(StoreError)
    {
        try find.lookUp(number) { read($0.flag(0), $0.optionalText(1)) }
    }

    /// Adds entries that are in order and follow the earlier ones: all of them or none.
    func append(_ entries: [DirectoryEntry], entriesMax: Int) throws(StoreError) {
        let (labeled, blocked) = try checkOrder(entries)
        guard self.entries + entries.entryCount <= entriesMax else {
            throw StoreError(
                .directory(.maximumEntriesExceeded),
                "a source has at most \(entriesMax) entries")
        }
        try connection.run("BEGIN", [])
        for entry in entries { try write(entry) }
        try connection.run("COMMIT", [])
        (lastLabeled, lastBlocked) = (labeled, blocked)
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

    /// Checks that labels and blocks are each in ascending order on their own, as in CallKit.
    private func checkOrder(
        _ entries: [DirectoryEntry]
    ) throws(StoreError) -> (labeled: Int64, blocked: Int64) {
        var (labeled, blocked) = (lastLabeled, lastBlocked)
        for (index, entry) in entries.enumerated() {
            try DirectoryFile.check(entry, index)
            if entry.label != nil { try advance(&labeled, to: entry.number, index) }
            if entry.isBlocked { try advance(&blocked, to: entry.number, index) }
        }
        return (labeled, blocked)
    }

    private func advance(_ last: inout Int64, to number: Int64, _ index: Int) throws(StoreError) {
        guard number != last else {
            throw StoreError(
                .directory(.duplicateEntries),
                "entry \(index) repeats the number of the previous one")
        }
        guard number > last else {
            throw StoreError(
                .directory(.entriesOutOfOrder),
                "entry \(index) has a lower number than the previous one: sort the entries")
        }
        last = number
    }

    static func check(_ entry: DirectoryEntry, _ index: Int) throws(StoreError) {
        guard entry.number > 0, entry.number < .max else {
            throw StoreError(.invalid, "entry \(index): a number must be at least 1")
        }
        guard entry.isBlocked || entry.label != nil else {
            throw StoreError(.invalid, "entry \(index) has no label and does not block")
        }
        guard let label = entry.label else { return }
        guard (1...DirectoryIndex.labelBytesMax).contains(label.utf8.count),
            !label.utf8.contains(where: { $0 < 0x20 })
        else {
            throw StoreError(
                .invalid,
                "entry \(index): a label must be one line of 1 to "
                    + "\(DirectoryIndex.labelBytesMax) bytes"
            )
        }
    }

    /// Completes the file: it is synced to the disk, and names its source.
    func complete(_ source: String, generation: Int64) throws(StoreError) {
        // This commit writes the whole file to the disk. Opening the file a second time to sync it
        // would release SQLite's locks when it is closed.
        try connection.run("PRAGMA synchronous = FULL")
        try connection.run(
            "UPDATE total SET labels = ?, blocks = ?, source = ?, generation = ?",
            [.integer(labels), .integer(blocks), .text(source), .integer(generation)])
        if let path = connection.path { try StoreFile.syncFolder(of: path) }
        try Self.prepare(connection, .serve)
    }

    /// Returns the source and the generation; nil for an incomplete load.
    func owner() throws(StoreError) -> (source: String, generation: Int64)? {
        try connection.first(
            "SELECT source, generation FROM total WHERE source IS NOT NULL"
        ) { ($0.text(0), $0.integer(1)) }
    }

    func close() {
        connection.close()
    }
}

extension [DirectoryEntry] {
    /// The number of labels and blocks.
    var entryCount: Int {
        reduce(0) { $0 + ($1.label == nil ? 0 : 1) + ($1.isBlocked ? 1 : 0) }
    }
}
