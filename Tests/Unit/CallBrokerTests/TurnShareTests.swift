import BrokerSocket
import Testing

// Who waits for the next turn is the broker's own business.
@testable import CallBroker

struct TurnShareTests {
    private static let start = MonotonicTime(nanoseconds: 1_000_000_000)

    private func after(_ milliseconds: Int) -> MonotonicTime {
        Self.start.advanced(milliseconds: milliseconds)
    }

    private func share() -> TurnShare {
        var limits = BrokerLimits()
        limits.turnMS = 4
        var share = TurnShare(limits)
        share.begin(at: Self.start)
        return share
    }

    @Test func `each part of a turn has a quarter, and what the ones before it have left`() {
        let share = share()
        let parts: [TurnShare.Part] = [.events, .frames, .reading, .closing]
        for (index, part) in parts.enumerated() {
            #expect(!share.isUsedUp(part, at: after(index)))
            #expect(share.isUsedUp(part, at: after(index + 1)))
        }
    }

    @Test func `each turn has its own time`() {
        var share = share()
        share.begin(at: after(4))
        #expect(!share.isUsedUp(.closing, at: after(7)))
        #expect(share.isUsedUp(.closing, at: after(8)))
    }

    @Test func `a process that has used more than half a turn is busy, and another is not`() {
        var share = share()
        for _ in 1...8 { share.charge(7, nanoseconds: 250_000, at: after(2)) }
        #expect(!share.isBusy(7, at: after(2)))
        share.charge(7, nanoseconds: 1, at: after(3))
        #expect(share.isBusy(7, at: after(3)))
        #expect(!share.isBusy(8, at: after(3)))
    }

    @Test func `what was used is forgotten by and by`() {
        var share = share()
        for _ in 1...16 { share.charge(7, nanoseconds: 250_000, at: after(4)) }
        #expect(share.isBusy(7, at: after(19)))
        #expect(!share.isBusy(7, at: after(20)))
        #expect(!share.isBusy(7, at: after(1_000_000)))
    }

    @Test func `many connections of one process are one`() {
        var share = share()
        for _ in 1...300 { share.charge(7, nanoseconds: 10_000, at: after(1)) }
        #expect(share.isBusy(7, at: after(1)))
    }

    @Test func `one event, however long the machine was away, makes nobody busy`() {
        var share = share()
        share.charge(7, nanoseconds: 1_000_000_000, at: after(1_000))
        #expect(!share.isBusy(7, at: after(1_000)))
    }
}
