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

    @Test func `a turn lasts so long`() {
        #expect(!share().isUsedUp(at: after(3)))
        #expect(share().isUsedUp(at: after(4)))
    }

    @Test func `each turn, and each part of it, has its own time`() {
        var share = share()
        share.begin(at: after(4))
        #expect(!share.isUsedUp(at: after(7)))
        #expect(share.isUsedUp(at: after(8)))
    }

    @Test func `a process that has used more than half a turn is busy, and another is not`() {
        var share = share()
        share.note(7, from: after(0), to: after(2))
        #expect(!share.isBusy(7, at: after(2)))
        share.note(7, from: after(2), to: after(3))
        #expect(share.isBusy(7, at: after(3)))
        #expect(!share.isBusy(8, at: after(3)))
    }

    @Test func `what was used is forgotten by and by`() {
        var share = share()
        share.note(7, from: after(0), to: after(4))
        #expect(share.isBusy(7, at: after(19)))
        #expect(!share.isBusy(7, at: after(20)))
        #expect(!share.isBusy(7, at: after(1_000_000)))
    }

    @Test func `many connections of one process are one`() {
        var share = share()
        for _ in 1...300 {
            share.note(7, from: after(0), to: MonotonicTime(nanoseconds: 1_000_010_000))
        }
        #expect(share.isBusy(7, at: after(1)))
    }
}
