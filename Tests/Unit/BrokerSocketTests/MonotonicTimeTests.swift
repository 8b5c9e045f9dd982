import Testing

// How long to wait is the loop's own business, hence internal.
@testable import BrokerSocket

struct MonotonicTimeTests {
    @Test func `times compare and count in milliseconds`() {
        let time = MonotonicTime(nanoseconds: 1_999_999)
        #expect(time.milliseconds == 1)
        #expect(time.advanced(milliseconds: 2) == MonotonicTime(nanoseconds: 3_999_999))
        #expect(time.advanced(milliseconds: -1) == MonotonicTime(nanoseconds: 999_999))
        #expect(MonotonicTime.zero < time)
        #expect(!(time < time))
    }

    @Test func `the host's clock does not go back`() {
        let first = MonotonicTime.now()
        #expect(MonotonicTime.now() >= first)
        #expect(first > .zero)
    }

    @Test func `a manual clock shows what it was set to`() {
        let clock = LoopClock.manual(MonotonicTime(nanoseconds: 2_500_000_000))
        #expect(clock.now == MonotonicTime(nanoseconds: 2_500_000_000))
        // 2026-01-01 00:00:02.5
        #expect(clock.unixMS == 1_767_225_602_500)
    }

    @Test func `a manual clock that is let go runs on from where it stood`() {
        let clock = LoopClock.manual(MonotonicTime(nanoseconds: 2_500_000_000)).running
        let first = clock.now
        #expect(first >= MonotonicTime(nanoseconds: 2_500_000_000))
        // Nothing here takes a minute.
        #expect(first < MonotonicTime(nanoseconds: 62_500_000_000))
        #expect(clock.now >= first)
        #expect(clock.unixMS / 60_000 == 1_767_225_602_500 / 60_000)
        let later = first.advanced(milliseconds: 5)
        #expect(clock.milliseconds(from: first, until: later) == 5)
    }

    @Test func `the host's clock shows the Unix time`() {
        #expect(LoopClock.monotonic.unixMS > 1_767_225_600_000)
    }

    @Test(
        arguments: [
            (0, 0), (-1, 0), (1, 1), (999_999, 1), (1_000_000, 1), (1_000_001, 2),
            (Int64(Int32.max) * 1_000_000, Int32.max), (Int64.max / 2, Int32.max),
        ] as [(Int64, Int32)])
    func `a wait is rounded up to milliseconds`(nanoseconds: Int64, milliseconds: Int32) {
        let deadline = MonotonicTime(nanoseconds: nanoseconds)
        #expect(LoopClock.monotonic.milliseconds(from: .zero, until: deadline) == milliseconds)
    }

    @Test func `waiting does not help under a manual clock`() {
        let clock = LoopClock.manual(.zero)
        let later = MonotonicTime(nanoseconds: 1)
        #expect(clock.milliseconds(from: .zero, until: later) == nil)
        #expect(clock.milliseconds(from: later, until: later) == 0)
        #expect(clock.milliseconds(from: later, until: .zero) == 0)
    }
}
