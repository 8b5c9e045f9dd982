import BrokerSocket
import Testing

@testable import CallBrokerTool

/// Times as people say them, wherever they are.
struct RelativeTimeTests {
    private static let minuteMS: Int64 = 60_000
    private static let dayMS: Int64 = 86_400_000
    /// Noon, 2026-03-05, a Thursday.
    private static let noonMS: Int64 = {
        let greenwichMS: Int64 = 1_772_712_000_000
        let minute = Int64(ClockTime.minuteOfWeek(unixMS: greenwichMS) % 1_440)
        return greenwichMS + (720 - minute) * minuteMS
    }()

    private static func text(_ minutes: Int64) -> String {
        RelativeTime(unixMS: noonMS + minutes * minuteMS, nowMS: noonMS).description
    }

    private static let texts: [(minutes: Int64, text: String)] = [
        (0, "now"), (-1, "1 min ago"), (-59, "59 min ago"), (-60, "today 11:00"),
        (-720, "today 00:00"), (-721, "yesterday 23:59"), (-2_160, "yesterday 00:00"),
        (-2_880, "Tue 12:00"), (-8_640, "Fri 12:00"), (30, "today 12:30"),
        (1_440, "tomorrow 12:00"),
    ]

    @Test(arguments: texts)
    func `the nearer, the shorter`(minutes: Int64, text: String) {
        #expect(Self.text(minutes) == text)
    }

    @Test func `a time farther away has its date`() {
        #expect(Self.text(-7 * 1_440) == "2026-02-26 12:00")
        #expect(Self.text(2 * 1_440) == "2026-03-07 12:00")
    }

    @Test(arguments: [Int64.min, -1, 0, .max]) func `no time is too great`(unixMS: Int64) {
        for nowMS in [Int64.min, 0, .max] {
            #expect(!RelativeTime(unixMS: unixMS, nowMS: nowMS).description.isEmpty)
        }
    }
}
