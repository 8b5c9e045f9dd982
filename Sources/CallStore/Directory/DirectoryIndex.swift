internal import BrokerSocket

/// The caller directory: its sources, with the file of each one's current generation.
///
/// The store's file determines which of these files are current. Any others are discarded:
/// interrupted loads, and replaced generations. `reconcile` updates the open files after a
/// transaction has ended, whatever its outcome.
final class DirectoryIndex {
    /// The maximum number of labels and blocks of a source.
    static let entriesMax = 20_000_000
    /// The maximum number of entries or changes in a request.
    static let batchMax = 500
    static let sourcesMax = 64
    /// The maximum length of a label, in bytes.
    static let labelBytesMax = 256
    /// The maximum length of a source's name, in bytes.
    static let sourceBytesMax = 256

    /// A load in progress.
    struct Load {
        let generation: Int64
        let loader: Int
        let file: DirectoryFile
        var isComplete = false
    }

    /// A source as stored in the store's file.
    struct StoredSource: Equatable {
        var isEnabled: Bool
        var generation: Int64?
        var file: Int64?
    }

    private let folder: String?
    private var storedSources: [(name: String, source: StoredSource)] = []
    private(set) var files: [Int64: DirectoryFile] = [:]
    var loads: [String: Load] = [:]
    /// Generations of which a part was refused: anything added to them would follow a gap.
    var failed: [String: (generation: Int64, loader: Int)] = [:]
    var lastFile: Int64 = 0
    var needsReconciling = false
    private var notices: [StoreNotice] = []
    /// The limit of entries, lowered in tests.
    var entriesMax = DirectoryIndex.entriesMax

    init(_ place: StorePlace) {
        folder =
            switch place {
            case .memory: nil
            case .folder(let path): path
            }
    }

    func close() {
        for load in loads.values { load.file.close() }
        for file in files.values { file.close() }
        (loads, files, storedSources) = ([:], [:], [])
    }

    func takeNotices() -> [StoreNotice] {
        defer { notices = [] }
        return notices
    }

    /// Opens the current files when the store is opened, and removes all others.
    func read(from connection: Connection) throws(StoreError) {
        lastFile = numbersInFolder().max() ?? 0
        needsReconciling = true
        try readSources(connection)
        openCurrentFiles()
    }

    /// Adopts the files that name their source into a new store that replaces a damaged one.
    func adopt(into connection: Connection) throws(StoreError) {
        for number in numbersInFolder().sorted() {
            guard let file = try? DirectoryFile(number, path: path(number), for: .serve) else {
                continue
            }
            defer { file.close() }
            guard let owner = try? file.owner() else { continue }
            try connection.run(
                """
                INSERT INTO directory_source(name, enabled, file, generation) VALUES (?, 1, ?, ?)
                ON CONFLICT DO UPDATE SET file = excluded.file, generation = excluded.generation
                """, [.text(owner.source), .integer(number), .integer(owner.generation)])
        }
    }

    /// Updates the open files after the end of a transaction.
    func reconcile(_ connection: Connection) {
        guard needsReconciling, !connection.isInTransaction else { return }
        guard (try? readSources(connection)) != nil else { return }
        openCurrentFiles()
    }

    private func readSources(_ connection: Connection) throws(StoreError) {
        storedSources = try connection.rows(
            "SELECT name, enabled, generation, file FROM directory_source ORDER BY name"
        ) {
            (
                $0.text(0),
                StoredSource(
                    isEnabled: $0.flag(1), generation: $0.optionalInteger(2),
                    file: $0.optionalInteger(3))
            )
        }
        needsReconciling = false
    }

