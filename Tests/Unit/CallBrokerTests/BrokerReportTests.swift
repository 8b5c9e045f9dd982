import CallBroker
import CallTesting
import Testing

/// What providers report, and how it is answered and told.
struct BrokerReportTests {
    private let host = MemoryBroker()

    private static let reports: [(method: String, members: String)] = [
        ("call.report_alerting", ""), ("call.report_connecting", ""), ("call.report_connected", ""),
        ("call.report_held", #","held":true"#), ("call.report_muted", #","muted":true"#),
        ("call.report_group", #","with":null"#), ("call.report_update", #","has_video":false"#),
        ("call.report_ended", #","reason":"failed""#),
    ]

    // MARK: - Incoming

    @Test func `an incoming call rings, and everybody is told`() {
        let observer = host.observer()
        let a = host.provider()
        host.forget()
        let reply = a.ask(
            Frame.request(
                1, "call.report_incoming",
                """
                {"call":"\(ShortID.call(1).uppercased())","remote":{"type":"phone","value":"+1555"},\
                "display_name":"Ada","supports_grouping":false,"priority":"background",\
                "received_at_ms":1767225599000,"x_own":1}
                """))
        #expect(reply.count == 1)
        #expect(
            reply[0].hasPrefix(
                #"{"jsonrpc":"2.0","id":1,"result":{"call":"\#(ShortID.call(1))","#
                    + #""state":"ringing","presentation":"ring","seq":"#))
        let epoch = host.broker.epoch
        let lines = observer.lines()
        #expect(
            lines == [
                Frame.notification(
                    "event",
                    """
                    {"subscription":1,"epoch":"\(epoch)","seq":2,"prev":1,"at_ms":1767225600000,\
                    "topic":"call.added","call":"\(ShortID.call(1))","data":{\
                    "call":"\(ShortID.call(1))","provider":"org.a","direction":"incoming",\
                    "state":"ringing","can_hold_now":false,"muted":false,"silenced":false,\
                    "group":"\(ShortID.call(1))","remote":{"type":"phone","value":"+1555"},\
                    "display_name":"Ada","has_video":false,"supports_holding":true,\
                    "supports_grouping":false,"supports_ungrouping":true,"supports_dtmf":true,\
                    "remote_held":false,"priority":"background","provider_connected":true,\
                    "allowed":["answer","decline","silence"],"created_at_ms":1767225599000,\
                    "rev":0,"cause":{"origin":"provider","rule":"1"}}}
                    """),
                Frame.notification(
                    "event",
                    """
                    {"subscription":1,"epoch":"\(epoch)","seq":3,"prev":2,"at_ms":1767225600000,\
                    "topic":"host.changed","data":{"held_groups":0,"ringing":1,"busy":false,\
                    "emergency":false}}
                    """),
            ])
    }

    @Test func `behind another call it waits`() {
        let (a, b, user) = (host.provider(), host.provider("org.b"), host.controller())
        host.talk(1, of: a, by: user)
        #expect(b.ring(2) == [#"1: {"call":"c2","state":"waiting","presentation":"tone"}"#])
        #expect(b.ring(3) == [#"2: {"call":"c3","state":"waiting","presentation":"tone"}"#])
    }

    @Test(arguments: [
        (#"{"remote":{"type":"phone","value":"1"}}"#, "missing_member field=/call"),
        (#"{"call":"c1"}"#, "missing_member field=/remote"),
        (#"{"call":"c1","remote":null}"#, "wrong_type field=/remote"),
        (#"{"call":"c1","remote":{"type":"phone"}}"#, "missing_member field=/remote/value"),
        (#"{"call":"c1","remote":{"value":"1"}}"#, "missing_member field=/remote/type"),
        (
            #"{"call":"c1","remote":{"type":"phone","value":""}}"#, "too_short field=/remote/value"
        ),
        (
            #"{"call":"one","remote":{"type":"phone","value":"1"}}"#, "wrong_form field=/call"
        ),
        (
            #"{"call":"c1","remote":{"type":"phone","value":"1"},"priority":"emergency_callback"}"#,
            "not_one_of field=/priority"
        ),
        (
            #"{"call":"c1","remote":{"type":"phone","value":"1"},"has_video":1}"#,
            "wrong_type field=/has_video"
        ),
        (
            #"{"call":"c1","remote":{"type":"phone","value":"1"},"name":"Ada"}"#,
            "unknown_member field=/name"
        ),
    ])
    func `a report that is wrong is refused by name`(params: String, fault: String) {
        let a = host.provider()
        #expect(a.tell("call.report_incoming", params) == ["1: -32602 \(fault)"])
        #expect(host.controller().tell("call.list") == [#"1: {"calls":[]}"#])
    }

    @Test func `an id belongs to one call for ever`() {
        let (a, b) = (host.provider(), host.provider("org.b"))
        a.ring(1)
        #expect(a.ring(1) == ["2: -32005 call_uuid rule=31"])
        #expect(b.ring(1) == ["1: -32005 call_uuid rule=31"])
        _ = a.tell("call.report_ended", #"{"call":"c1","reason":"remote_ended"}"#)
        #expect(a.ring(1) == ["4: -32005 call_uuid rule=31"])
        host.turn(afterMS: 599_999)
        #expect(b.ring(1) == ["2: -32005 call_uuid rule=31"])
    }

    @Test func `beyond four that ring a call is refused as missed, with CallKit's code`() {
        let (a, b) = (host.provider(), host.provider("org.b"))
        let observer = host.observer("call.refused")
        for call in 1...4 { a.ring(call) }
        let lines = b.ask(
            Frame.request(
                9, "call.report_incoming",
                #"{"call":"\#(ShortID.call(5))","remote":{"type":"phone","value":"5"}}"#))
        #expect(lines.count == 1)
        #expect(lines[0].contains(#""code":-32007"#))
        #expect(lines[0].contains(#""reason":"max_ringing","retryable":true"#))
        #expect(lines[0].contains(#""rule":"3""#))
        #expect(lines[0].contains(#""callkit":{"domain":"com.apple.CallKit.error.incomingcall","#))
        #expect(
            observer.brief() == [
                "call.refused call=c5 reason=max_ringing rule=3 cause={origin:policy,rule:3}"
            ])
    }

    // MARK: - Whose calls

    @Test(arguments: reports)
    func `a report about an unknown call is refused`(method: String, members: String) {
        let a = host.provider()
        #expect(
            a.tell(method, #"{"call":"c1"\#(members)}"#) == ["1: -32004 unknown_call rule=31"])
    }

    @Test(arguments: reports)
    func `a report about somebody else's call is refused and changes nothing`(
        method: String, members: String
    ) {
        let (a, b) = (host.provider(), host.provider("org.b"))
        a.ring(1)
        let observer = host.observer()
        #expect(
            b.tell(method, #"{"call":"c1"\#(members)}"#) == [
                "1: -32003 not_your_call rule=33 blocking=[{call:c1,provider:org.a}]"
            ])
        #expect(observer.brief() == [])
    }

    @Test(arguments: reports)
    func `a report about an ended call is refused`(method: String, members: String) {
        let a = host.provider()
        a.ring(1)
        _ = a.tell("call.report_ended", #"{"call":"c1","reason":"failed"}"#)
        let observer = host.observer()
        #expect(a.tell(method, #"{"call":"c1"\#(members)}"#) == ["3: -32004 call_ended rule=31"])
        #expect(observer.brief() == [])
    }

    // MARK: - A call's life

    @Test func `an outgoing call goes on by reports, never backwards`() {
        let (a, user) = (host.provider(), host.controller())
        _ = user.tell(
            "call.start",
            #"{"call":"c1","provider":"org.a","remote":{"type":"phone","value":"1"}}"#)
        host.settle(a)
        let observer = host.observer("call.changed")
        #expect(a.tell("call.report_connecting", #"{"call":"c1"}"#) == ["1: {}"])
        #expect(a.tell("call.report_connected", #"{"call":"c1"}"#) == ["2: {}"])
        #expect(a.tell("call.report_connected", #"{"call":"c1"}"#) == ["3: {}"])
        let error = "-32006 invalid_state rule=30a blocking=[{call:c1,provider:org.a}]"
        #expect(a.tell("call.report_connecting", #"{"call":"c1"}"#) == ["4: \(error)"])
        let lines = observer.brief()
        #expect(lines.map { $0.prefix(15) } == ["~ c1 connecting", "~ c1 active (st"])
    }

    private func dial(_ a: MemoryPeer, _ user: MemoryPeer) {
        _ = user.tell(
            "call.start",
            #"{"call":"c1","provider":"org.a","remote":{"type":"phone","value":"1"}}"#)
        host.settle(a)
    }

    @Test func `the far end rings, and later with sound`() throws {
        let (a, user) = (host.provider(), host.controller())
        dial(a, user)
        let observer = host.observer("call.changed")
        #expect(a.tell("call.report_alerting", #"{"call":"c1"}"#) == ["1: {}"])
        let first = try #require(observer.lines().last)
        #expect(first.contains(#""state":"alerting""#) && first.contains(#""alerting_at_ms":"#))
        #expect(!first.contains("has_early_media"))
        #expect(
            a.tell("call.report_alerting", #"{"call":"c1","has_early_media":true}"#) == ["2: {}"])
        let second = try #require(observer.lines().last)
        #expect(second.contains(#""has_early_media":true"#))
        #expect(second.contains(#""changed":["has_early_media"]"#))
        #expect(a.tell("call.report_connected", #"{"call":"c1"}"#) == ["3: {}"])
        let error = "-32006 invalid_state rule=30a blocking=[{call:c1,provider:org.a}]"
        #expect(a.tell("call.report_alerting", #"{"call":"c1"}"#) == ["4: \(error)"])
    }

    @Test func `the words of an app for an end are told, listed and explained`() throws {
        let (a, user) = (host.provider(), host.controller())
        dial(a, user)
        let observer = host.observer("call.changed")
        let detail = #""end_detail":{"reason":"busy","text":"Busy Here","code":"SIP 486"}"#
        #expect(
            a.tell(
                "call.report_ended",
                #"{"call":"c1","reason":"remote_ended","end_detail":{"text":"Busy\nHere","#
                    + #""code":"SIP 486"}}"#
            ).last == "1: {}")
        let told = try #require(observer.lines().last)
        #expect(told.contains(#""end_reason":"remote_ended""#) && told.contains(detail))
        #expect(told.contains(#""end_cause","end_detail"]"#))
        user.post("call.list", #"{"include_ended":true}"#)
        #expect(user.lines().joined().contains(detail))
        user.post("call.explain", #"{"call":"c1"}"#)
        #expect(user.lines().joined().contains(detail))
    }

    @Test(arguments: [
        ("7", "wrong_type field=/end_detail"),
        (#"{"reason":""}"#, "too_short field=/end_detail/reason"),
        (#"{"text":"\#(String(repeating: "x", count: 257))"}"#, "too_long field=/end_detail/text"),
    ])
    func `a detail that is none is refused`(detail: String, error: String) {
        let (a, user) = (host.provider(), host.controller())
        dial(a, user)
        let params = #"{"call":"c1","reason":"failed","end_detail":\#(detail)}"#
        #expect(a.tell("call.report_ended", params) == ["1: -32602 \(error)"])
    }

    @Test(arguments: ["{}", #"{"text":"\n"}"#])
    func `a detail that says nothing is none`(detail: String) {
        let (a, user) = (host.provider(), host.controller())
        dial(a, user)
        let observer = host.observer("call.changed")
        let params = #"{"call":"c1","reason":"failed","end_detail":\#(detail)}"#
        #expect(a.tell("call.report_ended", params).last == "1: {}")
        #expect(!observer.lines().joined().contains("end_detail"))
    }

    @Test func `hold and mute by the app itself are recorded and not echoed`() {
        let (a, user) = (host.provider(), host.controller())
        host.talk(1, of: a, by: user)
        let observer = host.observer("call.changed", "audio.changed")
        let report = { (method: String, member: String) in
            a.tell("call.report_\(method)", #"{"call":"c1","\#(method)":\#(member)}"#)
        }
        a.lastID = 0
        #expect(report("muted", "true") == ["1: {}"])
        #expect(report("muted", "true") == ["2: {}"])
        #expect(report("held", "true") == ["audio.deactivated c1: c1", "3: {}"])
        #expect(report("held", "true") == ["4: {}"])
        #expect(report("held", "false") == ["audio.activated c1: c1", "5: {}"])
        #expect(
            observer.brief() == [
                "~ c1 active muted (muted) provider/34", "~ c1 held muted (state) provider",
                "audio c1 > null provider", "~ c1 active muted (state) provider/13 for c1",
                "audio null > c1 provider/13 for c1",
            ])
        #expect(report("muted", "1") == ["6: -32602 wrong_type field=/muted"])
        #expect(
            a.tell("call.report_held", #"{"call":"c1"}"#) == [
                "7: -32602 missing_member field=/held"
            ])
    }

    @Test func `an update changes what it sets, and null clears`() {
        let a = host.provider("org.a", #""supports_video":true"#)
        a.ring(1)
        let observer = host.observer("call.changed")
        let update = { a.tell("call.report_update", #"{"call":"c1","# + $0 + "}") }
        _ = update(
            #""display_name":"Ada","has_video":true,"supports_dtmf":false,"remote_held":true"#)
        let full = observer.lines().joined()
        #expect(
            full.contains(
                #""changed":["display_name","has_video","supports_dtmf","remote_held","video"]"#))
        #expect(full.contains(#""display_name":"Ada","has_video":true"#))
        _ = update(#""display_name":null,"has_video":null,"supports_dtmf":null,"remote_held":null"#)
        let cleared = observer.lines().joined()
        #expect(!cleared.contains("Ada"))
        #expect(
            cleared.contains(
                #""has_video":false,"supports_holding":true,"supports_grouping":true,"#
                    + #""supports_ungrouping":true,"supports_dtmf":true,"remote_held":false"#))
        #expect(update(#""supports_dtmf":true"#) == ["4: {}"])
        #expect(observer.brief() == [])
    }

    @Test(arguments: [
        ("failed", "provider"), ("remote_ended", "remote"), ("unanswered", "remote"),
        ("answered_elsewhere", "remote/37"), ("declined_elsewhere", "remote/37"),
    ])
    func `a call ends for one of five reasons`(reason: String, cause: String) {
        let a = host.provider()
        a.ring(1)
        let observer = host.observer("call.*")
        #expect(
            a.tell("call.report_ended", #"{"call":"c1","reason":"\#(reason)"}"#) == ["2: {}"])
        #expect(
            observer.brief() == [
                "~ c1 ended \(reason) (state end_reason end_cause) \(cause)", "- c1 \(cause)",
            ])
    }

    @Test(arguments: ["local_ended", "declined", "cancelled", "filtered", "", "Failed"])
    func `other reasons are invalid and change nothing`(reason: String) {
        let a = host.provider()
        a.ring(1)
        #expect(
            a.tell("call.report_ended", #"{"call":"c1","reason":"\#(reason)"}"#)
                == ["2: -32602 not_one_of field=/reason"])
        #expect(host.controller().tell("call.list") == ["1: [c1 ringing]"])
    }

    @Test func `a missed call never rings, and its id is used up`() {
        let a = host.provider()
        let observer = host.observer("call.*")
        let missed =
            #"{"call":"c1","remote":{"type":"phone","value":"1"},"reason":"caller_gave_up","at_ms":5}"#
        #expect(a.tell("call.report_missed", missed) == ["1: {}"])
        #expect(a.tell("call.report_missed", missed) == ["2: -32005 call_uuid rule=31"])
        #expect(a.ring(1) == ["3: -32005 call_uuid rule=31"])
        #expect(observer.brief() == [])
        #expect(
            host.controller().tell("call.get", #"{"call":"c1"}"#) == [
                "1: -32004 call_ended rule=31"
            ])
    }

    @Test func `an app that groups and splits its calls is believed`() {
        let (a, user) = (host.provider(), host.controller())
        host.talk(1, of: a, by: user)
        host.talk(2, of: a, by: user)
        a.lastID = 0
        #expect(a.tell("call.report_group", #"{"call":"c1","with":"c2"}"#).last == "1: {}")
        #expect(user.tell("call.list").joined().contains("c2 active in c1"))
        #expect(a.tell("call.report_group", #"{"call":"c1","with":null}"#).last == "2: {}")
        #expect(!user.tell("call.list").joined().contains(" in "))
        #expect(
            a.tell("call.report_group", #"{"call":"c1","with":"c9"}"#)
                == ["3: -32004 unknown_call rule=31"])
        #expect(a.audit.performs.isEmpty)
    }

    // MARK: - Times

    @Test func `a call has the times that its provider gives, as far as they can be`() {
        let (a, user) = (host.provider("org.times"), host.controller())
        let observer = host.observer("call.changed")
        host.turn(afterMS: 10_000)
        a.ring(7, #""received_at_ms":1767225609000"#)
        host.turn(afterMS: 1_000)
        _ = a.tell("call.report_connected", #"{"call":"c7","at_ms":1767225610500}"#)
        let call = user.ask(Frame.request(1, "call.get", user.long(#"{"call":"c7"}"#))).joined()
        #expect(call.contains(#""created_at_ms":1767225609000"#))
        #expect(call.contains(#""connected_at_ms":1767225610500"#))
        _ = observer.lines()
        // Its clock is wrong: that is not over yet.
        _ = a.tell(
            "call.report_ended",
            #"{"call":"c7","reason":"remote_ended","at_ms":9007199254740991}"#)
        #expect(observer.lines().joined().contains(#""ended_at_ms":1767225611000"#))
    }
}
