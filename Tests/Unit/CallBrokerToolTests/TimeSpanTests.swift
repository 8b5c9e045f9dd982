import Testing

@testable import CallBrokerTool

/// Time spans as people enter them.
struct TimeSpanTests {
    @Test(arguments: [
        ("500ms", 500), ("90s", 90_000), ("30m", 1_800_000), ("30min", 1_800_000),
        ("2h", 7_200_000), ("1h30m", 5_400_000), ("1d", 86_400_000), ("1.5h", 5_400_000),
        ("0s", 0), ("7", 7_000), ("0.2", 200),
    ])
    func `a number with a unit, or of the option's own`(text: String, milliseconds: Int64) {
        #expect(TimeSpan(text, .seconds)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", "h", "-5m", "+5", "5x", "1h30", "1h 30m", "nan", "inf", "1e3", "0x10", "1..2s", "367d",
        "99999999999999999999", "٣m",
    ])
    func `anything else is no time span`(text: String) {
        #expect(TimeSpan(text, .seconds) == nil)
    }
}
