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
        let rules = SourceTree.cases(of: "Rule", in: "Sources/CallModel/Cause.swift").map(\.word)
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
        let reasons = SourceTree.cases(of: "RefusalReason", in: "Sources/CallModel/Refusal.swift")
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
        let all = SourceTree.cases(of: words.type, in: words.path).map(\.word)
        #expect(!all.isEmpty, "\(words.type)")
        #expect(all.filter { !Self.isNamed($0) } == [], "\(words.type)")
    }

    /// An object may be named as a whole, or by each of its members.
    @Test func `the page names each member that the policy can be given`() {
        let members = Self.policyMembers
        #expect(members.contains("limits.held_groups") && members.contains("deadlines.play_dtmf"))
        #expect(members.contains("ring_timeout_ms") && members.contains("limits"))
        let missing = members.filter { member in
            let parts = members.filter { $0.hasPrefix(member + ".") }
            let whole = member.prefix { $0 != "." && $0 != "[" }
            return !Self.isNamed(member) && !Self.isNamed(String(whole))
                && (parts.isEmpty || !parts.allSatisfy(Self.isNamed))
        }
        #expect(missing == [])
    }

    @Test func `each member of the page's table of the policy can be given`() {
        let section = Self.lines.drop { $0 != "## The policy" }.dropFirst().prefix {
            !$0.hasPrefix("## ")
        }
        let cells = section.filter { $0.hasPrefix("| `") }.map { $0.split(separator: "|")[0] }
        let named = cells.flatMap { $0.matches(of: /`([^`]+)`/).map { String($0.output.1) } }
        #expect(named.count > 20)
        #expect(named.filter { !Self.policyMembers.contains($0) } == [])
    }

    @Test func `the tool has the rules as the page has them`() {
        let tool =
            SourceTree.files(
                under: "Sources/CallBrokerTool/Diagnostics", suffix: "RuleText+Page.swift"
            ).first?.lines ?? []
        let copy = tool.drop { !$0.hasSuffix("#\"\"\"") }.dropFirst().prefix {
            !$0.hasSuffix("\"\"\"#")
        }
        let section = Self.lines.drop { $0 != "## The rules" }.dropFirst().prefix {
            !$0.hasPrefix("## ")
        }
        #expect(copy.count > 100)
        #expect(
            copy.map { String($0.drop { $0 == " " }) } + [""]
                == section.dropFirst().map { String($0.drop { $0 == " " }) },
            "run Scripts/rules-text")
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

    /// Whether a line has the name as a whole.
    private static func names(_ line: String, _ name: String) -> Bool {
        line.ranges(of: name).contains { range in
            range.upperBound == line.endIndex
                || !(line[range.upperBound].isLetter || line[range.upperBound].isNumber)
        }
    }

    /// What `policy.set` takes, as the reference has it, which is made of `PolicySchemas`.
    private static let policyMembers: [String] = {
        let page = SourceTree.files(under: "plugins", suffix: "REFERENCE.md").first?.lines ?? []
        func rows(_ heading: String) -> [(name: String, line: String)] {
            page.drop { $0 != "### " + heading }.dropFirst().prefix {
                !$0.hasPrefix("### ") && !$0.hasPrefix("| result")
            }.filter { $0.hasPrefix("| `") }.map { line in
                (String(line.dropFirst(3).prefix { $0 != "`" && $0 != "?" }), line)
            }
        }
        return rows("policy.set").flatMap { name, line in
            let shape = line.firstMatch(of: /\| \[(\w+)\]\(/).map { String($0.output.1) }
            return [name] + (shape.map(rows) ?? []).map { "\(name).\($0.name)" }
        }
    }()
}
