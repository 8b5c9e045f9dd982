import BrokerSocket
import CallModel
import Glibc
import Synchronization

@testable import CallStore

/// A folder that is gone when the test is over.
final class TestFolder: Sendable {
    let path: String

    init() throws {
        path = try HostFile.makeTemporaryFolder(prefix: "callstore-tests", environment: [:])
    }

    deinit {
        for name in names { HostFile.remove("\(path)/\(name)") }
        HostFile.removeFolder(path)
    }

    var place: StorePlace { .folder(path) }
    var names: [String] { HostFile.names(inFolder: path) }
    var storeFile: String { "\(path)/\(CallStore.fileName)" }

    func bytes(_ name: String) throws -> [UInt8] {
        try HostFile.read("\(path)/\(name)")
    }

    /// What a process that is killed now would leave behind.
    func asAfterKill() throws -> TestFolder {
        let copy = try TestFolder()
        for name in names { try copy.write(bytes(name), to: name) }
        return copy
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        let file = try AppendFile(creating: "\(path)/\(name)")
        try file.append(bytes, [])
    }
}

extension Handle {
    static func phone(_ value: String) -> Handle { Handle(kind: .phone, value: value) }
    static func email(_ value: String) -> Handle { Handle(kind: .email, value: value) }
    static func generic(_ value: String) -> Handle { Handle(kind: .generic, value: value) }
}

extension Contact {
    static let ada = Contact(
        id: "ada", name: "Ada Lovelace",
        handles: [.phone("+4930901820"), .email("Ada@example.org")])
    static let bob = Contact(id: "bob", name: "bob", handles: [.generic("sip:bob@example.org")])
}

extension HistoryRecord {
    /// Call number `number`, which ended so many seconds after the beginning of time.
    static func sample(
        _ number: UInt64, endedAt seconds: Int64, _ change: (inout HistoryRecord) -> Void = { _ in }
    ) -> HistoryRecord {
        var entry = HistoryRecord(
            call: CallID(UUIDBits(lineage: 1, counter: number)), provider: ProviderID("org.a"),
            providerName: "A phone", direction: .incoming, remote: .phone("+4930901820"),
            startedAtMS: seconds * 1_000 - 10_000, endedAtMS: seconds * 1_000, reason: .remoteEnded,
            origin: .remote)
        change(&entry)
        return entry
    }
}

/// What an error is about; nil if there was none.
func code(of work: () throws(StoreError) -> Void) -> StoreError.Code? {
    do throws(StoreError) {
        try work()
        return nil
    } catch {
        return error.code
    }
}

/// What a piece of work gave, for tests that do without a thread.
final class Answer<Value: Sendable>: Sendable {
    private let box = Mutex<Result<Value, StoreError>?>(nil)

    var value: Result<Value, StoreError>? {
        box.withLock { $0 }
    }

    func job(
        _ use: StoreThread.Use, _ work: @escaping @Sendable (CallStore) throws(StoreError) -> Value
    ) -> StoreJob {
        StoreJob(
            use: use,
            run: { [self] store in
                do throws(StoreError) {
                    let value = try work(store)
                    box.withLock { $0 = .success(value) }
                    return nil
                } catch {
                    box.withLock { $0 = .failure(error) }
                    return error
                }
            }, fail: { [self] error in box.withLock { $0 = .failure(error) } })
    }
}
