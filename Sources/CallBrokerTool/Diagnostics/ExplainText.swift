internal import BrokerJSON
internal import BrokerSocket
internal import CallProtocol

/// The decisions about a call in words, followed by the rules that they name.
struct ExplainText: CustomStringConvertible {
    let description: String

    init(_ steps: [JSONValue]) {
        guard !steps.isEmpty else {
            description = "no decisions are recorded"
            return
        }
        let numbers = steps.compactMap { $0["rule"]?.string }
        var seen: Set<String> = []
        let rules = numbers.filter { seen.insert($0).inserted }.compactMap(RuleText.find)
        let width = Terminal.size?.columns ?? .max
        let lines =
            steps.map(Self.line)
            + (rules.isEmpty ? [] : [""] + rules.map { $0.line.wrapped(to: width) })
        description = lines.joined(separator: "\n")
    }

    private static func line(_ step: JSONValue) -> String {
        let others = step["blocking"]?.elements.compactMap { $0["call"]?.string } ?? []
        let (reason, filter) = (step["reason"]?.string, step["filtered_by"]?.string)
        let details: [String?] = [
            reason == filter ? nil : reason.map(Words.refusal),
            step["end_reason"]?.string.map(Words.endReason),
            step["explanation"].map(explanation),
            step["failure"].map { "the app's reason: \(FailureText($0))" },
            others.isEmpty
                ? nil
                : "in the way: "
                    + others.map { ShortID($0).description }.joined(separator: ", "),
        ]
        let decision = step["decision"]?.string.map { word in
            Words.decision(word.printable) + (filter.map { ", by " + Words.filter($0) } ?? "")
        }
        let words: [String?] = [
            ClockTime(unixMS: step["at_ms"]?.integer ?? 0).description,
            step["call"]?.string.map { ShortID($0).description },
            ([decision] + details).compactMap(\.self).joined(separator: "; "), source(step),
        ]
        return words.compactMap(\.self).joined(separator: "  ")
    }

    /// Returns the rule and the cause of a decision.
    private static func source(_ step: JSONValue) -> String? {
        let cause = step["cause"]
        let parts: [String?] = [
            step["rule"]?.string.map { "rule \($0.printable)" },
            cause?["origin"]?.string.map { "by \(Words.origin($0.printable))" },
            cause?["because_of"]?.string.map { "because of \(ShortID($0))" },
        ]
        let known = parts.compactMap(\.self)
        return known.isEmpty ? nil : "(\(known.joined(separator: ", ")))"
    }

    private static func explanation(_ value: JSONValue) -> String {
        let text = value["text"]?.string?.printable ?? ""
        let by = value["by"]?.string?.printable ?? ""
        return by == "broker" ? text : "\(by): \"\(text)\""
    }
}
