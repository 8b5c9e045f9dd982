import CallTesting
import Testing

// The share of a turn is the broker's own business.
@testable import CallBroker

struct FrameShareTests {
    @Test func `so many frames are a share`() {
        var limits = BrokerLimits()
        limits.framesPerTurn = 3
        limits.turnMS = 1_000_000
        var share = FrameShare(limits)
        let answers = (0..<4).map { _ in share.isUsedUp() }
        #expect(answers == [false, false, true, true])
    }

    @Test func `so much time is a share too`() {
        var limits = BrokerLimits()
        limits.turnMS = 0
        var share = FrameShare(limits)
        let isUsedUp = share.isUsedUp()
        #expect(isUsedUp)
    }
}
