/// Ids as tests write and read them: `c7` is a call that a test has named, `t7` a transaction, and
/// `#7` is the seventh id that the broker has made.
enum ShortID {
    private static let call = "ca110000-0000-4000-8000-"
    private static let transaction = "7a000000-0000-4000-8000-"

    static func call(_ number: Int) -> String { call + digits(number) }

    static func transaction(_ number: Int) -> String { transaction + digits(number) }

    /// The id that the broker made as number `number`.
    static func made(_ number: Int, in epoch: String) -> String {
        "\(epoch.prefix(14))8\(epoch.dropFirst(15).prefix(3))-8000-\(digits(number))"
    }

    private static func digits(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 12 - digits.count) + digits
    }

    /// Writes out the short ids that stand in quotes.
    static func long(_ text: String, in epoch: String) -> String {
        text.replacing(/"([ct#])([0-9]+)"/) { match in
            guard let number = Int(match.2) else { return String(match.0) }
            switch match.1 {
            case "c": return #""\#(call(number))""#
            case "t": return #""\#(transaction(number))""#
            default: return #""\#(made(number, in: epoch))""#
            }
        }
    }

    /// Writes all ids short.
    static func short(_ text: String) -> String {
        text.replacing(/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-)([0-9a-f]{12})/) {
            guard let number = Int($0.2, radix: 16) else { return String($0.0) }
            switch $0.1 {
            case call: return "c\(number)"
            case transaction: return "t\(number)"
            case let head where head.dropFirst(14).first == "8" && head.hasSuffix("-8000-"):
                return "#\(number)"
            default: return String($0.0)
            }
        }
    }
}
