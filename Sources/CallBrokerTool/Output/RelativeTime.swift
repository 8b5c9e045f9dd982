internal import BrokerSocket

/// A time as people say it: `3 min ago`, `yesterday 14:05`, `Mon 14:05`, or the date.
struct RelativeTime: CustomStringConvertible {
    private static let minuteMS: Int64 = 60_000
    private static let dayMS: Int64 = 86_400_000

    let description: String

    /// - Parameter nowMS: the broker's time, because it is the broker that wrote the other one.
    init(unixMS: Int64, nowMS: Int64) {
        let (unixMS, nowMS) = (Self.bounded(unixMS), Self.bounded(nowMS))
        let ageMS = nowMS - unixMS
        switch ageMS {
        case 0..<Self.minuteMS: description = Messages.timeNow
        case Self.minuteMS..<(60 * Self.minuteMS):
            description = Messages.timeMinutes(count: ageMS / Self.minuteMS)
        default: description = Self.day(unixMS, nowMS)
        }
    }

    /// Creates a time that may be to come, with its day.
    static func day(unixMS: Int64, nowMS: Int64) -> String {
        day(bounded(unixMS), bounded(nowMS))
    }

    /// Returns the time with which differences can be computed, whatever a broker sends.
    private static func bounded(_ unixMS: Int64) -> Int64 {
        min(max(unixMS, -1 << 60), 1 << 60)
    }

    /// Returns the short name of a day, from Monday as 0.
    private static func weekday(_ number: Int) -> String {
        let names = Messages.timeWeekdays.split(separator: " ")
        return names.indices.contains(number) ? String(names[number]) : ""
    }

    /// Returns a day and the time of day, also of a time to come.
    private static func day(_ unixMS: Int64, _ nowMS: Int64) -> String {
        let whole = ClockTime.dayAndTime(unixMS: unixMS)
        // Noon of another day is that day in summer and in winter.
        let noonMS = nowMS + (720 - Int64(ClockTime.minuteOfWeek(unixMS: nowMS) % 1_440)) * minuteMS
        let time = String(whole.suffix(5))
        if whole.hasSameDay(as: noonMS) { return Messages.timeToday(time: time) }
        if whole.hasSameDay(as: noonMS - dayMS) { return Messages.timeYesterday(time: time) }
        if whole.hasSameDay(as: noonMS + dayMS) { return Messages.timeTomorrow(time: time) }
        for days in 2...6 where whole.hasSameDay(as: noonMS - Int64(days) * dayMS) {
            let weekday = ClockTime.minuteOfWeek(unixMS: unixMS) / 1_440
            return Messages.timeWeekday(weekday: Self.weekday(Int(weekday)), time: time)
        }
        return whole
    }
}

extension String {
    fileprivate func hasSameDay(as unixMS: Int64) -> Bool {
        prefix(10) == ClockTime.dayAndTime(unixMS: unixMS).prefix(10)
    }
}
