internal import Glibc

/// A time of day in the user's time zone, such as `07:30:00.250`.
package struct ClockTime: CustomStringConvertible {
    package let description: String

    package init(unixMS: Int64) {
        let parts = Self.parts(unixMS: unixMS)
        let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { Self.padded(Int($0), 2) }
        description =
            clock.joined(separator: ":") + "."
            + Self.padded(Int((unixMS % 1_000 + 1_000) % 1_000), 3)
    }

    /// Returns a date with a time, such as `2026-03-01 07:30`, in the user's time zone.
    package static func dayAndTime(unixMS: Int64) -> String {
        let parts = Self.parts(unixMS: unixMS)
        let day = [Int(parts.tm_year) + 1_900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)]
        return day.map { padded($0, 2) }.joined(separator: "-") + " "
            + [Int(parts.tm_hour), Int(parts.tm_min)].map { padded($0, 2) }.joined(separator: ":")
    }

    /// Returns the minutes since Monday 00:00 in the user's time zone.
    package static func minuteOfWeek(unixMS: Int64) -> Int {
        let parts = Self.parts(unixMS: unixMS)
        // `tm_wday` is 0 on Sunday.
        let day = (Int(parts.tm_wday) + 6) % 7
        return (day * 24 + Int(parts.tm_hour)) * 60 + Int(parts.tm_min)
    }

    /// Returns a time as in RFC 3339, such as `2026-03-01T07:30:00.250Z`.
    package static func rfc3339(unixMS: Int64) -> String {
        let parts = Self.parts(unixMS: unixMS, gmtime_r)
        let day = [Int(parts.tm_year) + 1_900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)]
        let time = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { padded(Int($0), 2) }
        return padded(day[0], 4) + "-" + padded(day[1], 2) + "-" + padded(day[2], 2) + "T"
            + time.joined(separator: ":") + "."
            + padded(Int((unixMS % 1_000 + 1_000) % 1_000), 3) + "Z"
    }

    private static func parts(
        unixMS: Int64,
        _ split: (UnsafePointer<time_t>, UnsafeMutablePointer<tm>) -> UnsafeMutablePointer<tm>? =
            localtime_r
    ) -> tm {
        // Rounds down, also before 1970.
        var seconds = time_t(unixMS / 1_000 - (unixMS % 1_000 < 0 ? 1 : 0))
        var parts = tm()
        _ = split(&seconds, &parts)
        return parts
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
