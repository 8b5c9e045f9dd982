import CallBroker
import CallTesting
import Testing

/// More than one call: swap, merge and split, and the things that touch no provider.
struct BrokerGroupTests {
    private let host = MemoryBroker()
    private let a: MemoryPeer
    private let b: MemoryPeer
    private let user: MemoryPeer

    init() {
        a = host.provider()
        b = host.provider("org.b")
        user = host.controller()
    }

    /// One call held and one that speaks, of the first provider.
    private func two() {
        host.talk(1, of: a, by: user)
        a.ring(2)
        _ = user.tell("call.answer", #"{"call":"c2"}"#)
        host.settle(a)
        user.lastID = 0
    }

    private var calls: [String] {
        user.ask(Frame.request(999, "call.list")).map { String(Brief.line($0).dropFirst(5)) }
    }

    // MARK: - Swap

    @Test func `a swap holds the one and resumes the other`() {
        two()
        #expect(
            user.tell("call.swap", #"{"wait":"completed"}"#) == [])
        #expect(a.brief() == ["perform 4 #7 set_held c2 held=true arbitration/19 for c1 5000 ms"])
        #expect(
            a.fulfilling(4) == [
                "audio.deactivated c2: c2", "perform 5 #8 set_held c1 held=false user/19 5000 ms",
            ])
        #expect(a.fulfilling(5) == ["audio.activated c1: c1"])
        #expect(
            user.brief() == [
                "1: completed #6 [#7 set_held c2 implied fulfilled, #8 set_held c1 fulfilled]"
            ])
        #expect(calls == ["[c1 active, c2 held held for c1]"])
    }

