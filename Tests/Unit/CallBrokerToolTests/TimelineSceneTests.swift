import Testing

@testable import CallBrokerTool

/// What happens to a call as periods.
struct TimelineSceneTests {
    private func call(_ moments: [(Int64, TimelineMoment)], until endMS: Int64 = 0)
        -> TimelineScene.Call
    {
        var builder = TimelineCallBuilder(call: "c1", provider: "org.a", direction: "incoming")
        for (atMS, moment) in moments { builder.add(moment, at: atMS) }
        return builder.finished(at: endMS)
    }

    private func spans(_ call: TimelineScene.Call) -> [String] {
        call.spans.map { "\($0.kind) \($0.fromMS)-\($0.toMS)" }
    }

    @Test func `states, mute and audio last until they change, or the call ends`() {
        let call = call([
            (10, .state("ringing")), (20, .state("ringing")), (30, .state("active")),
            (31, .audio(true)), (40, .muted(true)), (50, .state("ended")), (51, .audio(false)),
        ])
        #expect(spans(call) == ["ringing 10-30", "active 30-50", "audio 31-50", "muted 40-50"])
        #expect(call.endReason == "" && (call.fromMS, call.toMS) == (10, 51))
    }

    @Test func `what has not ended lasts until now`() {
        let call = call(
            [
                (10, .state("active")), (20, .action(id: "a", kind: "end", state: "dispatched")),
            ], until: 90)
        #expect(spans(call) == ["active 10-90"] && call.endReason == nil)
        #expect(
            call.actions == [.init(kind: "end", state: "dispatched", fromMS: 20, toMS: 90)])
    }

    @Test func `each attempt of an action has its time and its result`() {
        let states = ["dispatched", "timed_out", "dispatched", "fulfilled", "skipped"]
        let call = call(
            zip([10, 20, 30, 35, 40], states).map {
                ($0, .action(id: "a", kind: "answer", state: $1))
            })
        #expect(
            call.actions.map { "\($0.state) \($0.fromMS)-\($0.toMS)" } == [
                "timed_out 10-20", "fulfilled 30-35", "skipped 40-40",
            ])
    }

    @Test func `a clock that is set back, and impossible times, turn nothing round`() {
        let call = call(
            [(50, .state("ringing")), (.min, .state("active")), (.max, .state("held"))],
            until: .max)
        #expect(call.spans.allSatisfy { $0.fromMS <= $0.toMS && $0.toMS <= 1 << 50 })
        let layout = TimelineLayout(TimelineScene([call]))
        #expect(layout.items.count == 1)
    }

    @Test func `a call is not held for itself, and its relations name the others once`() {
        let call = call([
            (1, .link(.held, "c2")), (2, .link(.joined, "c1")), (3, .link(.held, "c2")),
        ])
        #expect(call.links.map(\.other) == ["c2", "c2"])
        #expect(TimelineScene.others(of: call) == ["c2"])
    }

    @Test func `the document has all of it`() {
        let call = call([
            (1, .state("ringing")), (1, .decision(rule: "1", word: "rings")),
            (2, .link(.held, "c2")), (3, .end(reason: "failed")), (3, .state("ended")),
        ])
        #expect(
            String(decoding: TimelineScene([call]).bytes, as: UTF8.self)
                == #"{"from_ms":1,"to_ms":3,"calls":[{"call":"c1","provider":"org.a","#
                + #""direction":"incoming","from_ms":1,"to_ms":3,"end_reason":"failed","#
                + #""spans":[{"kind":"ringing","from_ms":1,"to_ms":3}],"actions":[],"#
                + #""decisions":[{"rule":"1","decision":"rings","at_ms":1}],"#
                + #""links":[{"kind":"held","call":"c2","at_ms":2}]}]}"#)
    }
}
