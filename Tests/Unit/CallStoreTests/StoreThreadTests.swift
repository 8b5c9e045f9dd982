import BrokerSocket
import CallModel
import Synchronization
import Testing

@testable import CallStore

/// The second thread. Nobody sleeps: each test waits for what the thread signals.
struct StoreThreadTests {
    private let folder: TestFolder
    private let loop: Wakeup
    private let thread: StoreThread

    init() throws {
        folder = try TestFolder()
        loop = try Wakeup()
        thread = try StoreThread(folder.place, wakes: loop)
    }

    private func settleAll() {
        while !thread.isIdle {
            loop.wait()
            thread.settle()
        }
    }

    /// Keeps the thread busy until the gate is signalled, so that what follows is one batch.
    private func holdThread() throws -> Wakeup {
        let gate = try Wakeup()
        let entered = try Wakeup()
        thread.submit(
            .read,
            { (_) throws(StoreError) in
                entered.signal()
                gate.wait()
            }
        ) { _ in }
        entered.wait()
        return gate
    }

    @Test func `results come in the order of submission, on the thread that settles`() throws {
        var told: [String] = []
        for name in ["c", "a", "b"] {
            thread.submit(
                .write,
                { (store) throws(StoreError) in
                    try store.put(Contact(id: name, name: name, handles: []))
                    return try store.contacts().items.count
                }
            ) { result in told.append("\(name) \((try? result.get()) ?? -1)") }
        }
        thread.submit(
            .read,
            { (store) throws(StoreError) in
                try store.contact("a")?.name ?? "nobody"
            }
        ) { told.append("read \((try? $0.get()) ?? "failed")") }
        #expect(!thread.isIdle)
        #expect(told == [])
        settleAll()
        #expect(told == ["c 1", "a 2", "b 3", "read a"])
    }

    @Test func `a look-up is done before what was submitted earlier`() throws {
        let gate = try holdThread()
        var told: [String] = []
        for name in ["a", "b"] {
            thread.submit(
                .write,
                { (store) throws(StoreError) in
                    try store.put(Contact(id: name, name: name, handles: []))
                }
            ) { _ in told.append(name) }
        }
        thread.submit(
            .lookUp, { (store) throws(StoreError) in try store.contacts().items.count }
        ) { told.append("look-up: \((try? $0.get()) ?? -1)") }
        gate.signal()
        settleAll()
        #expect(told == ["look-up: 0", "a", "b"])
    }

    @Test func `a read gives way to a look-up, and is run again`() throws {
        let entered = try Wakeup()
        let submitted = try Wakeup()
        let runs = Mutex(0)
        var told: [String] = []
        thread.submit(
            .read,
            { (store) throws(StoreError) in
                if runs.increment() == 1 {
                    entered.signal()
                    submitted.wait()
                }
                return try store.countToAMillion()
            }
        ) { told.append("read \(runs.withLock { $0 }) times: \((try? $0.get()) ?? -1)") }
        entered.wait()
        thread.submit(.lookUp, { (store) throws(StoreError) in try store.missedUnseen() }) {
            told.append("look-up: \((try? $0.get()) ?? -1)")
        }
        submitted.signal()
        settleAll()
        #expect(told == ["look-up: 0", "read 2 times: 1000000"])
    }

    @Test func `a look-up among writes leaves their transaction as it is`() throws {
        let gate = try holdThread()
        let entered = try Wakeup()
        let submitted = try Wakeup()
        let runs = Mutex(0)
        var told: [String] = []
        thread.submit(
            .write,
            { (store) throws(StoreError) in
                try store.put(.ada)
                guard runs.increment() == 1 else { return }
                entered.signal()
                submitted.wait()
            }
        ) { _ in told.append("ada") }
        thread.submit(
            .write,
            { (store) throws(StoreError) in
                try store.put(.bob)
                throw StoreError(.damaged, "as good as damaged")
            }
        ) { _ in told.append("bob") }
        gate.signal()
        entered.wait()
        thread.submit(
            .lookUp,
            { (_) throws(StoreError) -> Int in throw StoreError(.damaged, "the page is damaged") }
        ) {
            if case .failure(let error) = $0 { told.append("look-up: \(error.code)") }
        }
        submitted.signal()
        settleAll()
        #expect(told == ["look-up: damaged", "ada", "bob"])
    }

    @Test func `what waits is written in one transaction, and told when it is on the disk`() throws
    {
        let gate = try holdThread()
        let folder = folder
        let seen = Answer<[String]>()
        thread.submit(.write, { (store) throws(StoreError) in try store.put(.ada) }) { _ in }
        thread.submit(
            .read,
            { (store) throws(StoreError) in
                let here = try store.contacts().items.map(\.id)
                guard let left = try? folder.asAfterKill() else { return }
                let there = try CallStore(left.place).contacts().items.map(\.id)
                _ = seen.job(.read) { (_) throws(StoreError) in here + ["|"] + there }.run(store)
            }
        ) { _ in }
        var onDisk: [[String]] = []
        thread.submit(.write, { (store) throws(StoreError) in try store.put(.bob) }) { _ in
            guard let left = try? folder.asAfterKill() else { return }
            onDisk.append((try? CallStore(left.place).contacts().items.map(\.id)) ?? [])
        }
        gate.signal()
        settleAll()
        #expect(seen.value == .success(["ada", "|"]))
        #expect(onDisk == [["ada", "bob"]])
    }

