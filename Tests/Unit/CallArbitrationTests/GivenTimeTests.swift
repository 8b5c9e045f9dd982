import CallModel
import Testing

@testable import CallArbitration

/// When an action was done, as its provider says it.
struct GivenTimeTests {
    private static func instant(_ milliseconds: Int) -> Instant {
        Instant.zero.advanced(byMS: milliseconds)
    }

    /// A call that came after a second and is being answered after three.
    private func answering() -> (stage: Stage, answer: Dispatch) {
        var stage = Stage()
        stage.register("a")
        stage.pass(ms: 1_000)
        stage.ring(1, at: "a")
        stage.pass(ms: 2_000)
        let answer = stage.ask(.answer, 1).dispatches[0]
        return (stage, answer)
    }

    @Test(
        arguments: [(1_000, 1_000), (2_000, 2_000), (999, 3_000), (3_001, 3_000), (nil, 3_000)]
            as [(Int?, Int)])
    func `an answer connects its call at the given time, if it can be`(
        givenMS: Int?, connectedMS: Int
    ) {
        let (before, answer) = answering()
        var stage = before
        stage.apply(
            .actionFulfilled(
                answer.action, by: answer.provider, at: givenMS.map { Self.instant($0) }))
        let view = stage.arbiter.view(of: Stage.call(1))
        #expect(view?.connectedAt == Self.instant(connectedMS))
    }

    @Test(
        arguments: [(3_000, 3_000), (3_500, 3_500), (2_999, 4_000), (4_001, 4_000), (nil, 4_000)]
            as [(Int?, Int)])
    func `an end is over at the given time, but not before both sides could talk`(
        givenMS: Int?, endedMS: Int
    ) {
        let (before, answer) = answering()
        var stage = before
        stage.apply(.actionFulfilled(answer.action, by: answer.provider))
        stage.pass(ms: 1_000)
        let end = stage.ask(.end, 1).dispatches[0]
        let effects = stage.apply(
            .actionFulfilled(end.action, by: end.provider, at: givenMS.map { Self.instant($0) }))
        let ends = effects.compactMap { effect -> Instant? in
            if case .record(let entry) = effect { entry.endedAt } else { nil }
        }
        #expect(ends == [Self.instant(endedMS)])
    }

    @Test(arguments: [(2_500, 2_500), (nil, 4_000)] as [(Int?, Int)])
    func `a report ahead of its answer's turn tells when the call was connected`(
        givenMS: Int?, connectedMS: Int
    ) {
        var stage = Stage.oneActiveOneWaiting()
        stage.pass(ms: 2_000)
        let hold = stage.ask(.answer, 2).dispatches[0]
        stage.pass(ms: 1_000)
        stage.apply(
            .callReported(
                CallReport(
                    token: stage.token(), provider: Stage.provider("b"), call: Stage.call(2),
                    news: .connected, at: givenMS.map { Self.instant($0) })))
        #expect(stage.state(2) == .waiting)
        stage.pass(ms: 1_000)
        stage.apply(.actionFulfilled(hold.action, by: hold.provider))
        let view = stage.arbiter.view(of: Stage.call(2))
        #expect(view?.connectedAt == Self.instant(connectedMS))
    }

    /// Call 2 waits, and after three seconds its app says that it was taken, and when: another is live.
    private func taken(
        givenMS: Int?, _ change: (inout CallUpdate) -> Void = { _ in }
    ) -> (stage: Stage, effects: [ArbiterEffect]) {
        var stage = Stage.oneActiveOneWaiting(change)
        stage.pass(ms: 3_000)
        let report = CallReport(
            token: stage.token(), provider: Stage.provider("b"), call: Stage.call(2),
            news: .connected, at: givenMS.map { Self.instant($0) })
        let effects = stage.apply(.callReported(report))
        stage.pass(ms: 1_000)
        return (stage, effects)
    }

    @Test(
        arguments: [(0, 0), (2_500, 2_500), (4_001, 4_000), (nil, 4_000)] as [(Int?, Int)])
    func `a call that its app has taken while another was live was connected then`(
        givenMS: Int?, connectedMS: Int
    ) {
        let (before, effects) = taken(givenMS: givenMS)
        var stage = before
        #expect(stage.state(2) == .waiting)
        stage.fulfilAll(effects)
        #expect(stage.state(2) == .active)
        let view = stage.arbiter.view(of: Stage.call(2))
        #expect(view?.connectedAt == Self.instant(connectedMS))
    }

    @Test func `also if it may not speak, and is held`() {
        let (before, effects) = taken(givenMS: 2_500) { $0.supportsHolding = .set(false) }
        var stage = before
        stage.fulfilAll(effects)
        #expect(stage.state(2) == .held)
        let view = stage.arbiter.view(of: Stage.call(2))
        #expect(view?.connectedAt == Self.instant(2_500))
    }

    @Test func `when a call was held nobody keeps`() {
        let (before, answer) = answering()
        var stage = before
        stage.apply(.actionFulfilled(answer.action, by: answer.provider))
        stage.pass(ms: 1_000)
        let hold = stage.ask(.setHeld(true), 1).dispatches[0]
        var other = stage
        stage.apply(.actionFulfilled(hold.action, by: hold.provider, at: Self.instant(3_500)))
        other.apply(.actionFulfilled(hold.action, by: hold.provider))
        #expect(stage.arbiter == other.arbiter)
    }
}
