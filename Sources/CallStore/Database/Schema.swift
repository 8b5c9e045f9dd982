/// The versions of the store's schema, each as the step from the previous one.
enum Schema {
    /// "CBst": identifies the broker's files.
    static let applicationID: Int64 = 0x4342_7374

    static let steps = [
        """
        CREATE TABLE contact(
            id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL, sort TEXT NOT NULL,
            favorite INTEGER NOT NULL, breaks_through INTEGER NOT NULL, provider TEXT
        ) WITHOUT ROWID;
        CREATE INDEX contact_order ON contact(sort, id);
        CREATE TABLE contact_handle(
            contact TEXT NOT NULL REFERENCES contact ON DELETE CASCADE, place INTEGER NOT NULL,
            kind TEXT NOT NULL, value TEXT NOT NULL, key TEXT NOT NULL,
            PRIMARY KEY(contact, place)
        ) WITHOUT ROWID;
        CREATE INDEX contact_handle_key ON contact_handle(kind, key);

        CREATE TABLE block(
            id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, prefix INTEGER NOT NULL,
            value TEXT NOT NULL, key TEXT NOT NULL, reason TEXT, added_at INTEGER NOT NULL,
            UNIQUE(kind, prefix, key)
        );

        CREATE TABLE history(
            id INTEGER PRIMARY KEY AUTOINCREMENT, call TEXT NOT NULL, provider TEXT NOT NULL,
            provider_name TEXT NOT NULL, direction TEXT NOT NULL, kind TEXT, value TEXT, key TEXT,
            name TEXT, label TEXT, label_source TEXT, video INTEGER NOT NULL,
            started_at INTEGER NOT NULL, connected_at INTEGER, ended_at INTEGER NOT NULL,
            reason TEXT NOT NULL, origin TEXT NOT NULL, rule TEXT, missed INTEGER NOT NULL,
            filtered_by TEXT, recent INTEGER NOT NULL, seen INTEGER NOT NULL,
            UNIQUE(call, ended_at)
        );
        CREATE INDEX history_order ON history(ended_at, id);
        CREATE INDEX history_remote ON history(kind, key, ended_at);
        CREATE INDEX history_missed ON history(ended_at, id) WHERE missed != 0;

        CREATE TABLE authorization(
            provider TEXT PRIMARY KEY NOT NULL, status TEXT NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE document(key TEXT PRIMARY KEY NOT NULL, text TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE directory_source(
            name TEXT PRIMARY KEY NOT NULL, enabled INTEGER NOT NULL, file INTEGER,
            generation INTEGER
        ) WITHOUT ROWID;
        """,
        // Authorizations are in the journal.
        "DROP TABLE authorization",
        // The errors that apps reported for failed calls.
        """
        ALTER TABLE history ADD COLUMN failure_code INTEGER;
        ALTER TABLE history ADD COLUMN failure_reason TEXT;
        ALTER TABLE history ADD COLUMN failure_message TEXT;
        """,
        // What apps and networks say of calls: why they ended, their lines, and where they came from.
        """
        ALTER TABLE history ADD COLUMN detail_reason TEXT;
        ALTER TABLE history ADD COLUMN detail_text TEXT;
        ALTER TABLE history ADD COLUMN detail_code TEXT;
        ALTER TABLE history ADD COLUMN line TEXT;
        ALTER TABLE history ADD COLUMN line_label TEXT;
        ALTER TABLE history ADD COLUMN forwarded_kind TEXT;
        ALTER TABLE history ADD COLUMN forwarded_value TEXT;
        ALTER TABLE history ADD COLUMN verification TEXT;
        ALTER TABLE history ADD COLUMN external_id TEXT;
        ALTER TABLE history ADD COLUMN elsewhere TEXT;
        """,
        // The badge, and the lists of one app: a ring waits for whatever is read before it.
        """
        CREATE INDEX history_unseen ON history(seen, recent, missed)
            WHERE missed != 0 AND seen = 0 AND recent = 1;
        CREATE INDEX history_provider ON history(provider, ended_at, id);
        """,
    ]

    /// Checks that a file is the broker's, and not of a later release.
    ///
    /// - Throws: if it is neither new nor readable. The file is not changed.
    static func recognize(_ connection: Connection) throws(StoreError) {
        let id = try connection.first("PRAGMA application_id") { $0.integer(0) } ?? 0
        let isNew = try connection.first("SELECT 1 FROM sqlite_master") { _ in true } == nil
        guard id == applicationID || isNew else {
            throw StoreError(
                .unavailable, "\(connection.path ?? "memory") is not a callbroker store")
        }
        let version = try version(of: connection)
        guard version <= steps.count else {
            throw StoreError(
                .unavailable,
                "\(connection.path ?? "memory") was written by a newer callbroker "
                    + "(form \(version); this one reads forms up to \(steps.count))")
        }
    }

    private static func version(of connection: Connection) throws(StoreError) -> Int {
        try connection.first("PRAGMA user_version") { Int($0.integer(0)) } ?? 0
    }

    /// Upgrades a file to the current version.
    static func prepare(_ connection: Connection) throws(StoreError) {
        let version = try version(of: connection)
        guard version < steps.count else { return }
        try connection.run("BEGIN IMMEDIATE")
        do throws(StoreError) {
            for step in steps[version...] { try connection.run(step) }
            try connection.run("PRAGMA application_id = \(applicationID)")
            try connection.run("PRAGMA user_version = \(steps.count)")
            try connection.run("COMMIT")
        } catch {
            if connection.isInTransaction { try? connection.run("ROLLBACK") }
            throw error
        }
    }
}
