internal import BrokerRPC
internal import CallProtocol

/// The tables of error and goodbye reasons.
enum ReasonTables {
    static var errors: [String] {
        [
            "## Error reasons", "",
            "`data.reason` of an error is one of these words. Codes and reasons are stable; a client",
            "that does not know a reason goes by the code.", "",
            "| reason | code | meaning | what to do |",
            "|---|---|---|---|",
        ]
            + ErrorReason.allCases.map { reason in
                let codes = reason.codes.map { "\($0.rawValue) `\($0.name)`" }
                return row(
                    reason.rawValue, codes.joined(separator: ", "), reason.meaning, reason.remedy)
            } + [""]
    }

    static var goodbyes: [String] {
        [
            "## Goodbye reasons", "",
            "`reason` of a `broker.goodbye` from the broker is one of these words.", "",
            "| reason | meaning | reconnect? |", "|---|---|---|",
        ] + GoodbyeReason.allCases.map { row($0.rawValue, $0.meaning, $0.advice) } + [""]
    }

    private static func row(_ word: String, _ cells: String...) -> String {
        "| `\(word)` | \(cells.joined(separator: " | ")) |"
    }
}
