import BrokerSocket
import CallTesting
import Testing

// Users are the broker's own business.
@testable import CallBroker

struct UserLedgerTests {
    private let own: UInt32 = 1_000
    private let other: UInt32 = 1_001

    @Test func `we and root are trusted, nobody else`() {
        let ledger = ledger()
        #expect([own, 0].allSatisfy(ledger.isTrusted))
        #expect(![other, 65_534, .max].contains(where: ledger.isTrusted))
    }

    @Test func `connections are counted whether they are let in or not`() {
        var ledger = ledger { $0.connections = 1 }
        #expect(ledger.enter(own, at: .zero) == true)
        #expect(ledger.enter(own, at: .zero) == false)
        #expect(ledger.enter(other, at: .zero) == false)
        #expect(ledger.connections == 3)
        for uid in [own, own, other] { ledger.leave(uid) }
        #expect(ledger.connections == 0)
        #expect(ledger.enter(other, at: .zero) == true)
    }

    @Test func `another user's connections have a bound and a rate`() {
        var ledger = ledger {
            $0.otherUserConnections = 2
            $0.otherUserConnectsPerSecond = 3
        }
        let now = MonotonicTime.zero
        #expect(ledger.enter(other, at: now) == true)
        #expect(ledger.enter(other, at: now) == true)
        #expect(ledger.enter(other, at: now) == false)
        ledger.leave(other)
        ledger.leave(other)
        #expect(ledger.enter(other, at: now) == true)
        ledger.leave(other)
        #expect(ledger.enter(other, at: now) == false)
    }

    @Test func `leaving does not give another user a new bucket`() {
        var ledger = ledger { $0.otherUserConnectsPerSecond = 1 }
        #expect(ledger.enter(other, at: .zero) == true)
        ledger.leave(other)
        #expect(ledger.enter(other, at: .zero) == false)
        ledger.leave(other)
        #expect(ledger.enter(other, at: .zero.advanced(milliseconds: 1_000)) == true)
    }

    @Test func `requests of others are limited, ours are not`() {
        var ledger = ledger { $0.otherUserRequestsPerSecond = 2 }
        _ = ledger.enter(other, at: .zero)
        let admitted = (0..<3).map { _ in ledger.admitsRequest(of: other, at: .zero) }
        #expect(admitted == [true, true, false])
        let ours = (0..<1_000).map { _ in ledger.admitsRequest(of: own, at: .zero) }
        #expect(ours.allSatisfy { $0 })
    }

    @Test func `held bytes are summed for each user`() {
        var ledger = ledger {
            $0.userQueueBytes = 100
            $0.otherUserQueueBytes = 10
        }
        _ = ledger.enter(own, at: .zero)
        _ = ledger.enter(other, at: .zero)
        let ours = [60, 40, 1, -1].map { ledger.hold($0, for: own) }
        #expect(ours == [true, true, false, true])
        let theirs = [10, 1].map { ledger.hold($0, for: other) }
        #expect(theirs == [true, false])
    }

    @Test func `the largest user has the most connections, of several the least uid`() {
        var ledger = ledger()
        #expect(ledger.largestUser == nil)
        for uid in [7, 5, 7, 5, 9] as [UInt32] { _ = ledger.enter(uid, at: .zero) }
        #expect(ledger.largestUser == 5)
        _ = ledger.enter(7, at: .zero)
        #expect(ledger.largestUser == 7)
        ledger.leave(7)
        ledger.leave(7)
        #expect(ledger.largestUser == 5)
    }

    private func ledger(_ change: (inout BrokerLimits) -> Void = { _ in }) -> UserLedger {
        var limits = BrokerLimits()
        change(&limits)
        return UserLedger(limits: limits, ownUID: own)
    }
}
