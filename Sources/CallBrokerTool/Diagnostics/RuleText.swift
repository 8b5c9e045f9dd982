internal import CallProtocol

/// A rule in words, from the page of the rules.
struct RuleText {
    let number: String
    /// The situation in which the rule applies.
    let title: String
    /// The effect.
    let text: String
    /// What the page says of the rule below its table; nil for most rules.
    fileprivate(set) var details: String?

    /// The rules, in the order of the page.
    static let all: [RuleText] = sections.flatMap(rules)

    static func find(_ number: String) -> RuleText? {
        all.first { $0.number == number.lowercased() }
    }

    /// What happens, in one sentence.
    var sentence: String {
        let end = text.firstRange(of: ". ")?.lowerBound ?? text.endIndex
        return String(text[..<end])
    }

    /// The rule on one line.
    var line: String {
        "rule \(number), \(title): \(sentence)"
    }

    /// The whole rule, in lines of that width.
    func page(width: Int) -> String {
        let parts = [
            "Rule \(number): \(title)".wrapped(to: width),
            text.wrapped(to: width),
        ]
        return (parts + (details.map { [Paragraphs($0).text(width: width)] } ?? [])).joined(
            separator: "\n\n")
    }

    // MARK: - The page

    private static let sections: [[Substring]] = page.split(
        separator: "\n", omittingEmptySubsequences: false
    ).split { $0.hasPrefix("### ") }.map(Array.init)

    /// Returns the rules of a section. The text below belongs to the rule that refers to it.
    private static func rules(in section: [Substring]) -> [RuleText] {
        var rules = section.compactMap { RuleText(row: $0) }
        guard let index = rules.firstIndex(where: { $0.text.hasSuffix(below) }) else {
            return rules
        }
        let end = section.lastIndex { RuleText(row: $0) != nil } ?? section.startIndex
        let rest = section[(end + 1)...].joined(separator: "\n")
        rules[index].details = rest.trimmed
        return rules
    }

    private static let below = "See below"

    /// Parses a row of a table; nil for other lines.
    private init?(row: Substring) {
        let cells = row.split(separator: "|").map { Self.plain($0).trimmed }
        guard row.hasPrefix("| "), cells.count == 3, cells[0].first?.isNumber == true else {
            return nil
        }
        (number, title, text) = (cells[0], cells[1], cells[2])
    }

    /// Returns the text without marks of Markdown.
    private static func plain(_ text: Substring) -> String {
        text.filter { $0 != "`" }
    }
}

/// The paragraphs, points, tables and diagrams of a page.
private struct Paragraphs {
    private var parts: [String] = []

    init(_ page: String) {
        var isDiagram = false
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isDiagram.toggle()
            } else if !isDiagram, Self.goesOn(line), let last = parts.last, Self.isProse(last) {
                parts[parts.count - 1] += " " + String(line).trimmed
            } else {
                parts.append(String(line))
            }
        }
    }

    /// True for a line that does not begin a point or a table.
    private static func goesOn(_ line: Substring) -> Bool {
        !line.isEmpty && !line.hasPrefix("- ") && !line.hasPrefix("|")
    }

    private static func isProse(_ part: String) -> Bool {
        !part.isEmpty && !part.hasPrefix("|") && !part.hasPrefix("  ")
    }

    func text(width: Int) -> String {
        let lines = parts.map { part in
            let isPoint = part.hasPrefix("- ")
            guard Self.isProse(part) else { return part }
            let lines = part.wrapped(to: isPoint ? width - 2 : width).split(separator: "\n")
            return lines.joined(separator: isPoint ? "\n  " : "\n")
        }
        return lines.joined(separator: "\n").filter { $0 != "`" }
    }
}

extension String {
    fileprivate var trimmed: String {
        let start = drop(while: \.isWhitespace)
        return String(start.reversed().drop(while: \.isWhitespace).reversed())
    }

    /// Returns the text in lines of at most that width, where its words allow that.
    func wrapped(to width: Int) -> String {
        var lines: [String] = []
        for word in split(separator: " ") {
            if let last = lines.last, last.cells + 1 + String(word).cells <= width {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines.joined(separator: "\n")
    }
}
