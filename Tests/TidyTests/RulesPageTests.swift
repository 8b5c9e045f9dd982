import Foundation
import Testing

/// The users' reference of the rules has everything that errors, `explain` and the policy name.
struct RulesPageTests {
    private static let page =
        SourceTree.files(under: "Sources/CallBroker/Documentation.docc", suffix: "Rules.md").first
    private static let lines = page?.lines ?? []

    /// An enum, and where it is declared.
    struct Words: Sendable {
        let type: String
        let path: String
    }

    @Test func `each rule has a row of its own, and no other rule has`() {
        let rules = Self.cases(of: "Rule", in: "Sources/CallModel/Cause.swift").map(\.word)
        #expect(rules.count > 40)
        let rows = Self.numbersOfRows
        #expect(Set(rules).subtracting(rows) == [])
        #expect(Set(rows).subtracting(rules) == [])
        #expect(Set(rows).count == rows.count, "a rule has two rows")
    }

    /// Filters may give further reasons; the arbiter gives those that its sources name, other than
    /// in the list by which words are stored.
    @Test func `the page names each reason that the arbiter gives`() {
        let arbiter = SourceTree.sources.filter {
            $0.target == "CallArbitration" && !$0.path.hasSuffix("Stored+Words.swift")
        }
        .flatMap(\.lines)
        let reasons = Self.cases(of: "RefusalReason", in: "Sources/CallModel/Refusal.swift")
        let given = reasons.filter { reason in
            arbiter.contains { Self.names($0, ".\(reason.name)") }
        }
        #expect(given.count > 20)
        #expect(given.map(\.word).filter { !Self.isNamed($0) } == [])
    }

    @Test(arguments: [
        Words(type: "EndReason", path: "Sources/CallModel/EndReason.swift"),
        Words(type: "CallState", path: "Sources/CallModel/CallState.swift"),
        Words(type: "Verb", path: "Sources/CallModel/CallState.swift"),
        Words(type: "Verdict", path: "Sources/CallArbitration/Engine/ArbiterEffect.swift"),
        Words(type: "Anomaly", path: "Sources/CallArbitration/Engine/ArbiterEffect.swift"),
    ]) func `the page names each word of an enum`(_ words: Words) {
        let all = Self.cases(of: words.type, in: words.path).map(\.word)
        #expect(!all.isEmpty, "\(words.type)")
        #expect(all.filter { !Self.isNamed($0) } == [], "\(words.type)")
    }

    @Test func `the page names each member of the policy`() {
        let members = Self.policyMembers()
        #expect(members.contains("limits.held_groups") && members.contains("deadlines.play_dtmf"))
        #expect(members.contains("ring_timeout_ms") && !members.contains("limits"))
        #expect(members.filter { !Self.isNamed($0) } == [])
    }

    // MARK: - The page

    /// The numbers in the first cells of the tables of rules, such as `5a` of `| 5a | … |`.
    private static var numbersOfRows: [String] {
        let section = lines.drop { $0 != "## The rules" }.dropFirst().prefix {
            !$0.hasPrefix("## ")
        }
        return section.filter { $0.hasPrefix("| ") }.compactMap { line in
            let first = line.split(separator: "|")[0].trimmingCharacters(in: .whitespaces)
            return first.first?.isNumber == true ? first : nil
        }
    }

    private static func isNamed(_ word: String) -> Bool {
        lines.contains { $0.contains("`\(word)`") || $0.contains("`\(word): ") }
    }

    // MARK: - The sources

    /// The cases of an enum: how the code calls them, and their words on the wire.
    private static func cases(
        of type: String, in path: String
    ) -> [(name: String, word: String)] {
        let file = SourceTree.sources.first { $0.path == path }
        let body = (file?.lines ?? []).drop { !$0.contains("enum \(type): ") }.prefix { $0 != "}" }
        return body.filter { $0.hasPrefix("    case ") }.flatMap { line in
            line.dropFirst("    case ".count).split(separator: ",").map { entry in
                let parts = entry.split(separator: "=").map {
                    $0.trimmingCharacters(in: [" ", "\"", "`"])
                }
                return (parts[0], parts[parts.count - 1])
            }
        }
    }

    /// Whether a line has the name as a whole.
    private static func names(_ line: String, _ name: String) -> Bool {
        line.ranges(of: name).contains { range in
            range.upperBound == line.endIndex
                || !(line[range.upperBound].isLetter || line[range.upperBound].isNumber)
        }
    }

    private static func policyMembers() -> [String] {
        let path = "Sources/CallArbitration/Engine/ArbitrationPolicy.swift"
        var members: [String] = []
        var prefix = ""
        for line in SourceTree.sources.first(where: { $0.path == path })?.lines ?? [] {
            if line.hasPrefix("    public struct Limits") { prefix = "limits." }
            if line.hasPrefix("    public struct Deadlines") { prefix = "deadlines." }
            if line == "    }" { prefix = "" }
            let words = line.split(separator: " ").map(String.init)
            guard words.starts(with: ["public", "var"]), words.count > 4, words[3] == "=" else {
                continue
            }
            // What has members is named by them.
            if words[4] != "Limits()", words[4] != "Deadlines()" {
                members.append(prefix + wireName(words[2]))
            }
        }
        return members
    }

    /// `ringTimeoutMS` is `ring_timeout_ms` on the wire.
    private static func wireName(_ name: String) -> String {
        var result = ""
        var previous: Character = "A"
        for character in name {
            if character.isUppercase, !previous.isUppercase { result += "_" }
            result += character.lowercased()
            previous = character
        }
        return result
    }
}
