import BrokerSocket
import CallBroker
import CallJournal
import CallTesting
import Testing

/// Apps that hang are noticed (rule 27).
struct BrokerHeartbeatTests {
    private let host = MemoryBroker { $0.choices.heartbeatMS = 10_000 }
    private let app: MemoryPeer
    private let user: MemoryPeer
    private let observer: MemoryPeer

    init() {
        app = host.provider()
        user = host.controller()
        observer = host.observer("broker.anomaly", "provider.*")
        host.forget()
    }

    /// The ids of the pings that have come, in order.
    private func pings(_ peer: MemoryPeer) -> [Int] {
        peer.lines().compactMap { line in
            guard let json = try? JSONTree(line), json["method"]?.string == "broker.ping" else {
                return nil
            }
            return json["id"]?.integer.map { Int($0) }
        }
    }

    /// The number of pings after each of these times.
    private func pings(afterMS times: Int..., of peer: MemoryPeer? = nil) -> [Int] {
        times.map { time in
            host.turn(afterMS: time)
            return pings(peer ?? app).count
        }
    }

    /// What the observer was told, but for that nothing has happened.
    private func news() -> [String] {
        observer.brief().filter { !$0.hasPrefix("broker.bookmark") }
    }

    /// Whether a connection is closed once what was sent is read.
    private func isClosed(_ peer: MemoryPeer) -> Bool {
        _ = peer.lines()
        return peer.isClosed
    }

    // MARK: - Who is pinged, and when

