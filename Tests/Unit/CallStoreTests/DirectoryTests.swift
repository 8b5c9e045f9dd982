import CallModel
import Testing

@testable import CallStore

struct DirectoryTests {
    let store = CallStore(.memory)

    private func load(
        _ entries: [DirectoryEntry], _ source: String = "list.csv", generation: Int64 = 1
    ) throws(StoreError) {
        try store.beginDirectory(source, generation: generation)
        try store.putDirectory(entries, source, generation: generation)
        try store.finishDirectory(source, generation: generation)
    }

    private func labels(of number: Int64) throws -> [String] {
        try store.whoIs(.phone("+\(number)")).labels.map(\.label)
    }

    @Test func `a loaded directory says whose a number is, and whether it is blocked`() throws {
        try load([
            DirectoryEntry(15_550_100, label: "Shop"), DirectoryEntry(15_550_101, isBlocked: true),
            DirectoryEntry(15_550_102, label: "Bot", isBlocked: true),
        ])
        let source = "list.csv"
        #expect(
            try store.whoIs(.phone("+15550100")).labels
                == [DirectoryLabel(label: "Shop", source: source)])
        #expect(try store.whoIs(.phone("+1 555 0101")).blockingSources == [source])
        var facts = CallerFacts()
        facts.labels = [DirectoryLabel(label: "Bot", source: source)]
        facts.blockingSources = [source]
        #expect(try store.whoIs(.phone("+15550102")) == facts)
        #expect(try store.whoIs(.generic("sip:+15550102@gateway.example")) == facts)
        #expect(try store.whoIs(.phone("+15550103")) == CallerFacts())
        #expect(try store.whoIs(.generic("15550102")) == CallerFacts())
    }

    @Test func `contact, block and every source are told in one trip`() throws {
        try store.put(.ada)
        let block = Block(.prefix(.phone, "+4930"), addedAtMS: 1)
        try store.add(block)
        try load([DirectoryEntry(4_930_901_820, label: "Second")], "b")
        try load([DirectoryEntry(4_930_901_820, label: "First", isBlocked: true)], "a")
        var facts = CallerFacts()
        facts.contact = .ada
        facts.block = block
        facts.labels = [
            DirectoryLabel(label: "First", source: "a"),
            DirectoryLabel(label: "Second", source: "b"),
        ]
        facts.blockingSources = ["a"]
        #expect(try store.whoIs(.phone("+4930901820")) == facts)
    }

    @Test func `the old generation serves until the new one is complete`() throws {
        try load([DirectoryEntry(15_550_100, label: "old")])
        try store.beginDirectory("list.csv", generation: 2)
        try store.putDirectory(
            [DirectoryEntry(15_550_100, label: "new")], "list.csv", generation: 2)
        #expect(try labels(of: 15_550_100) == ["old"])
        var source = DirectorySource(name: "list.csv")
        (source.generation, source.entries, source.loading, source.loaded) = (1, 1, 2, 1)
        #expect(try store.directorySources() == [source])

        try store.finishDirectory("list.csv", generation: 2)
        #expect(try labels(of: 15_550_100) == ["new"])
        (source.generation, source.loading, source.loaded) = (2, nil, 0)
        #expect(try store.directorySources() == [source])
    }

    @Test func `a load may add all labels first and all blocks then, as CallKit does`() throws {
        try store.beginDirectory("a", generation: 1)
        let numbers = Array(Int64(15_550_100)..<15_550_105)
        try store.putDirectory(
            numbers.map { DirectoryEntry($0, label: "\($0)") }, "a", generation: 1)
        try store.putDirectory(
            numbers.map { DirectoryEntry($0, isBlocked: true) }, "a", generation: 1)
        #expect(try store.finishDirectory("a", generation: 1) == 10)
        let facts = try store.whoIs(.phone("+15550103"))
        #expect(facts.labels.map(\.label) == ["15550103"])
        #expect(facts.blockingSources == ["a"])
    }

    // MARK: what is refused, with CallKit's numbers

    private func fault(_ work: () throws(StoreError) -> Void) -> Int? {
        guard case .directory(let fault) = code(of: work) else { return nil }
        return fault.rawValue
    }

    @Test func `entries out of order are refused, within a frame and between frames`() throws {
        let entries = [5, 4].map { DirectoryEntry($0, label: "x") }
        try store.beginDirectory("a", generation: 1)
        #expect(
            fault { () throws(StoreError) in try store.putDirectory(entries, "a", generation: 1) }
                == 3)
        try store.putDirectory([entries[0]], "a", generation: 1)
        #expect(
            fault { () throws(StoreError) in
                try store.putDirectory([entries[1]], "a", generation: 1)
            } == 3)
    }

    @Test func `a number given twice is refused, and nothing of its frame is kept`() throws {
        let entries = [4, 5, 5].map { DirectoryEntry($0, label: "x") }
        try store.beginDirectory("a", generation: 1)
        #expect(
            fault { () throws(StoreError) in try store.putDirectory(entries, "a", generation: 1) }
                == 4)
        #expect(try store.putDirectory([entries[0]], "a", generation: 1) == 1)
        #expect(
            fault { () throws(StoreError) in
                try store.putDirectory([entries[0]], "a", generation: 1)
            } == 4)
    }

    @Test func `more entries than are allowed are refused`() throws {
        store.directoryIndex.entriesMax = 3
        try store.beginDirectory("a", generation: 1)
        try store.putDirectory(
            [DirectoryEntry(1, label: "x", isBlocked: true)], "a", generation: 1)
        let more = [DirectoryEntry(2, label: "x"), DirectoryEntry(3, label: "x")]
        #expect(
            fault { () throws(StoreError) in try store.putDirectory(more, "a", generation: 1) } == 5
        )
        try store.putDirectory([more[0]], "a", generation: 1)
        try store.finishDirectory("a", generation: 1)
        #expect(
            fault { () throws(StoreError) in try store.changeDirectory("a", [.add(more[1])]) } == 5)
        #expect(try store.directorySources().map(\.entries) == [3])
    }

    @Test func `a source that is switched off is not asked, and not loaded`() throws {
        try load([DirectoryEntry(15_550_100, label: "Shop", isBlocked: true)])
        try store.setDirectorySource("list.csv", isEnabled: false)
        #expect(try store.whoIs(.phone("+15550100")) == CallerFacts())
        #expect(
            fault { () throws(StoreError) in try store.beginDirectory("list.csv", generation: 2) }
                == 6)
        #expect(
            fault { () throws(StoreError) in
                try store.changeDirectory("list.csv", [.removeBlock(1)])
            } == 6)
        try store.setDirectorySource("list.csv", isEnabled: true)
        #expect(try labels(of: 15_550_100) == ["Shop"])
    }

    @Test func `one load of a source at a time`() throws {
        try store.beginDirectory("a", generation: 1)
        try store.putDirectory([DirectoryEntry(1, label: "x")], "a", generation: 1)
        #expect(
            fault { () throws(StoreError) in
                try store.beginDirectory("a", generation: 2, by: 1)
            } == 7)
        #expect(
            fault { () throws(StoreError) in try store.putDirectory([], "a", generation: 2) } == 7)
        store.interruptDirectory("a", by: 1)
        #expect(store.loadingGeneration(of: "a") == 1)
        store.interruptDirectory("a")
        try store.beginDirectory("a", generation: 2, by: 1)
    }

    @Test func `whoever loads may begin the next generation instead`() throws {
        try store.beginDirectory("a", generation: 1)
        try store.putDirectory([DirectoryEntry(15_550_100, label: "old")], "a", generation: 1)
        try load([DirectoryEntry(15_550_100, label: "new")], "a", generation: 2)
        #expect(try labels(of: 15_550_100) == ["new"])
    }

    @Test func `of a load that has failed nothing more is taken, and the next one may begin`()
        throws
    {
        try store.beginDirectory("a", generation: 1)
        store.failDirectory("a", generation: 1)
        #expect(
            fault { () throws(StoreError) in try store.putDirectory([], "a", generation: 1) } == 2)
        #expect(
            fault { () throws(StoreError) in try store.beginDirectory("a", generation: 1) } == 2)
        try load([DirectoryEntry(15_550_100, label: "Shop")], "a", generation: 2)
        #expect(try labels(of: 15_550_100) == ["Shop"])
    }

    @Test(arguments: [4, 5] as [Int64])
    func `a generation is higher than the one that serves`(generation: Int64) throws {
        try load([DirectoryEntry(15_550_100, label: "Shop")], generation: 5)
        let error = code { () throws(StoreError) in
            try store.beginDirectory("list.csv", generation: generation)
        }
        #expect(error == .staleGeneration)
        try load([DirectoryEntry(15_550_100, label: "Bank")], generation: 6)
        #expect(try labels(of: 15_550_100) == ["Bank"])
        try store.removeDirectorySource("list.csv")
        try load([DirectoryEntry(15_550_100, label: "Club")], generation: 1)
        #expect(try labels(of: 15_550_100) == ["Club"])
    }

    @Test func `what belongs to no load is refused`() throws {
        #expect(
            fault { () throws(StoreError) in try store.putDirectory([], "a", generation: 1) } == 2)
        #expect(
            fault { () throws(StoreError) in try store.finishDirectory("a", generation: 1) } == 2)
    }

    @Test func `what was never loaded cannot be changed`() throws {
        #expect(
            fault { () throws(StoreError) in try store.changeDirectory("a", [.removeLabels(1)]) }
                == 8)
        let add = DirectoryChange.add(DirectoryEntry(1, label: "x"))
        #expect(fault { () throws(StoreError) in try store.changeDirectory("a", [add]) } == 1)
    }

    @Test(arguments: [
        DirectoryEntry(0, label: "x"), DirectoryEntry(-1, label: "x"),
        DirectoryEntry(.max, label: "x"),
        DirectoryEntry(1), DirectoryEntry(1, label: ""), DirectoryEntry(1, label: "two\nlines"),
        DirectoryEntry(1, label: String(repeating: "x", count: 257)),
    ]) func `an entry that says nothing, or too much, is refused`(_ entry: DirectoryEntry) throws {
        try store.beginDirectory("a", generation: 1)
        let error = code { () throws(StoreError) in
            try store.putDirectory([entry], "a", generation: 1)
        }
        #expect(error == .invalid)
    }

    // MARK: changes

    @Test func `a loaded generation is changed in place`() throws {
        try load([
            DirectoryEntry(15_550_100, label: "Shop", isBlocked: true),
            DirectoryEntry(15_550_101, label: "Bank"),
        ])
        let count = try store.changeDirectory(
            "list.csv",
            [
                .add(DirectoryEntry(15_550_100, label: "Shop")),
                .add(DirectoryEntry(15_550_100, label: "Other shop", isBlocked: true)),
                .add(DirectoryEntry(15_550_099, label: "Early", isBlocked: true)),
                .removeLabels(15_550_101), .removeLabels(15_550_101), .removeBlock(15_550_100),
            ])
        #expect(count == 4)
        #expect(try labels(of: 15_550_100) == ["Shop", "Other shop"])
        #expect(try labels(of: 15_550_101) == [])
        #expect(try store.whoIs(.phone("+15550100")).blockingSources == [])
        #expect(try store.changeDirectory("list.csv", [.removeAllLabels]) == 1)
        #expect(try store.whoIs(.phone("+15550099")).blockingSources == ["list.csv"])
        #expect(try store.changeDirectory("list.csv", [.removeAllBlocks]) == 0)
        #expect(try store.whoIs(.phone("+15550099")) == CallerFacts())
    }

    @Test func `of several changes a bad one undoes all`() throws {
        try load([DirectoryEntry(15_550_100, label: "Shop")])
        let error = code { () throws(StoreError) in
            try store.changeDirectory(
                "list.csv", [.removeAllLabels, .add(DirectoryEntry(0, label: "x"))])
        }
        #expect(error == .invalid)
        #expect(try labels(of: 15_550_100) == ["Shop"])
        #expect(try store.directorySources().map(\.entries) == [1])
    }

    @Test func `a source that is removed is forgotten`() throws {
        try load([DirectoryEntry(15_550_100, label: "Shop")])
        #expect(try store.removeDirectorySource("list.csv"))
        #expect(try !store.removeDirectorySource("list.csv"))
        #expect(try labels(of: 15_550_100) == [])
        #expect(try store.directorySources() == [])
    }
}
