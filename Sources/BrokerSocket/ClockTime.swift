internal import Glibc

/// A moment of the day, in the user's time zone.
package struct ClockTime: CustomStringConvertible {
    package let description: String

    package init(unixMS: Int64) {
        var seconds = time_t(unixMS / 1_000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { Self.padded(Int($0), 2) }
        description = clock.joined(separator: ":") + "." + Self.padded(Int(unixMS % 1_000), 3)
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
