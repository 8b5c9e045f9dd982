import Testing

@testable import BrokerSocket

/// Moments in the past as people say them, wherever they are.
struct PastMomentTests {
    /// 2026-03-05 12:34:56 in Greenwich.
    private static let nowMS: Int64 = 1_772_714_096_000
    private static let dayMS: Int64 = 86_400_000

    private static func moment(_ text: String) -> Int64? {
        PastMoment(text, nowMS: nowMS)?.unixMS
    }

    @Test(arguments: [
        ("0m", 0), ("30m", 1_800_000), ("12h", 43_200_000), ("7d", 7 * dayMS),
        ("99999d", nowMS),
    ])
    func `so long ago`(text: String, agoMS: Int64) {
        #expect(Self.moment(text) == Self.nowMS - agoMS)
    }

    @Test(arguments: [("00:00", 0), ("7:05", 425), ("18:00", 1_080), ("23:59", 1_439)])
    func `the last time that the clock showed it`(text: String, minute: Int) throws {
        let moment = try #require(Self.moment(text))
        #expect(ClockTime.minuteOfWeek(unixMS: moment) % 1_440 == minute)
        #expect(moment % 60_000 == 0)
        #expect((0..<Self.dayMS).contains(Self.nowMS - moment))
    }

    @Test func `the beginning of a day`() throws {
        let moment = try #require(Self.moment("2026-03-01"))
        #expect(ClockTime.dayAndTime(unixMS: moment) == "2026-03-01 00:00")
        #expect(moment % 60_000 == 0)
    }

    @Test(arguments: [
        "", "m", "30", "30s", "-5m", "+5m", "1.5h", "24:00", "12:60", "12:", "12:30:00", "noon",
        "2026-02-30", "2026-13-01", "2026-3-1", "1969-12-31", "2026-03", "999999m", "٣m",
    ])
    func `what is none of these is none`(text: String) {
        #expect(Self.moment(text) == nil)
    }
}
