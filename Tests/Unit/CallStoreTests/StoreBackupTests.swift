import BrokerSocket
import CallModel
import Testing

@testable import CallStore

/// Copies of the store's files while they are in use.
struct StoreBackupTests {
    private let folder: TestFolder
    private let copy: TestFolder
    private let store: CallStore

    init() throws {
        folder = try TestFolder()
        copy = try TestFolder()
        store = CallStore(folder.place)
    }

    /// So many that a backup has many steps.
    private func fill() throws {
        let name = String(repeating: "n", count: 200)
        try store.put((0..<10_000).map { Contact(id: "\($0)", name: name, handles: []) })
    }

    private func load(_ numbers: ClosedRange<Int64>, generation: Int64) throws {
        try store.beginDirectory("org.list", generation: generation)
        for start in stride(from: numbers.lowerBound, through: numbers.upperBound, by: 500) {
            let end = min(start + 499, numbers.upperBound)
            _ = try store.putDirectory(
                (start...end).map { DirectoryEntry($0, label: "L\($0)") }, "org.list",
                generation: generation)
        }
        _ = try store.finishDirectory("org.list", generation: generation)
    }

    /// Completes a backup; returns the number of its steps.
    private func finish(_ between: (Int) throws -> Void = { _ in }) throws -> Int {
        var steps = 1
        while try !store.continueBackup() {
            try between(steps)
            steps += 1
        }
        return steps
    }

    @Test func `what is written during the backup is in it`() throws {
        try fill()
        try store.beginBackup(in: copy.path, with: [])
        let steps = try finish { step in
            if step == 1 { try store.put(.ada) }
        }
        #expect(steps > 3)
        let restored = CallStore(copy.place)
        #expect(try restored.contact("ada") == .ada)
        #expect(try restored.contact("0") != nil)
        #expect(try restored.contact("9999") != nil)
        restored.shut()
    }

    @Test func `caller directories and further files are in it`() throws {
        try load(4_930_000...4_932_000, generation: 1)
        try store.beginBackup(in: copy.path, with: [("plugins.json", [1, 2, 3])])
        _ = try finish()
        #expect(try copy.bytes("plugins.json") == [1, 2, 3])
        #expect(CallStore.fault(inFolder: copy.path) == nil)
        let restored = CallStore(copy.place)
        #expect(
            try restored.whoIs(.phone("+4931999")).labels.map(\.label) == ["L4931999"])
        restored.shut()
    }

    @Test func `a directory that is replaced meanwhile is there with its new generation`() throws {
        try load(4_930_000...4_930_999, generation: 1)
        try store.beginBackup(in: copy.path, with: [])
        _ = try finish { step in
            if step == 1 { try load(4_940_000...4_940_999, generation: 2) }
        }
        #expect(CallStore.fault(inFolder: copy.path) == nil)
        let restored = CallStore(copy.place)
        #expect(try restored.directorySources().map(\.generation) == [2])
        #expect(try restored.whoIs(.phone("+4940500")).labels.count == 1)
        #expect(try restored.whoIs(.phone("+4930500")).labels.isEmpty)
        restored.shut()
    }

    @Test func `directories that change all the time end the backup`() throws {
        try load(4_930_000...4_930_001, generation: 1)
        try store.beginBackup(in: copy.path, with: [])
        var generation: Int64 = 1
        let error = #expect(throws: StoreError.self) {
            _ = try finish { _ in
                generation += 1
                try load(4_930_000...4_930_001, generation: generation)
            }
        }
        #expect(error?.code == .overloaded)
    }

    @Test func `a new backup replaces one that was not completed`() throws {
        try fill()
        try store.beginBackup(in: copy.path, with: [("old", [])])
        _ = try store.continueBackup()
        try store.beginBackup(in: copy.path, with: [])
        _ = try finish()
        #expect(copy.names == ["store.sqlite"])
        #expect(CallStore.fault(inFolder: copy.path) == nil)
    }

    @Test func `a copy that is damaged or missing is no store`() throws {
        #expect(CallStore.fault(inFolder: copy.path) == "it has no store.sqlite")
        try copy.write([UInt8](repeating: 7, count: 8_192), to: "store.sqlite")
        #expect(CallStore.fault(inFolder: copy.path) != nil)
    }

    @Test func `the thread copies between the jobs of others`() throws {
        store.shut()
        let loop = try Wakeup()
        let thread = try StoreThread(folder.place, wakes: loop)
        let path = copy.path
        var (isComplete, written) = (false, 0)
        thread.submit(
            .copy, { (store) throws(StoreError) in try store.beginBackup(in: path, with: []) }
        ) { _ in }
        while !isComplete {
            let number = written
            thread.submit(
                .write,
                { (store) throws(StoreError) in
                    try store.put(Contact(id: "\(number)", name: "n", handles: []))
                }
            ) { if case .success = $0 { written += 1 } }
            thread.submit(
                .copy, { (store) throws(StoreError) in try store.continueBackup() }
            ) { isComplete = (try? $0.get()) ?? true }
            while !thread.isIdle {
                loop.wait()
                thread.settle()
            }
        }
        thread.stop()
        #expect(written > 0)
        #expect(CallStore.fault(inFolder: path) == nil)
    }
}