    @Test func `a write that fails does not undo the others of its batch`() throws {
        let gate = try holdThread()
        var results: [Result<Bool, StoreError>] = []
        thread.submit(
            .write,
            { (store) throws(StoreError) in
                try store.put(.ada)
                return true
            }
        ) { results.append($0) }
        thread.submit(
            .write,
            { (store) throws(StoreError) in
                try store.removeContact("ada")
                throw StoreError(.notFound, "changed its mind")
            }
        ) { results.append($0) }
        thread.submit(
            .write,
            { (store) throws(StoreError) in
                try store.removeContact("bob")
            }
        ) { results.append($0) }
        gate.signal()
        settleAll()
        #expect(
            results == [
                .success(true), .failure(StoreError(.notFound, "changed its mind")),
                .success(false),
            ])
        var left: [Contact] = []
        thread.submit(.read, { (store) throws(StoreError) in try store.contacts().items }) {
            left = (try? $0.get()) ?? []
        }
        settleAll()
        #expect(left == [.ada])
    }

    @Test func `a completion may submit more`() throws {
        var told = 0
        thread.submit(.read, { (_) throws(StoreError) in 1 }) { [thread] first in
            told += (try? first.get()) ?? 0
            thread.submit(.read, { (_) throws(StoreError) in 2 }) { told += (try? $0.get()) ?? 0 }
            thread.settle()
        }
        settleAll()
        #expect(told == 3)
    }

    @Test func `too much that waits is refused, in its place`() throws {
        let gate = try holdThread()
        var refused = 0
        var done = 0
        for _ in 0..<StoreThread.waitingMax + 9 {
            thread.submit(.read, { (_) throws(StoreError) in }) { result in
                switch result {
                case .success: done += 1
                case .failure(let error): refused += error.code == .overloaded ? 1 : 0
                }
            }
        }
        gate.signal()
        settleAll()
        #expect(done == StoreThread.waitingMax - 1)
        #expect(refused == 10)
    }

    @Test func `at the end all that was submitted is done, and told`() throws {
        let gate = try holdThread()
        var told = 0
        for number in 0..<100 {
            thread.submit(
                .write,
                { (store) throws(StoreError) in
                    try store.put(Contact(id: "\(number)", name: "x", handles: []))
                }
            ) { _ in told += 1 }
        }
        gate.signal()
        thread.stop()
        #expect(told == 100)
        #expect(thread.isIdle)
        #expect(try CallStore(folder.place).contacts(limit: 200).items.count == 100)
        var late: StoreError.Code?
        thread.submit(.read, { (_) throws(StoreError) in }) { result in
            if case .failure(let error) = result { late = error.code }
        }
        thread.settle()
        #expect(late == .stopping)
    }

    @Test func `damage is told beside the results`() throws {
        try folder.write([UInt8](repeating: 5, count: 5_000), to: CallStore.fileName)
        thread.submit(.write, { (store) throws(StoreError) in try store.put(.ada) }) { _ in }
        settleAll()
        #expect(thread.takeNotices().count == 1)
        #expect(thread.takeNotices() == [])
    }

    @Test
    func `entries of a directory are put once, though a write of their batch fails as a whole`()
        throws
    {
        let gate = try holdThread()
        var results: [Result<Int, StoreError>] = []
        thread.submit(
            .load,
            { (store) throws(StoreError) in
                try store.beginDirectory("a", generation: 1)
                return 0
            }
        ) { results.append($0) }
        thread.submit(
            .load,
            { (store) throws(StoreError) in
                try store.putDirectory([DirectoryEntry(15_550_100, label: "x")], "a", generation: 1)
            }
        ) { results.append($0) }
        thread.submit(
            .write,
            { (store) throws(StoreError) in
                // As an error of the disk does.
                if try store.database().isInTransaction { try store.database().run("ROLLBACK") }
                throw StoreError(.diskFull, "no room")
            }
        ) { results.append($0) }
        thread.submit(
            .write,
            { (store) throws(StoreError) in
                try store.finishDirectory("a", generation: 1)
            }
        ) { results.append($0) }
        gate.signal()
        settleAll()
        #expect(
            results == [
                .success(0), .success(1), .failure(StoreError(.diskFull, "no room")), .success(1),
            ])
    }
}

extension Mutex<Int> {
    /// Adds one, and returns the sum.
    fileprivate func increment() -> Int {
        withLock { count in
            count += 1
            return count
        }
    }
}

extension CallStore {
    /// Counts for long enough to be interrupted.
    fileprivate func countToAMillion() throws(StoreError) -> Int {
        try database().first(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000)"
                + " SELECT count(*) FROM n"
        ) { Int($0.integer(0)) } ?? 0
    }
}
