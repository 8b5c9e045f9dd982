import CallBroker
import CallTesting
import Testing

/// Providers as they come, change and go.
struct BrokerRegistrationTests {
    private let host = MemoryBroker()

    @Test func `the least that a provider says gets the host's defaults`() {
        let peer = host.ready("provider", identity: "org.a")
        #expect(
            peer.ask(
                Frame.request(
                    1, "provider.register", #"{"display_name":"A","handle_types":["phone"]}"#)) == [
                    Frame.result(
                        1,
                        """
                        {"provider":"org.a","authorization":"authorized","limits":{\
                        "max_call_groups":2,"max_calls_per_group":5,"grace_ms":5000,\
                        "ring_timeout_ms":60000,"action_deadlines":{"start":60000,"answer":60000,\
                        "end":5000,"set_held":5000,"set_muted":5000,"set_group":5000,\
                        "play_dtmf":5000,"set_endpoint":10000,"set_video":30000,"set_text":30000,"transfer":60000,"attended_transfer":15000,"deflect":5000}},"calls":[],"dropped":[],"seq":1}
                        """)
                ])
    }

    @Test func `all that a provider says is accepted, told and listed`() {
        let observer = host.observer("provider.*")
        let peer = host.ready("provider", identity: "org.a")
        let lines = peer.ask(Frame.request(1, "provider.register", "{\(Self.all)}"))
        #expect(
            lines == [
                Frame.result(
                    1,
                    """
                    {"provider":"org.a","authorization":"authorized","limits":{\
                    "max_call_groups":3,"max_calls_per_group":7,"grace_ms":30000,\
                    "ring_timeout_ms":5000,"action_deadlines":{"start":600000,"answer":1000,\
                    "end":5000,"set_held":5000,"set_muted":5000,"set_group":5000,\
                    "play_dtmf":5000,"set_endpoint":10000,"set_video":30000,"set_text":30000,"transfer":60000,"attended_transfer":15000,"deflect":5000}},"calls":[],"dropped":[],"seq":1}
                    """)
            ])
        let provider =
            #"{"provider":"org.a",\#(Self.all),"authorization":"authorized","connected":true,"calls":0}"#
        #expect(
            observer.lines() == [
                Frame.notification(
                    "event",
                    """
                    {"subscription":1,"epoch":"\(host.broker.epoch)","seq":1,"prev":0,\
                    "at_ms":1767225600000,"topic":"provider.added","provider":"org.a",\
                    "data":\(provider)}
                    """)
            ])
        #expect(
            observer.ask(Frame.request(1, "provider.list"))
                == [Frame.result(1, #"{"providers":[\#(provider)],"seq":1}"#)])
    }

    private static let all = """
        "display_name":"A","handle_types":["phone","x-own"],"url_schemes":["sip"],\
        "supports_video":true,"max_call_groups":3,"max_calls_per_group":7,\
        "includes_in_recents":false,"ringtone":"r","icon":"i",\
        "action_deadlines":{"start":600000,"answer":1000},"ring_timeout_ms":5000,\
        "grace_ms":30000,"resume_when_freed":false,"takes_transactions":true,\
        "app_process":"separate","kind":"adapter"
        """

    @Test(arguments: [
        (#""handle_types":["phone"]"#, "missing_member field=/display_name"),
        (#""display_name":"A""#, "missing_member field=/handle_types"),
        (#""display_name":"","handle_types":["phone"]"#, "too_short field=/display_name"),
        (#""display_name":"A","handle_types":"phone""#, "wrong_type field=/handle_types"),
        (#""display_name":"A","handle_types":[7]"#, "wrong_type field=/handle_types/0"),
    ])
    func `what is missing or wrong is named`(members: String, fault: String) {
        let peer = host.ready("provider", identity: "org.a")
        #expect(peer.tell("provider.register", "{\(members)}") == ["1: -32602 \(fault)"])
        #expect(peer.tell("provider.unregister") == ["2: -32004 unknown_provider rule=31"])
    }

    @Test(arguments: [
        (#""grace_ms":-1"#, "out_of_range field=/grace_ms"),
        (#""grace_ms":30001"#, "out_of_range field=/grace_ms"),
        (#""ring_timeout_ms":4999"#, "out_of_range field=/ring_timeout_ms"),
        (#""ring_timeout_ms":120001"#, "out_of_range field=/ring_timeout_ms"),
        (#""action_deadlines":{"end":999}"#, "out_of_range field=/action_deadlines/end"),
        (#""action_deadlines":{"end":600001}"#, "out_of_range field=/action_deadlines/end"),
        (#""action_deadlines":{"fly":5000}"#, "unknown_member field=/action_deadlines/fly"),
        (#""max_call_groups":0"#, "out_of_range field=/max_call_groups"),
        (#""app_process":"other""#, "not_one_of field=/app_process"),
        (#""nonsense":1,"x_own":2"#, "unknown_member field=/nonsense"),
        (#""calls":[{"call":"c1"}]"#, "missing_member field=/calls/0/direction"),
    ])
    func `what is optional has its bounds`(member: String, fault: String) {
        let peer = host.ready("provider", identity: "org.a")
        #expect(peer.register(member) == ["1: -32602 \(fault)"])
    }

    @Test(arguments: [
        #""grace_ms":0"#, #""grace_ms":30000"#, #""ring_timeout_ms":120000"#,
        #""action_deadlines":{"start":1000,"play_dtmf":600000}"#, #""x_own":{"a":[1]}"#,
    ])
    func `the bounds themselves are good`(member: String) {
        let peer = host.ready("provider", identity: "org.a")
        #expect(peer.register(member).joined().hasPrefix(#"1: {"provider":"org.a""#))
    }

    @Test func `registering again tells all anew and keeps the calls`() {
        let peer = host.provider("org.a", #""ring_timeout_ms":5000"#)
        peer.ring(1)
        let observer = host.observer("provider.*")
        let line = peer.register().joined()
        #expect(line.contains(#""ring_timeout_ms":60000"#))
        #expect(line.contains(#""calls":["c1"],"dropped":[]"#))
        #expect(observer.brief() == ["provider.changed org.a calls 1"])
    }

    @Test
    func `registering again ends nothing that it does not name, and takes over what it names`() {
        let peer = host.provider()
        peer.ring(1)
        let live =
            #"{"call":"c2","direction":"incoming","state":"held","remote":{"type":"phone","value":"+15552"}}"#
        let line = peer.register(#""calls":[\#(live)]"#).joined()
        #expect(line.contains(#""calls":["c1","c2"],"dropped":[]"#))
        #expect(peer.register(#""calls":[]"#).joined().contains(#""calls":["c1","c2"]"#))
    }

    @Test func `an update changes what it names, and null goes back to the host's choice`() {
        let peer = host.provider("org.a", #""ring_timeout_ms":5000,"icon":"i","grace_ms":0"#)
        let observer = host.observer("provider.*")
        #expect(
            peer.tell("provider.update", #"{"display_name":"B","icon":null}"#) == ["1: {}"])
        let changed = observer.lines().joined()
        #expect(changed.contains(#""topic":"provider.changed""#))
        #expect(changed.contains(#""display_name":"B","handle_types":["phone"]"#))
        #expect(changed.contains(#""ring_timeout_ms":5000,"grace_ms":0"#))
        #expect(!changed.contains(#""icon""#))

        _ = peer.tell("provider.update", #"{"ring_timeout_ms":null,"grace_ms":null}"#)
        let again = observer.lines().joined()
        #expect(!again.contains("ring_timeout_ms") && !again.contains("grace_ms"))
    }

    @Test func `an update is checked as a registration is`() {
        let peer = host.provider()
        let update = { peer.tell("provider.update", $0) }
        #expect(update(#"{"grace_ms":30001}"#) == ["1: -32602 out_of_range field=/grace_ms"])
        #expect(update(#"{"display_name":null}"#) == ["2: -32602 wrong_type field=/display_name"])
        #expect(update(#"{"calls":[]}"#) == ["3: -32602 unknown_member field=/calls"])
    }

    @Test func `the time that calls ring is the provider's own, once it says so`() {
        let peer = host.provider("org.a", #""ring_timeout_ms":5000"#)
        let observer = host.observer("call.changed")
        peer.ring(1)
        host.turn(afterMS: 4_999)
        #expect(observer.brief() == [])
        host.turn(afterMS: 1)
        #expect(
            observer.brief() == [
                "~ c1 ended unanswered (state end_reason end_cause) timeout/36"
            ])
    }

    @Test func `a provider that unregisters takes its calls along, and may come back`() {
        let peer = host.provider()
        peer.ring(1)
        let observer = host.observer("provider.*", "call.removed")
        #expect(peer.tell("provider.unregister") == ["2: {}"])
        let events = observer.brief()
        #expect(events.count == 2)
        #expect(events.contains("provider.removed provider=org.a reason=unregistered"))
        #expect(events.contains { $0.hasPrefix("- c1 ") })
        #expect(peer.tell("provider.unregister") == ["3: -32004 unknown_provider rule=31"])
        #expect(peer.tell("provider.update", "{}") == ["4: -32004 unknown_provider rule=31"])
        #expect(peer.register().joined().contains(#""calls":[],"dropped":[]"#))
        #expect(observer.brief() == ["provider.added org.a calls 0"])
    }

    @Test(arguments: [
        ("call.report_incoming", #","remote":{"type":"phone","value":"1"}"#),
        ("call.report_alerting", ""), ("call.report_connecting", ""), ("call.report_connected", ""),
        ("call.report_held", #","held":true"#), ("call.report_muted", #","muted":true"#),
        ("call.report_group", #","with":null"#), ("call.report_update", ""),
        ("call.report_ended", #","reason":"failed""#),
        (
            "call.report_missed",
            #","remote":{"type":"phone","value":"1"},"reason":"unanswered","at_ms":1"#
        ),
    ])
    func `before it has registered a provider has no calls to report`(
        method: String, members: String
    ) {
        let peer = host.ready("provider", identity: "org.a")
        #expect(
            peer.tell(method, #"{"call":"c1"\#(members)}"#) == [
                "1: -32004 unknown_provider rule=31"
            ])
    }
}
