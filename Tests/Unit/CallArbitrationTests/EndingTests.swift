import CallModel
import Testing

@testable import CallArbitration

/// What becomes of the others when a call ends.
struct EndingTests {
    private func twoAnswered(_ policy: ArbitrationPolicy = ArbitrationPolicy()) -> Stage {
        var stage = Stage.oneActiveOneWaiting(policy: policy)
        stage.fulfilAll(stage.ask(.answer, 2))
        return stage
    }

    private func report(
        _ stage: inout Stage, _ call: UInt64, by provider: String, _ news: CallReport.News
    ) -> [ArbiterEffect] {
        let token = stage.token()
        return stage.apply(
            .callReported(
                CallReport(
                    token: token, provider: Stage.provider(provider), call: Stage.call(call),
                    news: news)))
    }

    @Test func `rule 17: a remote end resumes nobody, and offers it`() {
        var stage = twoAnswered()
        let effects = report(&stage, 2, by: "b", .ended(.remoteEnded))
        #expect(effects.dispatches == [])
        #expect(
            effects.contains(
                .announce(.resumeOffered(Stage.call(1), becauseOf: Stage.call(2)))))
        #expect(stage.state(1) == .held)
    }

    @Test func `rule 17: the host may want it resumed`() {
        var policy = ArbitrationPolicy()
        policy.resumeAfterRemoteEnd = true
        var stage = twoAnswered(policy)
        stage.fulfilAll(report(&stage, 2, by: "b", .ended(.remoteEnded)))
        #expect(stage.state(1) == .active)
    }

    @Test func `rule 17a: the held call comes back when the answer fails`() throws {
        var stage = Stage.oneActiveOneWaiting()
        let hold = try #require(stage.ask(.answer, 2).dispatches.first)
        let answer = stage.apply(.actionFulfilled(hold.action, by: hold.provider)).dispatches
        let effects = stage.apply(
            .actionFailed(
                answer[0].action, by: answer[0].provider, ActionFailure(code: -32_000, reason: "x"))
        )
        #expect(stage.state(2) == nil)
        #expect(effects.dispatches.map(\.kind) == [.setHeld(false)])
        #expect(effects.dispatches.map(\.cause.rule) == [.restored])
        stage.fulfilAll(effects)
        #expect(stage.state(1) == .active)
    }

    @Test func `rule 26: an exit ends the calls, pairs the audio and names the order`() {
        var stage = twoAnswered()
        let effects = stage.apply(.providerExited(Stage.provider("b")))
        let announced = effects.compactMap { effect -> String? in
            switch effect {
            case .announce(.providerLost): "lost"
            case .announce(.callRemoved): "call"
            case .announce(.providerRemoved(_, let reason)): reason.rawValue
            case .deactivateAudio: "silence"
            default: nil
            }
        }
        #expect(announced == ["lost", "call", "silence", "process_exited"])
        #expect(stage.state(1) == .held && stage.state(2) == nil)
    }

    @Test
    func `rule 32: a filter's call that ends with its provider frees its place and is answered`() {
        var stage = Stage()
        stage.register("a")
        let token = stage.token()
        stage.apply(
            .incomingReported(
                IncomingReport(
                    token: token, provider: Stage.provider("a"), call: Stage.call(1),
                    update: CallUpdate(), needsScreening: true)))
        #expect(stage.arbiter.incoming.screenedCount == 1)
        let effects = stage.apply(.providerExited(Stage.provider("a")))
        #expect(effects.contains(.refuse(token, Refusal(.callEnded, rule: .filters))))
        #expect(stage.arbiter.incoming.screenedCount == 0 && stage.arbiter.brokenInvariants() == [])
    }

    @Test func `rule 27: calls wait for their provider, and an end is done without it`() {
        var stage = twoAnswered()
        stage.apply(.providerLost(Stage.provider("b")))
        #expect(stage.state(2) == .active)
        let end = stage.ask(.end, 2)
        #expect(end.dispatches.map(\.kind) == [.setHeld(false)])
        #expect(stage.state(2) == nil)
    }

    @Test func `rule 29: a late answer changes nothing and is told`() throws {
        var stage = Stage.oneActiveOneWaiting()
        let hold = try #require(stage.ask(.answer, 2).dispatches.first)
        stage.pass(ms: 5_000)
        stage.apply(.timerFired(.action(hold.action)))
        let effects = stage.apply(.actionFulfilled(hold.action, by: hold.provider))
        #expect(effects == [.announce(.actionLate(hold.action, hold.provider))])
    }

    @Test func `rule 29: an answer that succeeds after its time-out is ended at its app`() throws {
        var stage = Stage()
        stage.register("a")
        stage.ring(1, at: "a")
        let answer = try #require(stage.ask(.answer, 1).dispatches.first)
        stage.pass(ms: 60_000)
        let timedOut = stage.apply(.timerFired(.action(answer.action)))
        #expect(stage.state(1) == nil)
        // The end that followed the time-out was performed before.
        let end = try #require(timedOut.dispatches.first)
        stage.apply(.actionFulfilled(end.action, by: end.provider))
        let late = stage.apply(.actionFulfilled(answer.action, by: answer.provider))
        #expect(late.dispatches.map(\.kind) == [.end])
        #expect(late.dispatches.map(\.call) == [Stage.call(1)])
        #expect(stage.apply(.actionFulfilled(answer.action, by: answer.provider)).dispatches == [])
    }

    @Test func `rule 30a: connected before the answer is fulfilled counts as its fulfilment`() {
        var stage = Stage()
        stage.register("a")
        stage.ring(1, at: "a")
        let answer = stage.ask(.answer, 1).dispatches[0]
        _ = report(&stage, 1, by: "a", .connected)
        #expect(stage.state(1) == .active)
        let late = stage.apply(.actionFulfilled(answer.action, by: answer.provider))
        #expect(late == [.announce(.actionLate(answer.action, answer.provider))])
    }

    @Test func `rule 36: a call that rings too long ends unanswered, here and at its app`() {
        var stage = Stage()
        stage.register("a")
        stage.ring(1, at: "a")
        stage.pass(ms: 60_000)
        let effects = stage.apply(.timerFired(.ring(Stage.call(1))))
        #expect(effects.dispatches.map(\.kind) == [.end])
        let entry = effects.compactMap { effect -> HistoryEntry? in
            if case .record(let entry) = effect { entry } else { nil }
        }.first
        #expect(entry?.reason == .unanswered && entry?.missed == .unanswered)
        #expect(stage.state(1) == nil)
    }

    @Test func `I3: audio is given and taken in turns, per group`() {
        var stage = twoAnswered()
        stage.fulfilAll(stage.ask(.end, 2))
        let audio = stage.log.compactMap { effect -> String? in
            switch effect {
            case .activateAudio(_, let group, _): "+\(group == Stage.call(1) ? 1 : 2)"
            case .deactivateAudio(_, let group, _): "-\(group == Stage.call(1) ? 1 : 2)"
            default: nil
            }
        }
        #expect(audio == ["+1", "-1", "+2", "-2", "+1"])
    }
}
