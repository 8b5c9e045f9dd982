internal import ArgumentParser

/// A time span as a user enters it: `90s`, `30m`, `2h`, `1h30m`, or a number of the option's own
/// unit.
struct TimeSpan {
    enum Unit: Double {
        case milliseconds = 1
        case seconds = 1_000
        case minutes = 60_000
    }

    static let forms = "such as 90s, 30m, 2h or 1h30m"
    /// The greatest span: a year.
    private static let millisecondsMax = 366 * 86_400_000.0

    let milliseconds: Int64

    var seconds: Double { Double(milliseconds) / 1_000 }

    /// Parses a text; nil if it is no time span, or a longer one than a year.
    ///
    /// - Parameter unit: the unit of a number without one.
    init?(_ text: String, _ unit: Unit) {
        guard let sum = Self.number(text[...]).map({ $0 * unit.rawValue }) ?? Self.sum(text),
            sum <= Self.millisecondsMax
        else { return nil }
        milliseconds = Int64(sum.rounded())
    }

    /// Parses the value of an option.
    init(option text: String, _ unit: Unit) throws {
        guard let span = TimeSpan(text, unit) else {
            throw ValidationError("a time is a number, or a text \(Self.forms)")
        }
        self = span
    }

    /// Returns the sum of numbers with units.
    private static func sum(_ text: String) -> Double? {
        var (rest, sum) = (text[...], 0.0)
        repeat {
            let digits = rest.prefix { !$0.isLetter }
            let name = rest.dropFirst(digits.count).prefix(while: \.isLetter)
            guard let number = number(digits), let unit = milliseconds(name) else { return nil }
            sum += number * unit
            rest = rest[name.endIndex...]
        } while !rest.isEmpty
        return sum
    }

    private static func number(_ text: Substring) -> Double? {
        guard !text.isEmpty, text.allSatisfy({ ("0"..."9").contains($0) || $0 == "." }) else {
            return nil
        }
        return Double(text)
    }

    private static func milliseconds(_ name: Substring) -> Double? {
        switch name {
        case "ms": 1
        case "s": 1_000
        case "m", "min": 60_000
        case "h": 3_600_000
        case "d": 86_400_000
        default: nil
        }
    }
}
