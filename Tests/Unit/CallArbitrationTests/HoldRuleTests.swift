import CallModel
import Testing

@testable import CallArbitration

/// What happens when the live call cannot, or will not, make room.
struct HoldRuleTests {
    private let failure = ActionFailure(code: -32_000, reason: "no")
    private let blocker = Refusal.Blocker(call: Stage.call(1), provider: Stage.provider("a"))

    @Test func `rule 5a: a hold that fails leaves everything, and names the blocker`() throws {
        var stage = Stage.oneActiveOneWaiting()
        let hold = try #require(stage.ask(.answer, 2).dispatches.first)
        let effects = stage.apply(.actionFailed(hold.action, by: hold.provider, failure))
        #expect(effects.dispatches == [])
        #expect(effects.reports.last?.refusal?.reason == .holdFailed)
        #expect(effects.reports.last?.refusal?.rule == .holdFailed)
        #expect(effects.reports.last?.refusal?.blocking == [blocker])
        #expect(stage.state(1) == .active && stage.state(2) == .waiting)
        #expect(stage.arbiter.reservation == nil)
    }

    @Test func `rule 5a: the host may end the blocker instead, for the user`() throws {
        var policy = ArbitrationPolicy()
        policy.onHoldFailure = .end
        var stage = Stage.oneActiveOneWaiting(policy: policy)
        let hold = try #require(stage.ask(.answer, 2).dispatches.first)
        let effects = stage.apply(.actionFailed(hold.action, by: hold.provider, failure))
        #expect(effects.dispatches.map(\.kind) == [.end])
        stage.fulfilAll(effects)
        #expect(stage.state(1) == nil && stage.state(2) == .active)
    }

    @Test func `rule 5b: silence costs the silent call, and the answer goes on`() throws {
        var stage = Stage.oneActiveOneWaiting()
        let hold = try #require(stage.ask(.answer, 2).dispatches.first)
        stage.pass(ms: 5_000)
        let effects = stage.apply(.timerFired(.action(hold.action)))
        #expect(
            effects.prefix(2) == [
                .cancelPerform(hold.action, hold.provider),
                .tellTimedOut(hold.action, .setHeld, Stage.call(1), hold.provider),
            ])
        #expect(effects.dispatches.map(\.kind) == [.end, .answer])
        #expect(stage.state(1) == nil)
        stage.fulfilAll(effects)
        #expect(stage.state(2) == .active)
    }

    @Test func `rule 6: a plain answer is refused if the live call cannot be held`() {
        var stage = Stage.oneActiveOneWaiting { $0.supportsHolding = .set(false) }
        let before = stage.arbiter
        let refusal = Refusal(.cannotHold, rule: .answerCannotHold, blocking: [blocker])
        #expect(stage.ask(.answer, 2).refusals == [refusal])
        #expect(stage.arbiter == before)
    }

    @Test func `rule 6: end and answer ends it first, then answers`() {
        var stage = Stage.oneActiveOneWaiting { $0.supportsHolding = .set(false) }
        let end = stage.ask(.answer, 2, choice: .endAndAnswer)
        #expect(end.dispatches.map(\.kind) == [.end])
        stage.fulfilAll(end)
        #expect(stage.state(1) == nil && stage.state(2) == .active)
    }

    @Test func `rule 6: an app never ends somebody else's call`() {
        var stage = Stage.oneActiveOneWaiting { $0.supportsHolding = .set(false) }
        let asked = stage.ask(
            .answer, 2, choice: .endAndAnswer, by: .app(Stage.provider("b")))
        #expect(asked.refusals.map(\.reason) == [.notYourCall])
        #expect(asked.refusals.first?.blocking == [blocker])
    }

    @Test func `rule 7: with one active and one held, each choice does what it says`() {
        for (choice, gone, held) in [
            (AnswerChoice.holdAndAnswer, [], [1, 2]), (.endAndAnswer, [2], [1]),
            (.endHeldAndAnswer, [1], [2]),
        ] as [(AnswerChoice, [UInt64], [UInt64])] {
            var stage = Stage.oneActiveOneWaiting()
            stage.fulfilAll(stage.ask(.answer, 2))
            stage.register("c")
            stage.ring(3, at: "c")
            stage.fulfilAll(stage.ask(.answer, 3, choice: choice))
            #expect(stage.state(3) == .active, "\(choice)")
            for call in gone { #expect(stage.state(call) == nil, "\(choice)") }
            for call in held { #expect(stage.state(call) == .held, "\(choice)") }
        }
    }

    @Test func `rule 15: while one answer waits for room another is refused as busy`() {
        var stage = Stage.oneActiveOneWaiting()
        stage.register("c")
        stage.ring(3, at: "c")
        let hold = stage.ask(.answer, 2)
        let refusals = stage.ask(.answer, 3).refusals
        #expect(refusals.map(\.reason) == [.busy])
        #expect(refusals.first?.blocking.map(\.call) == [Stage.call(1), Stage.call(2)])
        stage.fulfilAll(hold)
        #expect(stage.state(2) == .active && stage.state(3) == .waiting)
    }

    @Test func `rule 20: an emergency ends what cannot be held, and what rings`() {
        var stage = Stage.oneActiveOneWaiting { $0.supportsHolding = .set(false) }
        let start = CallAction.start(
            StartArguments(remote: Handle(kind: .phone, value: "112"), isEmergency: true))
        stage.fulfilAll(stage.ask(start, 9, provider: "b"))
        #expect(stage.state(1) == nil && stage.state(2) == nil && stage.state(9) == .dialing)
        let refused = stage.ring(3, at: "a").refusals
        #expect(refused.map(\.reason) == [.emergency] && refused.map(\.rule) == [.emergency])
    }

    @Test func `rule 30: the same answer again joins the first`() {
        var stage = Stage.oneActiveOneWaiting()
        let hold = stage.ask(.answer, 2)
        let again = stage.ask(.answer, 2)
        #expect(again.dispatches == [])
        #expect(again.reports.map(\.isJoined) == [true])
        #expect(again.reports.first?.transaction == hold.reports.first?.transaction)
        stage.fulfilAll(hold)
        let completed = stage.log.count { if case .complete = $0 { true } else { false } }
        // The answer of call 1, and two for the answer of call 2.
        #expect(completed == 3)
    }

    @Test func `a dry run says what would be held and changes nothing`() {
        var stage = Stage.oneActiveOneWaiting()
        let before = stage.arbiter
        let report = stage.ask(.answer, 2) { $0.isDryRun = true }.reports.first
        #expect(report?.wouldHold == [Stage.call(1)] && report?.wouldEnd == [])
        #expect(report?.entries.map(\.kind) == [.setHeld, .answer])
        #expect(report?.entries.map(\.isImplied) == [true, false])
        #expect(report?.entries.allSatisfy { $0.state == .planned } == true)
        #expect(stage.arbiter == before)
    }
}
