import BrokerSocket
import CallArbitration
import CallModel
import Testing

@testable import CallJournal

struct SnapshotFileTests {
    /// A snapshot of many pieces: long lists of records, of links without truth values, and of what
    /// is beside the arbiter.
    private var long: JournalSnapshot {
        var snapshot = Samples.snapshot
        snapshot.arbiter = arbiter
        snapshot.timers = (1...5_000).map { (number: UInt64) in
            let call = CallID(UUIDBits(high: 1, low: number))
            return StoredTimer(timer: .ring(call), deadline: Instant(nanoseconds: Int64(number)))
        }
        return snapshot
    }

    private var arbiter: Arbiter {
        var policy = ArbitrationPolicy()
        (policy.limits.calls, policy.limits.heldGroups) = (10_000, 10_000)
        policy.limits.callsPerProvider = 10_000
        var arbiter = Arbiter(policy: policy, lineage: 10)
        var configuration = ProviderConfiguration(displayName: "Phone", handleKinds: [.phone])
        configuration.maxCallGroups = 10_000
        var update = CallUpdate()
        update.displayName = .set("Ada Ärmel")
        let calls = (1...3_000).map { (number: UInt64) in
            LiveCall(
                call: CallID(UUIDBits(high: 2, low: number)), direction: .incoming, state: .held,
                update: update)
        }
        _ = arbiter.apply(
            .providerRegistered(
                ProviderRegistration(
                    token: Samples.token, provider: Samples.provider, configuration: configuration,
                    calls: calls)), at: Instant(nanoseconds: 1))
        return arbiter
    }

    @Test func `what is written in pieces is what is written as a whole`() throws {
        let folder = try TemporaryFolder()
        let snapshot = long
        #expect(snapshot.arbiter.visibleCalls.count == 3_000)
        let file = try SnapshotFile(at: folder.file("journal")).write(HandedOver(snapshot))
        let bytes = try HostFile.read(folder.file("journal"))
        #expect(bytes.count > 1 << 17)
        #expect(bytes == Journal.bytes(of: snapshot))
        #expect(file.size == bytes.count)
    }
}
