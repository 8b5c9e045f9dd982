package import CallModel

/// Who calls: the caller directory, and all that is known of an address.
extension CallStore {
    /// All that screening needs, in one trip.
    package func whoIs(_ handle: Handle) throws(StoreError) -> CallerFacts {
        var facts = CallerFacts()
        facts.contact = try contact(with: handle)
        facts.block = try block(matching: handle)
        let key = HandleKey(handle, region: try region)
        guard let number = key.directoryNumber else { return facts }
        shelf.look(up: number) { source, isBlocked, labels in
            if isBlocked { facts.blockingSources.append(source) }
            for label in (labels ?? "").split(separator: DirectoryFile.separator) {
                facts.labels.append(DirectoryLabel(label: String(label), source: source))
            }
        }
        return facts
    }

    /// What each source that is switched on says of a number, in the order of their names: its labels
    /// a line each.
    package func directoryFacts(
        of number: Int64, _ read: (_ source: String, _ isBlocked: Bool, _ labels: String?) -> Void
    ) throws(StoreError) {
        _ = try database()
        shelf.look(up: number, read)
    }

    /// By name.
    package func directorySources() throws(StoreError) -> [DirectorySource] {
        _ = try database()
        return shelf.sources
    }

    /// A source that is switched off does not serve, and cannot be loaded. It keeps what it has.
    package func setDirectorySource(_ name: String, isEnabled: Bool) throws(StoreError) {
        try checkSource(name)
        try atomically { (connection) throws(StoreError) in
            try connection.run(
                "INSERT INTO directory_source(name, enabled) VALUES (?, ?) "
                    + "ON CONFLICT DO UPDATE SET enabled = excluded.enabled",
                [.text(name), .flag(isEnabled)])
            shelf.sourcesChanged()
        }
    }

    /// Forgets the source and all that it loaded. False if there was none.
    @discardableResult
    package func removeDirectorySource(_ name: String) throws(StoreError) -> Bool {
        try atomically { (connection) throws(StoreError) in
            shelf.interrupt(name)
            try connection.run("DELETE FROM directory_source WHERE name = ?", [.text(name)])
            shelf.sourcesChanged()
            return connection.changedRows > 0
        }
    }

    /// A new generation is to be loaded; the old one serves until the new one is complete. Its number is
    /// higher than that of the old one.
    /// - Parameter loader: whoever has begun a load may begin the next one instead.
    package func beginDirectory(
        _ source: String, generation: Int64, by loader: Int = 0
    ) throws(StoreError) {
        try checkSource(source)
        _ = try database()
        try shelf.begin(source, generation: generation, by: loader)
    }

    /// Which generation somebody has on its way; nil if none.
    package func loadingGeneration(of source: String, by loader: Int = 0) -> Int64? {
        shelf.loads[source].flatMap { $0.loader == loader ? $0.generation : nil }
    }

    /// Adds 500 entries at most, in ascending order behind those before. All of them or none; how many
    /// there are by now. They are gone if the process ends before the load does.
    @discardableResult
    package func putDirectory(
        _ entries: [DirectoryEntry], _ source: String, generation: Int64
    ) throws(StoreError) -> Int {
        try shelf.put(entries, source, generation: generation)
    }

    /// The generation is complete and serves from now on, instead of the old one. How many entries
    /// it has.
    @discardableResult
    package func finishDirectory(_ source: String, generation: Int64) throws(StoreError) -> Int {
        let file = try shelf.complete(source, generation: generation)
        try atomically { (connection) throws(StoreError) in
            try connection.run(
                """
                INSERT INTO directory_source(name, enabled, file, generation) VALUES (?, 1, ?, ?)
                ON CONFLICT DO UPDATE SET file = excluded.file, generation = excluded.generation
                """, [.text(source), .integer(file.number), .integer(generation)])
        }
        return file.entries
    }

    /// A part of a load was refused, so that the load is over. The next generation may follow at once.
    package func failDirectory(_ source: String, generation: Int64, by loader: Int = 0) {
        shelf.fail(source, generation: generation, by: loader)
    }

    /// Whoever loaded is gone: what was put so far is forgotten.
    package func interruptDirectory(_ source: String, by loader: Int = 0) {
        shelf.interrupt(source, by: loader)
    }

    /// Changes what was loaded, 500 changes at most, all of them or none; how many entries there are
    /// then.
    @discardableResult
    package func changeDirectory(
        _ source: String, _ changes: [DirectoryChange]
    ) throws(StoreError) -> Int {
        _ = try database()
        return try shelf.change(changes, source)
    }

    private func checkSource(_ name: String) throws(StoreError) {
        guard (1...DirectoryShelf.sourceBytesMax).contains(name.utf8.count) else {
            throw StoreError(
                .invalid, "a source's name has 1 to \(DirectoryShelf.sourceBytesMax) bytes")
        }
        let names = try directorySources().map(\.name)
        guard names.contains(name) || names.count < DirectoryShelf.sourcesMax else {
            throw StoreError(.invalid, "there are \(DirectoryShelf.sourcesMax) sources at most")
        }
    }
}
