import BrokerSocket
import CallBroker
import CallTesting
import Testing

/// Rule 32 with plugins that are not there: who is started, who is waited for, and whose absence blocks.
struct BrokerFilterTests {
    private typealias Stage = PluginHostStage

    private static let guardian = "org.guard"
    private static let rings = #"1: {"call":"c1","state":"ringing","presentation":"ring"}"#
    private static let blocked = "1: -32008 screener rule=32"

    /// A manifest of a screener, or of something else.
    private static func manifest(
        _ identity: String = guardian, roles: String = "screener", _ members: String = ""
    ) -> String {
        let more = members.isEmpty ? "" : "," + members
        return
            #"{"manifest":1,"identity":"\#(identity)","roles":["\#(roles)"],"exec":["./it"]\#(more)}"#
    }

    private static let closed = #""screener":{"fail":"closed"}"#

    private func stage(_ members: String = "", choices: String = "") -> Stage {
        Stage([Self.guardian: Self.manifest(Self.guardian, members)], choices: choices)
    }

    private func greet(_ plugin: MemoryPeer, _ role: String = "screener") {
        plugin.send(Frame.hello(#""roles":["\#(role)"]"#))
    }

    private func explanation(_ stage: Stage, _ call: Int = 1) throws -> String {
        let reply = try stage.ask("call.explain", #"{"call":"\#(ShortID.call(call))"}"#)
        let steps = reply["steps"]?.elements ?? []
        return steps.compactMap { $0["explanation"]?["text"]?.string }.joined()
    }

    // MARK: - Those that come with the first call

    @Test func `a screener that starts with the first call is started by it, and asked`() {
        let stage = stage()
        let app = stage.memory.provider()
        #expect(stage.spawned.isEmpty)
        #expect(app.ring(1) == [])
        #expect(stage.spawned.count == 1)
        stage.memory.turn(afterMS: 400)
        let plugin = stage.plugin()
        greet(plugin)
        let asked = plugin.asked("screener.check")
        #expect(asked.map { $0.params["deadline_ms"]?.integer } == [1_100])
        for (id, _) in asked { plugin.send(Frame.result(id, #"{"verdict":"block"}"#)) }
        #expect(app.brief() == [Self.blocked])
    }

    @Test func `the hello of one that is waited for is answered before it is asked`() throws {
        let stage = stage()
        _ = stage.memory.provider().ring(1)
        let frames = stage.plugin().ask(Frame.hello(#""roles":["screener"]"#))
        let methods = try frames.map { try JSONTree($0)["method"]?.string }
        #expect(methods == [nil, "screener.check"])
    }

    @Test func `with an implicit handshake it is asked at once`() {
        let stage = stage(#""handshake":"implicit""#)
        _ = stage.memory.provider().ring(1)
        #expect(stage.plugin().asked("screener.check").count == 1)
    }

    @Test func `one that is not ready in time has nothing to say, and the next call finds it`()
        throws
    {
        let stage = stage()
        let app = stage.memory.provider()
        app.ring(1)
        stage.memory.turn(afterMS: 1_499)
        #expect(app.brief() == [])
        stage.memory.turn(afterMS: 1)
        #expect(app.brief() == [Self.rings])
        #expect(
            try explanation(stage).hasPrefix("org.guard gave no verdict: it was not ready in time"))
        let plugin = stage.plugin()
        greet(plugin)
        #expect(plugin.asked("screener.check").isEmpty)
        app.ring(2)
        #expect(plugin.asked("screener.check").count == 1)
    }

    @Test func `it is waited for within its own budget`() {
        let stage = stage(#""screener":{"budget_ms":3000}"#)
        let app = stage.memory.provider()
        app.ring(1)
        stage.memory.turn(afterMS: 2_999)
        #expect(app.brief() == [])
        stage.memory.turn(afterMS: 1)
        #expect(app.brief() == [Self.rings])
    }

    @Test func `a directory is started by the first call, and waited for as its manifest says`() {
        let stage = Stage([
            "org.names": Self.manifest(
                "org.names", roles: "directory", #""directory":{"budget_ms":900}"#)
        ])
        let app = stage.memory.provider()
        app.ring(1)
        stage.memory.turn(afterMS: 800)
        #expect(app.brief() == [])
        let plugin = stage.plugin()
        greet(plugin, "directory")
        let observer = stage.memory.observer("call.*")
        plugin.answer("directory.lookup", #"{"display_name":"Example Ltd"}"#)
        #expect(app.brief() == [Self.rings])
        #expect(observer.lines().joined().contains(#""name":"Example Ltd""#))
    }

    @Test func `a directory that comes while a call rings says who it is`() {
        let stage = Stage(["org.names": Self.manifest("org.names", roles: "directory")])
        let app = stage.memory.provider()
        app.ring(1)
        stage.memory.turn(afterMS: 700)
        #expect(app.brief() == [Self.rings])
        let observer = stage.memory.observer("call.*")
        let plugin = stage.plugin()
        greet(plugin, "directory")
        plugin.answer("directory.lookup", #"{"display_name":"Example Ltd"}"#)
        #expect(observer.brief() == ["~ c1 ringing (caller) policy/32"])
    }

    @Test func `an outgoing call starts a directory, and waits for nothing`() {
        let stage = Stage(["org.names": Self.manifest("org.names", roles: "directory")])
        _ = stage.memory.provider()
        stage.admin.send(
            Frame.request(
                9, "call.start",
                #"{"provider":"org.a","remote":{"type":"phone","value":"+15551"}}"#))
        #expect(stage.spawned.count == 1)
        let plugin = stage.plugin()
        greet(plugin, "directory")
        #expect(plugin.asked("directory.lookup").count == 1)
    }

    @Test func `a screen is started by the first call, and is given it`() {
        let stage = Stage([
            "org.screen": Self.manifest("org.screen", roles: "ui", #""ui":{"priority":1}"#)
        ])
        let app = stage.memory.provider()
        #expect(app.ring(1) == [Self.rings])
        #expect(stage.spawned.count == 1)
        let screen = stage.plugin()
        greet(screen, "ui")
        #expect(screen.asked("ui.present").count == 1)
    }

    @Test func `what starts by hand, or is not wanted, is not started by a call`() throws {
        let stage = Stage([
            "org.a1": Self.manifest("org.a1", #""start":"manual""#),
            "org.a2": Self.manifest("org.a2"),
        ])
        _ = try stage.ask("plugin.disable", #"{"plugin":"org.a2"}"#)
        #expect(stage.memory.provider().ring(1) == [Self.rings])
        #expect(stage.spawned.isEmpty)
    }

    @Test func `one that fails on its way is waited for no longer than its pause allows`() throws {
        let stage = stage()
        let app = stage.memory.provider()
        app.ring(1)
        stage.exit(0, .code(1))
        // It comes again before the call has to ring.
        #expect(app.brief() == [])
        stage.memory.turn(afterMS: 700)
        #expect(stage.spawned.count == 2)
        stage.exit(1, .code(1))
        #expect(app.brief() == [Self.rings])
        #expect(try explanation(stage).contains("it failed and will be restarted later"))
    }

    @Test func `somebody who waits for rest waits for a filter that is on its way`() {
        let stage = stage()
        _ = stage.memory.provider().ring(1)
        _ = stage.admin.lines()
        stage.admin.send(Frame.request(8, "test.settle"))
        stage.memory.broker.answerSettled()
        #expect(!stage.admin.lines().contains { $0.contains(#""id":8"#) })
        let plugin = stage.plugin()
        greet(plugin)
        plugin.answer("screener.check", #"{"verdict":"allow"}"#)
        stage.memory.broker.answerSettled()
        #expect(stage.admin.lines().contains { $0.contains(#""id":8"#) })
    }

    // MARK: - Those without whose word no call rings

    /// How a screener is not there.
    enum Absence: CaseIterable, Sendable {
        case starting, pausing, givenUp, stopped, disabled, withdrawn, unreadable
    }

    private func lose(_ stage: Stage, by absence: Absence) throws {
        let name = #"{"plugin":"org.guard"}"#
        switch absence {
        case .starting: _ = try stage.ask("plugin.start", name)
        case .pausing:
            _ = try stage.ask("plugin.start", name)
            stage.fault = SocketError(.system, "cannot run it")
            for number in 0..<3 {
                if number == 0 { stage.exit(0, .code(1)) }
                stage.memory.turn(afterMS: 4_000)
            }
        case .givenUp:
            stage.fault = SocketError(.system, "cannot run it")
            _ = try stage.ask("plugin.start", name)
            for _ in 0..<5 { stage.memory.turn(afterMS: 20_000) }
        case .stopped: break
        case .disabled: _ = try stage.ask("plugin.disable", name)
        case .withdrawn:
            stage.manifests = [:]
            _ = try stage.rescan()
        case .unreadable:
            stage.manifests[Self.guardian] = "{"
            _ = try stage.rescan()
        }
    }

    @Test(arguments: Absence.allCases)
    func `no call rings while one that fails closed is not there`(absence: Absence) throws {
        let members = #""start":"\#(absence == .unreadable ? "demand" : "manual")","# + Self.closed
        let stage = stage(members)
        try lose(stage, by: absence)
        let store = try MemoryStore(of: stage.memory)
        let app = stage.memory.provider()
        let atOnce = app.ring(1)
        store.settle()
        stage.memory.turn(afterMS: 1_500)
        #expect(atOnce + app.brief() == [Self.blocked])
        let text = try explanation(stage)
        #expect(text.hasPrefix("org.guard gave no verdict: "), "\(text)")
        #expect(text.contains("requires its verdict before a call rings"))
        store.settle()
        stage.admin.send(Frame.request(6, "history.list"))
        store.settle()
        #expect(stage.admin.lines().joined().contains(#""filtered_by":"org.guard""#))
    }

    @Test(arguments: [Absence.stopped, .disabled, .withdrawn])
    func `a call rings at once while one that fails open is not wanted`(absence: Absence) throws {
        let stage = stage(#""start":"manual""#)
        try lose(stage, by: absence)
        #expect(stage.memory.provider().ring(1) == [Self.rings])
        #expect(try explanation(stage) == "")
    }

    @Test func `one that was killed blocks until it is back, and then is asked`() {
        let stage = stage(#""start":"boot","# + Self.closed)
        greet(stage.plugin())
        stage.exit(0, .signal(9))
        let app = stage.memory.provider()
        app.ring(1)
        stage.memory.turn(afterMS: 700)
        #expect(stage.spawned.count == 2)
        let plugin = stage.plugin(1)
        greet(plugin)
        plugin.answer("screener.check", #"{"verdict":"continue"}"#)
        #expect(app.brief() == [Self.rings])
    }

    @Test func `an app that screens, and is not connected, blocks`() throws {
        let stage = Stage([
            Self.guardian:
                #"{"manifest":1,"identity":"org.guard","roles":["screener"],\#(Self.closed)}"#
        ])
        #expect(stage.memory.provider().ring(1) == [Self.blocked])
        #expect(try explanation(stage).contains("it is not connected"))
    }

    @Test func `one that connects without the role of a screener blocks`() throws {
        let stage = stage(#""start":"boot","# + Self.closed)
        greet(stage.plugin(), "observer")
        #expect(stage.memory.provider().ring(1) == [Self.blocked])
    }

    @Test
    func `that it was needed is known to the next broker, whatever has become of its manifest`()
        throws
    {
        let first = stage(Self.closed)
        let choices = try #require(first.kept.last)
        let stage = Stage([:], choices: choices)
        #expect(stage.memory.provider().ring(1) == [Self.blocked])
        #expect(try stage.row()["state"] == .string("masked"))
        let findings = try stage.ask("plugin.doctor")["findings"]?.elements ?? []
        #expect(findings.count == 1)
        #expect(findings.first?["message"]?.string?.contains("is no longer installed") == true)
        stage.manifests[Self.guardian] = Self.manifest(Self.guardian, Self.closed)
        _ = try stage.rescan()
        let app = stage.memory.provider("org.b")
        app.ring(2)
        let plugin = stage.plugin()
        greet(plugin)
        plugin.answer("screener.check", #"{"verdict":"allow"}"#)
        #expect(app.brief() == [#"1: {"call":"c2","state":"ringing","presentation":"ring"}"#])
    }

    @Test(arguments: ["{}", manifest(guardian, #""start":"manual""#)])
    func `who hides it, or lets it fail open, does without it`(manifest: String) throws {
        let stage = stage(#""start":"manual","# + Self.closed)
        let app = stage.memory.provider()
        #expect(app.ring(1) == [Self.blocked])
        stage.manifests[Self.guardian] = manifest
        _ = try stage.rescan()
        #expect(app.ring(2) == [#"2: {"call":"c2","state":"ringing","presentation":"ring"}"#])
        #expect(stage.kept.last?.contains("org.guard") == false)
    }

    @Test func `an emergency rings whatever is not there`() {
        let stage = stage(#""start":"manual","# + Self.closed)
        let app = stage.memory.provider()
        stage.memory.letClaimEmergencies("org.a")
        #expect(app.ring(1, #""priority":"emergency""#) == [Self.rings])
    }

    @Test func `a call that was looked at when the broker was killed does not ring afterwards`()
        throws
    {
        let stage = stage(Self.closed)
        _ = stage.memory.provider().ring(1)
        let next = Stage(
            [:], choices: try #require(stage.kept.last),
            memory: try MemoryBroker(goingOnAfter: stage.memory))
        let observer = next.memory.observer("call.*")
        next.memory.turn(afterMS: 1_500)
        #expect(observer.brief().joined().contains("call.refused call=c1 reason=screener"))
    }
}
