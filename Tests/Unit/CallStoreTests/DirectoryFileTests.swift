import CallModel
import Testing

@testable import CallStore

/// The caller directory and its files, over restarts and kills.
struct DirectoryFileTests {
    let folder: TestFolder
    let store: CallStore

    init() throws {
        folder = try TestFolder()
        store = CallStore(folder.place)
        try Self.load(store, [DirectoryEntry(15_550_100, label: "old")], generation: 1)
    }

    private static func load(
        _ store: CallStore, _ entries: [DirectoryEntry], generation: Int64
    ) throws {
        try store.beginDirectory("a", generation: generation)
        try store.putDirectory(entries, "a", generation: generation)
        try store.finishDirectory("a", generation: generation)
    }

    private func labels(_ store: CallStore) throws -> [String] {
        try store.whoIs(.phone("+15550100")).labels.map(\.label)
    }

    private func directoryFiles(_ folder: TestFolder) -> [String] {
        folder.names.filter { $0.hasPrefix("directory-") }
    }

    @Test func `a loaded directory outlives the process`() throws {
        try store.changeDirectory("a", [.add(DirectoryEntry(15_550_100, label: "more"))])
        let left = try folder.asAfterKill()
        let next = CallStore(left.place)
        #expect(try labels(next) == ["old", "more"])
        #expect(try next.directorySources().map(\.entries) == [2])
    }

    @Test func `a kill in the middle of a load leaves the old generation, and nothing else`() throws
    {
        try store.beginDirectory("a", generation: 2)
        for first in stride(from: Int64(1), to: 50_000, by: 500) {
            let entries = (first..<first + 500).map { DirectoryEntry($0, label: "new") }
            try store.putDirectory(entries, "a", generation: 2)
        }
        let left = try folder.asAfterKill()
        #expect(directoryFiles(left).count == 2)
        let next = CallStore(left.place)
        #expect(try labels(next) == ["old"])
        #expect(try next.directorySources().map(\.loading) == [nil])
        #expect(directoryFiles(left) == ["directory-1.sqlite"])
        #expect(next.takeNotices() == [])
        try Self.load(next, [DirectoryEntry(15_550_100, label: "new")], generation: 2)
        #expect(try labels(next) == ["new"])
    }

    @Test func `the file of the generation that was replaced is removed`() throws {
        try Self.load(store, [DirectoryEntry(15_550_100, label: "new")], generation: 2)
        #expect(directoryFiles(folder) == ["directory-2.sqlite"])
    }

    @Test func `a load that is undone with its transaction leaves the old generation`() throws {
        try store.beginDirectory("a", generation: 2)
        try store.putDirectory([DirectoryEntry(15_550_100, label: "new")], "a", generation: 2)
        let error = code { () throws(StoreError) in
            try store.atomically { (_) throws(StoreError) in
                try store.finishDirectory("a", generation: 2)
                throw StoreError(.diskFull, "no room")
            }
        }
        #expect(error == .diskFull)
        #expect(try labels(store) == ["old"])
        try store.finishDirectory("a", generation: 2)
        #expect(try labels(store) == ["new"])
    }

    @Test func `a kill in the middle of a change leaves all of it undone`() throws {
        let file = try #require(store.directoryIndex.files[1])
        try file.connection.run("PRAGMA cache_size = 1; BEGIN; DELETE FROM entry")
        let left = try folder.asAfterKill()
        let next = CallStore(left.place)
        #expect(try labels(next) == ["old"])
    }

    @Test func `a damaged file of a source is kept aside, and the others serve`() throws {
        try store.beginDirectory("b", generation: 1)
        try store.putDirectory([DirectoryEntry(15_550_100, label: "B")], "b", generation: 1)
        try store.finishDirectory("b", generation: 1)
        let left = try folder.asAfterKill()
        try left.write([UInt8](repeating: 7, count: 8_192), to: "directory-1.sqlite")
        let next = CallStore(left.place)
        #expect(try labels(next) == ["B"])
        #expect(directoryFiles(left) == ["directory-1.sqlite.damaged-1", "directory-2.sqlite"])
        #expect(
            next.takeNotices() == [
                .directoryDamaged(
                    source: "a", keptAs: "\(left.path)/directory-1.sqlite.damaged-1",
                    why: "\(left.path)/directory-1.sqlite is damaged: file is not a database")
            ])
        try Self.load(next, [DirectoryEntry(15_550_100, label: "A")], generation: 2)
        #expect(try labels(next) == ["A", "B"])
    }

    @Test func `a damaged page is found when a number is looked for`() throws {
        let entries = (0..<500).map { DirectoryEntry(Int64(20_000_000 + $0), label: "x") }
        try Self.load(store, entries, generation: 2)
        let left = try folder.asAfterKill()
        var bytes = try left.bytes("directory-2.sqlite")
        for place in 4_096 * 3..<bytes.count { bytes[place] = 0xFF }
        try left.write(bytes, to: "directory-2.sqlite")
        let next = CallStore(left.place)
        #expect(try next.whoIs(.phone("+20000499")) == CallerFacts())
        guard case .directoryDamaged(source: "a", _, _)? = next.takeNotices().first else {
            Issue.record("nothing was said")
            return
        }
        #expect(try next.directorySources().map(\.generation) == [nil])
    }

    @Test func `the directory is taken over by the store that follows a damaged one`() throws {
        try store.put(.ada)
        store.shut()
        let left = try folder.asAfterKill()
        try left.write([1, 2, 3], to: CallStore.fileName)
        let next = CallStore(left.place)
        #expect(try labels(next) == ["old"])
        #expect(try next.contacts().items == [])
        #expect(try next.directorySources().map(\.generation) == [1])
    }

    @Test func `a file that is gone is told, and its source is to be loaded again`() throws {
        let left = try folder.asAfterKill()
        StoreFile.remove("\(left.path)/directory-1.sqlite")
        let next = CallStore(left.place)
        #expect(try labels(next) == [])
        #expect(next.takeNotices().count == 1)
        #expect(try next.directorySources().map(\.generation) == [nil])
    }
}
