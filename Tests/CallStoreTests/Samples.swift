import BrokerSocket
import CallModel
import Glibc

@testable import CallStore

/// A folder that is gone when the test is over.
final class TestFolder {
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

extension HistoryEntry {
    /// Call number `number`, which ended so many seconds after the beginning of time.
    static func sample(
        _ number: UInt64, endedAt seconds: Int64, _ change: (inout HistoryEntry) -> Void = { _ in }
    ) -> HistoryEntry {
        var entry = HistoryEntry(
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
