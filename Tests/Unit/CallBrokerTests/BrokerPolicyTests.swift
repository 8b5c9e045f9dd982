import CallBroker
import CallTesting
import Testing

/// The choices of the host, what they change, and why things were decided.
struct BrokerPolicyTests {
    private let host = MemoryBroker()
    private let user: MemoryPeer

    init() {
        user = host.controller()
    }

    private func set(_ members: String) -> [String] {
        user.tell("policy.set", "{\(members)}")
    }

    private static let times = """
        "deadlines":{"start":60000,"answer":60000,"end":5000,"set_held":5000,"set_muted":5000,\
        "set_group":5000,"play_dtmf":5000,\
        "set_endpoint":10000,"set_video":30000,"set_text":30000,"transfer":60000,"attended_transfer":15000,"deflect":5000},"extension_percent_max":200,"ring_timeout_ms":60000,\
        "video_request_ms":30000,"dial_timeout_ms":120000,"start_silence_ms":5000,"ending_wait_ms":5000,"grace_ms":5000,\
        "separate_app_grace_ms":15000,"restart_grace_ms":15000,"screening_ms":1500,\
        "report_age_ms":604800000,"offer_ms":5000,"emergency_callback_ms":300000,\
        "short_ring_ms":5000,"ended_calls_max":65536,"ended_calls_ms":600000
        """

    private static func policy(
        cannotHold: String = "refuse", ringing: Int = 4, providers: String = ""
    ) -> String {
        """
        {"on_hold_failure":"keep","on_cannot_hold":"\(cannotHold)","resume_after_user_end":true,\
        "resume_after_remote_end":false,"busy_in_call":false,\
        "dial_while_ringing":"allow","video_fallback":"audio","button_active":"end","allows_emergency":true,\
        "priority_claims":[],"timeouts":"default",\(times),"limits":{"held_groups":4,"ringing":\(ringing),"dialing":1,\
        "calls_per_provider":16,"calls":64},"default_provider":{\(providers)},\
        "do_not_disturb":{"on":false,"until_at_ms":null,"schedule":[],\
        "repeated_calls_pass":true,"priority_callers_pass":false},"unknown_callers":"ring","region":"",\
        "new_providers":"allow","heartbeat_ms":0,\
        "emergency":{"numbers":[],"providers":[],"claims":{}},"authorization":{},"rights":[],\
        "handover":{"observers":[],"wait_ms":2000},"history":{"days":365,"entries":100000}}
        """
    }

