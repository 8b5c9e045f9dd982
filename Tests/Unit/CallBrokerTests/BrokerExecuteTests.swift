import CallBroker
import CallTesting
import Testing

/// Providers that carry out several actions as a whole.
struct BrokerExecuteTests {
    private let host = MemoryBroker()
    private let a: MemoryPeer
    private let user: MemoryPeer

    init() {
        a = host.provider("org.a", #""takes_transactions":true"#)
        user = host.controller()
    }

    private func take(_ id: Int, _ taken: Bool) {
        a.send(Frame.result(id, #"{"taken":\#(taken)}"#))
    }

    private func settle(_ action: Int, _ members: String = #""outcome":"fulfilled""#) -> [String] {
        a.tell("action.settle", "{\"action\":\"#\(action)\",\(members)}")
    }

    @Test func `the transaction comes before the performs, which do not come if it is taken`() {
        a.ring(1)
        host.forget()
        a.lastID = 0
        user.post("call.answer", #"{"call":"c1","wait":"completed"}"#)
        let lines = a.lines()
        #expect(lines.count == 1)
        #expect(
            lines[0].hasPrefix(
                #"{"jsonrpc":"2.0","id":1,"method":"provider.execute","params":{"#
                    + #""transaction":"\#(host.made(1))","actions":[{"#
                    + #""action":"\#(host.made(2))","kind":"answer","call":"\#(ShortID.call(1))","#
                    + #""arguments":{}"#))
        take(1, true)
        #expect(a.brief() == [])
        #expect(settle(2) == ["audio.activated c1: c1", "1: {}"])
        #expect(user.brief() == ["1: completed #1 [#2 answer c1 fulfilled]"])
    }

    @Test func `whoever does not take it gets the performs`() {
        a.ring(1)
        host.forget()
        user.post("call.answer", #"{"call":"c1","wait":"completed"}"#)
        _ = a.brief()
        take(1, false)
        #expect(a.brief() == ["perform 2 #2 answer c1 user 60000 ms"])
        #expect(a.fulfilling(2) == ["audio.activated c1: c1"])
        #expect(user.brief() == ["1: completed #1 [#2 answer c1 fulfilled]"])
    }

    @Test(arguments: [-32_601, -32_000])
    func `an error is a no, and so is nonsense`(code: Int) {
        a.ring(1)
        host.forget()
        user.post("call.answer", #"{"call":"c1"}"#)
        _ = a.brief()
        a.fail(1, code)
        #expect(a.brief() == ["perform 2 #2 answer c1 user 60000 ms"])
        a.fulfil(2)
        _ = a.brief()
        user.post("call.set_muted", #"{"call":"c1","muted":true}"#)
        #expect(a.brief().count == 1)
        a.send(Frame.result(3, #"{"taken":"yes"}"#))
        #expect(a.brief() == ["perform 4 #4 set_muted c1 muted=true user/34 5000 ms"])
    }

    @Test func `a settled failure is a failure, with its reason`() {
        a.ring(1)
        host.forget()
        a.lastID = 0
        user.post("call.answer", #"{"call":"c1","wait":"completed"}"#)
        _ = a.brief()
        take(1, true)
        #expect(settle(2, #""outcome":"failed","reason":"remote_refused""#) == ["1: {}"])
        let line = user.brief().joined()
        #expect(line.hasPrefix("1: -32013 provider_failed"))
        #expect(line.contains("reason:remote_refused"))
        #expect(user.tell("call.list") == [#"2: {"calls":[]}"#])
    }

    @Test func `both actions of a hold and an answer are settled by the provider`() {
        a.ring(1)
        user.post("call.answer", #"{"call":"c1"}"#)
        _ = a.brief()
        take(1, true)
        _ = settle(2)
        a.ring(2)
        host.forget()
        user.lastID = 0
        a.lastID = 0
        user.post("call.answer", #"{"call":"c2","wait":"completed"}"#)
        #expect(
            a.brief().joined().hasPrefix("execute 2 of #3: #4 set_held c1 held=true"))
        let observer = host.observer("action.*")
        take(2, true)
        #expect(settle(4) == ["audio.deactivated c1: c1", "1: {}"])
        #expect(user.brief() == [])
        #expect(settle(5) == ["audio.activated c2: c2", "2: {}"])
        #expect(
            user.brief() == [
                "1: completed #3 [#4 set_held c1 implied fulfilled, #5 answer c2 fulfilled]"
            ])
        #expect(
            observer.brief().filter { $0.contains("fulfilled") } == [
                "action.fulfilled #4 set_held c1", "action.fulfilled #5 answer c2",
            ])
    }

    @Test func `what is settled before its turn was done when its provider says`() {
        a.ring(1)
        user.post("call.answer", #"{"call":"c1"}"#)
        _ = a.brief()
        take(1, true)
        _ = settle(2)
        a.ring(2)
        user.post("call.answer", #"{"call":"c2"}"#)
        _ = a.brief()
        take(2, true)
        host.turn(afterMS: 2_000)
        // The answer first; it counts when the hold is done, too.
        _ = settle(5, #""outcome":"fulfilled","at_ms":1767225601500"#)
        host.turn(afterMS: 1_000)
        _ = settle(4)
        let call = user.ask(Frame.request(9, "call.get", user.long(#"{"call":"c2"}"#))).joined()
        #expect(call.contains(#""connected_at_ms":1767225601500"#))
    }

    @Test func `what is settled again changes nothing`() {
        a.ring(1)
        user.post("call.answer", #"{"call":"c1"}"#)
        _ = a.brief()
        take(1, true)
        _ = settle(2)
        host.forget()
        let observer = host.observer("call.*", "action.*")
        _ = settle(2, #""outcome":"failed""#)
        _ = settle(77)
        #expect(observer.brief().allSatisfy { $0.hasPrefix("action.late") })
        #expect(user.tell("call.list") == ["2: [c1 active]"])
    }

    // MARK: - Silence, and taking back

    @Test func `who says nothing gets the performs, and their time begins then`() {
        a.ring(1)
        host.forget()
        user.post("call.answer", #"{"call":"c1","wait":"completed"}"#)
        #expect(a.brief() == ["execute 1 of #1: #2 answer c1 user 5000 ms"])
        host.turn(afterMS: 4_999)
        #expect(a.brief() == [])
        host.turn(afterMS: 1)
        #expect(a.brief() == ["cancel 1", "perform 2 #2 answer c1 user 60000 ms"])
        // It is too late for the whole.
        take(1, true)
        #expect(a.brief() == [])
        #expect(a.fulfilling(2) == ["audio.activated c1: c1"])
        #expect(user.brief() == ["1: completed #1 [#2 answer c1 fulfilled]"])
    }

    @Test func `to settle an action before the answer is to take it`() {
        a.ring(1)
        host.forget()
        a.lastID = 0
        user.post("call.answer", #"{"call":"c1","wait":"completed"}"#)
        _ = a.brief()
        #expect(settle(2) == ["audio.activated c1: c1", "1: {}"])
        #expect(user.brief() == ["1: completed #1 [#2 answer c1 fulfilled]"])
        take(1, true)
        #expect(a.brief() == [])
    }

    @Test(arguments: [true, false])
    func `what a provider was offered or has taken is taken back action by action`(taken: Bool) {
        talk()
        user.post("call.answer", #"{"call":"c2","wait":"completed"}"#)
        _ = a.brief()
        if taken { take(2, true) }
        user.send(Frame.notification("broker.cancel", #"{"request":1}"#))
        let cancels = a.lines().filter { $0.contains("broker.cancel") }
        #expect(
            cancels
                == [4, 5].map { action in
                    Frame.notification(
                        "broker.cancel", #"{"request":2,"action":"\#(host.made(action))"}"#)
                })
        #expect(user.brief().map { $0.prefix(19) } == ["1: -32010 cancelled"])
    }

    @Test func `an action of a taken transaction that is late is taken back by its name`() {
        talk()
        user.post("call.answer", #"{"call":"c2","wait":"completed"}"#)
        _ = a.brief()
        take(2, true)
        host.turn(afterMS: 5_000)
        let lines = a.lines()
        #expect(
            lines.first
                == Frame.notification(
                    "broker.cancel", #"{"request":2,"action":"\#(host.made(4))"}"#))
        #expect(lines.map { Brief.line($0) }.contains("timed_out #4 set_held c1"))
    }

    /// One call speaks, another rings; everybody has read everything.
    private func talk() {
        a.ring(1)
        user.post("call.answer", #"{"call":"c1"}"#)
        _ = a.brief()
        take(1, true)
        _ = settle(2)
        a.ring(2)
        host.forget()
        user.lastID = 0
    }

    @Test(arguments: [
        (#"{"action":"c1"}"#, "missing_member field=/outcome"),
        (#"{"outcome":"fulfilled"}"#, "missing_member field=/action"),
        (#"{"action":"c1","outcome":"done"}"#, "not_one_of field=/outcome"),
        (#"{"action":"1","outcome":"failed"}"#, "wrong_form field=/action"),
        (#"{"action":"c1","outcome":"failed","reason":""}"#, "too_short field=/reason"),
    ])
    func `what is wrong is named`(params: String, fault: String) {
        #expect(a.tell("action.settle", params) == ["1: -32602 \(fault)"])
    }
}