    @Test func `a provider with calls is pinged ten seconds after its last sign of life`() {
        app.ring(1)
        host.turn(afterMS: 4_000)
        app.send(Frame.notification("broker.log", #"{"level":"info","message":"x"}"#))
        _ = app.lines()
        #expect(pings(afterMS: 9_999, 1) == [0, 1])
    }

    @Test func `without calls it is not pinged at all`() {
        #expect(pings(afterMS: 60_000, 60_000) == [0, 0])
        app.ring(1)
        _ = app.tell("call.report_ended", #"{"call":"c1","reason":"remote_ended"}"#)
        #expect(pings(afterMS: 60_000) == [0])
        #expect(!app.isClosed)
    }

    @Test func `one that was silent for long is pinged with its first call`() {
        host.turn(afterMS: 60_000)
        _ = user.tell(
            "call.start",
            #"{"remote":{"type":"phone","value":"+15550100"},"provider":"org.a","call":"c1"}"#)
        #expect(app.brief().map { $0.prefix(13) } == ["broker.ping {", "perform 2 #2 "])
    }

    @Test func `who only watches is not pinged`() {
        app.ring(1)
        host.turn(afterMS: 10_000)
        #expect(pings(user) + pings(observer) == [])
    }

    @Test(arguments: [
        #"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        #"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"what?"}}"#,
        #"{"jsonrpc":"2.0","id":7,"method":"broker.ping"}"#,
        #"{"jsonrpc":"2.0","method":"no.such"}"#, #"{"jsonrpc":"2.0","id":77,"result":{}}"#,
        "nonsense",
    ])
    func `any frame is a sign of life`(frame: String) {
        app.ring(1)
        for _ in 1...4 {
            #expect(pings(afterMS: 10_000) == [1])
            app.send(frame)
            _ = app.lines()
        }
        #expect(pings(afterMS: 9_999, 1) == [0, 1])
        #expect(!app.isClosed && news() == [])
    }

    @Test func `one that says much and answers no ping collects none`() throws {
        let admin = host.ready("admin")
        app.ring(1)
        for _ in 1...4 {
            #expect(pings(afterMS: 10_000) == [1])
            app.send(Frame.notification("no.such"))
        }
        admin.post("test.settle", #"{"limit_ms":0}"#)
        for _ in 1...2 { host.broker.expireSettleWaits(at: .zero) }
        let owed = try JSONTree(admin.lines().joined())["error"]?["data"]?["owed"]?.elements
        #expect(owed?.map { $0["asked"]?.string } == ["broker.ping"])
    }

    // MARK: - One that hangs

    /// It is asked twice in vain.
    private func hang() {
        host.turn(afterMS: 10_000)
        host.turn(afterMS: 10_000)
        host.turn(afterMS: 10_000)
    }

    @Test func `two pings in a row without an answer: it is told, and its connection is closed`()
        throws
    {
        host.talk(1, of: app, by: user)
        #expect(pings(afterMS: 10_000, 9_999, 1, 9_999) == [1, 0, 1, 0])
        #expect(!app.isClosed && news() == [])
        host.turn(afterMS: 1)
        #expect(
            app.lines() == [
                Frame.notification(
                    "broker.goodbye",
                    #"{"reason":"unresponsive","message":"two pings in a row were not answered","#
                        + #""resumable":true}"#)
            ])
        #expect(isClosed(app))
        #expect(
            news() == [
                "broker.anomaly anomaly=provider_hung provider=org.a",
                "provider.lost provider=org.a grace_ms=5000 calls=[c1]",
            ])
        #expect(user.tell("call.list") == ["2: [c1 active away]"])
        try host.expectThatItsJournalTellsAll()
        host.turn(afterMS: 5_000)
        #expect(user.tell("call.list") == [#"3: {"calls":[]}"#])
    }

    @Test func `a sign of life between the pings is enough`() {
        app.ring(1)
        #expect(pings(afterMS: 10_000, 10_000, 9_999) == [1, 1, 0])
        app.send(Frame.result(2))
        #expect(pings(afterMS: 1, 9_998, 1, 10_000, 9_999) == [0, 0, 1, 1, 0])
        host.turn(afterMS: 1)
        #expect(isClosed(app))
    }

    @Test func `it comes back within its grace and goes on`() throws {
        let hello = #""roles":["provider"],"identity":"org.b""#
        let old = host.connect()
        let key = try #require(
            try JSONTree(old.ask(Frame.hello(hello)).joined())["result"]?["session"])
        old.register()
        host.talk(1, of: old, by: user)
        hang()
        #expect(isClosed(old))
        host.turn(afterMS: 4_000)
        let new = host.connect()
        let resume =
            #"{"session":\#(key["session"] ?? .null),"secret":\#(key["secret"] ?? .null)}"#
        #expect(
            new.ask(Frame.hello(hello + #","resume":\#(resume)"#)).joined()
                .contains(#""resumed":true"#))
        let live =
            #"{"call":"c1","direction":"incoming","state":"active","#
            + #""remote":{"type":"phone","value":"+15551"}}"#
        new.register(#""calls":[\#(live)]"#)
        #expect(user.tell("call.list") == ["2: [c1 active]"])
        // It is watched again, with nothing of before.
        #expect(pings(afterMS: 10_000, 10_000, of: new) == [1, 1])
        host.turn(afterMS: 10_000)
        #expect(isClosed(new))
    }

    @Test func `what was told of it can be had from the next broker`() throws {
        app.ring(1)
        hang()
        let epoch = host.broker.epoch
        let told = observer.lines().first { $0.contains("provider_hung") }
        let seq = try #require(try JSONTree(told ?? "")["params"]?["seq"])
        let next = try MemoryBroker(goingOnAfter: host)
        let late = next.ready("observer")
        let cursor = #"{"epoch":"\#(epoch)","seq":\#((seq.integer ?? 0) - 1)}"#
        let lines = late.ask(
            Frame.request(
                1, "events.subscribe", #"{"topics":["broker.anomaly"],"cursor":\#(cursor)}"#))
        #expect(
            lines.map { Brief.line($0) }.last
                == "broker.anomaly anomaly=provider_hung provider=org.a")
    }

    // MARK: - At once

    /// The call of the app speaks and is asked to be held, and nobody answers.
    private func holdInVain(_ call: Int = 1) {
        host.talk(call, of: app, by: user)
        _ = user.tell("call.set_held", #"{"call":"c\#(call)","held":true}"#)
        _ = app.lines()
        host.turn(afterMS: 5_000)
    }

    @Test func `one that lets an action time out is pinged at once`() {
        holdInVain()
        #expect(pings(app).count == 1)
        #expect(pings(afterMS: 9_999, 1, 9_999) == [0, 1, 0])
        host.turn(afterMS: 1)
        #expect(isClosed(app))
    }

    @Test func `so is one whose hold for a report that nobody asked for gets no reply`() {
        let other = host.provider("org.b")
        host.talk(1, of: app, by: user)
        other.ring(2)
        _ = other.tell("call.report_connected", #"{"call":"c2"}"#)
        #expect(app.brief().joined().contains("set_held c1 held=true"))
        host.turn(afterMS: 5_000)
        #expect(pings(app).count == 1)
        #expect(pings(other).count == 0)
        #expect(user.tell("call.list").joined().contains("c1 active"))
    }

    @Test func `so is one that does not say whether it takes a transaction over`() {
        let other = host.provider("org.b", #""takes_transactions":true"#)
        other.ring(1)
        user.post("call.answer", #"{"call":"c1"}"#)
        host.forget()
        host.turn(afterMS: 5_000)
        #expect(pings(other).count == 1)
    }

    @Test func `one that was pinged already is not pinged again for it`() {
        host.talk(1, of: app, by: user)
        host.turn(afterMS: 6_000)
        _ = user.tell("call.set_held", #"{"call":"c1","held":true}"#)
        #expect(pings(afterMS: 4_000, 1_000, 8_999, 1) == [1, 0, 0, 1])
    }

    @Test func `one whose last call has ended by then is waited for to the end`() {
        app.ring(1)
        _ = user.tell("call.answer", #"{"call":"c1"}"#)
        for _ in 1...6 {
            host.turn(afterMS: 9_000)
            app.send(Frame.notification("no.such"))
        }
        host.turn(afterMS: 6_000)
        #expect(user.tell("call.list").last == #"2: {"calls":[]}"#)
        #expect(pings(app).count == 1)
        #expect(pings(afterMS: 10_000) == [1])
        host.turn(afterMS: 10_000)
        #expect(isClosed(app))
    }

    // MARK: - Time that does not count

    @Test func `the time in which the broker stood still does not count`() {
        app.ring(1)
        #expect(pings(afterMS: 10_000, 60_000, 9_999, 1, 11_000) == [1, 0, 0, 1, 0])
        #expect(!app.isClosed)
        host.turn(afterMS: 10_000)
        #expect(isClosed(app))
    }

    @Test func `nor does that in which the host slept`() {
        app.ring(1)
        #expect(pings(afterMS: 9_000) == [0])
        host.host.asleepMS += 40_000
        #expect(pings(afterMS: 999, 1) == [0, 1])
        host.host.asleepMS += 600_000
        #expect(pings(afterMS: 9_999) == [0])
        #expect(!app.isClosed)
    }

    @Test func `nor that in which its frames wait for their turn`() {
        app.ring(1)
        app.send((1...300).map { Frame.request($0 + 100, "broker.ping") })
        _ = app.lines()
        for _ in 1...3 {
            host.turn(afterMS: 10_000)
            _ = app.lines()
        }
        #expect(!app.isClosed)
        for _ in 1...3 { host.turn(afterMS: 10_000) }
        #expect(isClosed(app))
    }

    // MARK: - Plugins

    @Test func `a plugin that we have started is watched as a process, and told of if it hangs`() {
        let memory = MemoryBroker { $0.choices.heartbeatMS = 10_000 }
        let stage = PluginHostStage(
            ["org.bell": PluginHostStage.bell(PluginHostStage.implicit)], memory: memory,
            topics: ["plugin.state", "broker.anomaly"])
        memory.turn()
        let plugin = stage.plugin()
        plugin.ring(1)
        var seen: [Int] = []
        for milliseconds in [10_000, 5_000, 10_000, 9_999] {
            memory.turn(afterMS: milliseconds)
            seen.append(pings(plugin).count)
        }
        #expect(seen == [0, 1, 1, 0])
        _ = stage.admin.lines()
        memory.turn(afterMS: 1)
        #expect(
            stage.admin.brief().last == "broker.anomaly anomaly=provider_hung provider=org.bell")
    }

    @Test func `one that lets an action time out is pinged at once, too`() {
        let memory = MemoryBroker { $0.choices.heartbeatMS = 10_000 }
        let stage = PluginHostStage(
            ["org.bell": PluginHostStage.bell(PluginHostStage.implicit)], memory: memory)
        memory.turn()
        let plugin = stage.plugin()
        memory.talk(1, of: plugin, by: memory.controller())
        _ = memory.controller().tell("call.set_held", #"{"call":"c1","held":true}"#)
        _ = plugin.lines()
        memory.turn(afterMS: 5_000)
        #expect(pings(plugin).count == 1)
    }

    // MARK: - The policy

    @Test func `the admin chooses the time, also while it runs, and may switch it off`() {
        let admin = host.ready("admin")
        #expect(
            user.tell("policy.set", #"{"heartbeat_ms":0}"#).joined().contains("role_not_granted"))
        app.ring(1)
        _ = admin.tell("policy.set", #"{"heartbeat_ms":2000}"#)
        #expect(pings(afterMS: 1_999, 1, 2_000) == [0, 1, 1])
        _ = admin.tell("policy.set", #"{"heartbeat_ms":0}"#)
        #expect(pings(afterMS: 2_000, 60_000) == [0, 0])
        holdInVain(2)
        #expect(pings(app).count == 0)
        _ = admin.tell("policy.set", #"{"heartbeat_ms":3000}"#)
        #expect(pings(app).count == 1)
        #expect(pings(afterMS: 2_999, 1) == [0, 1])
    }

    @Test func `hello tells the time`() throws {
        let reply = try JSONTree(host.connect().ask(Frame.hello()).joined())
        #expect(reply["result"]?["heartbeat_ms"] == .integer(10_000))
    }

    // MARK: - The clock of a test

    @Test func `test advance stops at each ping until it is answered`() {
        let admin = host.ready("admin")
        app.ring(1)
        host.forget()
        admin.post("test.advance", #"{"ms":25000}"#)
        for time in [10_000, 20_000] {
            host.finishAdvance()
            #expect(host.now == .zero.advanced(milliseconds: time))
            #expect(!host.broker.hasWork)
            app.send(pings(app).map { Frame.result($0) })
        }
        host.finishAdvance()
        #expect(host.now == .zero.advanced(milliseconds: 25_000))
        #expect(admin.lines().joined().contains(#""now_ms":25000"#))
    }

    @Test func `test advance goes on without one that gives no sign in five seconds`() {
        let admin = host.ready("admin")
        app.ring(1)
        host.forget()
        admin.post("test.advance", #"{"ms":30000}"#)
        for time in [10_000, 20_000] {
            host.finishAdvance()
            #expect(host.now == .zero.advanced(milliseconds: time))
            host.broker.expireSettleWaits(at: .zero.advanced(milliseconds: time))
            #expect(host.broker.settleDeadline == .zero.advanced(milliseconds: time + 5_000))
            host.broker.expireSettleWaits(at: .zero.advanced(milliseconds: time + 4_999))
            #expect(!host.broker.mayAdvance)
            host.broker.expireSettleWaits(at: .zero.advanced(milliseconds: time + 5_000))
        }
        host.finishAdvance()
        #expect(isClosed(app))
        #expect(admin.lines().joined().contains(#""now_ms":30000"#))
    }

    @Test func `with settle it is said who owes a sign of life, unless it may be silent`() throws {
        let admin = host.ready("admin")
        app.ring(1)
        host.forget()
        admin.post("test.advance", #"{"ms":30000,"settle":true,"limit_ms":0}"#)
        host.finishAdvance()
        for _ in 1...2 { host.broker.expireSettleWaits(at: .zero) }
        let data = try JSONTree(admin.lines().joined())["error"]?["data"]
        #expect(data?["now_ms"] == .integer(10_000))
        #expect(data?["owed"]?.elements.first?["asked"] == .string("broker.ping"))
        admin.post("test.advance", #"{"ms":20000,"settle":true,"ignore":["org.a"]}"#)
        host.finishAdvance()
        #expect(isClosed(app))
    }
}
