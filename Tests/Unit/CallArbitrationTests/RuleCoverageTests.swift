import CallModel
import TestSupport
import Testing

/// The contract's lists, typed in by hand, and whether the transcripts show what they promise: a
/// rule that nobody tells a story about is a rule that nobody has looked at.
struct RuleCoverageTests {
    @Test func `the engine knows the rules of the contract`() {
        #expect(Rule.allCases.map(\.rawValue) == Contract.rules)
    }

    @Test(arguments: Contract.rules)
    func `a rule has its story, and its effects name it`(_ rule: String) throws {
        let effects = try Story(name: Contract.file(of: rule)).effects()
        let evidence = Contract.otherEvidence[rule] ?? "rule=\(rule)"
        #expect(effects.contains { $0.words.contains(Substring(evidence)) }, "\(evidence)")
    }

    @Test(arguments: Contract.refusals.keys.sorted())
    func `a rule that can refuse shows each of its reasons`(_ rule: String) throws {
        let shown = try Story(name: Contract.file(of: rule)).refusals()
        for reason in Contract.refusals[rule] ?? [] {
            #expect(RefusalReason(rawValue: reason) != nil, "\(reason)")
            #expect(shown.contains { $0.words.contains("reason=\(reason)") }, "\(reason)")
        }
    }

    @Test func `only rules of the contract refuse`() {
        #expect(Contract.refusals.keys.filter { !Contract.rules.contains($0) } == [])
        #expect(Contract.otherEvidence.keys.filter { !Contract.rules.contains($0) } == [])
    }

    @Test(arguments: Contract.timeouts)
    func `a time-out has its story, and its effects show it`(_ row: TimeoutRow) throws {
        let effects = try Story(name: row.file).effects()
        for evidence in row.evidence {
            let wanted = Set(evidence.split(separator: " "))
            #expect(effects.contains { wanted.isSubset(of: $0.words) }, "\(evidence)")
        }
    }

    @Test(arguments: Contract.invariants.filter { $0 != Contract.shownByEveryStory })
    func `an invariant has its story`(_ invariant: String) throws {
        #expect(try !Story(name: Contract.file(ofInvariant: invariant)).effects().isEmpty)
    }

    @Test(arguments: Contract.transactions)
    func `what a transaction promises has its story`(_ file: String) throws {
        #expect(try !Story(name: file).effects().isEmpty)
    }

    @Test func `no story is about something else`() {
        let known = Set(
            Contract.rules.map { Contract.file(of: $0) } + Contract.timeouts.map(\.file)
                + Contract.invariants.map { Contract.file(ofInvariant: $0) }
                + Contract.transactions)
        let unknown = Story.all.map(\.name).filter {
            !known.contains($0) && !$0.hasPrefix(Contract.wholeStory)
        }
        #expect(unknown == [])
    }
}

/// A row of section 6.
struct TimeoutRow: CustomTestStringConvertible, Sendable {
    let file: String
    /// Words that stand together in one effect, once for each thing the row is about.
    let evidence: [String]

    var testDescription: String {
        file
    }
}

/// What the contract lists.
enum Contract {
    /// Section 4.
    static let rules = [
        "1", "2", "3", "4", "5", "5a", "5b", "6", "7", "7a", "8", "9", "10", "10a", "11", "12",
        "13", "14", "15", "16", "17", "17a", "18", "19", "20", "21", "22", "22a", "22b", "23",
        "24", "25", "26", "27", "28", "29", "30", "30a", "31", "31a", "32", "33", "34", "35",
        "36", "37", "38", "39", "40", "41", "42", "43", "44", "45", "46", "47",
    ]

    /// Rules whose work has no cause of its own.
    static let otherEvidence = [
        // A late answer is told, and changes nothing.
        "29": "news=action_late",
        // The history is written whatever ended the call.
        "39": "missed_reasons=",
    ]

