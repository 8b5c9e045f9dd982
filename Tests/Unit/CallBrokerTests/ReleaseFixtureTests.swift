import BrokerSocket
import CallArbitration
import CallJournal
import CallModel
import CallStore
import Foundation
import Logging
import Testing

@testable import CallBroker

/// The journal and the store that release 0.1 left behind when it was killed during a call: one call
/// held, one active and muted, one ringing, and one missed before.
struct ReleaseFixtureTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/release-0.1").path

    private func read(_ name: String) throws -> [UInt8] {
        try HostFile.read(Self.folder + "/" + name, bytesMax: 1 << 20)
    }

    @Test func `a journal of release 0.1 is read to its end, and its calls go on`() throws {
        var reader = try JournalReader(read("journal"))
        var configuration = BrokerConfiguration()
        configuration.epoch = reader.snapshot.epoch
        let broker = Broker(
            configuration: configuration, clock: .manual(.zero), ownUID: 1_000,
            logger: Logger(label: "test"))
        broker.recover(&reader)
        #expect(reader.fault == nil)
        let calls = broker.arbiter.visibleCalls.compactMap { broker.arbiter.view(of: $0) }
        #expect(calls.map(\.state) == [.held, .active, .waiting])
        #expect(calls.map(\.isMuted) == [false, true, false])
        #expect(calls.first?.heldBecauseOf == calls.dropFirst().first?.call)
        #expect(calls.first?.caller?.name == "Ada")
        #expect(broker.policy.choices.screening.region == "DE")
        #expect(broker.policy.choices.policy.resumeAfterRemoteEnd)
        #expect(broker.history.missed == 1)
    }

    @Test func `a store of release 0.1 that was not closed is read`() throws {
        let place = try HostFile.makeTemporaryFolder(prefix: "callbroker-fixture", environment: [:])
        defer { try? FileManager.default.removeItem(atPath: place) }
        for name in ["store.sqlite", "store.sqlite-wal"] {
            #expect(
                FileManager.default.createFile(
                    atPath: "\(place)/\(name)", contents: Data(try read(name)),
                    attributes: [.posixPermissions: 0o600]))
        }
        let store = CallStore(.folder(place))
        #expect(try store.contacts().items.map(\.name) == ["Ada"])
        #expect(try store.contacts().items.map(\.isFavorite) == [true])
        #expect(try store.blocks().items.count == 1)
        let entry = try #require(try store.history().items.first)
        #expect(entry.isMissed && entry.remote?.value == "+15550102")
    }
}
