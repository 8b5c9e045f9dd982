import BrokerSocket
import CallBroker
import CallTesting
import Testing

/// Pushes of servers to their apps (PushKit): delivered, waiting for their apps, and answered by a
/// call.
struct BrokerPushTests {
    private static let voip = #""push_types":["voip"]"#

    private let host = MemoryBroker()
    private let gateway: MemoryPeer

    init() {
        gateway = host.ready("controller", "admin", "observer")
    }

    private func app(_ members: String = voip) -> MemoryPeer {
        let app = host.provider("org.a", members)
        _ = app.lines()
        return app
    }

    /// Delivers a push, and returns the reply if there is one.
    @discardableResult
    private func deliver(
        _ members: String = "", payload: String = #"{"id":7.5}"#
    ) throws -> JSONTree? {
        gateway.post("push.deliver", #"{"provider":"org.a","payload":\#(payload)\#(members)}"#)
        return try gateway.lines().last.map { try JSONTree($0) }
    }

    private func reason(_ reply: JSONTree?) -> String? {
        reply?["error"]?["data"]?["reason"]?.string
    }

    /// The unanswered pushes that the app has got since it was asked last.
    private func received(_ app: MemoryPeer) throws -> [JSONTree] {
        try app.lines().map { try JSONTree($0) }.filter { $0["method"] == .string("push.received") }
    }

    private func handle(_ push: JSONTree, _ app: MemoryPeer) throws {
        app.send(Frame.result(try #require(push["id"]?.integer)))
    }

    private func listed() throws -> JSONTree {
        gateway.post("provider.list")
        let list = try JSONTree(#require(gateway.lines().last))
        return try #require(list["result"]?["providers"]?.elements.first)
    }

    @Test func `a push reaches the app as its server has sent it`() throws {
        let app = app()
        let reply = try deliver()
        #expect(reply?["result"]?["delivered"] == .boolean(true))
        let push = try #require(try received(app).first)
        #expect(push["params"]?["push"] == reply?["result"]?["push"])
        #expect(push["params"]?["type"] == .string("voip"))
        #expect(push["params"]?["payload"] == (try JSONTree(#"{"id":7.5}"#)))
        #expect(push["params"]?["deadline_ms"]?.integer == 30_000)
    }

    @Test func `a sender that waits is told whether the app has reported a call`() throws {
        let app = app()
        #expect(try deliver(#","wait":"completed""#) == nil)
        let push = try #require(try received(app).first)
        app.ring(1)
        try handle(push, app)
        let reply = try JSONTree(#require(gateway.lines().last))
        #expect(reply["result"]?["reported_call"] == .boolean(true))
        #expect(try listed()["unreported_pushes"] == nil)
    }

    @Test func `a call that is refused was reported, too`() throws {
        let app = app()
        _ = gateway.tell("policy.set", #"{"do_not_disturb":{"on":true}}"#)
        try deliver(#","wait":"completed""#)
        let push = try #require(try received(app).first)
        #expect(app.ring(1).joined().contains("do_not_disturb"))
        try handle(push, app)
        #expect(gateway.lines().joined().contains(#""reported_call":true"#))
    }

    @Test(arguments: [(2, true), (3, false), (0, false)] as [(Int32, Bool)])
    func `a call of another provider counts if both are of one process`(
        other: Int32, counts: Bool
    ) throws {
        // Process 0 stands for one that the broker cannot see.
        let pid: Int32 = other == 0 ? 0 : 2
        let app = host.provider("org.a", Self.voip, pid: pid)
        _ = app.lines()
        let second = host.provider("org.a.2", pid: other)
        try deliver(#","wait":"completed""#)
        let push = try #require(try received(app).first)
        second.ring(1)
        try handle(push, app)
        #expect(gateway.lines().joined().contains(#""reported_call":\#(counts)"#))
    }

    @Test func `a dry run is no report`() throws {
        let app = app()
        try deliver(#","wait":"completed""#)
        let push = try #require(try received(app).first)
        app.ring(1, #""dry_run":true"#)
        try handle(push, app)
        #expect(gateway.lines().joined().contains(#""reported_call":false"#))
    }

    @Test func `an app that reports no call is counted, and told in CallKit's words`() throws {
        let app = app()
        try deliver()
        try handle(try #require(try received(app).first), app)
        let told = try JSONTree(#require(app.lines().last))
        #expect(told["method"] == .string("push.unreported"))
        #expect(told["params"]?["in_a_row"]?.integer == 1)
        #expect(told["params"]?["stopped"] == .boolean(false))
        #expect(try listed()["unreported_pushes"]?.integer == 1)
        let words = "org.a never posted an incoming call to the system after receiving a PushKit"
        #expect(host.log.lines.contains { $0.hasPrefix("error " + words) })
    }

    @Test func `so is one that does not answer in time`() throws {
        let app = app()
        try deliver(#","wait":"completed""#)
        _ = try received(app)
        host.turn(afterMS: 29_999)
        #expect(gateway.lines().isEmpty)
        host.turn(afterMS: 1)
        #expect(gateway.lines().joined().contains(#""reason":"deadline_exceeded""#))
        let told = app.lines().joined()
        #expect(told.contains("broker.cancel") && told.contains("push.unreported"))
    }

    @Test func `a push of another type needs no call`() throws {
        let app = app(#""push_types":["file_provider"]"#)
        try deliver(#","type":"file_provider""#)
        try handle(try #require(try received(app).first), app)
        #expect(app.lines().isEmpty)
        #expect(try listed()["unreported_pushes"] == nil)
    }

    @Test func `after five in a row delivery stops, until it is reset`() throws {
        let app = app()
        for _ in 1...5 {
            try deliver()
            try handle(try #require(try received(app).first), app)
        }
        #expect(app.lines().last?.contains(#""in_a_row":5,"stopped":true"#) == true)
        #expect(reason(try deliver()) == "pushes_stopped")
        #expect(try listed()["pushes_stopped"] == .boolean(true))
        // Other types go on.
        #expect(try deliver(#","type":"complication""#)?["result"] != nil)
        gateway.post("push.reset", #"{"provider":"org.a"}"#)
        _ = gateway.lines()
        #expect(try deliver()?["result"]?["delivered"] == .boolean(true))
        #expect(try listed()["unreported_pushes"] == nil)
    }

    @Test func `a reported call ends the row`() throws {
        let app = app()
        for number in 1...6 {
            try deliver()
            let push = try #require(try received(app).first)
            if number == 4 { app.ring(1) }
            try handle(push, app)
        }
        #expect(try listed()["unreported_pushes"]?.integer == 5)
        #expect(try listed()["pushes_stopped"] == nil)
    }

    @Test func `the app's own error is the reply of a sender that waits`() throws {
        let app = app()
        try deliver(#","wait":"completed""#)
        let push = try #require(try received(app).first)
        let id = try #require(push["id"]?.integer)
        app.send(Frame.error("\(id)", -32_000, "unknown_account", "nobody"))
        #expect(gateway.lines().joined().contains(#""reason":"unknown_account""#))
    }

    @Test func `a push waits for an app that has not registered its type`() throws {
        let app = app("")
        #expect(try deliver()?["result"]?["delivered"] == .boolean(false))
        #expect(app.lines().isEmpty)
        app.post("provider.update", "{\(Self.voip)}")
        #expect(try received(app).count == 1)
    }

    @Test func `a push that has waited too long is dropped`() throws {
        let app = app("")
        try deliver(#","wait":"completed","ttl_ms":1000"#)
        host.turn(afterMS: 1_000)
        #expect(gateway.lines().joined().contains(#""reason":"deadline_exceeded""#))
        app.post("provider.update", "{\(Self.voip)}")
        #expect(try received(app).isEmpty)
    }

    @Test func `a sender may cancel what waits`() throws {
        let app = app("")
        try deliver(#","wait":"completed""#)
        gateway.send(Frame.notification("broker.cancel", #"{"request":\#(gateway.lastID)}"#))
        #expect(gateway.lines().joined().contains(#""code":-32010"#))
        app.post("provider.update", "{\(Self.voip)}")
        #expect(try received(app).isEmpty)
    }

    @Test func `an app that goes away before it is done ends the push`() throws {
        let app = app()
        try deliver(#","wait":"completed""#)
        app.vanish()
        #expect(gateway.lines().joined().contains(#""reason":"provider_gone""#))
    }

    @Test func `a sender may leave before the app has answered`() throws {
        let app = app()
        try deliver(#","wait":"completed""#)
        let push = try #require(try received(app).first)
        gateway.vanish()
        try handle(push, app)
        #expect(app.lines().joined().contains("push.unreported"))
    }

    @Test func `the pushes that wait are limited, for one app and for all`() throws {
        let app = app("")
        for _ in 1...32 { try deliver() }
        let refused = try deliver()
        #expect(reason(refused) == "push_queue_full")
        #expect(refused?["error"]?["data"]?["retryable"] == .boolean(true))
        host.turn(afterMS: 30_000)
        #expect(try deliver()?["result"] != nil)
        for number in 1...8 {
            _ = host.provider("org.b\(number)")
            for _ in 1...32 {
                gateway.post("push.deliver", #"{"provider":"org.b\#(number)","payload":{}}"#)
            }
        }
        #expect(gateway.lines().joined().contains("push_queue_full"))
        #expect(app.lines().isEmpty)
    }

    @Test func `a payload has at most 5,120 bytes`() throws {
        let app = app()
        func payload(_ bytes: Int) -> String {
            #"{"a":"\#(String(repeating: "x", count: bytes - 8))"}"#
        }
        #expect(try deliver(payload: payload(5_120))?["result"] != nil)
        #expect(reason(try deliver(payload: payload(5_121))) == "too_long")
        #expect(try received(app).count == 1)
    }

    @Test func `an app that nobody knows, or that the user has denied, gets none`() throws {
        #expect(reason(try deliver()) == "unknown_provider")
        _ = app()
        _ = gateway.tell("policy.set", #"{"authorization":{"org.a":"denied"}}"#)
        #expect(reason(try deliver()) == "unentitled")
    }

    @Test func `only a controller delivers, and only to what it may reach`() {
        let observer = host.ready("observer")
        observer.post("push.deliver", #"{"provider":"org.a","payload":{}}"#)
        #expect(observer.lines().joined().contains("role_not_granted"))
    }

    @Test func `at most eight types are registered, and listed`() throws {
        _ = app(#""push_types":["voip","x_new"]"#)
        #expect(try listed()["push_types"]?.elements == [.string("voip"), .string("x_new")])
        let nine = (1...9).map { #""t\#($0)""# }.joined(separator: ",")
        let other = host.ready("provider", identity: "org.b")
        other.register(#""push_types":[\#(nine)]"#)
        gateway.post("provider.list")
        #expect(!gateway.lines().joined().contains("org.b"))
    }

    @Test func `a provider with push types is the same after a restart`() throws {
        _ = app()
        try host.expectThatItsJournalTellsAll()
    }
}

/// The addresses for pushes, which gateways report.
struct BrokerPushTokenTests {
    private let host = MemoryBroker()

    /// Registers an app, and returns what it is sent about tokens then.
    private func register(_ app: MemoryPeer, _ types: String = #""voip""#) -> [String] {
        app.post(
            "provider.register",
            #"{"display_name":"A","handle_types":["phone"],"push_types":[\#(types)]}"#)
        return tokens(app)
    }

    private func tokens(_ app: MemoryPeer) -> [String] {
        app.lines().filter { $0.contains(#""push.token""#) }.compactMap {
            $0.split(separator: #""params":"#, maxSplits: 1).last.map { String($0.dropLast()) }
        }
    }

    private func set(_ gateway: MemoryPeer, _ token: String, type: String = "voip") {
        gateway.post(
            "push.set_token", #"{"provider":"org.a","type":"\#(type)","token":\#(token)}"#)
    }

    @Test func `without a gateway the identity is the address`() {
        let app = host.ready("provider", identity: "org.a")
        #expect(register(app) == [#"{"type":"voip","token":"org.a"}"#])
        #expect(register(app, "").isEmpty)
    }

    @Test func `a gateway's address reaches the app at once, and after each registration`() {
        let (app, gateway) = (host.ready("provider", identity: "org.a"), host.controller())
        _ = register(app)
        set(gateway, #""https://push.example/1""#)
        let token = #"{"type":"voip","token":"https://push.example/1"}"#
        #expect(tokens(app) == [token])
        #expect(register(app) == [token])
        set(gateway, #""https://push.example/1""#)
        #expect(tokens(app).isEmpty)
    }

    @Test func `an address that is no longer valid is null`() {
        let (app, gateway) = (host.ready("provider", identity: "org.a"), host.controller())
        _ = register(app)
        set(gateway, #""t""#)
        _ = tokens(app)
        set(gateway, "null")
        #expect(tokens(app) == [#"{"type":"voip","token":null}"#])
        #expect(register(app) == [#"{"type":"voip","token":"org.a"}"#])
    }

    @Test func `it lives as long as the connection of its gateway; another's counts then`() {
        let app = host.ready("provider", identity: "org.a")
        _ = register(app)
        let (first, second) = (host.controller(), host.controller())
        set(first, #""one""#)
        set(second, #""two""#)
        #expect(tokens(app).count == 2)
        second.vanish()
        #expect(tokens(app) == [#"{"type":"voip","token":"one"}"#])
        first.vanish()
        #expect(tokens(app) == [#"{"type":"voip","token":null}"#])
    }

    @Test func `an app is not told of types that it has not registered`() {
        let (app, gateway) = (host.ready("provider", identity: "org.a"), host.controller())
        #expect(register(app, "").isEmpty)
        set(gateway, #""t""#)
        set(gateway, #""f""#, type: "file_provider")
        #expect(tokens(app).isEmpty)
        app.post("provider.update", #"{"push_types":["file_provider"]}"#)
        #expect(tokens(app) == [#"{"type":"file_provider","token":"f"}"#])
    }

    @Test func `addresses are for known apps, and limited`() {
        let gateway = host.controller()
        set(gateway, #""t""#)
        #expect(gateway.lines().joined().contains("unknown_provider"))
        _ = register(host.ready("provider", identity: "org.a"))
        for number in 1...1_025 { set(gateway, #""t""#, type: "t\(number)") }
        let replies = gateway.lines()
        #expect(replies.count == 1_025)
        #expect(replies.last?.contains("max_entries") == true)
    }
}

/// Pushes that start the apps that they are for.
struct BrokerPushStartTests {
    private typealias Stage = PluginHostStage

    private static let members =
        #""push_types":["voip"],"start_by":{"dbus":"org.example.Phone"}"#

    @Test func `an app that does not run is started, and gets the push when it has registered`()
        throws
    {
        let stage = Stage([:])
        let former = stage.memory.provider("org.a", Self.members)
        former.post("provider.unregister")
        former.vanish()
        let startable = try stage.ask("provider.list")["startable"]?.elements.first
        #expect(startable?["push_types"]?.elements == [.string("voip")])
        let reply = try stage.ask("push.deliver", #"{"provider":"org.a","payload":{"n":1}}"#)
        #expect(reply["started"] == .boolean(true))
        #expect(stage.spawned.first?.arguments.last == "org.example.Phone")
        stage.exit(0, .code(0))
        let app = stage.memory.ready("provider", identity: "org.a")
        app.post(
            "provider.register",
            "{\"display_name\":\"A\",\"handle_types\":[\"phone\"],\(Self.members)}")
        let lines = app.lines()
        let names = ["\"result\"", "push.token", "push.received"]
        #expect(lines.count == 3 && zip(lines, names).allSatisfy { $0.contains($1) }, "\(lines)")
    }

    @Test func `a second push needs no second start`() throws {
        let stage = Stage([:])
        let former = stage.memory.provider("org.a", Self.members)
        former.post("provider.unregister")
        former.vanish()
        _ = try stage.ask("push.deliver", #"{"provider":"org.a","payload":{}}"#)
        let second = try stage.ask("push.deliver", #"{"provider":"org.a","payload":{}}"#)
        #expect(second["started"] == nil)
        #expect(stage.spawned.count == 1)
    }

    @Test func `an app that was about to leave is started once it has left`() throws {
        let stage = Stage([:])
        let former = stage.memory.provider("org.a", Self.members)
        // The broker waits for the return of an app with calls.
        former.ring(1)
        former.vanish()
        let reply = try stage.ask("push.deliver", #"{"provider":"org.a","payload":{}}"#)
        #expect(reply["delivered"] == .boolean(false) && reply["started"] == nil)
        #expect(stage.spawned.isEmpty)
        stage.memory.turn(afterMS: 5_000)
        #expect(stage.news().contains("provider.removed"))
        #expect(stage.spawned.count == 1)
        // One that leaves again without having registered is not started for ever.
        stage.exit(0, .code(1))
        stage.memory.turn(afterMS: 1)
        #expect(stage.spawned.count == 1)
    }

    @Test func `a plugin that was about to end is started once it has ended`() throws {
        let stage = Stage([
            "org.bell": Stage.bell(
                #""provider":{"handle_types":["generic"],"push_types":["voip"]}"#)
        ])
        _ = try stage.ask("push.deliver", #"{"provider":"org.bell","payload":{}}"#)
        let plugin = stage.plugin()
        _ = plugin.ask(Frame.hello(#""roles":["provider"]"#))
        plugin.post(
            "provider.register",
            #"{"display_name":"A","handle_types":["generic"],"push_types":["voip"]}"#)
        plugin.vanish()
        let reply = try stage.ask("push.deliver", #"{"provider":"org.bell","payload":{"n":2}}"#)
        #expect(reply["delivered"] == .boolean(false))
        stage.exit(0, .code(0))
        stage.memory.turn(afterMS: 5_000)
        #expect(stage.spawned.count == 2)
    }

    @Test func `one that may not wait starts nothing`() throws {
        let stage = Stage([:])
        let former = stage.memory.provider("org.a", Self.members)
        former.post("provider.unregister")
        former.vanish()
        let reply = try stage.ask(
            "push.deliver", #"{"provider":"org.a","payload":{},"ttl_ms":0}"#)
        #expect(reply["delivered"] == .boolean(false) && reply["started"] == nil)
        #expect(stage.spawned.isEmpty)
    }

    @Test func `a plugin on demand is started, too`() throws {
        let stage = Stage([
            "org.bell": Stage.bell(
                #""provider":{"handle_types":["generic"],"push_types":["voip"]}"#)
        ])
        let reply = try stage.ask("push.deliver", #"{"provider":"org.bell","payload":{}}"#)
        #expect(reply["started"] == .boolean(true), "\(reply)")
        #expect(stage.spawned.count == 1)
        let plugin = stage.plugin()
        _ = plugin.ask(Frame.hello(#""roles":["provider"]"#))
        plugin.post(
            "provider.register",
            #"{"display_name":"A","handle_types":["generic"],"push_types":["voip"]}"#)
        #expect(plugin.lines().last?.contains("push.received") == true)
    }
}
