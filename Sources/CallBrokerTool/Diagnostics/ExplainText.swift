internal import BrokerJSON
internal import BrokerSocket
internal import CallProtocol

/// The decisions about a call in words, followed by the rules that they name.
struct ExplainText: CustomStringConvertible {
    let description: String

    init(_ steps: [JSONValue]) {
        guard !steps.isEmpty else {
            description = Messages.explainNone
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
        let words: [String?] = [
            ClockTime(unixMS: step["at_ms"]?.integer ?? 0).description,
            step["call"]?.string.map { ShortID($0).description }, decision(step), source(step),
        ]
        return words.compactMap(\.self).joined(separator: "  ")
    }

    /// Returns a decision in words, with its details.
    static func decision(_ step: JSONValue) -> String {
        let others = step["blocking"]?.elements.compactMap { $0["call"]?.string } ?? []
        let (reason, filter) = (step["reason"]?.string, step["filtered_by"]?.string)
        let details: [String?] = [
            reason == filter ? nil : reason.map(Words.refusal),
            step["end_reason"]?.string.map(Words.endReason),
            step["elsewhere"]?.string.map { Messages.callElsewhere(device: $0.printable) },
            step["explanation"].map(explanation),
            (step["end_detail"] ?? step["failure"]).map {
                Messages.explainAppReason(reason: "\(FailureText($0))")
            },
            others.isEmpty
                ? nil
                : Messages.explainInTheWay(
                    calls: others.map { ShortID($0).description }.joined(separator: ", ")),
        ]
        let decision = step["decision"]?.string.map { word in
            let decision = Words.decision(word.printable)
            return filter.map {
                Messages.explainByFilter(decision: decision, filter: Words.filter($0))
            } ?? decision
        }
        return ([decision] + details).compactMap(\.self).joined(separator: "; ")
    }

    /// Returns the rule and the cause of a decision.
    static func source(_ step: JSONValue) -> String? {
        let cause = step["cause"]
        let parts: [String?] = [
            step["rule"]?.string.map { Messages.explainRule(rule: $0.printable) },
            cause?["origin"]?.string.map { Messages.explainBy(origin: Words.origin($0.printable)) },
            cause?["because_of"]?.string.map {
                Messages.explainBecauseOf(call: ShortID($0).description)
            },
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
