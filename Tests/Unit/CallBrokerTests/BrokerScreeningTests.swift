import CallBroker
import CallProtocol
import CallTesting
import Testing

/// Rule 32, over the wire: who is asked about a call, and what comes of what they say.
struct BrokerScreeningTests {
    private let host = MemoryBroker()
    private let a: MemoryPeer
    private let user: MemoryPeer
    private let observer: MemoryPeer

    init() {
        a = host.provider()
        user = host.controller()
        observer = host.observer("call.*")
    }

    private static let rings = #"1: {"call":"c1","state":"ringing","presentation":"ring"}"#
    private static let ringsInSilence =
        #"1: {"call":"c1","state":"ringing","presentation":"silent"}"#
    private static let blocked = "1: -32008 screener rule=32"

    private func says(_ screener: MemoryPeer, _ verdict: String, _ members: String = "") {
        screener.answer("screener.check", #"{"verdict":"\#(verdict)"\#(members)}"#)
    }

    // MARK: - What screeners are asked, and say

    @Test func `a screener is told who calls, whom, and how long it has`() {
        let guardian = host.adviser(.screener, "org.guard")
        #expect(a.ring(1, #""display_name":"Ada""#) == [])
        #expect(
            guardian.asked("screener.check").map { ShortID.short($0.params.json) } == [
                """
                {"call":"c1","provider":"org.a","remote":{"type":"phone","value":"+15551"},\
                "display_name":"Ada","has_video":false,"supports_holding":true,\
                "supports_grouping":true,"supports_ungrouping":true,"supports_dtmf":true,\
                "remote_held":false,"priority":"normal","deadline_ms":1500}
                """
            ])
        #expect(observer.brief() == [])
    }

    @Test(arguments: [
        ("continue", rings, "+ c1 ringing provider/1"),
        ("allow", rings, "+ c1 ringing provider/1"),
        ("silence", ringsInSilence, "+ c1 ringing silenced provider/1"),
        (
            "block", blocked,
            "call.refused call=c1 reason=screener rule=32 cause={origin:policy,rule:32}"
        ),
        ("perhaps", rings, "+ c1 ringing provider/1"),
    ])
    func `what a screener says is what becomes of the call`(
        verdict: String, outcome: String, told: String
    ) {
        let guardian = host.adviser(.screener, "org.guard")
        a.ring(1)
        says(guardian, verdict)
        #expect(a.brief() == [outcome])
        #expect(observer.brief() == [told])
    }

