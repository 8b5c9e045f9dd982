import Testing

@testable import CallBroker

struct RetentionClockTests {
    private static let day: Int64 = 86_400_000
    private static let years = 10 * 365 * day
    private var clock = RetentionClock()
    private var runningMS: Int64 = 0
    private var wallMS: Int64 = 1_767_225_600_000

    private mutating func pass(_ milliseconds: Int64) {
        runningMS += milliseconds
        wallMS += milliseconds
        clock.record(wallMS: wallMS, runningMS: runningMS)
    }

    private mutating func set(forward milliseconds: Int64) {
        wallMS += milliseconds
        pass(0)
    }

    private mutating func trim(
        chosen: Bool = false, synchronised: Bool = true
    ) -> RetentionClock.AgeRule {
        clock.trim(isChosen: chosen, isSynchronised: synchronised, runningMS: runningMS)
    }

    private func expect(_ wanted: RetentionClock.AgeRule, _ found: RetentionClock.AgeRule) {
        #expect(found == wanted)
    }

    @Test mutating func `a share goes once a day`() {
        pass(1)
        expect(.share, trim())
        pass(Self.day - 1)
        expect(.nothing, trim())
        pass(1)
        expect(.share, trim())
    }

    @Test mutating func `what the user chooses goes at once`() {
        pass(1)
        expect(.share, trim())
        expect(.all, trim(chosen: true))
    }

    @Test(arguments: [Self.years, -Self.years, 3_600_001])
    mutating func `after the clock was set nothing goes for a day`(forward: Int64) {
        pass(1)
        _ = trim()
        pass(2 * Self.day)
        set(forward: forward)
        expect(.nothing, trim())
        expect(.nothing, trim(chosen: true))
        pass(Self.day)
        expect(.share, trim())
    }

    @Test mutating func `a clock that is corrected a little is trusted on`() {
        pass(1)
        set(forward: 3_599_999)
        expect(.share, trim())
    }

    @Test
    mutating func `without the kernel's word the clock must have gone right since the last entry`()
    {
        pass(1)
        expect(.nothing, trim(synchronised: false))
        pass(1)
        expect(.share, trim(synchronised: false))
        set(forward: Self.years)
        pass(Self.day)
        expect(.nothing, trim(synchronised: false))
        pass(1)
        expect(.share, trim(synchronised: false))
    }

    private mutating func isTime(_ entries: Int, keeping countMax: Int = 100_000) -> Bool {
        clock.record(entries: entries, keeping: countMax, runningMS: runningMS)
    }

    @Test mutating func `it is time after a number of entries, or a day`() {
        var found = [isTime(1)]
        _ = trim()
        found += [isTime(1_023), isTime(1)]
        _ = trim()
        pass(Self.day - 1)
        found.append(isTime(1))
        pass(1)
        found.append(isTime(1))
        _ = trim()
        found += [isTime(1), isTime(1, keeping: 8)]
        #expect(found == [true, false, true, false, true, false, true])
    }
}
