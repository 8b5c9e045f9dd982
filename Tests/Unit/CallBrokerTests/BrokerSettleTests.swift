import BrokerSocket
import CallBroker
import CallTesting
import Testing

/// Who owes the broker an answer, and how long it is waited for: by the host's clock, while that of the
/// test stands.
struct BrokerSettleTests {
    private let host = MemoryBroker()
    private let a: MemoryPeer
    private let user: MemoryPeer
    private let admin: MemoryPeer

    init() {
        a = host.provider()
        user = host.controller()
        admin = host.ready("admin")
    }

    private func look(atMS milliseconds: Int) {
        host.broker.answerSettled()
        host.broker.expireSettleWaits(at: .zero.advanced(milliseconds: milliseconds))
    }

    private func start() {
        _ = user.tell(
            "call.start",
            #"{"remote":{"type":"phone","value":"+15550100"},"provider":"org.a","call":"c1"}"#)
    }

    /// The data of the error that the admin got, if it got one.
    private func data() throws -> JSONTree? {
        let lines = admin.lines()
        guard let line = lines.first else { return nil }
        #expect(lines.count == 1)
        let error = try JSONTree(ShortID.short(line))["error"]
        #expect(error?["code"] == .integer(-32_009))
        return error?["data"]
    }

    @Test func `who has not answered what in time is said`() throws {
        start()
        admin.post("test.settle", #"{"limit_ms":2000}"#)
        look(atMS: 500)
        #expect(host.broker.settleDeadline == .zero.advanced(milliseconds: 2_500))
        look(atMS: 2_499)
        #expect(admin.lines() == [])
        look(atMS: 2_500)
        let data = try #require(try data())
        #expect(
            data["owed"]?.description == """
                [{"who":"org.a","request":1,"asked":"provider.perform","action":"#2",\
                "kind":"start","call":"c1"}]
                """)
        #expect(data["busy"] == .array([]))
        #expect(host.broker.settleDeadline == nil)
    }

    @Test func `without a limit of its own a test waits for half a minute`() throws {
        start()
        admin.post("test.settle")
        look(atMS: 0)
        look(atMS: 29_999)
        #expect(admin.lines() == [])
        look(atMS: 30_000)
        #expect(try data() != nil)
    }

    @Test func `whoever answers within the time is not told of`() {
        start()
        admin.post("test.settle", #"{"limit_ms":1000}"#)
        look(atMS: 0)
        _ = a.fulfilling(1)
        look(atMS: 1_000)
        #expect(Brief.line(admin.lines().joined()).hasPrefix("1: {}"))
    }

    @Test func `at once is after one more look at what can be read`() throws {
        start()
        admin.post("test.settle", #"{"limit_ms":0}"#)
        look(atMS: 7)
        #expect(admin.lines() == [])
        look(atMS: 7)
        #expect(try data()?["owed"]?.elements.count == 1)
    }

    @Test func `screens and screeners owe, too, and who is named does not`() throws {
        let screen = host.ready("ui", identity: "org.screen")
        screen.post("ui.claim")
        a.ring(1)
        let other = host.ready("admin")
        admin.post("test.settle", #"{"limit_ms":0}"#)
        other.post("test.settle", #"{"limit_ms":0,"ignore":["org.screen"]}"#)
        look(atMS: 0)
        look(atMS: 0)
        #expect(
            try data()?["owed"]?.description
                == #"[{"who":"org.screen","request":1,"asked":"ui.present","call":"c1"}]"#)
        #expect(other.lines().joined().contains(#""result":{"seq":"#))
    }

    @Test func `a plugin that is started owes its hello, and one that is silent a ping`() throws {
        let stage = PluginHostStage(["org.bell": PluginHostStage.bell(#""start":"boot""#)])
        let broker = stage.memory.broker
        func owed(_ id: Int) throws -> [String] {
            _ = stage.admin.lines()
            stage.admin.send(Frame.request(id, "test.settle", #"{"limit_ms":0}"#))
            for _ in 1...2 {
                broker.answerSettled()
                broker.expireSettleWaits(at: .zero)
            }
            let reply = try #require(
                try stage.admin.lines().map { try JSONTree($0) }.last {
                    $0["id"] == .integer(Int64(id))
                })
            let debts = reply["error"]?["data"]?["owed"]?.elements ?? []
            return debts.map { "\($0["who"]?.string ?? "") \($0["asked"]?.string ?? "")" }
        }
        stage.memory.turn()
        #expect(stage.spawned.count == 1)
        #expect(try owed(10) == ["org.bell broker.hello"])
        let plugin = stage.plugin()
        plugin.send(
            Frame.hello(#""roles":["provider"]"#),
            Frame.request(
                1, "provider.register", #"{"display_name":"Bell","handle_types":["generic"]}"#))
        _ = plugin.lines()
        #expect(try owed(11) == [])
        for _ in 0..<4 { stage.memory.turn(afterMS: 15_000) }
        #expect(plugin.lines().count == 1)
        #expect(try owed(12) == ["org.bell broker.ping"])
    }

    @Test func `a test may take its question back`() {
        start()
        admin.post("test.settle")
        admin.send(Frame.notification("broker.cancel", #"{"request":1}"#))
        #expect(admin.lines() == [Frame.cancelled("1")])
        look(atMS: 60_000)
        #expect(admin.lines() == [])
    }

    @Test func `who waits when the broker stops is told`() {
        start()
        admin.post("test.settle")
        host.stop()
        #expect(admin.lines().first?.contains(#""id":1,"error":{"code":-32018"#) == true)
    }

    // MARK: - While the clock is moved

    private func advance(_ ms: Int, _ more: String = "") {
        admin.post("test.advance", #"{"ms":\#(ms),"settle":true\#(more)}"#)
        host.finishAdvance()
    }

    @Test func `the clock waits for answers before each step and at the end`() {
        start()
        advance(60_000)
        #expect(host.now == .zero)
        #expect(!host.broker.hasWork)
        _ = a.fulfilling(1)
        host.finishAdvance()
        #expect(host.now == .zero.advanced(milliseconds: 60_000))
        #expect(admin.lines().joined().contains(#""now_ms":60000"#))
    }

    @Test func `a step asks for something new, and is waited for`() {
        start()
        _ = a.fulfilling(1)
        // After two minutes of dialling the call is ended.
        advance(200_000)
        #expect(host.now == .zero.advanced(milliseconds: 120_000))
        #expect(a.brief().contains { $0.contains(" end c1 ") })
        a.send(Frame.result(2))
        host.finishAdvance()
        #expect(host.now == .zero.advanced(milliseconds: 200_000))
    }

    @Test func `the clock stays where nobody answers, and it is said who`() throws {
        start()
        advance(60_000, #","limit_ms":1000"#)
        look(atMS: 0)
        look(atMS: 999)
        #expect(admin.lines() == [])
        look(atMS: 1_000)
        let data = try #require(try data())
        #expect(data["now_ms"] == .integer(0))
        #expect(data["fired"] == .integer(0))
        #expect(data["owed"]?.elements.first?["who"] == .string("org.a"))
        #expect(host.broker.advance == nil)
    }

    @Test func `who is named may stay silent until its time is over`() {
        start()
        advance(4_000, #","ignore":["org.a"]"#)
        #expect(host.now == .zero.advanced(milliseconds: 4_000))
        #expect(admin.lines().count == 1)
    }

    @Test func `without settle it does not wait`() {
        start()
        admin.post("test.advance", #"{"ms":4000}"#)
        host.finishAdvance()
        #expect(host.now == .zero.advanced(milliseconds: 4_000))
    }
}
