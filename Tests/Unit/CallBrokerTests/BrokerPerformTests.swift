import CallBroker
import CallTesting
import Testing

/// What a provider is asked to do, byte for byte, and what becomes of its answers.
struct BrokerPerformTests {
    private let host = MemoryBroker()
    private let a: MemoryPeer
    private let user: MemoryPeer

    init() {
        a = host.provider()
        user = host.controller()
    }

    /// The frame of a perform that the user has asked for.
    private func perform(
        _ id: Int, _ kind: String, _ arguments: String, made: (action: Int, transaction: Int),
        rule: String = "", deadlineMS: Int = 5_000, call: Int = 1
    ) -> String {
        let transaction = host.made(made.transaction)
        return Frame.request(
            id, "provider.perform",
            """
            {"action":"\(host.made(made.action))","kind":"\(kind)",\
            "call":"\(ShortID.call(call))","arguments":\(arguments),\
            "transaction":"\(transaction)","cause":{"origin":"user"\(rule),\
            "transaction":"\(transaction)"},"deadline_ms":\(deadlineMS),"attempt":1,"age_ms":0}
            """)
    }

    // MARK: - The frames

    @Test func `a start says whom to call, and nothing that was not said`() {
        user.post(
            "call.start",
            """
            {"call":"c1","provider":"org.a","remote":{"type":"phone","value":"+1555"},\
            "contact":"k"}
            """)
        let lines = a.lines()
        #expect(
            lines == [
                perform(
                    1, "start",
                    """
                    {"remote":{"type":"phone","value":"+1555"},"contact":"k"}
                    """, made: (2, 1), deadlineMS: 60_000)
            ])
    }

    @Test func `an answer and an end have no arguments`() {
        a.ring(1)
        user.post("call.answer", #"{"call":"c1"}"#)
        #expect(a.lines() == [perform(1, "answer", "{}", made: (2, 1), deadlineMS: 60_000)])
        a.fulfil(1)
        _ = a.brief()
        user.post("call.end", #"{"call":"c1"}"#)
        #expect(a.lines() == [perform(2, "end", "{}", made: (4, 3))])
    }

    @Test func `hold, mute and tones say what they want`() {
        host.talk(1, of: a, by: user)
        user.post("call.play_dtmf", #"{"call":"c1","digits":"12#","style":"hard_pause"}"#)
        #expect(
            a.lines() == [
                perform(
                    2, "play_dtmf", #"{"digits":"12#","style":"hard_pause"}"#, made: (4, 3),
                    rule: #","rule":"35""#)
            ])
        a.fulfil(2)
        user.post("call.set_muted", #"{"call":"c1","muted":true}"#)
        #expect(
            a.lines() == [
                perform(
                    3, "set_muted", #"{"muted":true}"#, made: (6, 5), rule: #","rule":"34""#)
            ])
        a.fulfil(3)
        user.post("call.set_held", #"{"call":"c1","held":true,"deadline_ms":777}"#)
        #expect(
            a.lines() == [
                perform(4, "set_held", #"{"held":true}"#, made: (8, 7), deadlineMS: 777)
            ])
    }

    @Test func `a tone without a style is a single one`() {
        host.talk(1, of: a, by: user)
        user.post("call.play_dtmf", #"{"call":"c1","digits":"5"}"#)
        #expect(a.lines().joined().contains(#""arguments":{"digits":"5","style":"single"}"#))
    }

    @Test func `a group is joined by the id of a member and left by null`() {
        host.talk(1, of: a, by: user)
        host.talk(2, of: a, by: user)
        user.post("call.merge", #"{"call":"c1","with":"c2"}"#)
        #expect(a.brief().joined().contains("set_group c1 with=c2 user/22 5000 ms"))
        host.settle(a)
        for id in a.audit.performs.keys { a.fulfil(id) }
        host.settle(a)
        user.post("call.split", #"{"call":"c1"}"#)
        let hold = a.brief()
        #expect(hold.count == 1 && hold[0].contains("set_held c2 held=true arbitration/23 for c1"))
        for id in a.audit.performs.keys { a.fulfil(id) }
        #expect(a.brief().joined().contains("set_group c1 with=null user/23 5000 ms"))
    }

    @Test func `the provider's own deadlines count, and the request's before them`() {
        let b = host.provider("org.b", #""action_deadlines":{"answer":1500,"end":2500}"#)
        b.ring(1)
        user.post("call.answer", #"{"call":"c1"}"#)
        #expect(b.brief().joined().hasSuffix("user 1500 ms"))
        b.fulfil(1)
        user.post("call.end", #"{"call":"c1","deadline_ms":1}"#)
        #expect(b.brief().joined().hasSuffix("user 1 ms"))
    }

    @Test func `an implied hold names the rule and the call that it is for`() {
        let b = host.provider("org.b")
        host.talk(1, of: a, by: user)
        b.ring(2)
        user.post("call.answer", #"{"call":"c2"}"#)
        #expect(
            a.lines() == [
                Frame.request(
                    2, "provider.perform",
                    """
                    {"action":"\(host.made(4))","kind":"set_held","call":"\(ShortID.call(1))",\
                    "arguments":{"held":true},"transaction":"\(host.made(3))",\
                    "cause":{"origin":"arbitration","rule":"5","transaction":"\(host.made(3))",\
                    "because_of":"\(ShortID.call(2))"},"deadline_ms":5000,"attempt":1,"age_ms":0}
                    """)
            ])
        #expect(b.lines() == [])
    }

    // MARK: - The answers

    @Test func `a fulfilment changes the call and gives the audio`() {
        a.ring(1)
        let observer = host.observer("action.*", "call.changed", "audio.*")
        _ = user.tell("call.answer", #"{"call":"c1"}"#)
        _ = (a.brief(), observer.brief())
        #expect(a.fulfilling(1) == ["audio.activated c1: c1"])
        #expect(
            observer.brief() == [
                "action.fulfilled #2 answer c1", "~ c1 active (state pending_action) user",
                "audio null > c1 user",
            ])
        #expect(
            user.brief() == ["own transaction.completed completed #1 [#2 answer c1 fulfilled] user"]
        )
    }

    @Test func `a fulfilment may say more than it must`() {
        a.ring(1)
        user.post("call.answer", #"{"call":"c1"}"#)
        a.send(Frame.result(1, #"{"at_ms":1767225600000,"own":{"a":[1]}}"#))
        #expect(user.tell("call.list").last == "2: [c1 active]")
    }

    @Test func `a call is connected and over when its provider says, as far as that can be`() {
        host.turn(afterMS: 10_000)
        a.ring(1)
        host.turn(afterMS: 3_000)
        user.post("call.answer", #"{"call":"c1"}"#)
        a.send(Frame.result(1, #"{"at_ms":1767225611000}"#))
        let call = user.ask(Frame.request(9, "call.get", user.long(#"{"call":"c1"}"#))).joined()
        #expect(call.contains(#""connected_at_ms":1767225611000"#))
        user.post("call.end", #"{"call":"c1"}"#)
        let observer = host.observer("call.changed")
        a.send(Frame.result(2, #"{"at_ms":1767225612500}"#))
        #expect(observer.lines().joined().contains(#""ended_at_ms":1767225612500"#))
    }

    @Test(arguments: ["-9223372036854775808", "9223372036854775807", "1767225610999", #""now""#])
    func `a time that cannot be is not believed`(atMS: String) {
        host.turn(afterMS: 11_000)
        a.ring(1)
        host.turn(afterMS: 2_000)
        user.post("call.answer", #"{"call":"c1"}"#)
        a.send(Frame.result(1, #"{"at_ms":\#(atMS)}"#))
        let call = user.ask(Frame.request(9, "call.get", user.long(#"{"call":"c1"}"#))).joined()
        #expect(call.contains(#""connected_at_ms":1767225613000"#))
    }

    @Test func `the error of a start is the detail of its call's end`() throws {
        let observer = host.observer("call.changed", "action.failed")
        user.post(
            "call.start",
            #"{"call":"c5","provider":"org.a","remote":{"type":"phone","value":"1"}}"#)
        _ = a.brief()
        host.forget()
        a.send(
            #"{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"Not Found","#
                + #""data":{"reason":"invalid_number","app_code":"SIP 404"}}}"#)
        let lines = observer.lines()
        let (action, call) = (try #require(lines.first), try #require(lines.last))
        #expect(
            action.contains(
                #""failure":{"code":-32000,"reason":"invalid_number","message":"Not Found","#
                    + #""app_code":"SIP 404"}"#))
        #expect(
            call.contains(
                #""end_detail":{"reason":"invalid_number","text":"Not Found","code":"SIP 404"}"#))
    }

    @Test func `a reason that is too long for a detail is part of the failure only`() throws {
        let observer = host.observer("action.*", "call.*")
        _ = user.tell(
            "call.start", #"{"call":"c5","provider":"org.a","remote":{"type":"phone","value":"1"}}"#
        )
        host.forget()
        let reason = String(repeating: "x", count: 65)
        a.send(
            #"{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"Not Found","#
                + #""data":{"reason":"\#(reason)"}}}"#)
        let events = observer.lines().joined()
        #expect(events.contains(reason))
        #expect(events.contains(#""end_detail":{"text":"Not Found"}"#))
    }

    @Test func `a failed answer ends the call and says why`() {
        a.ring(1)
        let observer = host.observer("action.*", "call.*")
        _ = user.tell("call.answer", #"{"call":"c1"}"#)
        host.forget()
        a.fail(1)
        let events = observer.brief()
        #expect(events[0] == "action.failed #2 answer c1 -32000 remote_refused")
        #expect(
            events[1].hasPrefix(
                "~ c1 ended failed (state pending_action end_reason end_cause end_detail)"))
        #expect(events[2].hasPrefix("- c1 "))
        #expect(
            user.brief() == ["own transaction.completed failed #1 [#2 answer c1 failed] user"])
    }

    @Test(arguments: [
        #"{"code":-32601,"message":"not supported"}"#,
        #"{"code":-32601,"message":"no","data":{"reason":"unknown_kind"}}"#,
    ])
    func `an unknown hold means that the call can never be held`(error: String) {
        host.talk(1, of: a, by: user)
        let observer = host.observer("call.changed")
        _ = user.tell("call.set_held", #"{"call":"c1","held":true}"#)
        _ = (a.brief(), observer.brief())
        a.send(#"{"jsonrpc":"2.0","id":2,"error":\#(error)}"#)
        let lines = observer.lines().joined()
        #expect(lines.contains(#""supports_holding":false"#))
        #expect(user.brief().joined().contains("transaction.completed failed #3"))
        #expect(
            user.tell("call.set_held", #"{"call":"c1","held":true}"#).joined()
                .hasPrefix("3: -32006 cannot_hold rule=31a"))
        #expect(a.brief() == [])
    }

    @Test func `another unknown kind only fails`() {
        host.talk(1, of: a, by: user)
        let observer = host.observer("call.changed")
        user.post("call.set_muted", #"{"call":"c1","muted":true,"wait":"completed"}"#)
        a.fail(2, -32_601, "unknown_kind")
        #expect(
            user.brief() == [
                "2: -32013 provider_failed blocking=[{call:c1,provider:org.a}] transaction=#3 "
                    + "actions=[{action:#4,kind:set_muted,call:c1,provider:org.a,"
                    + "implied:false,state:failed,"
                    + "failure:{code:-32601,reason:unknown_kind,message:no}}] "
                    + "provider_error={code:-32601,reason:unknown_kind,message:no}"
            ])
        #expect(
            observer.brief() == [
                "~ c1 active ..muting (pending_action) user/34",
                "~ c1 active (pending_action) user/34",
            ])
    }

    @Test func `late and double answers change nothing and are told`() {
        host.talk(1, of: a, by: user)
        _ = user.tell("call.set_muted", #"{"call":"c1","muted":true}"#)
        host.turn(afterMS: 5_000)
        host.forget()
        let observer = host.observer()
        a.fulfil(2)
        #expect(observer.brief().map { $0.prefix(14) } == ["action.late #4"])
        a.fulfil(2)
        a.fail(2)
        a.fulfil(1)
        #expect(observer.brief().allSatisfy { $0.hasPrefix("action.late") })
        #expect(a.brief() == [])
        #expect(user.tell("call.list") == ["3: [c1 active]"])
    }

    @Test func `answers with ids that nobody gave are counted and no more`() {
        host.talk(1, of: a, by: user)
        let observer = host.observer()
        a.fulfil(99)
        a.fail(98)
        a.send(
            #"{"jsonrpc":"2.0","id":"x","result":{}}"#, #"{"jsonrpc":"2.0","id":-1,"result":{}}"#)
        #expect(a.lines() == [] && observer.lines() == [])
    }

    @Test func `an answer of nonsense is a failure, not a fulfilment`() {
        host.talk(1, of: a, by: user)
        user.post("call.set_muted", #"{"call":"c1","muted":true,"wait":"completed"}"#)
        a.send(#"{"jsonrpc":"2.0","id":2,"error":"#)
        a.send(#"{"jsonrpc":"2.0","id":2}"#)
        #expect(user.brief() == [])
        a.send(#"{"jsonrpc":"2.0","id":2,"result":{},"error":{"code":1,"message":"m"}}"#)
        #expect(user.brief().map { $0.prefix(25) } == ["2: -32013 provider_failed"])
        #expect(user.tell("call.list") == ["3: [c1 active]"])
    }

    @Test func `one action per call is open at a time, eight per provider`() {
        for call in 1...4 {
            a.ring(call)
            if call == 1 { user.post("call.answer", #"{"call":"c1"}"#) }
            if call == 1 { host.settle(a) }
        }
        _ = user.tell("call.play_dtmf", #"{"call":"c1","digits":"1"}"#)
        _ = user.tell("call.set_muted", #"{"call":"c1","muted":true}"#)
        #expect(a.brief().count { $0.hasPrefix("perform") } == 1)
        _ = user.tell("call.end", #"{"call":"c1"}"#)
        let lines = a.brief()
        #expect(lines.first == "cancel 2")
        #expect(lines.last?.contains("end c1 user") == true)
    }
}
