internal import Glibc

/// A time in the past as a user enters it, in the user's time zone: an age (`30m`, `12h`, `7d`),
/// the last occurrence of a time of day (`18:00`), or the beginning of a day (`2026-03-01`).
package struct PastMoment {
    /// A description of the accepted forms, for errors and help.
    package static let forms =
        "30m, 12h or 7d ago, a time such as 18:00, or a day such as 2026-03-01"

    /// The Unix time, in milliseconds.
    package let unixMS: Int64

    /// Parses a text; nil if it has none of these forms.
    package init?(_ text: String, nowMS: Int64) {
        guard
            let moment = Self.ago(text, nowMS) ?? Self.lastTime(text, nowMS) ?? Self.midnight(text)
        else { return nil }
        unixMS = moment
    }

    private static func ago(_ text: String, _ nowMS: Int64) -> Int64? {
        let minutes: [Character: Int64] = ["m": 1, "h": 60, "d": 1_440]
        guard let unit = text.last.flatMap({ minutes[$0] }),
            let count = numbers(text.dropLast(), between: ":", count: 1)?[0]
        else { return nil }
        return max(0, nowMS - Int64(count) * unit * 60_000)
    }

    private static func lastTime(_ text: String, _ nowMS: Int64) -> Int64? {
        guard let clock = numbers(text[...], between: ":", count: 2), clock[0] < 24, clock[1] < 60
        else { return nil }
        let present = ClockTime.minuteOfWeek(unixMS: nowMS) % 1_440
        let passed = (present - clock[0] * 60 - clock[1] + 1_440) % 1_440
        return (nowMS / 60_000 - Int64(passed)) * 60_000
    }

    private static func midnight(_ text: String) -> Int64? {
        guard let day = numbers(text[...], between: "-", count: 3), day[0] >= 1_970 else {
            return nil
        }
        var parts = tm()
        parts.tm_year = Int32(day[0] - 1_900)
        parts.tm_mon = Int32(day[1] - 1)
        parts.tm_mday = Int32(day[2])
        parts.tm_isdst = -1
        let moment = Int64(mktime(&parts)) * 1_000
        // `mktime` turns a date that does not exist into another one.
        return ClockTime.dayAndTime(unixMS: moment).hasPrefix(text + " ") ? moment : nil
    }

    private static func numbers(
        _ text: Substring, between separator: Character, count: Int
    ) -> [Int]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        let isPlain = parts.allSatisfy { part in
            (1...5).contains(part.count) && part.allSatisfy { ("0"..."9").contains($0) }
        }
        let numbers = parts.compactMap { Int($0) }
        return isPlain && parts.count == count && numbers.count == count ? numbers : nil
    }
}
