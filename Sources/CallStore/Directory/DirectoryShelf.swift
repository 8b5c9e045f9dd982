internal import BrokerSocket

/// The caller directory: which sources there are, and the file of each one's present generation.
///
/// The store's own file says which files count. What it does not name is not there: a load that was
/// interrupted, a generation that was replaced. `settle` brings the files in line with it, once a
/// transaction has ended in one way or the other.
final class DirectoryShelf {
    /// Labels and blocks of one source.
    static let entriesMax = 20_000_000
    static let batchMax = 500
    static let sourcesMax = 64
    static let labelBytesMax = 256
    static let sourceBytesMax = 256

    /// A load that has begun.
    struct Load {
        let generation: Int64
        let loader: Int
        let file: DirectoryFile
        var isComplete = false
    }

    /// A source as the store's file has it.
    struct Known {
        var isEnabled: Bool
        var generation: Int64?
        var file: Int64?
    }

    private let folder: String?
    private var known: [(name: String, source: Known)] = []
    private(set) var files: [Int64: DirectoryFile] = [:]
    var loads: [String: Load] = [:]
    /// Loads of which a part was refused: what follows would have a hole before it.
    var failed: [String: (generation: Int64, loader: Int)] = [:]
    var lastFile: Int64 = 0
    var isUnsettled = false
    private var notices: [StoreNotice] = []
    /// Fewer in tests.
    var entriesMax = DirectoryShelf.entriesMax

    init(_ place: StorePlace) {
        folder =
            switch place {
            case .memory: nil
            case .folder(let path): path
            }
    }

    func shut() {
        for load in loads.values { load.file.shut() }
        for file in files.values { file.shut() }
        (loads, files, known) = ([:], [:], [])
    }

    func takeNotices() -> [StoreNotice] {
        defer { notices = [] }
        return notices
    }

    /// At the opening of the store: what counts is opened, everything else removed.
    func read(from connection: Connection) throws(StoreError) {
        lastFile = numbersInFolder().max() ?? 0
        isUnsettled = true
        try readKnown(connection)
        clear()
    }

    /// A new store, in the place of a damaged one, takes over the files that say whose they are.
    func adopt(into connection: Connection) throws(StoreError) {
        for number in numbersInFolder().sorted() {
            guard let file = try? DirectoryFile(number, path: path(number), for: .serve) else {
                continue
            }
            defer { file.shut() }
            guard let owner = try? file.owner() else { continue }
            try connection.run(
                """
                INSERT INTO directory_source(name, enabled, file, generation) VALUES (?, 1, ?, ?)
                ON CONFLICT DO UPDATE SET file = excluded.file, generation = excluded.generation
                """, [.text(owner.source), .integer(number), .integer(owner.generation)])
        }
    }

    /// A transaction has ended.
    func settle(_ connection: Connection) {
        guard isUnsettled, !connection.isInTransaction else { return }
        guard (try? readKnown(connection)) != nil else { return }
        clear()
    }

    private func readKnown(_ connection: Connection) throws(StoreError) {
        known = try connection.rows(
            "SELECT name, enabled, generation, file FROM directory_source ORDER BY name"
        ) {
            (
                $0.text(0),
                Known(
                    isEnabled: $0.flag(1), generation: $0.optionalInteger(2),
                    file: $0.optionalInteger(3))
            )
        }
        isUnsettled = false
    }

    /// Opens the files that count, closes and removes the others.
    private func clear() {
        let counting = Set(known.compactMap(\.source.file))
        for (name, load) in loads where load.isComplete {
            if counting.contains(load.file.number) {
                files[load.file.number] = load.file
                loads[name] = nil
            }
        }
        for (number, file) in files where !counting.contains(number) {
            file.shut()
            files[number] = nil
            remove(number)
        }
        let loading = Set(loads.values.map(\.file.number))
        for number in numbersInFolder() where !counting.contains(number) {
            if !loading.contains(number) { remove(number) }
        }
        for index in known.indices { openFile(of: index) }
    }

    private func openFile(of index: Int) {
        guard let number = known[index].source.file, files[number] == nil else { return }
        do throws(StoreError) {
            guard folder != nil, let path = path(number), try HostFile.present(path) else {
                throw StoreError(.damaged, "its file is not there")
            }
            files[number] = try DirectoryFile(number, path: path, for: .serve)
        } catch {
            lose(number, error)
        }
    }

    /// A file that cannot be read does not serve. A damaged one is kept aside.
    func lose(_ number: Int64, _ error: StoreError) {
        files[number]?.shut()
        files[number] = nil
        guard let index = known.firstIndex(where: { $0.source.file == number }) else { return }
        let name = known[index].name
        (known[index].source.generation, known[index].source.file) = (nil, nil)
        guard error.code == .damaged, let path = path(number) else {
            return notices.append(.failed("the caller directory of \(name): \(error)"))
        }
        let kept = (try? StoreFile.setAside(path)) ?? "nothing"
        notices.append(
            .directoryDamaged(source: name, keptAs: kept, why: error.description))
    }

    // MARK: files

    private static let (prefix, suffix) = ("directory-", ".sqlite")

    func path(_ number: Int64) -> String? {
        folder.map { "\($0)/\(Self.prefix)\(number)\(Self.suffix)" }
    }

    func remove(_ number: Int64) {
        if let path = path(number) { StoreFile.remove(path) }
    }

    private func numbersInFolder() -> [Int64] {
        guard let folder else { return [] }
        return HostFile.names(inFolder: folder).compactMap { name in
            guard name.hasPrefix(Self.prefix), name.hasSuffix(Self.suffix) else { return nil }
            return Int64(name.dropFirst(Self.prefix.count).dropLast(Self.suffix.count))
        }
    }

    // MARK: questions

    /// Calls `read` with what each enabled source says of the number, in the order of their names.
    func look(
        up number: Int64, _ read: (_ source: String, _ isBlocked: Bool, _ labels: String?) -> Void
    ) {
        for (name, source) in known where source.isEnabled {
            guard let key = source.file, let file = files[key] else { continue }
            do throws(StoreError) {
                try file.look(up: number) { read(name, $0, $1) }
            } catch {
                lose(key, error)
            }
        }
    }

    var sources: [DirectorySource] {
        let names = Set(known.map(\.name)).union(loads.keys).sorted()
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

    func source(_ name: String) -> Known? {
        known.first { $0.name == name }?.source
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