    @Test func `the policy is shown whole`() {
        #expect(
            user.ask(Frame.request(1, "policy.get"))
                == [Frame.result(1, #"{"policy":\#(Self.policy()),"seq":0}"#)])
    }

    @Test func `a part of it is changed, told and answered`() {
        let observer = host.observer("policy.*")
        let changed = Self.policy(cannotHold: "end", providers: #""tel":"org.a""#)
        let part = #"{"on_cannot_hold":"end","default_provider":{"tel":"org.a"},"x_own":1}"#
        #expect(
            user.ask(Frame.request(1, "policy.set", part))
                == [Frame.result(1, #"{"policy":\#(changed),"seq":1}"#)])
        #expect(
            observer.lines() == [
                Frame.notification(
                    "event",
                    """
                    {"subscription":1,"epoch":"\(host.broker.epoch)","seq":1,"prev":0,\
                    "at_ms":1767225600000,"topic":"policy.changed","data":{\
                    "changed":["on_cannot_hold","default_provider"],"policy":\(changed)}}
                    """)
            ])
    }

    @Test func `what is the same already is no change`() {
        let observer = host.observer("policy.*")
        #expect(set(#""on_cannot_hold":"refuse","default_provider":{"tel":null}"#).count == 1)
        #expect(set("").count == 1)
        #expect(set(#""x_own":1"#).count == 1)
        #expect(observer.lines() == [])
    }

    @Test(arguments: [
        (#""on_cannot_hold":"maybe""#, "not_one_of field=/on_cannot_hold"),
        (#""resume_after_user_end":1"#, "wrong_type field=/resume_after_user_end"),
        (#""limits":{"ringing":0}"#, "out_of_range field=/limits/ringing"),
        (#""limits":{"doors":1}"#, "unknown_member field=/limits/doors"),
        (#""default_provider":{"tel":"one"}"#, "wrong_form field=/default_provider/tel"),
        (#""nonsense":1"#, "unknown_member field=/nonsense"),
    ])
    func `what is wrong is named, and nothing is changed`(member: String, fault: String) {
        let admin = host.ready("admin", "controller")
        #expect(
            admin.tell("policy.set", #"{"button_active":"mute",\#(member)}"#)
                == ["1: -32602 \(fault)"])
        #expect(admin.tell("policy.get").joined().contains(#""button_active":"end""#))
    }

    @Test func `limits are the admin's`() {
        #expect(
            set(#""button_active":"mute","limits":{"ringing":1}"#)
                == ["1: -32003 role_not_granted field=/limits"])
        #expect(user.tell("policy.get").joined().contains(#""button_active":"end""#))
        for admin in [host.ready("admin"), host.ready("admin", "controller")] {
            #expect(
                admin.tell("policy.set", #"{"limits":{"ringing":1}}"#).joined()
                    .contains(#""ringing":1"#))
        }
        #expect(host.ready("admin").tell("policy.get").joined().contains(#""ringing":1"#))
        #expect(
            host.ready("observer").tell("policy.set", "{}") == ["1: -32003 role_not_granted"])
    }

    @Test(arguments: [
        #""extension_percent_max":150"#, #""ring_timeout_ms":30000"#, #""dial_timeout_ms":90000"#,
        #""start_silence_ms":2000"#, #""ending_wait_ms":2000"#, #""grace_ms":0"#,
        #""separate_app_grace_ms":30000"#, #""restart_grace_ms":20000"#, #""screening_ms":800"#,
        #""report_age_ms":60000"#, #""offer_ms":1000"#, #""emergency_callback_ms":0"#,
        #""short_ring_ms":1000"#, #""ended_calls_max":1000"#, #""ended_calls_ms":60000"#,
    ])
    func `times are the admin's, and each is changed, told and journaled`(member: String) {
        let name = member.dropFirst().prefix { $0 != "\"" }
        #expect(set(member) == ["1: -32003 role_not_granted field=/\(name)"])
        let observer = host.observer("policy.*")
        let reply = host.ready("admin").ask(Frame.request(1, "policy.set", "{\(member)}")).joined()
        #expect(reply.contains(member))
        let event = observer.lines().joined()
        #expect(event.contains("\"changed\":[\"\(name)\"]") && event.contains(member))
    }

    @Test func `of a time each bound is named`() {
        let admin = host.ready("admin")
        #expect(
            admin.tell("policy.set", #"{"ring_timeout_ms":4999}"#)
                == ["1: -32602 out_of_range field=/ring_timeout_ms"])
        #expect(
            admin.tell("policy.set", #"{"deadlines":{"start":600001}}"#)
                == ["2: -32602 out_of_range field=/deadlines/start"])
    }

    @Test func `a deadline wins over the preset beside it, and a preset sets them all`() {
        let admin = host.ready("admin")
        func change(_ members: String) -> String {
            admin.ask(Frame.request(1, "policy.set", "{\(members)}")).joined()
        }
        let named = change(#""deadlines":{"end":2000},"timeouts":"compatible""#)
        #expect(
            named.contains(#""timeouts":"default","deadlines":{"start":600000,"answer":60000,"#))
        #expect(named.contains(#""end":2000,"#))
        let preset = change(#""timeouts":"compatible""#)
        #expect(preset.contains(#""timeouts":"compatible","deadlines":{"start":600000,"#))
        #expect(preset.contains(#""end":5000,"#))
        let usual = change(#""timeouts":"default""#)
        #expect(usual.contains(Self.times))
    }

    @Test func `a preset is anybody's to choose, and names what it changes`() {
        let observer = host.observer("policy.*")
        _ = set(#""timeouts":"compatible""#)
        #expect(observer.lines().joined().contains(#""changed":["timeouts","deadlines"]"#))
    }

    // MARK: - What it changes

    @Test func `a deadline counts for what is asked for afterwards`() {
        let a = host.provider()
        _ = host.ready("admin").tell("policy.set", #"{"deadlines":{"start":7000}}"#)
        _ = user.tell("call.start", #"{"provider":"org.a","remote":{"type":"phone","value":"1"}}"#)
        #expect(a.brief().last?.hasSuffix(" 7000 ms") == true)
    }

    @Test func `a lower limit counts from now on, and ends nothing`() {
        let a = host.provider()
        for call in 1...3 { a.ring(call) }
        _ = host.ready("admin").tell("policy.set", #"{"limits":{"ringing":2}}"#)
        #expect(
            a.ring(4).joined()
                .hasPrefix("4: -32007 max_ringing limit={name:max_ringing,value:2} rule=3"))
        #expect(user.tell("call.list") == ["1: [c1 ringing, c2 waiting, c3 waiting]"])
    }

    @Test func `a plain answer may mean to end what cannot be held`() {
        let (a, b) = (host.provider(), host.provider("org.b"))
        host.talk(1, of: a, by: user)
        _ = a.tell("call.report_update", #"{"call":"c1","supports_holding":false}"#)
        b.ring(2)
        _ = set(#""on_cannot_hold":"end""#)
        host.forget()
        #expect(
            user.tell("call.answer", #"{"call":"c2"}"#).joined()
                .contains("end c1 implied queued, #5 answer c2 queued"))
    }

    @Test func `what was held comes back after a remote end too, if the host wants it`() {
        let (a, b) = (host.provider(), host.provider("org.b"))
        let observer = host.observer("call.resume_offered")
        for wanted in [false, true] {
            let call = wanted ? 3 : 1
            _ = set(#""resume_after_remote_end":\#(wanted)"#)
            host.talk(call, of: a, by: user)
            b.ring(call + 1)
            _ = user.tell("call.answer", #"{"call":"c\#(call + 1)"}"#)
            host.settle(a, b)
            _ = b.tell("call.report_ended", #"{"call":"c\#(call + 1)","reason":"remote_ended"}"#)
            #expect(a.brief().contains { $0.contains("set_held c\(call) held=false") } == wanted)
            #expect(observer.brief().count == (wanted ? 0 : 1))
            _ = a.tell("call.report_ended", #"{"call":"c\#(call)","reason":"remote_ended"}"#)
            host.forget()
        }
    }

    @Test func `the short press mutes instead of ending`() {
        let a = host.provider()
        host.talk(1, of: a, by: user)
        _ = set(#""button_active":"mute""#)
        #expect(
            user.tell("call.press_button", #"{"press":"short"}"#).joined()
                .contains("set_muted c1 queued"))
    }

    @Test func `compatible time-outs are CallKit's`() {
        let a = host.provider()
        _ = set(#""timeouts":"compatible""#)
        _ = user.tell("call.start", #"{"provider":"org.a","remote":{"type":"phone","value":"1"}}"#)
        #expect(a.brief().last?.hasSuffix("600000 ms") == true)
    }

    // MARK: - Why

    @Test func `a call is explained by the rules that decided`() throws {
        let (a, b) = (host.provider(), host.provider("org.b"))
        host.talk(1, of: a, by: user)
        b.ring(2)
        _ = user.tell("call.answer", #"{"call":"c2"}"#)
        let line = user.ask(
            Frame.request(70, "call.explain", user.long(#"{"call":"c1"}"#))
        ).joined()
        let steps = try #require(try JSONTree(ShortID.short(line))["result"]?["steps"]).elements
        let rules = steps.map { "\($0["rule"]?.string ?? "") \($0["decision"]?.string ?? "")" }
        #expect(rules.first == "1 rings")
        #expect(rules.contains { $0.hasPrefix("5 ") })
        let numbers = steps.compactMap { $0["seq"]?.integer }
        #expect(numbers == numbers.sorted())
    }

    @Test func `a refused call is explained by what stood in its way`() {
        let a = host.provider()
        for call in 1...5 { a.ring(call) }
        let line = user.tell("call.explain", #"{"call":"c5"}"#).joined()
        #expect(
            line.contains(#""rule":"3","decision":"refused","reason":"max_ringing","call":"c5""#))
        #expect(line.contains(#""blocking":[{"call":"c1","provider":"org.a"}"#))
    }

    @Test func `exactly one thing is explained`() {
        #expect(user.tell("call.explain", "{}").joined().hasPrefix("1: -32602 "))
        #expect(
            user.tell("call.explain", #"{"call":"c1","transaction":"t1"}"#).joined()
                .hasPrefix("2: -32602 "))
        #expect(
            user.tell("call.explain", #"{"call":"c1"}"#) == ["3: -32004 unknown_call rule=31"])
    }
}