    /// The reasons that a rule's story must show; a rule that is not listed never refuses. Some
    /// belong to another rule that stands in the way of this one.
    static let refusals = [
        "1": ["call_uuid", "unknown_provider"],
        "2": ["in_call"],
        "3": ["max_ringing", "call_uuid"],
        "4": ["cannot_hold", "not_your_call"],
        "5": ["cannot_hold", "invalid_state", "unknown_call", "call_ended", "not_your_call"],
        "5a": ["hold_failed"],
        "5b": ["hold_failed", "deadline_exceeded"],
        "6": ["cannot_hold", "not_your_call"],
        "7": ["cannot_hold", "max_held", "hold_failed", "not_your_call"],
        "8": [
            "hold_failed", "unknown_provider", "call_uuid", "not_your_call", "not_supported",
            "max_call_groups", "max_held",
        ],
        "9": ["cannot_hold", "not_your_call"],
        "10": ["already_dialing", "cannot_hold"],
        "10a": ["busy"],
        "11": ["busy", "call_ringing", "max_call_groups", "unknown_provider"],
        "12": ["cannot_hold", "hold_failed", "max_call_groups"],
        "14": ["cannot_hold", "hold_failed", "invalid_state", "not_your_call"],
        "15": ["busy", "not_your_call"],
        "19": ["cannot_hold", "hold_failed", "invalid_state"],
        "20": ["emergency"],
        "21": ["not_supported"],
        "22": ["not_supported", "invalid_state", "invalid_action", "max_calls_per_group"],
        "22a": ["hold_failed"],
        "23": ["not_supported", "max_call_groups", "cannot_hold"],
        "24": ["max_call_groups", "max_calls_per_group"],
        "25": ["max_held", "max_ringing", "max_calls"],
        "26": ["provider_gone"],
        "27": ["cannot_hold", "deadline_exceeded", "unknown_provider"],
        "30a": ["invalid_state"],
        "31": ["unknown_call", "call_ended"],
        "31a": ["cannot_hold", "not_supported"],
        "32": ["block_list", "screener", "do_not_disturb"],
        "33": ["not_your_call", "unentitled"],
        "34": ["emergency", "invalid_state", "not_your_call", "unknown_call"],
        "35": ["invalid_state", "not_supported", "not_your_call", "unknown_call"],
        "38": ["cannot_hold"],
        "40": ["invalid_state"],
        "42": ["invalid_state", "not_supported", "not_your_call", "unknown_call"],
        "41": [
            "invalid_state", "invalid_action", "not_supported", "not_your_call", "emergency",
            "unknown_call",
        ],
        "43": ["in_call"],
        "44": ["busy", "cannot_hold"],
        "45": ["invalid_state", "not_supported", "not_your_call", "unknown_call"],
        "46": ["invalid_state", "not_supported", "not_your_call", "unknown_call"],
        "47": ["invalid_state", "max_calls", "not_supported"],
    ]

    /// Section 5.
    static let transactions = [
        "transaction-offer.txt", "transaction-order.txt", "transaction-overtake.txt",
        "transaction-reasons.txt", "transaction-wait.txt",
    ]

    /// Section 6, and what it says below its table.
    static let timeouts = [
        TimeoutRow(
            file: "timeout-start.txt",
            evidence: ["kind=start state=timed_out", "end_reason=failed"]),
        TimeoutRow(
            file: "timeout-answer.txt",
            evidence: ["kind=answer state=timed_out", "end_reason=failed"]),
        TimeoutRow(
            file: "timeout-hold.txt", evidence: ["kind=set_held state=timed_out", "rule=5b"]),
        TimeoutRow(
            file: "timeout-resume.txt", evidence: ["kind=set_held state=timed_out", "rule=17a"]),
        TimeoutRow(file: "timeout-end.txt", evidence: ["kind=end state=timed_out", "record"]),
        TimeoutRow(
            file: "timeout-mute.txt",
            evidence: [
                "kind=set_muted state=timed_out", "kind=set_group state=timed_out",
                "kind=play_dtmf state=timed_out",
            ]),
        TimeoutRow(file: "timeout-ring.txt", evidence: ["rule=36 end_reason=unanswered"]),
        TimeoutRow(
            file: "timeout-dial.txt", evidence: ["id=dial_stuck news=anomaly", "end_reason=failed"]),
        TimeoutRow(
            file: "timeout-screening.txt", evidence: ["missed_reasons= screening_timed_out"]),
        TimeoutRow(file: "timeout-deadlines.txt", evidence: ["perform deadline_ms=600000"]),
    ]

    /// Section 8.
    static let invariants = [
        "I1", "I2", "I3", "I4", "I5", "I6", "I7", "I8", "I9", "I10", "I11", "I12",
    ]

    /// The same events give the same effects and the same state, byte for byte: `StoryTests`.
    static let shownByEveryStory = "I10"

    /// Whole stories are told freely.
    static let wholeStory = "story-"

    /// `rule-05a.txt`
    static func file(of rule: String) -> String {
        rule.prefix { $0.isNumber }.count < 2 ? "rule-0\(rule).txt" : "rule-\(rule).txt"
    }

    /// `invariant-1.txt`
    static func file(ofInvariant invariant: String) -> String {
        "invariant-\(invariant.dropFirst()).txt"
    }
}

extension Story {
    /// The effects, one a line.
    fileprivate func effects() throws -> [Substring] {
        try text().split(separator: "\n").filter { $0.hasPrefix("< ") }
    }

    fileprivate func refusals() throws -> [Substring] {
        try effects().filter { $0.isRefusal }
    }
}

extension Substring {
    /// Something was refused to somebody, or failed with a reason.
    fileprivate var isRefusal: Bool {
        hasPrefix("< refuse ") || contains("refusal=(")
    }

    /// The members of an effect with their values; those of lists and records as well.
    fileprivate var words: Set<Substring> {
        Set(split { " ,()[]".contains($0) })
    }
}
