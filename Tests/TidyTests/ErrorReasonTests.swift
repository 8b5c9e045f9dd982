import Foundation
import Testing

/// The reasons of errors and goodbyes: each is a case, each is sent, and the reference has each.
struct ErrorReasonTests {
    /// A reason in the source of the broker, as a literal or as a case.
    private struct Use: Hashable {
        let word: String
        /// The case of `ErrorCode`, if it stands beside the reason.
        var code: String?
    }

    private static let reasons = SourceTree.cases(
        of: "ErrorReason", in: "Sources/BrokerRPC/ErrorReason.swift")
    private static let goodbyes = SourceTree.cases(
        of: "GoodbyeReason", in: "Sources/CallProtocol/Words/GoodbyeReason.swift")

    private static let text = SourceTree.sources
        .filter { ["BrokerRPC", "CallProtocol", "CallBroker"].contains($0.target) }
        .map { $0.lines.joined(separator: "\n") }.joined(separator: "\n")

    private static let page =
        SourceTree.files(under: "plugins", suffix: "REFERENCE.md").first?.lines ?? []

    @Test func `each case is named for its word`() {
        #expect(Self.reasons.count > 100 && Self.goodbyes.count >= 10)
        for (name, word) in Self.reasons + Self.goodbyes {
            let parts = word.split(separator: "_")
            let rest = parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
            #expect(name == parts[0] + rest.joined())
        }
    }

    @Test func `each reason of an error is a case, with the codes that it is sent with`() throws {
        let rows = Self.rows(of: "## Error reasons")
        for use in Self.uses {
            let row = try #require(rows[use.word], "\(use.word)")
            guard let code = use.code else { continue }
            #expect(row.contains("`\(SourceTree.wireName(code))`"), "\(use.word) with \(code)")
        }
    }

    @Test func `each reason is sent`() {
        let refusals = SourceTree.cases(
            of: "RefusalReason", in: "Sources/CallModel/Refusal.swift"
        ).map(\.word)
        #expect(refusals.count > 30)
        let sent = Set(Self.uses.map(\.word) + refusals)
        #expect(Set(Self.reasons.map(\.word)).symmetricDifference(sent) == [])
    }

    @Test func `the reference has each reason of an error`() {
        #expect(Set(Self.rows(of: "## Error reasons").keys) == Set(Self.reasons.map(\.word)))
    }

    @Test func `each reason of a goodbye is a case, is sent, and is in the reference`() {
        let calls = Self.text.matches(
            of: /dismiss\(\s*\w+,\s*reason:\s*["\.](\w+)/
        ).map { String($0.output.1) }
        let written = Self.text.matches(
            of:
                /"broker\.goodbye"\) \{ writer in\s*writer\.member\("reason", (?:"|GoodbyeReason\.)(\w+)/
        ).map { String($0.output.1) }
        let words = Set(Self.goodbyes.map(\.word))
        #expect(Set((calls + written).map(Self.word)) == words)
        #expect(Set(Self.rows(of: "## Goodbye reasons").keys) == words)
    }

    // MARK: - The sources

    private static var uses: Set<Use> {
        var uses: Set<Use> = []
        func add(_ expression: Substring, _ code: Substring?) {
            for match in expression.matches(of: /["\.](\w+)/) {
                uses.insert(Use(word: word(String(match.output.1)), code: code.map(String.init)))
            }
        }
        let errors =
            /(?:RPCError|SchemaFault|self\.init)\(\s*(?:\.(\w+),\s*)?reason:\s*(["\.]\w+|\w+\.\w+\s\?[^,]+|\w+[^,]+\?[^,]+)/
        for match in text.matches(of: errors) {
            let expression = match.output.2
            // Of a choice both words.
            let words = expression.firstIndex(of: "?").map { expression[$0...] } ?? expression
            add(words, match.output.1)
        }
        for match in text.matches(of: /(?:invalid(?:State)?|frameLimit)\(\s*(["\.]\w+)"?,/) {
            add(match.output.1, nil)
        }
        for match in text.matches(of: /\(\.(\w+), (["\.]\w+)"?, "\w+"\)/) {
            add(match.output.2, match.output.1)
        }
        return uses
    }

    /// The word of a case; a literal is a word already.
    private static func word(_ name: String) -> String {
        (reasons + goodbyes).first { $0.name == name }?.word ?? name
    }

    /// The rows of a table, by the word in its first column.
    private static func rows(of heading: String) -> [String: String] {
        let section = page.drop { $0 != heading }.dropFirst().prefix { !$0.hasPrefix("## ") }
        var rows: [String: String] = [:]
        for line in section where line.hasPrefix("| `") {
            rows[String(line.dropFirst(3).prefix { $0 != "`" })] = line
        }
        return rows
    }
}