    @Test func `a swap whose resume fails brings the former back`() {
        two()
        user.post("call.swap", #"{"call":"c1","wait":"completed"}"#)
        _ = a.brief()
        #expect(a.fulfilling(4).count == 2)
        a.fail(5)
        let lines = a.brief()
        #expect(lines.count == 1 && lines[0].contains("set_held c2 held=false arbitration/19"))
        a.fulfil(6)
        #expect(a.brief() == ["audio.activated c2: c2"])
        #expect(user.brief().map { $0.prefix(25) } == ["1: -32013 provider_failed"])
        #expect(calls == ["[c1 held held for c2, c2 active]"])
    }

    @Test func `without a held call there is nothing to swap`() {
        host.talk(1, of: a, by: user)
        #expect(user.tell("call.swap").joined().contains("-32006 invalid_state"))
        #expect(
            user.tell("call.swap", #"{"call":"c9"}"#).joined().contains("-32004 unknown_call"))
    }

    // MARK: - Merge and split

    @Test func `a merge makes a group, and a split takes it apart`() {
        two()
        user.post("call.merge", #"{"call":"c1","with":"c2","wait":"completed"}"#)
        #expect(a.brief() == ["perform 4 #7 set_group c1 with=c2 user/22 5000 ms"])
        #expect(
            a.fulfilling(4) == ["perform 5 #8 set_held c1 held=false arbitration/22 for c2 5000 ms"]
        )
        a.fulfil(5)
        #expect(
            user.brief() == [
                "1: completed #6 [#7 set_group c1 fulfilled, #8 set_held c1 implied fulfilled]"
            ])
        #expect(calls == ["[c1 active, c2 active in c1]"])

        user.post("call.split", #"{"call":"c1","wait":"completed"}"#)
        #expect(
            a.brief().filter { $0.hasPrefix("perform") }
                == ["perform 6 #10 set_held c2 held=true arbitration/23 for c1 5000 ms"])
        #expect(a.fulfilling(6) == ["perform 7 #11 set_group c1 with=null user/23 5000 ms"])
        a.fulfil(7)
        #expect(user.brief().first?.hasPrefix("2: completed #9") == true)
        #expect(calls == ["[c1 active, c2 held held for c1]"])
        // The audio has gone along.
        #expect(a.brief() == [])
        let end = a.tell("call.report_ended", #"{"call":"c1","reason":"remote_ended"}"#)
        #expect(end.contains("audio.deactivated c2: c1"))
    }

    @Test func `a merge that fails changes nothing`() {
        two()
        user.post("call.merge", #"{"call":"c1","with":"c2","wait":"completed"}"#)
        _ = a.brief()
        a.fail(4)
        #expect(user.brief().map { $0.prefix(25) } == ["1: -32013 provider_failed"])
        #expect(calls == ["[c1 held held for c2, c2 active]"])
        #expect(a.brief() == [])
    }

    @Test func `a merge needs two calls of one provider that can`() {
        two()
        b.ring(3)
        #expect(
            user.tell("call.merge", #"{"call":"c1","with":"c3"}"#).joined()
                .hasPrefix("1: -32006 invalid_action rule=22"))
        #expect(
            user.tell("call.merge", #"{"call":"c1"}"#)
                == ["2: -32602 missing_member field=/with"])
        _ = a.tell("call.report_update", #"{"call":"c1","supports_grouping":false}"#)
        #expect(
            user.tell("call.merge", #"{"call":"c1","with":"c2"}"#).joined()
                .hasPrefix("3: -32006 not_supported rule=31a"))
    }

    @Test func `mute is one truth of the group`() {
        two()
        _ = user.tell("call.merge", #"{"call":"c1","with":"c2"}"#)
        host.settle(a)
        let first = (a.audit.performs.keys.max() ?? 0) + 1
        #expect(first == 1)
        user.post("call.set_muted", #"{"call":"c2","muted":true,"wait":"completed"}"#)
        let performs = a.brief()
        #expect(performs.count == 2)
        for id in a.audit.performs.keys { a.fulfil(id) }
        #expect(user.brief().last?.contains(": completed") == true)
        #expect(calls == ["[c1 active muted, c2 active muted in c1]"])
    }

    @Test func `when the oldest leaves, the group has another name`() {
        two()
        _ = user.tell("call.merge", #"{"call":"c1","with":"c2"}"#)
        host.settle(a)
        a.ring(3)
        _ = user.tell("call.answer", #"{"call":"c3"}"#)
        host.settle(a)
        _ = user.tell("call.merge", #"{"call":"c3","with":"c2"}"#)
        host.settle(a)
        #expect(calls == ["[c1 active, c2 active in c1, c3 active in c1]"])
        let observer = host.observer("call.changed")
        _ = a.tell("call.report_ended", #"{"call":"c1","reason":"remote_ended"}"#)
        #expect(calls == ["[c2 active, c3 active in c2]"])
        #expect(observer.brief().count { $0.contains("(group)") } == 2)
    }

    // MARK: - Silence

    @Test func `a silenced call goes on ringing, and the provider is not asked`() {
        a.ring(1)
        b.ring(2)
        host.forget()
        let observer = host.observer()
        user.lastID = 0
        #expect(user.tell("call.silence", #"{"call":"c1"}"#) == ["1: {}"])
        #expect(observer.brief() == ["~ c1 ringing silenced (silenced) user/40"])
        #expect(user.tell("call.silence", #"{"call":"c1"}"#) == ["2: {}"])
        #expect(observer.brief() == [] && a.brief() == [])
        _ = a.tell("call.report_ended", #"{"call":"c1","reason":"remote_ended"}"#)
        #expect(calls == ["[c2 ringing]"])
    }

    @Test func `only what rings can be silenced`() {
        host.talk(1, of: a, by: user)
        user.lastID = 0
        #expect(
            user.tell("call.silence", #"{"call":"c1"}"#)
                == ["1: -32006 invalid_state rule=40 blocking=[{call:c1,provider:org.a}]"])
        #expect(user.tell("call.silence", #"{"call":"c2"}"#) == ["2: -32004 unknown_call rule=31"])
        #expect(user.tell("call.silence", "{}") == ["3: -32602 missing_member field=/call"])
    }

    // MARK: - The button

    private func press(_ press: String) -> String {
        user.tell("call.press_button", #"{"press":"\#(press)"}"#).joined(separator: " | ")
    }

    @Test func `with nothing there a button does nothing, and that is no error`() {
        #expect(
            user.ask(Frame.request(1, "call.press_button", #"{"press":"short"}"#))
                == [Frame.result(1, #"{"actions":[],"seq":2}"#)])
        #expect(press("long") == "1: []")
        #expect(press("twice") == "2: -32602 not_one_of field=/press")
    }

    @Test func `a short press answers, ends, swaps and resumes`() {
        a.ring(1)
        host.forget()
        #expect(press("short").contains("[#2 answer c1 queued]"))
        host.settle(a)
        b.ring(2)
        host.forget()
        #expect(
            press("short").contains("[#4 set_held c1 implied queued, #5 answer c2 queued]"))
        host.settle(a, b)
        #expect(
            press("short").contains("[#7 set_held c2 implied queued, #8 set_held c1 queued]"))
        host.settle(a, b)
        #expect(calls == ["[c1 active, c2 held held for c1]"])
        _ = a.tell("call.report_ended", #"{"call":"c1","reason":"remote_ended"}"#)
        #expect(press("short").contains("set_held c2 queued]"))
        host.settle(b)
        #expect(press("short").contains("end c2 queued]"))
    }

    @Test func `a long press declines, ends one of two, and mutes the one`() {
        a.ring(1)
        host.forget()
        #expect(press("long").contains("[#2 end c1 queued]"))
        host.settle(a)
        host.talk(3, of: a, by: user)
        b.ring(4)
        _ = user.tell("call.answer", #"{"call":"c4"}"#)
        host.settle(a, b)
        #expect(press("long").contains("end c4 queued]"))
        host.settle(b, a)
        #expect(calls == ["[c3 active]"])
        #expect(press("long").contains("set_muted c3 queued]"))
        host.settle(a)
        #expect(calls == ["[c3 active muted]"])
    }
}
