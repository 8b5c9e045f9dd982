import CallModel
import Testing

struct DoNotDisturbTests {
    private static let day = WeeklyPeriod.minutesOfDay

    /// A moment of the week: a day from Monday, hours and minutes.
    private static func minute(_ day: Int, _ hour: Int, _ minute: Int = 0) -> Int {
        day * self.day + hour * 60 + minute
    }

    @Test func `it is off at first`() {
        #expect(!DoNotDisturb().isActive(at: 0, minuteOfWeek: 0))
    }

    @Test func `switched on by hand it lasts until it is switched off`() {
        var quiet = DoNotDisturb()
        quiet.isOn = true
        #expect(quiet.isActive(at: .max, minuteOfWeek: 0))
    }

    @Test func `an end that was set ends it, to the millisecond`() {
        var quiet = DoNotDisturb()
        quiet.isOn = true
        quiet.untilMS = 1_000
        #expect(quiet.isActive(at: 999, minuteOfWeek: 0))
        #expect(!quiet.isActive(at: 1_000, minuteOfWeek: 0))
    }

    @Test func `the time of the week is asked for once, and only for a schedule`() {
        var asked = 0
        func minute() -> Int {
            asked += 1
            return 0
        }
        var quiet = DoNotDisturb()
        _ = quiet.isActive(at: 0, minuteOfWeek: minute())
        #expect(asked == 0)
        quiet.schedule = Array(repeating: WeeklyPeriod(days: 1, start: 600, end: 700), count: 3)
        _ = quiet.isActive(at: 0, minuteOfWeek: minute())
        #expect(asked == 1)
    }

    @Test func `an end without a beginning is nothing`() {
        var quiet = DoNotDisturb()
        quiet.untilMS = 1_000
        #expect(!quiet.isActive(at: 0, minuteOfWeek: 0))
    }

    @Test(
        arguments: [
            (0, 12, 59, false), (0, 13, 0, true), (0, 13, 59, true), (0, 14, 0, false),
            (1, 13, 30, false), (2, 13, 30, true),
        ])
    func `a period of some days`(day: Int, hour: Int, minute: Int, isQuiet: Bool) {
        var quiet = DoNotDisturb()
        quiet.schedule = [WeeklyPeriod(days: 0b101, start: 13 * 60, end: 14 * 60)]
        let moment = Self.minute(day, hour, minute)
        #expect(quiet.isActive(at: 0, minuteOfWeek: moment) == isQuiet)
    }

    @Test(
        arguments: [
            (6, 21, 59, false), (6, 22, 0, true), (6, 23, 59, true), (0, 0, 0, true),
            (0, 6, 59, true), (0, 7, 0, false), (0, 22, 0, false),
        ])
    func `a night belongs to the day on which it begins, beyond the week's end too`(
        day: Int, hour: Int, minute: Int, isQuiet: Bool
    ) {
        var quiet = DoNotDisturb()
        quiet.schedule = [WeeklyPeriod(days: 0b100_0000, start: 22 * 60, end: 7 * 60)]
        let moment = Self.minute(day, hour, minute)
        #expect(quiet.isActive(at: 0, minuteOfWeek: moment) == isQuiet)
    }

    @Test func `it changes by itself at the end of the manual setting`() {
        var quiet = DoNotDisturb()
        #expect(quiet.nextChangeMS(after: 0, minuteOfWeek: 0) == nil)
        quiet.untilMS = 90_000
        #expect(quiet.nextChangeMS(after: 0, minuteOfWeek: 0) == nil)
        quiet.isOn = true
        #expect(quiet.nextChangeMS(after: 0, minuteOfWeek: 0) == 90_000)
        #expect(quiet.nextChangeMS(after: 90_000, minuteOfWeek: 0) == nil)
    }

    @Test(
        arguments: [
            // The minute of the day on Monday, and the minutes until something may change.
            (599, 1), (600, 10), (609, 1), (610, 5), (590, 10), (0, 15), (14, 1),
        ])
    func `with a schedule it may change at its edges, and at each quarter of an hour`(
        minute: Int, minutes: Int
    ) {
        var quiet = DoNotDisturb()
        quiet.schedule = [WeeklyPeriod(days: 1, start: 600, end: 610)]
        let nowMS = Int64(minute) * 60_000
        #expect(
            quiet.nextChangeMS(after: nowMS + 59_999, minuteOfWeek: minute)
                == nowMS + Int64(minutes) * 60_000)
    }

    @Test func `no change of a schedule is missed`() {
        var quiet = DoNotDisturb()
        quiet.schedule = [
            WeeklyPeriod(days: 0b100_0001, start: 22 * 60 + 7, end: 7 * 60 + 1),
            WeeklyPeriod(days: 0b10, start: 13, end: 13),
        ]
        func isOn(_ minute: Int) -> Bool {
            quiet.isActive(at: 0, minuteOfWeek: minute % (7 * Self.day))
        }
        for minute in 0..<7 * Self.day where isOn(minute) != isOn(minute + 1) {
            let nowMS = Int64(minute) * 60_000
            #expect(quiet.nextChangeMS(after: nowMS, minuteOfWeek: minute) == nowMS + 60_000)
        }
    }

    @Test func `from a time to the same is a whole day`() {
        var quiet = DoNotDisturb()
        quiet.schedule = [WeeklyPeriod(days: 1, start: 600, end: 600)]
        let active = (0..<7 * Self.day).count { quiet.isActive(at: 0, minuteOfWeek: $0) }
        #expect(active == Self.day)
        #expect(quiet.isActive(at: 0, minuteOfWeek: 600))
        #expect(quiet.isActive(at: 0, minuteOfWeek: Self.day + 599))
    }
}

struct AuthorizationTests {
    @Test func `whoever is new is what the user said of all new ones`() {
        #expect(
            NewProviders.allCases.map(\.authorization) == [.authorized, .notDetermined, .denied])
    }
}
