import CallModel
import Testing

@testable import PhoneScreen

/// Periods of do-not-disturb as people type and read them.
struct WeeklyPeriodTests {
    private let german = ["Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"]

    @Test(arguments: [
        ("22:00-06:30", UInt8(0x7F), 1_320, 390), ("mon,tue:22:00-6:30", 0x03, 1_320, 390),
        ("mon-fri: 12:00 - 13:00", 0x1F, 720, 780), ("sa-mo:0:00-9:05", 0x61, 0, 545),
        ("So:08:00-08:00", 0x40, 480, 480),
    ])
    func `a period is read`(text: String, days: UInt8, start: Int, end: Int) {
        #expect(
            WeeklyPeriod(typed: text, names: german)
                == WeeklyPeriod(days: days, start: start, end: end))
    }

    @Test(arguments: [
        "", "22:00", "22-6", "24:00-06:00", "12:60-13:00", "xyz:12:00-13:00", "mon:12:00",
        "mon-:12:00-13:00", ":12:00-13:00", "mon,,tue:12:00-13:00", "a:b:c:12:00-13:00",
        "-1:00-02:00", "122:00-01:00",
    ])
    func `what is no period is none`(text: String) {
        #expect(WeeklyPeriod(typed: text, names: german) == nil)
    }

    @Test func `a period is shown with its days`() {
        let nights = WeeklyPeriod(days: 0x43, start: 1_320, end: 390)
        #expect(nights.words(german, everyDay: "Täglich") == "Mo Di So  22:00-06:30")
        let noons = WeeklyPeriod(days: 0x7F, start: 725, end: 785)
        #expect(noons.words([], everyDay: "Täglich") == "Täglich  12:05-13:05")
    }
}
