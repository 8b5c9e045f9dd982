import CallBroker
import CallTesting
import Testing

/// How long actions may take, and what happens then.
struct BrokerDeadlineTests {
    private let host = MemoryBroker()
    private let a: MemoryPeer
    private let user: MemoryPeer

    init() {
        a = host.provider()
        user = host.controller()
    }

    private func progress(_ request: Int, _ members: String) {
        a.send(Frame.notification("broker.progress", #"{"request":\#(request)\#(members)}"#))
    }

    @Test func `an answer in time is 60 s; then cancel, timed out, and an end`() {
        a.ring(1)
        let observer = host.observer("call.*", "action.*")
        user.post("call.answer", #"{"call":"c1","wait":"completed"}"#)
        host.forget()
        host.turn(afterMS: 59_999)
        #expect(a.brief() == [] && user.brief() == [])
        host.turn(afterMS: 1)
        #expect(
            a.lines() == [
                Frame.notification(
                    "broker.cancel", #"{"request":1,"action":"\#(host.made(2))"}"#),
                Frame.notification(
                    "provider.timed_out",
                    #"{"action":"\#(host.made(2))","kind":"answer","call":"\#(ShortID.call(1))"}"#
                ),
                Frame.request(
                    2, "provider.perform",
                    """
                    {"action":"\(host.made(4))","kind":"end","call":"\(ShortID.call(1))",\
                    "arguments":{},"transaction":"\(host.made(3))",\
                    "cause":{"origin":"timeout","transaction":"\(host.made(1))"},\
                    "deadline_ms":5000,"attempt":1,"age_ms":0}
                    """),
            ])
        #expect(
            user.brief() == [
                "1: -32009 deadline_exceeded transaction=#1 "
                    + "actions=[{action:#2,kind:answer,call:c1,provider:org.a,"
                    + "implied:false,state:timed_out}]"
            ])
        #expect(
            observer.brief() == [
                "broker.bookmark seq=7", "action.timed_out #2 answer c1",
                "action.dispatched #4 end c1",
                "~ c1 ended failed (state pending_action end_reason end_cause) timeout",
                "- c1 timeout",
            ])
    }

    @Test func `what the provider has sent by then counts`() {
        a.ring(1)
        user.post("call.answer", #"{"call":"c1","wait":"completed"}"#)
        host.turn(afterMS: 59_999)
        a.fulfil(1)
        host.turn(afterMS: 1)
        #expect(user.brief() == ["1: completed #1 [#2 answer c1 fulfilled]"])
    }

    @Test func `a silent mute, group or tone leaves the call as it was`() {
        host.talk(1, of: a, by: user)
        let observer = host.observer("call.*", "action.timed_out")
        user.post("call.set_muted", #"{"call":"c1","muted":true}"#)
        host.turn(afterMS: 5_000)
        #expect(
            observer.brief() == [
                "~ c1 active ..muting (pending_action) user/34",
                "action.timed_out #4 set_muted c1", "~ c1 active (pending_action) user/34",
            ])
        #expect(
            user.brief().last
                == "own transaction.completed failed #3 [#4 set_muted c1 timed_out] user/34")
        #expect(a.brief().suffix(2) == ["cancel 2", "timed_out #4 set_muted c1"])
    }

    @Test func `an end in silence still ends the call here`() {
        host.talk(1, of: a, by: user)
        _ = user.tell("call.end", #"{"call":"c1"}"#)
        _ = a.brief()
        host.turn(afterMS: 5_000)
        #expect(a.brief() == ["cancel 2", "timed_out #4 end c1", "audio.deactivated c1: c1"])
        #expect(user.tell("call.list").last == #"3: {"calls":[]}"#)
    }

    @Test func `progress gives more time`() {
        a.ring(1)
        user.post("call.answer", #"{"call":"c1"}"#)
        _ = a.brief()
        host.turn(afterMS: 59_999)
        progress(1, #","extend_ms":30000"#)
        host.turn(afterMS: 29_999)
        #expect(a.brief() == [])
        host.turn(afterMS: 1)
        #expect(a.brief().first == "cancel 1")
    }

    @Test func `however much it asks for, an action gets twice its time and no more`() {
        a.ring(1)
        user.post("call.answer", #"{"call":"c1"}"#)
        _ = a.brief()
        for _ in 1...5 { progress(1, #","extend_ms":600000"#) }
        host.turn(afterMS: 60_000)
        progress(1, #","extend_ms":600000"#)
        host.turn(afterMS: 59_999)
        #expect(a.brief() == [])
        progress(1, #","extend_ms":600000"#)
        host.turn(afterMS: 1)
        #expect(a.brief().first == "cancel 1")
    }

    @Test func `progress without time, or about nothing, is taken and changes nothing`() {
        a.ring(1)
        user.post("call.answer", #"{"call":"c1"}"#)
        _ = a.brief()
        progress(1, #","phase":"dialling","percent":50,"message":"soon""#)
        progress(99, #","extend_ms":30000"#)
        progress(2, "")
        #expect(a.brief() == [])
        host.turn(afterMS: 60_000)
        #expect(a.brief().first == "cancel 1")
    }

    @Test func `the time that a request gives counts from the dispatch of each action`() {
        let b = host.provider("org.b")
        host.talk(1, of: a, by: user)
        b.ring(2)
        user.post("call.answer", #"{"call":"c2","deadline_ms":1000}"#)
        #expect(a.brief().joined().hasSuffix("1000 ms"))
        host.turn(afterMS: 900)
        a.fulfil(2)
        #expect(b.brief().last?.hasSuffix("user/5 1000 ms") == true)
        host.turn(afterMS: 999)
        #expect(b.brief() == [])
        host.turn(afterMS: 1)
        #expect(b.brief().first == "cancel 1")
    }

    @Test func `a hold in silence costs the silent call, and the answer goes on`() {
        let b = host.provider("org.b")
        host.talk(1, of: a, by: user)
        b.ring(2)
        user.post("call.answer", #"{"call":"c2","wait":"completed"}"#)
        _ = a.brief()
        host.turn(afterMS: 5_000)
        #expect(
            a.brief() == [
                "cancel 2", "timed_out #4 set_held c1",
                "perform 3 #7 end c1 timeout/5b for c2 5000 ms", "audio.deactivated c1: c1",
            ])
        #expect(b.brief().last == "perform 1 #5 answer c2 user/5 60000 ms")
        b.fulfil(1)
        #expect(b.brief() == ["audio.activated c2: c2"])
        #expect(user.tell("call.list").last == "3: [c2 active]")
    }

    @Test func `a start without a sign for 5 s gives way to another`() {
        let start = #""provider":"org.a","remote":{"type":"phone","value":"1"}}"#
        user.post("call.start", #"{"call":"c1","# + start)
        #expect(user.tell("call.start", #"{"call":"c2","# + start).last == dialing(2))
        let observer = host.observer("broker.anomaly", "call.changed")
        host.turn(afterMS: 5_000)
        let lines = user.tell("call.start", #"{"call":"c2","# + start)
        #expect(lines.contains { $0.hasPrefix("3: accepted") })
        let events = observer.brief()
        #expect(events.contains { $0.hasPrefix("broker.anomaly anomaly=start_silent call=c1") })
        #expect(events.contains { $0.hasPrefix("~ c1 ended") })
    }

    @Test func `a start that makes progress keeps its place`() {
        let start = #""provider":"org.a","remote":{"type":"phone","value":"1"}}"#
        user.post("call.start", #"{"call":"c1","# + start)
        progress(1, #","phase":"connecting""#)
        host.turn(afterMS: 5_000)
        #expect(user.tell("call.start", #"{"call":"c2","# + start).last == dialing(2))
    }

    private func dialing(_ id: Int) -> String {
        "\(id): -32006 already_dialing limit={name:dialing,value:1} rule=10 "
            + "blocking=[{call:c1,provider:org.a}]"
    }
}
