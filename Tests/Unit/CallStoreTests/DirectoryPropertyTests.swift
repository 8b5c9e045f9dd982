import CallModel
import TestSupport
import Testing

@testable import CallStore

/// A caller directory that does what is obvious, and nothing quickly.
private struct NaiveDirectory {
    struct Source {
        var isEnabled = true
        var generation: Int64?
        var labels: [Int64: [String]] = [:]
        var blocked: Set<Int64> = []
    }

    var sources: [String: Source] = [:]
    /// What was put into a load so far.
    var loads: [String: (generation: Int64, entries: [DirectoryEntry])] = [:]

    mutating func finish(_ name: String) {
        guard let load = loads.removeValue(forKey: name) else { return }
        var source = sources[name] ?? Source()
        (source.labels, source.blocked) = ([:], [])
        source.generation = load.generation
        for entry in load.entries { Self.add(entry, to: &source) }
        sources[name] = source
    }

    mutating func change(_ name: String, _ changes: [DirectoryChange]) {
        guard var source = sources[name] else { return }
        for change in changes {
            switch change {
            case .add(let entry): Self.add(entry, to: &source)
            case .removeLabels(let number): source.labels[number] = nil
            case .removeBlock(let number): source.blocked.remove(number)
            case .removeAllLabels: source.labels = [:]
            case .removeAllBlocks: source.blocked = []
            }
        }
        sources[name] = source
    }

    private static func add(_ entry: DirectoryEntry, to source: inout Source) {
        if entry.isBlocked { source.blocked.insert(entry.number) }
        guard let label = entry.label else { return }
        let known = source.labels[entry.number, default: []]
        if !known.contains(label) { source.labels[entry.number] = known + [label] }
    }

    func facts(_ number: Int64) -> CallerFacts {
        var facts = CallerFacts()
        for (name, source) in sources.sorted(by: { $0.key < $1.key }) where source.isEnabled {
            for label in source.labels[number] ?? [] {
                facts.labels.append(DirectoryLabel(label: label, source: name))
            }
            if source.blocked.contains(number) { facts.blockingSources.append(name) }
        }
        return facts
    }

    var list: [DirectorySource] {
        Set(sources.keys).union(loads.keys).sorted().map { name in
            var listed = DirectorySource(name: name)
            if let source = sources[name] {
                (listed.isEnabled, listed.generation) = (source.isEnabled, source.generation)
                listed.entries =
                    source.blocked.count + source.labels.values.reduce(0) { $0 + $1.count }
            }
            if let load = loads[name] {
                (listed.loading, listed.loaded) = (load.generation, load.entries.entryCount)
            }
            return listed
        }
    }
}

/// Random lives of a caller directory, beside the naive one.
private struct DirectoryLife {
    private static let names = ["a", "b", "c"]
    private static let numbers = Int64(1_000)..<1_040
    var random: SeededRandom
    var naive = NaiveDirectory()
    let folder: TestFolder
    var store: CallStore
    private var generations: Int64 = 0

    init(_ random: SeededRandom) throws {
        self.random = random
        folder = try TestFolder()
        store = CallStore(folder.place)
    }

    mutating func step() throws(StoreError) {
        let name = random.pick(Self.names)
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<3: try begin(name)
        case 3..<9: try put(name)
        case 9..<13: try finish(name)
        case 13..<17: try change(name)
        case 17: try enable(name)
        case 18: try forget(name)
        default: reopen()
        }
    }

    private mutating func begin(_ name: String) throws(StoreError) {
        if naive.loads[name] != nil {
            store.interruptDirectory(name)
            naive.loads[name] = nil
        }
        guard naive.sources[name]?.isEnabled ?? true else { return }
        generations += 1
        try store.beginDirectory(name, generation: generations)
        naive.loads[name] = (generations, [])
    }

    private mutating func put(_ name: String) throws(StoreError) {
        guard let load = naive.loads[name], naive.sources[name]?.isEnabled ?? true else { return }
        let first = (load.entries.last?.number ?? Self.numbers.lowerBound - 1) + 1
        var entries: [DirectoryEntry] = []
        for number in max(first, Self.numbers.lowerBound)..<max(first, Self.numbers.upperBound) {
            if entries.count < 9, random.chance(40) { entries.append(entry(number)) }
        }
        try store.putDirectory(entries, name, generation: load.generation)
        naive.loads[name]?.entries += entries
    }

    private mutating func entry(_ number: Int64) -> DirectoryEntry {
        let isBlocked = random.chance(30)
        let hasLabel = !isBlocked || random.chance(50)
        return DirectoryEntry(
            number, label: hasLabel ? random.pick(["Shop", "Bank", "Bot, Ltd."]) : nil,
            isBlocked: isBlocked)
    }

    private mutating func finish(_ name: String) throws(StoreError) {
        guard let load = naive.loads[name] else { return }
        if random.chance(20) { return try finishInVain(name, load.generation) }
        try store.finishDirectory(name, generation: load.generation)
        naive.finish(name)
    }

    /// In a transaction that is undone.
    private mutating func finishInVain(_ name: String, _ generation: Int64) throws(StoreError) {
        do throws(StoreError) {
            try store.atomically { (_) throws(StoreError) in
                try store.finishDirectory(name, generation: generation)
                throw StoreError(.notFound, "in vain")
            }
        } catch {
            guard error.code == .notFound else { throw error }
        }
        store.interruptDirectory(name)
        naive.loads[name] = nil
    }

    private mutating func change(_ name: String) throws(StoreError) {
        guard let source = naive.sources[name], source.isEnabled, source.generation != nil else {
            return
        }
        let changes = (0..<Int.random(in: 1...6, using: &random)).map { _ in aChange() }
        try store.changeDirectory(name, changes)
        naive.change(name, changes)
    }

    private mutating func aChange() -> DirectoryChange {
        let number = Int64.random(in: Self.numbers, using: &random)
        return switch Int.random(in: 0..<20, using: &random) {
        case 0: .removeAllLabels
        case 1: .removeAllBlocks
        case 2..<6: .removeLabels(number)
        case 6..<10: .removeBlock(number)
        default: .add(entry(number))
        }
    }

    private mutating func enable(_ name: String) throws(StoreError) {
        let isEnabled = random.chance(60)
        try store.setDirectorySource(name, isEnabled: isEnabled)
        naive.sources[name, default: NaiveDirectory.Source()].isEnabled = isEnabled
    }

    private mutating func forget(_ name: String) throws(StoreError) {
        try store.removeDirectorySource(name)
        (naive.sources[name], naive.loads[name]) = (nil, nil)
    }

    /// Loads do not outlive the process.
    private mutating func reopen() {
        store.shut()
        store = CallStore(folder.place)
        naive.loads = [:]
    }

    func check() throws {
        for number in Self.numbers {
            let facts = try store.whoIs(.phone("+\(number)"))
            try #require(facts == naive.facts(number), "seed \(random.seed), number \(number)")
        }
        try #require(try store.directorySources() == naive.list, "seed \(random.seed)")
        let files = folder.names.filter { $0.hasPrefix("directory-") && $0.hasSuffix(".sqlite") }
        let counting = naive.sources.values.count { $0.generation != nil } + naive.loads.count
        try #require(files.count == counting, "seed \(random.seed): \(files)")
    }
}

struct DirectoryPropertyTests {
    @Test func `the directory says what a naive one says, whatever is loaded, changed and undone`()
        throws
    {
        var life = try DirectoryLife(SeededRandom(for: "caller directory"))
        for _ in 0..<300 {
            try life.step()
            try life.check()
        }
    }
}
