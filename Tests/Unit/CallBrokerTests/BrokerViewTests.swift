import BrokerSocket
import CallBroker
import CallProtocol
import CallTesting
import Testing

/// What clients see whose view the policy limits: no people, or no calls of others.
struct BrokerViewTests {
    private let host = MemoryBroker()
    private let app: MemoryPeer

    /// What may not reach a client that sees nobody.
    private static let secrets = [
        "15551", "Ada", "Lovelace", "call-id-7", "sip-line", "Nobody told",
    ]

    private static let person =
        #""display_name":"Ada Lovelace","external_id":"call-id-7","#
        + #""forwarded_from":{"type":"phone","value":"+15551999"}"#

    private static let stranger = PeerProcess(sandbox: .other)
    private static let box = PeerProcess(sandbox: .flatpak, app: "org.example.Box")

    init() {
        app = host.provider(
            "org.a", #""lines":[{"line":"sip-line","label":"sip-line"}],"url_schemes":["tel"]"#)
    }

    private func setRule(_ members: String) {
        let rule = #"{"rights":[{"app":"org.example.Box",\#(members)}]}"#
        let lines = host.ready("admin").ask(Frame.request(1, "policy.set", rule))
        #expect(lines.joined().contains("result"))
    }

    private func connect(
        _ process: PeerProcess, _ roles: String = #""observer""#, identity: String = "org.box"
    ) -> MemoryPeer {
        let peer = host.connect(known: process)
        _ = peer.ask(Frame.hello(#""roles":[\#(roles)],"identity":"\#(identity)""#))
        return peer
    }

    private func expectNobody(in lines: [String], sourceLocation: SourceLocation = #_sourceLocation)
    {
        for secret in Self.secrets {
            let told = lines.filter { $0.contains(secret) }
            #expect(told == [], "\(secret)", sourceLocation: sourceLocation)
        }
    }

    // MARK: - Redacted

    @Test func `a hello says what the client may see`() {
        let plain = host.connect().ask(Frame.hello()).joined()
        #expect(plain.contains(#""rights":{"calls":"all","redacted":false}"#))
        let stranger = host.connect(known: Self.stranger).ask(Frame.hello()).joined()
        #expect(stranger.contains(#""rights":{"calls":"all","redacted":true}"#))
    }

    @Test func `an observer in a sandbox sees every event and nobody`() throws {
        let (stranger, all) = (connect(Self.stranger), host.observer("*"))
        _ = stranger.whole("events.subscribe", #"{"topics":["*"]}"#)
        let user = host.controller()
        app.ring(1, Self.person)
        user.post("call.answer", #"{"call":"c1"}"#)
        app.send(
            Frame.error(
                "1", -32_000, "busy_here", "Nobody told Ada", #","app_code":"SIP 486""#))
        app.post(
            "call.report_ended",
            #"{"call":"c1","reason":"remote_ended","detail":{"text":"Nobody told","code":"15551"}}"#
        )
        user.post(
            "call.start",
            #"{"provider":"org.a","remote":{"type":"phone","value":"+15551777"},"call":"c2"}"#)
        app.post("provider.update", #"{"display_name":"App"}"#)
        app.post(
            "call.report_participants",
            #"{"call":"c2","changed":[{"participant":"7","name":"Ada Lovelace"}]}"#)
        host.turn()
        let (told, whole) = (stranger.lines(), all.lines())
        expectNobody(in: told)
        #expect(
            whole.contains { $0.contains("Lovelace") }
                && whole.contains { $0.contains("+15551777") })
        #expect(topics(told) == topics(whole))
        let added = try #require(told.first { $0.contains("call.added") })
        let call = try #require(try JSONTree(added)["params"]?["data"])
        #expect(call["state"]?.string == "ringing" && call["provider"]?.string == "org.a")
        #expect(call["remote"] == nil && call["display_name"] == nil)
    }

    private func topics(_ lines: [String]) -> [String] {
        lines.compactMap { (try? JSONTree($0))?["params"]?["topic"]?.string }
    }

    @Test func `who reads a list, a call or its story sees nobody`() {
        app.ring(1, Self.person)
        app.post(
            "call.report_participants",
            #"{"call":"c1","changed":[{"participant":"7","name":"Ada Lovelace"}]}"#)
        let stranger = connect(Self.stranger)
        for (method, params) in [
            ("participant.list", #"{"call":"c1"}"#),
            ("call.list", "{}"), ("call.get", #"{"call":"c1"}"#), ("provider.list", "{}"),
            ("call.explain", #"{"call":"c1"}"#), ("call.timeline", #"{"call":"c1"}"#),
            ("transaction.list", "{}"), ("events.subscribe", #"{"topics":["call.*"]}"#),
            ("host.get", "{}"), ("policy.get", "{}"), ("broker.info", "{}"),
        ] {
            let lines = stranger.whole(method, params)
            #expect(lines.joined().contains(#""result""#), "\(method)")
            expectNobody(in: lines)
        }
        let batch = stranger.ask(
            Frame.batch(Frame.request(7, "call.list"), Frame.request(8, "broker.ping")))
        expectNobody(in: batch)
        #expect(batch.count == 1)
    }

    @Test func `an address that a call is transferred to is kept from it`() {
        let stranger = connect(Self.stranger)
        _ = stranger.whole("events.subscribe", #"{"topics":["*"]}"#)
        app.ring(1, #"\#(Self.person),"supports_transfer":true"#)
        app.post("call.report_connected", #"{"call":"c1"}"#)
        host.controller().post(
            "call.transfer", #"{"call":"c1","to":{"type":"phone","value":"+15551888"}}"#)
        let performed = app.lines().filter { $0.contains("provider.perform") }
        #expect(performed.joined().contains("+15551888"))
        let events = stranger.lines()
        #expect(topics(events).contains("action.dispatched"))
        expectNobody(in: events + stranger.whole("transaction.list"))
    }

    @Test func `whose calls came while it was away is not told either`() throws {
        let watcher = connect(Self.stranger)
        let reply = watcher.whole("events.subscribe", #"{"topics":["call.*"],"snapshot":false}"#)
        let result = try #require(try JSONTree(reply.joined())["result"])
        let (epoch, seq) = (result["epoch"]?.string ?? "", result["seq"]?.integer ?? 0)
        watcher.vanish()
        app.ring(1, Self.person)
        let back = connect(Self.stranger)
        let lines = back.whole(
            "events.subscribe",
            #"{"topics":["call.*"],"cursor":{"epoch":"\#(epoch)","seq":\#(seq)}}"#)
        #expect(lines.contains { $0.contains("call.added") })
        expectNobody(in: lines)
    }

    @Test func `history, contacts, blocks and directories are not for it, nor the policy`() {
        setRule(#""redacted":true"#)
        let box = connect(Self.box, #""controller","observer","ui""#)
        for method in [
            "history.list", "history.clear", "contact.list", "block.list", "directory.list",
        ] {
            #expect(box.whole(method).joined().contains(#""reason":"limited_view""#), "\(method)")
        }
        let policy = box.whole("policy.set", #"{"busy_in_call":true}"#).joined()
        #expect(policy.contains(#""reason":"limited_view""#))
    }

    @Test func `a screen may show calls without knowing who calls`() throws {
        setRule(#""redacted":true"#)
        let screen = connect(Self.box, #""ui""#)
        _ = screen.whole("ui.claim")
        app.ring(1, Self.person)
        let asked = screen.lines()
        #expect(asked.contains { $0.contains("ui.present") && $0.contains(#""actions":["answer"#) })
        expectNobody(in: asked)
    }

    @Test func `who knows everybody by its role is not redacted`() {
        setRule(#""redacted":true"#)
        let reply = host.connect(known: Self.box).ask(
            Frame.hello(
                #""roles":["admin","screener","directory","provider"],"identity":"org.box""#))
        #expect(reply.joined().contains(#""granted_roles":["provider"]"#))
    }

    @Test func `an app knows the callers of its own calls, and no others`() {
        setRule(#""redacted":true"#)
        let box = connect(Self.box, #""provider","observer","controller""#)
        box.post("provider.register", #"{"display_name":"Box","handle_types":["phone"]}"#)
        _ = box.whole("events.subscribe", #"{"topics":["*"]}"#)
        app.ring(1, Self.person)
        expectNobody(in: box.lines())
        box.ring(2, #""display_name":"Own Caller""#)
        #expect(box.whole("call.get", #"{"call":"c2"}"#).joined().contains("Own Caller"))
        let list = box.whole("call.list").joined()
        #expect(list.contains("Own Caller"))
        expectNobody(in: [list.replacing("+15551002", with: "")])
        host.controller().post(
            "call.start",
            #"{"provider":"org.box","remote":{"type":"phone","value":"+4930777"},"call":"c3"}"#)
        let lines = box.lines()
        #expect(lines.contains { $0.contains("provider.perform") && $0.contains("+4930777") })
    }

    @Test func `the description of the protocol is whole`() {
        let plain = host.ready("observer").whole("broker.describe", #"{"name":"call.get"}"#)
        let stranger = connect(Self.stranger).whole("broker.describe", #"{"name":"call.get"}"#)
        #expect(plain.joined() == stranger.joined())
        #expect(plain.joined().contains(#""remote""#))
    }

    @Test func `what a client has sent itself comes back whole`() {
        let payload = #"{"payload":{"remote":"Ada","line":1}}"#
        let reply = connect(Self.stranger).ask(Frame.request(1, "broker.ping", payload)).joined()
        #expect(reply.contains(#""remote":"Ada""#))
    }

    // MARK: - Own calls

    private func ownBox() -> MemoryPeer {
        setRule(#""calls":"own""#)
        let box = connect(Self.box, #""provider","observer","controller""#)
        box.post("provider.register", #"{"display_name":"Box","handle_types":["phone"]}"#)
        return box
    }

    @Test func `an app that sees its own calls is not told what the user is doing`() {
        let box = ownBox()
        #expect(!box.whole("host.get").joined().contains("presence"))
        let observer = host.ready("observer")
        #expect(observer.whole("host.get").joined().contains(#""presence":{"state":"free""#))
    }

    @Test func `an app that sees its own calls gets no event, list or call of another`() {
        let box = ownBox()
        app.ring(1, Self.person)
        box.ring(2)
        #expect(
            !box.whole("call.list", #"{"include_ended":true}"#).joined().contains(ShortID.call(1)))
        #expect(box.whole("call.get", #"{"call":"c1"}"#).joined().contains("unknown_call"))
        #expect(box.whole("call.explain", #"{"call":"c1"}"#).joined().contains("unknown_call"))
        #expect(box.whole("call.timeline", #"{"call":"c1"}"#).joined().contains("unknown_call"))
        #expect(box.whole("call.timeline", #"{"call":"c2"}"#).joined().contains("entries"))
        #expect(box.whole("transaction.list").joined().contains("limited_view"))
        #expect(!box.whole("provider.list").joined().contains("org.a"))
        let subscribed = box.whole("events.subscribe", #"{"topics":["*"]}"#).joined()
        #expect(subscribed.contains(ShortID.call(2)) && !subscribed.contains(ShortID.call(1)))
        app.post("call.report_connected", #"{"call":"c1"}"#)
        box.post("call.report_connected", #"{"call":"c2"}"#)
        for (peer, call) in [(app, "c1"), (box, "c2")] {
            peer.post("call.report_quality", #"{"call":"\#(call)","loss_permille":1}"#)
            peer.post(
                "call.report_participants",
                #"{"call":"\#(call)","changed":[{"participant":"a"}]}"#)
        }
        app.post("call.report_ended", #"{"call":"c1","reason":"remote_ended"}"#)
        host.turn()
        let told = box.lines()
        #expect(topics(told).contains("call.changed"))
        #expect(topics(told).count { $0 == "call.quality" } == 1)
        #expect(topics(told).count { $0 == "call.participants" } == 1)
        #expect(
            told.filter {
                $0.contains(ShortID.call(1)) && $0.contains(#""method":"event""#)
                    && !$0.contains(ShortID.call(2))
            } == [])
        #expect(
            !topics(told).contains("host.changed")
                && !topics(told).contains("transaction.completed"))
    }

    @Test(arguments: Topic.allCases.filter { ["call", "action", "provider"].contains($0.noun) })
    func `every topic about a call, an action or an app is open to an app that sees its own calls`(
        _ topic: Topic
    ) {
        let box = ownBox()
        _ = box.lines()
        let params = #"{"topics":["\#(topic.rawValue)"]}"#
        let reply = box.whole("events.subscribe", params).joined()
        #expect(reply.contains(#""subscription""#), "\(reply)")
    }

    @Test func `an app that sees its own calls can ask about those that are over`() {
        let box = ownBox()
        app.ring(1, Self.person)
        box.ring(2)
        app.post("call.report_ended", #"{"call":"c1","reason":"remote_ended"}"#)
        box.post("call.report_ended", #"{"call":"c2","reason":"remote_ended"}"#)
        host.turn()
        _ = box.lines()
        for method in ["call.explain", "call.timeline"] {
            let own = box.whole(method, #"{"call":"c2"}"#).joined()
            #expect(own.contains("remote_ended") && own.contains(#""result""#), "\(own)")
            let other = box.whole(method, #"{"call":"c1"}"#).joined()
            #expect(other.contains("-32004"), "\(other)")
        }
    }

    @Test func `an app that reaches its own calls cannot act on others`() {
        let box = ownBox()
        app.ring(1)
        for method in ["call.answer", "call.end"] {
            let reply = box.whole(method, #"{"call":"c1"}"#).joined()
            #expect(reply.contains("-32003") || reply.contains("unknown_call"), "\(reply)")
        }
        #expect(box.whole("history.list").joined().contains("limited_view"))
        let topic = box.whole("events.subscribe", #"{"topics":["host.changed"]}"#).joined()
        #expect(topic.contains("limited_view"))
    }

    @Test func `without an app of its own it is no controller, and sees no call`() {
        setRule(#""calls":"own""#)
        let box = host.connect(known: Self.box)
        let reply = box.ask(
            Frame.hello(#""roles":["controller","observer","ui"],"identity":"org.a""#)
        ).joined()
        #expect(reply.contains(#""granted_roles":["observer"]"#))
        app.ring(1)
        #expect(box.whole("call.list").joined().contains(#""calls":[]"#))
    }

    @Test func `who may see less than before is dismissed`() {
        setRule(#""calls":"all""#)
        let box = connect(Self.box)
        setRule(#""redacted":true"#)
        #expect(box.lines().joined().contains(#""reason":"rights_changed""#))
        let redacted = connect(Self.box)
        setRule(#""calls":"all""#)
        #expect(!redacted.isClosed)
        setRule(#""calls":"own","redacted":true"#)
        #expect(redacted.isClosed)
    }
}

extension MemoryPeer {
    /// Sends a request with the next id, and reads what comes as it is.
    fileprivate func whole(_ method: String, _ params: String? = nil) -> [String] {
        post(method, params)
        return lines()
    }
}

extension Topic {
    fileprivate var noun: Substring {
        rawValue.prefix { $0 != "." }
    }
}