    /// Opens the current files; closes and removes all others.
    private func openCurrentFiles() {
        let current = Set(storedSources.compactMap(\.source.file))
        for (name, load) in loads where load.isComplete {
            if current.contains(load.file.number) {
                files[load.file.number] = load.file
                loads[name] = nil
            }
        }
        for (number, file) in files where !current.contains(number) {
            file.close()
            files[number] = nil
            remove(number)
        }
        let loading = Set(loads.values.map(\.file.number))
        for number in numbersInFolder() where !current.contains(number) {
            if !loading.contains(number) { remove(number) }
        }
        for index in storedSources.indices { openFile(of: index) }
    }

    private func openFile(of index: Int) {
        guard let number = storedSources[index].source.file, files[number] == nil else { return }
        do throws(StoreError) {
            guard folder != nil, let path = path(number), try HostFile.present(path) else {
                throw StoreError(.damaged, "its file is missing")
            }
            files[number] = try DirectoryFile(number, path: path, for: .serve)
        } catch {
            drop(number, error)
        }
    }

    /// Stops using a file that cannot be read. A damaged one is moved aside.
    func drop(_ number: Int64, _ error: StoreError) {
        files[number]?.close()
        files[number] = nil
        guard let index = storedSources.firstIndex(where: { $0.source.file == number }) else {
            return
        }
        let name = storedSources[index].name
        (storedSources[index].source.generation, storedSources[index].source.file) = (nil, nil)
        guard error.code == .damaged, let path = path(number) else {
            return notices.append(.failed("the caller directory of \(name): \(error)"))
        }
        let kept = (try? StoreFile.moveAside(path)) ?? "nothing"
        notices.append(
            .directoryDamaged(source: name, keptAs: kept, why: error.description))
    }

    // MARK: files

    private static let (prefix, suffix) = ("directory-", ".sqlite")

    /// Returns the name of a directory's file.
    static func fileName(_ number: Int64) -> String {
        "\(prefix)\(number)\(suffix)"
    }

    /// Returns the number of a directory's file; nil if the name is another one.
    static func number(ofFile name: String) -> Int64? {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
        return Int64(name.dropFirst(prefix.count).dropLast(suffix.count))
    }

    func path(_ number: Int64) -> String? {
        folder.map { "\($0)/\(Self.fileName(number))" }
    }

    func remove(_ number: Int64) {
        if let path = path(number) { StoreFile.remove(path) }
    }

    private func numbersInFolder() -> [Int64] {
        guard let folder else { return [] }
        return HostFile.names(inFolder: folder).compactMap(Self.number)
    }

    // MARK: lookups

    /// Calls `read` with the facts of each enabled source about a number, sorted by the name of the
    /// source.
    func lookUp(
        _ number: Int64, _ read: (_ source: String, _ isBlocked: Bool, _ labels: String?) -> Void
    ) {
        for (name, source) in storedSources where source.isEnabled {
            guard let key = source.file, let file = files[key] else { continue }
            do throws(StoreError) {
                try file.lookUp(number) { read(name, $0, $1) }
            } catch {
                drop(key, error)
            }
        }
    }

    /// A source with its name, to notice changes.
    struct NamedSource: Equatable {
        let name: String
        let source: StoredSource
    }

    var namedSources: [NamedSource] {
        storedSources.map { NamedSource(name: $0.name, source: $0.source) }
    }

    var sources: [DirectorySource] {
        let names = Set(storedSources.map(\.name)).union(loads.keys).sorted()
        return names.map { name in
            var source = DirectorySource(name: name)
            if let present = self.source(name) {
                source.isEnabled = present.isEnabled
                source.generation = present.generation
                source.entries = present.file.flatMap { files[$0]?.entries } ?? 0
            }
            if let load = loads[name] {
                (source.loading, source.loaded) = (load.generation, load.file.entries)
            }
            return source
        }
    }

    func source(_ name: String) -> StoredSource? {
        storedSources.first { $0.name == name }?.source
    }
}

extension HostFile {
    fileprivate static func present(_ path: String) throws(StoreError) -> Bool {
        do throws(SocketError) {
            return try exists(path)
        } catch {
            throw StoreError(.unavailable, error.description)
        }
    }
}
