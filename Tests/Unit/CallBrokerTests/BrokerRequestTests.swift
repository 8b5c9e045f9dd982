import CallBroker
import CallTesting
import Testing

/// What controllers ask for, how it is checked and how it is answered.
struct BrokerRequestTests {
    private let host = MemoryBroker()
    private let a: MemoryPeer
    private let b: MemoryPeer
    private let user: MemoryPeer

    init() {
        a = host.provider()
        b = host.provider("org.b")
        user = host.controller()
    }

    private func request(_ actions: String, _ members: String = "") -> [String] {
        user.tell("transaction.request", #"{"actions":[\#(actions)]\#(members)}"#)
    }

    // MARK: - The form

    @Test(arguments: [
        (#"{}"#, "-32602 missing_member field=/actions"),
        (#"{"actions":[]}"#, "-32602 empty_transaction"),
        (#"{"actions":{}}"#, "-32602 wrong_type field=/actions"),
        (#"{"actions":[7]}"#, "-32602 wrong_type field=/actions/0"),
        (#"{"actions":[{"call":"c1"}]}"#, "-32602 missing_member field=/actions/0/kind"),
        (#"{"actions":[{"kind":"answer"}]}"#, "-32602 missing_member field=/actions/0/call"),
        (
            #"{"actions":[{"kind":"answer","call":"1"}]}"#,
            "-32602 wrong_form field=/actions/0/call"
        ),
        (
            #"{"actions":[{"kind":"answer","call":"c1","held":true}]}"#,
            "-32602 unknown_member field=/actions/0/held"
        ),
        (
            #"{"actions":[{"kind":"end","call":"c1"},{"kind":"set_held","call":"c1"}]}"#,
            "-32602 missing_member field=/actions/1/arguments/held"
        ),
        (
            #"{"actions":[{"kind":"set_muted","call":"c1","arguments":{"muted":"no"}}]}"#,
            "-32602 wrong_type field=/actions/0/arguments/muted"
        ),
        (
            #"{"actions":[{"kind":"play_dtmf","call":"c1","arguments":{"digits":"x"}}]}"#,
            "-32602 wrong_form field=/actions/0/arguments/digits"
        ),
        (
            #"{"actions":[{"kind":"start","call":"c1","provider":"org.a"}]}"#,
            "-32602 missing_member field=/actions/0/arguments/remote"
        ),
        (
            #"{"actions":[{"kind":"answer","call":"c1","arguments":{"loud":true}}]}"#,
            "-32602 unknown_member field=/actions/0/arguments/loud"
        ),
        (
            #"{"actions":[{"kind":"end","call":"c1"}],"deadline_ms":0}"#,
            "-32602 out_of_range field=/deadline_ms"
        ),
        (
            #"{"actions":[{"kind":"end","call":"c1"}],"deadline_ms":600001}"#,
            "-32602 out_of_range field=/deadline_ms"
        ),
        (
            #"{"actions":[{"kind":"end","call":"c1"}],"wait":"done"}"#,
            "-32602 not_one_of field=/wait"
        ),
        (
            #"{"actions":[{"kind":"end","call":"c1"}],"on_conflict":"wait"}"#,
            "-32602 not_one_of field=/on_conflict"
        ),
        (
            #"{"actions":[{"kind":"end","call":"c1"}],"transaction":7}"#,
            "-32602 wrong_type field=/transaction"
        ),
    ])
    func `a request that is wrong is refused by the place of the fault`(
        params: String, fault: String
    ) {
        let observer = host.observer()
        #expect(user.tell("transaction.request", params) == ["1: \(fault)"])
        #expect(observer.lines() == [] && a.lines() == [])
    }

    @Test func `an unknown kind is an invalid action, and it says which`() {
        let actions = #"{"kind":"end","call":"c1"},{"kind":"fly","call":"c1"}"#
        #expect(request(actions) == ["1: -32006 invalid_action action_index=1"])
    }

    @Test func `eight actions at most`() {
        let end = Array(repeating: #"{"kind":"end","call":"c1"}"#, count: 9)
        #expect(request(end.joined(separator: ",")) == ["1: -32602 too_many field=/actions"])
        #expect(
            request(end.dropLast().joined(separator: ","))
                == ["2: -32004 unknown_call rule=31 action_index=0"])
    }

    @Test func `a member that begins with x_ is dropped, any other refused`() {
        a.ring(1)
        #expect(
            user.tell("call.end", #"{"call":"c1","x_own":[1],"own":1}"#)
                == ["1: -32602 unknown_member field=/own"])
        #expect(
            user.tell("call.end", #"{"call":"c1","x_own":[1]}"#) == [
                "2: accepted #1 [#2 end c1 queued]"
            ])
    }

    // MARK: - Running

    private static let eight = """
        {"kind":"answer","call":"c1"},\
        {"kind":"set_muted","call":"c1","arguments":{"muted":true}},\
        {"kind":"play_dtmf","call":"c1","arguments":{"digits":"1"}},\
        {"kind":"set_held","call":"c1","arguments":{"held":true}},\
        {"kind":"set_held","call":"c1","arguments":{"held":false}},\
        {"kind":"set_muted","call":"c1","arguments":{"muted":false}},\
        {"kind":"play_dtmf","call":"c1","arguments":{"digits":"2"}},{"kind":"end","call":"c1"}
        """

    @Test func `eight actions run in order, each when the one before is fulfilled`() {
        a.ring(1)
        host.forget()
        #expect(request(Self.eight, #","transaction":"t1","wait":"completed""#) == [])
        var performs: [String] = []
        for id in 1...8 {
            performs += a.brief().filter { $0.hasPrefix("perform") }
            a.fulfil(id)
        }
        #expect(
            performs == [
                "perform 1 #1 answer c1 user 60000 ms",
                "perform 2 #2 set_muted c1 muted=true user/34 5000 ms",
                "perform 3 #3 play_dtmf c1 digits=1 style=single user/35 5000 ms",
                "perform 4 #4 set_held c1 held=true user 5000 ms",
                "perform 5 #5 set_held c1 held=false user 5000 ms",
                "perform 6 #6 set_muted c1 muted=false user/34 5000 ms",
                "perform 7 #7 play_dtmf c1 digits=2 style=single user/35 5000 ms",
                "perform 8 #8 end c1 user 5000 ms",
            ])
        let reply = user.brief()
        #expect(reply.count == 1)
        #expect(reply[0].hasPrefix("1: completed t1 [#1 answer c1 fulfilled, #2 set_muted c1"))
        #expect(reply[0].hasSuffix("#8 end c1 fulfilled]"))
    }

    @Test func `after a failure the rest is skipped, and the error has it all`() {
        a.ring(1)
        host.forget()
        _ = request(
            """
            {"kind":"answer","call":"c1"},\
            {"kind":"set_muted","call":"c1","arguments":{"muted":true}},\
            {"kind":"end","call":"c1"}
            """, #","wait":"completed""#)
        #expect(a.brief().count == 1)
        #expect(a.fulfilling(1).count == 2)
        a.fail(2, -32_050, "no_microphone")
        let line = user.lines().joined()
        #expect(
            line
                == Frame.error(
                    "1", -32_013, "provider_failed", "the provider returned an error",
                    """
                    ,"blocking":[{"call":"\(ShortID.call(1))","provider":"org.a"}],\
                    "callkit":{"domain":"com.apple.CallKit.error.requesttransaction","code":0,\
                    "name":"unknown"},"transaction":"\(host.made(1))","actions":[\
                    {"action":"\(host.made(2))","kind":"answer","call":"\(ShortID.call(1))",\
                    "provider":"org.a","implied":false,"state":"fulfilled"},\
                    {"action":"\(host.made(3))","kind":"set_muted","call":"\(ShortID.call(1))",\
                    "provider":"org.a","implied":false,"state":"failed",\
                    "failure":{"code":-32050,"reason":"no_microphone","message":"no"}},\
                    {"action":"\(host.made(4))","kind":"end","call":"\(ShortID.call(1))",\
                    "provider":"org.a","implied":false,"state":"skipped"}],\
                    "provider_error":{"code":-32050,"reason":"no_microphone","message":"no"}
                    """))
        #expect(a.brief() == [])
    }

    @Test func `one refusal refuses the whole, and nothing is sent`() {
        a.ring(1)
        host.forget()
        let observer = host.observer()
        #expect(
            request(#"{"kind":"answer","call":"c1"},{"kind":"end","call":"c9"}"#)
                == ["1: -32004 unknown_call rule=31 action_index=1"])
        #expect(a.lines() == [] && observer.lines() == [])
    }

    @Test func `the reply stands before the completion, which is told to the one who asked`() {
        let other = host.controller()
        a.ring(1)
        user.post("call.end", #"{"call":"c1"}"#)
        a.fulfil(1)
        #expect(
            user.brief() == [
                "1: accepted #1 [#2 end c1 queued]",
                "own transaction.completed completed #1 [#2 end c1 fulfilled] user",
            ])
        #expect(other.lines() == [])
    }

    @Test func `the completion without a subscription, byte for byte`() {
        a.ring(1)
        user.post("call.end", #"{"call":"c1"}"#)
        _ = user.lines()
        a.fulfil(1)
        let transaction = host.made(1)
        #expect(
            user.lines().map { $0.replacing(/"seq":[0-9]+/, with: #""seq":N"#) } == [
                Frame.notification(
                    "event",
                    """
                    {"epoch":"\(host.broker.epoch)","seq":N,"at_ms":1767225600000,\
                    "topic":"transaction.completed","data":{"transaction":"\(transaction)",\
                    "state":"completed","actions":[{"action":"\(host.made(2))","kind":"end",\
                    "call":"\(ShortID.call(1))","provider":"org.a","implied":false,\
                    "state":"fulfilled"}],"cause":{"origin":"user",\
                    "transaction":"\(transaction)"}}}
                    """)
            ])
    }

    @Test func `whoever has subscribed is told once`() {
        _ = user.tell("events.subscribe", #"{"topics":["transaction.completed"]}"#)
        a.ring(1)
        user.post("call.end", #"{"call":"c1"}"#)
        a.fulfil(1)
        #expect(
            user.brief() == [
                "2: accepted #1 [#2 end c1 queued]",
                "transaction.completed completed #1 [#2 end c1 fulfilled] user",
            ])
    }

    @Test func `the same asked by another joins, and both hear of the end`() {
        let other = host.controller()
        a.ring(1)
        host.forget()
        #expect(
            user.tell("call.answer", #"{"call":"c1"}"#) == ["1: accepted #1 [#2 answer c1 queued]"])
        #expect(
            other.tell("call.answer", #"{"call":"c1"}"#) == [
                "1: accepted #1 [#2 answer c1 dispatched] joined=true"
            ])
        #expect(other.tell("call.answer", #"{"call":"c1","wait":"completed"}"#) == [])
        #expect(a.brief().count == 1)
        a.fulfil(1)
        let completion = "own transaction.completed completed #1 [#2 answer c1 fulfilled] user"
        #expect(user.brief() == [completion])
        let lines = other.brief()
        #expect(lines.contains(completion))
        #expect(lines.contains { $0.hasPrefix("2: completed #1 [#2 answer c1 fulfilled]") })
    }

    @Test func `what a call is already is done with no action`() {
        host.talk(1, of: a, by: user)
        user.lastID = 0
        #expect(
            user.tell("call.set_muted", #"{"call":"c1","muted":false,"wait":"completed"}"#).joined()
                .hasPrefix("1: completed #3 []"))
        #expect(a.lines() == [])
    }

    // MARK: - What if

    @Test func `a dry run says what would be done, and changes nothing`() {
        host.talk(1, of: a, by: user)
        b.ring(2)
        host.forget()
        let observer = host.observer()
        user.lastID = 0
        #expect(
            user.ask(
                Frame.request(
                    1, "call.answer", user.long(#"{"call":"c2","dry_run":true}"#)))
                == [
                    Frame.result(
                        1,
                        """
                        {"dry_run":true,"actions":[{"kind":"set_held",\
                        "call":"\(ShortID.call(1))","provider":"org.a","implied":true,\
                        "state":"planned"},{"kind":"answer","call":"\(ShortID.call(2))",\
                        "provider":"org.b","implied":false,"state":"planned"}],\
                        "would_hold":["\(ShortID.call(1))"],"would_end":[],\
                        "would_activate":["\(ShortID.call(2))"],"refusal":null}
                        """)
                ])
        #expect(
            user.tell("call.answer", #"{"call":"c2","choice":"end_and_answer","dry_run":true}"#)
                == [
                    "1: [end c1 implied planned, answer c2 planned] dry_run=true would_hold=[] "
                        + "would_end=[c1] would_activate=[c2] refusal=null"
                ])
        #expect(observer.lines() == [] && a.lines() == [] && b.lines() == [])
    }

    @Test func `a dry run of what would be refused is no error`() {
        host.talk(1, of: a, by: user)
        _ = a.tell("call.report_update", #"{"call":"c1","supports_holding":false}"#)
        b.ring(2)
        host.forget()
        user.lastID = 0
        let refusal = "-32006 cannot_hold rule=6 blocking=[{call:c1,provider:org.a}]"
        #expect(
            user.tell("call.answer", #"{"call":"c2","dry_run":true}"#) == [
                "1: [] dry_run=true would_hold=[] would_end=[] would_activate=[] refused: \(refusal)"
            ])
        #expect(user.tell("call.answer", #"{"call":"c2"}"#) == ["2: \(refusal)"])
    }

    @Test func `a dry run of a mistake is an error`() {
        #expect(
            user.tell("call.answer", #"{"call":7,"dry_run":true}"#)
                == ["1: -32602 wrong_type field=/call"])
    }

    // MARK: - Conflicts

    @Test func `a start may end what cannot be held, if the user says so`() {
        host.talk(1, of: a, by: user)
        _ = a.tell("call.report_update", #"{"call":"c1","supports_holding":false}"#)
        host.forget()
        user.lastID = 0
        let start = { (members: String) in
            user.tell(
                "call.start",
                #"{"call":"c2","provider":"org.b","remote":{"type":"phone","value":"1"}"#
                    + members + "}")
        }
        #expect(start("") == ["1: -32006 cannot_hold rule=9 blocking=[{call:c1,provider:org.a}]"])
        #expect(
            start(#","on_conflict":"end""#) == [
                "2: accepted #3 [#4 end c1 implied queued, #5 start c2 queued]"
            ])
        #expect(a.brief() == ["perform 2 #4 end c1 arbitration/9 for c2 5000 ms"])
        #expect(b.brief() == [])
        a.fulfil(2)
        #expect(b.brief().first?.hasPrefix("perform 1 #5 start c2 ") == true)
    }

    @Test func `a call that a start makes without a name gets one`() {
        let line = user.tell(
            "call.start", #"{"provider":"org.a","remote":{"type":"phone","value":"1"}}"#
        ).joined()
        #expect(line.wholeMatch(of: /1: accepted #1 \[#2 start [0-9a-f-]{36} queued\]/) != nil)
    }

    @Test func `a start names a new call, of a provider that is there`() {
        a.ring(1)
        let start = { (members: String) in
            user.tell(
                "call.start", #"{"remote":{"type":"phone","value":"1"}"# + members + "}"
            ).joined()
        }
        #expect(start(#","call":"c1","provider":"org.a""#) == "1: -32005 call_uuid rule=31")
        #expect(start(#","call":"c2","provider":"org.z""#) == "2: -32004 unknown_provider rule=31")
        #expect(
            start(#","call":"c2""#)
                == "3: -32006 ambiguous_provider candidates=[org.a,org.b] scheme=tel")
        _ = host.ready("admin").tell("policy.set", #"{"video_fallback":"refuse"}"#)
        #expect(
            start(#","provider":"org.a","has_video":true"#) == "4: -32006 not_supported rule=21")
    }
}