    @Test(arguments: [
        ("restricted_sharing", "restricted_sharing"),
        ("sensitive_participants", "sensitive_participants"), ("too_loud", "screener"),
    ])
    func `a screener may say why it blocks a call`(word: String, reason: String) {
        let guardian = host.adviser(.screener, "org.guard")
        a.ring(1)
        says(guardian, "block", #","reason":"\#(word)""#)
        #expect(a.brief() == ["1: -32008 \(reason) rule=32"])
    }

    @Test func `do-not-disturb keeps a call away that no screener lets through`() {
        _ = user.tell("policy.set", #"{"do_not_disturb":{"on":true}}"#)
        let guardian = host.adviser(.screener, "org.guard")
        a.ring(1)
        says(guardian, "continue")
        #expect(a.brief() == ["1: -32008 do_not_disturb rule=32"])
        a.ring(2)
        says(guardian, "allow")
        #expect(a.brief() == [#"2: {"call":"c2","state":"ringing","presentation":"ring"}"#])
    }

    @Test func `who calls again at once is known, however the number is written`() {
        _ = user.tell("policy.set", #"{"do_not_disturb":{"on":true},"region":"US"}"#)
        for (call, number) in [(1, "+1 201 555 0123"), (2, "(201) 555-0123"), (3, "+12015550124")] {
            a.post(
                "call.report_incoming",
                #"{"call":"c\#(call)","remote":{"type":"phone","value":"\#(number)"}}"#)
        }
        #expect(
            a.brief() == [
                "1: -32008 do_not_disturb rule=32",
                #"2: {"call":"c2","state":"ringing","presentation":"ring"}"#,
                "3: -32008 do_not_disturb rule=32",
            ])
    }

    @Test func `the call waits for all, and one block is enough`() {
        let guardian = host.adviser(.screener, "org.guard")
        let other = host.adviser(.screener, "org.other")
        a.ring(1)
        says(other, "block")
        #expect(a.brief() == [])
        says(guardian, "allow")
        #expect(a.brief() == [Self.blocked])
    }

    @Test func `a label is shown with the call, and who gave it`() throws {
        let guardian = host.adviser(.screener, "org.guard")
        a.ring(1)
        says(guardian, "continue", #","label":"Survey""#)
        let event = try JSONTree(#require(observer.lines().first))
        #expect(
            event["params"]?["data"]?["caller"]?.json
                == #"{"label":"Survey","source":"org.guard"}"#)
    }

    @Test func `a directory that is late improves a call that rings`() {
        let directory = host.adviser(.directory, "org.numbers")
        a.ring(1)
        host.turn(afterMS: 700)
        #expect(a.brief() == [Self.rings])
        #expect(observer.brief() == ["+ c1 ringing provider/1"])
        directory.answer("directory.lookup", #"{"display_name":"Example Ltd"}"#)
        #expect(observer.brief() == ["~ c1 ringing (caller) policy/32"])
    }

    // MARK: - Who does not answer

    @Test func `who is late has nothing to say, then or afterwards`() {
        let guardian = host.adviser(.screener, "org.guard")
        a.ring(1)
        host.turn(afterMS: 1_499)
        #expect(a.brief() == [])
        host.turn(afterMS: 1)
        #expect(a.brief() == [Self.rings])
        says(guardian, "block")
        #expect(a.brief() == [])
        #expect(observer.brief() == ["+ c1 ringing provider/1"])
    }

    @Test func `a screener has the time that its manifest gives it`() {
        let guardian = host.adviser(.screener, "org.guard", budgetMS: 5_000)
        a.ring(1)
        host.turn(afterMS: 4_999)
        #expect(a.brief() == [])
        says(guardian, "block")
        #expect(a.brief() == [Self.blocked])
    }

    /// How a screener does not answer.
    enum Failure: CaseIterable, Sendable {
        case isLate, hasError, saysNothingOfIt, goesAway
    }

    private func fail(_ screener: MemoryPeer, by failure: Failure) {
        switch failure {
        case .isLate: host.turn(afterMS: 1_500)
        case .hasError: for (id, _) in screener.asked("screener.check") { screener.fail(id) }
        case .saysNothingOfIt: screener.answer("screener.check", #"{"label":"Survey"}"#)
        case .goesAway: screener.vanish()
        }
    }

    @Test(arguments: Failure.allCases)
    func `a call rings without the word of a screener that fails open`(failure: Failure) {
        let guardian = host.adviser(.screener, "org.guard")
        a.ring(1)
        fail(guardian, by: failure)
        #expect(a.brief() == [Self.rings])
    }

    @Test(arguments: Failure.allCases)
    func `no call rings without the word of a screener that fails closed`(failure: Failure) {
        let guardian = host.adviser(.screener, "org.guard", failsClosed: true)
        a.ring(1)
        fail(guardian, by: failure)
        #expect(a.brief() == [Self.blocked])
    }

    @Test func `one that fails closed and lets the call ring lets it ring`() {
        let guardian = host.adviser(.screener, "org.guard", failsClosed: true)
        a.ring(1)
        says(guardian, "continue")
        #expect(a.brief() == [Self.rings])
    }

    // MARK: - What is left of it

    /// The only entry of the history.
    private func entry(_ store: MemoryStore) throws -> JSONTree? {
        user.post("history.list")
        store.settle()
        let reply = try JSONTree(#require(user.lines().last))
        return reply["result"]?["entries"]?.elements.first
    }

    @Test func `the history says who blocked a call, and what that one said`() throws {
        let store = try MemoryStore(of: host)
        let guardian = host.adviser(.screener, "org.guard")
        a.ring(1)
        says(guardian, "block", #","label":"Survey""#)
        store.settle()
        let entry = try entry(store)
        #expect(entry?["end_reason"]?.string == "filtered")
        #expect(entry?["end_cause"]?.json == #"{"origin":"policy","rule":"32"}"#)
        #expect(entry?["filtered_by"]?.string == "org.guard")
        #expect(entry?["label"]?.string == "Survey")
        #expect(entry?["label_source"]?.string == "org.guard")
        #expect(entry?["missed_reasons"] == nil)
    }

    @Test func `the history says who silenced a call that was missed`() throws {
        let store = try MemoryStore(of: host)
        let guardian = host.adviser(.screener, "org.guard")
        a.ring(1)
        says(guardian, "silence")
        host.turn(afterMS: 6_000)
        _ = a.tell("call.report_ended", #"{"call":"c1","reason":"remote_ended"}"#)
        store.settle()
        let entry = try entry(store)
        #expect(entry?["filtered_by"]?.string == "org.guard")
        #expect(entry?["missed_reasons"]?.json == #"["silenced","caller_gave_up"]"#)
    }

    @Test func `the history says that nobody was waited for any longer`() throws {
        let store = try MemoryStore(of: host)
        _ = host.adviser(.screener, "org.guard")
        a.ring(1)
        host.turn(afterMS: 1_500)
        host.turn(afterMS: 6_000)
        _ = a.tell("call.report_ended", #"{"call":"c1","reason":"remote_ended"}"#)
        store.settle()
        #expect(
            try entry(store)?["missed_reasons"]?.json
                == #"["caller_gave_up","screening_timed_out"]"#)
    }

    @Test(arguments: [
        ("continue", "passed", nil), ("silence", "silenced", "org.guard"),
        ("block", "filtered", "org.guard"),
    ])
    func `the decision is explained, and who made it`(
        verdict: String, decision: String, by: String?
    ) throws {
        let guardian = host.adviser(.screener, "org.guard")
        a.ring(1)
        says(guardian, verdict)
        user.post("call.explain", #"{"call":"c1"}"#)
        let steps = try JSONTree(#require(user.lines().last))["result"]?["steps"]?.elements ?? []
        let filters = steps.filter { $0["rule"]?.string == "32" }.prefix(2)
        #expect(filters.map { $0["decision"]?.string } == ["screened", decision])
        #expect(filters.map { $0["filtered_by"]?.string } == [nil, by])
    }

    private func explanations(_ call: Int = 1) throws -> [String] {
        user.post("call.explain", #"{"call":"c\#(call)"}"#)
        let steps = try JSONTree(#require(user.lines().last))["result"]?["steps"]?.elements ?? []
        return steps.compactMap { $0["explanation"]?.json }
    }

    @Test(arguments: ["allow", "silence", "block"])
    func `why the screener that decided did so is told to whoever asks`(verdict: String) throws {
        let guardian = host.adviser(.screener, "org.guard")
        let other = host.adviser(.screener, "org.other")
        a.ring(1)
        says(other, "continue", #","explain":"I know nobody""#)
        says(guardian, verdict, #","explain":"+15551 is Ada""#)
        #expect(try explanations() == [#"{"by":"org.guard","text":"+15551 is Ada"}"#])
    }

    @Test func `of two that block the one that is named explains it`() throws {
        let guardian = host.adviser(.screener, "org.guard")
        let other = host.adviser(.screener, "org.other")
        a.ring(1)
        says(other, "block", #","explain":"a survey""#)
        says(guardian, "block", #","explain":"a robot""#)
        #expect(try explanations() == [#"{"by":"org.other","text":"a survey"}"#])
    }

    @Test func `a reason is kept up to its length, and fits into a reply however it is escaped`()
        throws
    {
        let guardian = host.adviser(.screener, "org.guard")
        a.ring(1)
        let longest = String(repeating: #"\u0001"#, count: 1_024)
        says(guardian, "silence", #","explain":"\#(longest)""#)
        #expect(try explanations().count == 1)
        a.ring(2)
        says(guardian, "silence", #","explain":"\#(longest)x""#)
        #expect(try explanations(2) == [])
    }

    @Test func `what a screener says is in no log, and not in what the daemon explains`() {
        let guardian = host.adviser(.screener, "org.guard")
        var lines: [String] = []
        host.broker.onDecision = { lines.append($0) }
        a.ring(1)
        says(guardian, "block", #","explain":"Ada Lovelace""#)
        #expect(lines.contains { $0.contains("rule 32") })
        #expect(!(lines + host.log.lines).contains { $0.contains("Ada") })
    }

    @Test func `do-not-disturb is named as well`() {
        _ = user.tell("policy.set", #"{"do_not_disturb":{"on":true}}"#)
        a.ring(1)
        user.post("call.explain", #"{"call":"c1"}"#)
        #expect(user.lines().last?.contains(#""filtered_by":"do_not_disturb""#) == true)
    }
}
