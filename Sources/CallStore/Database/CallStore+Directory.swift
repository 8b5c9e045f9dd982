package import CallModel

/// The caller directory, and identification of callers.
extension CallStore {
    /// Returns all facts that screening needs about an address, in one query.
    package func whoIs(_ handle: Handle) throws(StoreError) -> CallerFacts {
        var facts = CallerFacts()
        facts.contact = try contact(with: handle)
        facts.block = try block(matching: handle)
        let key = HandleKey(handle, region: try region)
        guard let number = key.directoryNumber else { return facts }
        directoryIndex.lookUp(number) { source, isBlocked, labels in
            if isBlocked { facts.blockingSources.append(source) }
            for label in (labels ?? "").split(separator: DirectoryFile.separator) {
                facts.labels.append(DirectoryLabel(label: String(label), source: source))
            }
        }
        return facts
    }

    /// Calls `read` with the facts of each enabled source about a number, sorted by the name of the
    /// source. The labels are separated by LF.
    package func directoryFacts(
        of number: Int64, _ read: (_ source: String, _ isBlocked: Bool, _ labels: String?) -> Void
    ) throws(StoreError) {
        _ = try database()
        directoryIndex.lookUp(number, read)
    }

    /// Returns the sources, sorted by name.
    package func directorySources() throws(StoreError) -> [DirectorySource] {
        _ = try database()
        return directoryIndex.sources
    }

    /// Enables or disables a source. A disabled one keeps its entries, but is not used and cannot
    /// be loaded.
    package func setDirectorySource(_ name: String, isEnabled: Bool) throws(StoreError) {
        try checkSource(name)
        try atomically { (connection) throws(StoreError) in
            try connection.run(
                "INSERT INTO directory_source(name, enabled) VALUES (?, ?) "
                    + "ON CONFLICT DO UPDATE SET enabled = excluded.enabled",
                [.text(name), .flag(isEnabled)])
            directoryIndex.sourcesChanged()
        }
    }

    /// Removes a source with all its entries; returns false if there is none.
    @discardableResult
    package func removeDirectorySource(_ name: String) throws(StoreError) -> Bool {
        try atomically { (connection) throws(StoreError) in
            directoryIndex.interrupt(name)
            try connection.run("DELETE FROM directory_source WHERE name = ?", [.text(name)])
            directoryIndex.sourcesChanged()
            return connection.changedRows > 0
        }
    }

    /// Begins to load a generation, which must be higher than the current one. The current
    /// generation is used until the new one is complete.
    ///
    /// - Parameter loader: The client that loads; it may begin another load instead of its own.
    package func beginDirectory(
        _ source: String, generation: Int64, by loader: Int = 0
    ) throws(StoreError) {
        try checkSource(source)
        _ = try database()
        try directoryIndex.begin(source, generation: generation, by: loader)
    }

    /// Returns the generation that a loader is loading; nil if there is none.
    package func loadingGeneration(of source: String, by loader: Int = 0) -> Int64? {
        directoryIndex.loads[source].flatMap { $0.loader == loader ? $0.generation : nil }
    }

    /// Adds at most 500 entries in ascending order, continuing after the earlier ones: all of them
    /// or none. Returns the number of entries so far. Entries are lost if the process ends before
    /// the load is complete.
    @discardableResult
    package func putDirectory(
        _ entries: [DirectoryEntry], _ source: String, generation: Int64
    ) throws(StoreError) -> Int {
        try directoryIndex.append(entries, source, generation: generation)
    }

    /// Completes a generation, which replaces the current one. Returns the number of its entries.
    @discardableResult
    package func finishDirectory(_ source: String, generation: Int64) throws(StoreError) -> Int {
        let file = try directoryIndex.complete(source, generation: generation)
        try atomically { (connection) throws(StoreError) in
            try connection.run(
                """
                INSERT INTO directory_source(name, enabled, file, generation) VALUES (?, 1, ?, ?)
                ON CONFLICT DO UPDATE SET file = excluded.file, generation = excluded.generation
                """, [.text(source), .integer(file.number), .integer(generation)])
        }
        return file.entries
    }

    /// Ends a load of which a part was refused. The next generation may be loaded at once.
    package func failDirectory(_ source: String, generation: Int64, by loader: Int = 0) {
        directoryIndex.fail(source, generation: generation, by: loader)
    }

    /// Ends the load of a client that has disconnected; its entries are discarded.
    package func interruptDirectory(_ source: String, by loader: Int = 0) {
        directoryIndex.interrupt(source, by: loader)
    }

    /// Applies at most 500 changes to the current generation: all of them or none. Returns the
    /// number of entries.
    @discardableResult
    package func changeDirectory(
        _ source: String, _ changes: [DirectoryChange]
    ) throws(StoreError) -> Int {
        _ = try database()
        return try directoryIndex.change(changes, source)
    }

    private func checkSource(_ name: String) throws(StoreError) {
        guard (1...DirectoryIndex.sourceBytesMax).contains(name.utf8.count) else {
            throw StoreError(
                .invalid, "a source name must have 1 to \(DirectoryIndex.sourceBytesMax) bytes")
        }
        let names = try directorySources().map(\.name)
        guard names.contains(name) || names.count < DirectoryIndex.sourcesMax else {
            throw StoreError(.invalid, "there can be at most \(DirectoryIndex.sourcesMax) sources")
        }
    }
}
