import BrokerSocket
import CallBroker
import CallTesting
import TestSupport
import Testing

/// Events with the changes of calls, for subscribers that keep the calls themselves.
struct BrokerChangesTests {
    private let host = MemoryBroker()
    private let app: MemoryPeer
    private let user: MemoryPeer

    init() {
        app = host.provider()
        user = host.controller()
    }

    private func observer(_ members: String = "") -> MemoryPeer {
        let peer = host.ready("observer")
        _ = peer.tell(
            "events.subscribe",
            #"{"topics":["call.added","call.changed","call.removed"],"detail":"changes"\#(members)}"#
        )
        return peer
    }

    private func data(_ lines: [String], _ topic: String = "call.changed") throws -> [JSONTree] {
        try lines.compactMap { line in
            let params = try JSONTree(line)["params"]
            return params?["topic"] == .string(topic) ? params?["data"] : nil
        }
    }

    @Test func `a new call is whole, then there is what changes, and the cause`() throws {
        let observer = observer()
        app.ring(1, #""display_name":"Ada""#)
        app.post("call.report_update", #"{"call":"c1","display_name":null,"remote_held":true}"#)
        let lines = observer.lines()
        #expect(try data(lines, "call.added").first?["display_name"] == .string("Ada"))
        let changed = try #require(try data(lines).first)
        #expect(changed.names == ["set", "removed", "changed", "cause"])
        #expect(changed["set"]?.names == ["remote_held", "rev"])
        #expect(changed["set"]?["remote_held"] == .boolean(true))
        #expect(changed["removed"] == .array([.string("display_name")]))
        #expect(changed["cause"]?["origin"] == .string("provider"))
    }

    @Test func `others are sent whole calls beside it`() throws {
        let (full, short) = (host.observer("call.changed"), observer())
        app.ring(1)
        app.post("call.report_update", #"{"call":"c1","display_name":"Ada"}"#)
        #expect(try data(full.lines()).first?["changed"] == .array([.string("display_name")]))
        #expect(try data(short.lines()).first?["set"]?["display_name"] == .string("Ada"))
    }

    @Test func `the first event of a call that was there before is whole`() throws {
        app.ring(1)
        let observer = observer()
        for name in ["Ada", "Bob"] {
            app.post("call.report_update", #"{"call":"c1","display_name":"\#(name)"}"#)
        }
        let events = try data(observer.lines())
        #expect(events.map { $0["set"] == nil } == [true, false])
    }

    @Test func `the end is a change, too`() throws {
        let observer = observer()
        app.ring(1)
        app.post("call.report_ended", #"{"call":"c1","reason":"remote_ended"}"#)
        let end = try #require(try data(observer.lines()).last?["set"])
        #expect(
            end["state"] == .string("ended") && end["end_reason"] != nil && end["remote"] == nil)
    }

    @Test func `choices that were sent without a number are sent again`() throws {
        let observer = observer()
        app.ring(1)
        app.post("call.report_update", #"{"call":"c1","display_name":"Ada"}"#)
        _ = host.ready("observer").tell("call.get", #"{"call":"c1"}"#)
        for name in ["Bob", "Cid"] {
            app.post("call.report_update", #"{"call":"c1","display_name":"\#(name)"}"#)
        }
        let events = try data(observer.lines())
        #expect(events.map { $0["set"]?["allowed"] != nil } == [false, true, false])
        #expect(events[1]["removed"] == .array([.string("merge_with"), .string("paused_tones")]))
    }

    @Test func `a name that goes away is no news for one that may not see it`() throws {
        let stranger = host.connect(known: PeerProcess(sandbox: .other))
        _ = stranger.ask(Frame.hello(#""roles":["observer"]"#))
        _ = stranger.tell("events.subscribe", #"{"topics":["call.*"],"detail":"changes"}"#)
        app.ring(1, #""display_name":"Ada""#)
        app.post("call.report_update", #"{"call":"c1","display_name":null}"#)
        app.post("call.report_update", #"{"call":"c1","display_name":"Ada"}"#)
        let events = try data(stranger.lines())
        #expect(events.map(\.names) == Array(repeating: ["set", "changed", "cause"], count: 2))
        #expect(events.map { $0["set"]?.names } == [["rev"], ["rev"]])
    }

    @Test func `one that may not see people sees those of its own app's calls`() throws {
        _ = host.ready("admin").tell(
            "policy.set",
            #"{"rights":[{"sandbox":"other","roles":["provider","observer"],"redacted":true}]}"#)
        let own = host.connect(known: PeerProcess(sandbox: .other))
        _ = own.ask(Frame.hello(#""roles":["provider","observer"],"identity":"org.own""#))
        own.register()
        _ = own.tell("events.subscribe", #"{"topics":["call.*"],"detail":"changes"}"#)
        let name = #""display_name":"Ada""#
        for (peer, call) in [(app, 1), (own, 2)] {
            peer.post(
                "call.report_incoming",
                #"{"call":"c\#(call)","remote":{"type":"phone","value":"+1555"}}"#)
            peer.post("call.report_update", #"{"call":"c\#(call)",\#(name)}"#)
        }
        let names = try data(own.lines()).map { $0["set"]?.names.first }
        #expect(names.first == "rev" && names.last == "display_name")
    }

    @Test func `it is less than half of what others are sent`() {
        let (full, short) = (host.observer("call.changed"), observer())
        app.ring(1, #""display_name":"Ada Lovelace""#)
        for (method, members) in [
            ("answer", ""), ("set_muted", #","muted":true"#), ("set_held", #","held":true"#),
            ("set_held", #","held":false"#), ("end", ""),
        ] {
            user.post("call.\(method)", #"{"call":"c1"\#(members)}"#)
            _ = app.lines()
            for id in app.audit.performs.keys.sorted() { app.fulfil(id) }
        }
        let bytes = [full, short].map { observer in
            observer.lines().filter { $0.contains(#""topic":"call.changed""#) }
                .map(\.utf8.count).reduce(0, +)
        }
        #expect(bytes[0] > 8_000 && bytes[1] * 2 < bytes[0], "\(bytes)")
    }

    @Test func `a word that is unknown is refused`() {
        let reply = host.ready("observer").ask(
            Frame.request(1, "events.subscribe", #"{"topics":["*"],"detail":"brief"}"#))
        #expect(reply.joined().contains(#""reason":"not_one_of""#))
    }

    @Test func `one that reads too late reads all anew, and goes on with changes`() throws {
        let host = MemoryBroker {
            $0.limits.queueSoftBytes = 4_096
            $0.limits.feedEvents = 16
        }
        let app = host.provider()
        let slow = ComparingObserver(host.ready("observer"))
        app.ring(1)
        for number in 1...60 {
            slow.peer.block()
            app.post("call.report_update", #"{"call":"c1","display_name":"Ada \#(number)"}"#)
            host.turn()
        }
        for _ in 1...10 {
            slow.read()
            host.turn()
        }
        let seen = slow.short.changeCount
        app.post("call.report_update", #"{"call":"c1","display_name":null}"#)
        app.post("call.report_update", #"{"call":"c1","display_name":"Bob"}"#)
        slow.read()
        #expect(slow.gaps == 2)
        // Nobody else has wanted changes meanwhile, so the first is whole.
        #expect(slow.short.changeCount == seen + 1)
        #expect(slow.differences == [])
    }

    @Test(arguments: 0..<12)
    func `whatever happens, the changes make the calls that the whole calls are`(run: Int) throws {
        var world = try ChangingWorld(SeededRandom(for: "changes of calls \(run)"))
        for _ in 0..<150 { try world.move() }
        world.finish()
        #expect(world.differences == [])
        #expect(world.changeCount > 20)
    }
}
