import Foundation
import Testing

/// The page Security names a test for each of its statements, and there is such a test.
struct SecurityPageTests {
    private static let lines =
        SourceTree.files(under: "Sources/CallBroker/Documentation.docc", suffix: "Security.md")
        .first?.lines ?? []

    /// A suite, and the sentence that its test is called by.
    struct Reference: Hashable, CustomStringConvertible {
        let suite: String
        let sentence: String

        var description: String { "\(suite): \(sentence)" }
    }

    @Test func `each row of a table names its tests`() {
        let rows = Self.rows
        #expect(rows.count > 40)
        #expect(rows.filter { Self.references(in: $0.last ?? "").isEmpty } == [])
    }

    @Test func `each test that is named exists`() {
        let named = Set(
            Self.rows.flatMap { Self.references(in: $0.last ?? "") }
                + Self.references(inProse: Self.lines))
        #expect(named.count > 60)
        #expect(named.subtracting(Self.tests).subtracting(Self.attacks) == [])
    }

    // MARK: - The page

    /// The cells of the rows of all tables, without their heads.
    private static var rows: [[String]] {
        lines.indices.filter { index in
            lines[index].hasPrefix("| ") && !lines[index + 1].hasPrefix("|---")
        }.map { index in
            lines[index].split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// Of a text such as "`SocketTests` a stale socket is replaced; `Attacks` the journal is a pipe".
    private static func references(in text: String) -> [Reference] {
        text.split(separator: "; `").compactMap { part in
            let words = part.drop { $0 == "`" }.split(separator: "` ", maxSplits: 1)
            guard words.count == 2, isSuite(words[0]) else { return nil }
            return Reference(suite: String(words[0]), sentence: String(words[1]))
        }
    }

    /// Those that stand in brackets behind a sentence, which may go over two lines.
    private static func references(inProse lines: [String]) -> [Reference] {
        let text = lines.filter { !$0.hasPrefix("|") }.joined(separator: " ")
        return text.matches(of: #/\((`(?:[A-Za-z]+Tests|Attacks)` [^()]*)\)/#)
            .flatMap { references(in: String($0.1)) }
    }

    private static func isSuite(_ word: Substring) -> Bool {
        word.hasSuffix("Tests") || word == "Attacks"
    }

    // MARK: - The tests

    private static var tests: Set<Reference> {
        Set(
            SourceTree.tests.flatMap { file in
                let suite = file.path.split(separator: "/").last?.dropLast(".swift".count) ?? ""
                return file.lines.compactMap { line in
                    line.firstMatch(of: #/func `([^`]*)`/#).map {
                        Reference(suite: String(suite), sentence: String($0.1))
                    }
                }
            })
    }

    private static var attacks: Set<Reference> {
        Set(
            SourceTree.files(under: "Tests/System/Attacks", suffix: ".py").flatMap { file in
                file.lines.compactMap { line in
                    line.firstMatch(of: #/^@attack\("([^"]*)"/#).map {
                        Reference(suite: "Attacks", sentence: String($0.1))
                    }
                }
            })
    }
}
