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

    /// Parses a time as in RFC 3339, with any offset; nil for any other text. Returns Unix time in
    /// milliseconds.
    package static func unixMS(rfc3339 text: String) -> Int64? {
        let (date, time) = (text.prefix(10), text.dropFirst(11).prefix(8))
        guard let day = numbers(date, "-", [4, 2, 2]), let clock = numbers(time, ":", [2, 2, 2]),
            "Tt ".contains(text.dropFirst(10).prefix(1))
        else { return nil }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (day[0] - 1_900, day[1] - 1, day[2])
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (clock[0], clock[1], clock[2])
        let unixMS = Int64(timegm(&parts)) * 1_000
        // `timegm` turns a date that does not exist into another one.
        guard rfc3339(unixMS: unixMS).hasPrefix(date + "T" + time) else { return nil }
        var rest = text.dropFirst(19)
        let fraction = rest.first == "." ? rest.dropFirst().prefix(while: \.isWholeNumber) : ""
        if !fraction.isEmpty { rest = rest.dropFirst(fraction.count + 1) }
        guard let milliseconds = Int64((fraction + "000").prefix(3)),
            let offset = offsetSeconds(rest)
        else { return nil }
        return unixMS + milliseconds - offset * 1_000
    }

    /// Parses `Z`, or an offset such as `+01:00`, to seconds.
    private static func offsetSeconds(_ text: Substring) -> Int64? {
        if text == "Z" || text == "z" { return 0 }
        guard let sign = text.first, "+-".contains(sign),
            let parts = numbers(text.dropFirst(), ":", [2, 2]), parts[0] < 24, parts[1] < 60
        else { return nil }
        return (sign == "-" ? -1 : 1) * Int64(parts[0] * 3_600 + parts[1] * 60)
    }

    /// Parses numbers with as many digits.
    private static func numbers(
        _ text: Substring, _ separator: Character, _ digits: [Int]
    ) -> [Int32]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == digits,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == separator.asciiValue })
        else { return nil }
        return parts.compactMap { Int32($0) }
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
