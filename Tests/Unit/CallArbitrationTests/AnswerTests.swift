import CallModel
import Testing

@testable import CallArbitration

struct AnswerTests {
    @Test func `rule 1: an incoming call rings when nothing else is there`() {
        var stage = Stage()
        stage.register("a")
        stage.ring(1, at: "a")
        #expect(stage.state(1) == .ringing)
    }

    @Test func `rule 5: the active call is held before another app's is answered`() {
        var stage = Stage()
        stage.register("a")
        stage.register("b")
        stage.fulfilAll(stage.ring(1, at: "a"))
        stage.fulfilAll(stage.ask(.answer, 1))
        #expect(stage.state(1) == .active)
        stage.ring(2, at: "b")
        #expect(stage.state(2) == .waiting)
        let hold = stage.ask(.answer, 2).dispatches
        #expect(hold.map(\.kind) == [.setHeld(true)])
        #expect(hold.map(\.call) == [Stage.call(1)])
        let answer = stage.apply(.actionFulfilled(hold[0].action, by: hold[0].provider))
        #expect(answer.dispatches.map(\.kind) == [.answer])
        stage.fulfilAll(answer)
        #expect(stage.state(1) == .held)
        #expect(stage.state(2) == .active)
    }

    @Test func `rule 16: the held call comes back when the user ends the other`() {
        var stage = Stage()
        stage.register("a")
        stage.register("b")
        stage.ring(1, at: "a")
        stage.fulfilAll(stage.ask(.answer, 1))
        stage.ring(2, at: "b")
        stage.fulfilAll(stage.ask(.answer, 2))
        stage.fulfilAll(stage.ask(.end, 2))
        #expect(stage.state(2) == nil)
        #expect(stage.state(1) == .active)
    }
}
