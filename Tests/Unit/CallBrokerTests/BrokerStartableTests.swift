import BrokerSocket
import CallBroker
import CallTesting
import Testing

/// Apps that are no plugins, and that a call starts: `start_by`.
struct BrokerStartableTests {
    private typealias Stage = PluginHostStage

    private static let bus = #""start_by":{"dbus":"org.example.Phone"}"#
    private static let file = #""start_by":{"desktop":"org.example.Phone.desktop"}"#
    private static let start =
        #"{"provider":"org.a","remote":{"type":"phone","value":"1"},"wait":"completed"}"#
    private static let dryRun =
        #"{"provider":"org.a","remote":{"type":"phone","value":"1"},"dry_run":true}"#

    private let stage = Stage([:])

    /// An app that has registered and ended.
    private func leave(_ members: String = bus) {
        let app = stage.memory.provider("org.a", members)
        _ = app.tell("provider.unregister")
        app.vanish()
        _ = stage.admin.lines()
    }

    private func startable() throws -> [JSONTree] {
        try stage.ask("provider.list")["startable"]?.elements ?? []
    }

    private func reply() -> String {
        stage.admin.lines().first { $0.contains(#""id":9"#) } ?? ""
    }

    @Test(arguments: [
        (bus, ["--dbus", "org.example.Phone"]),
        (file, ["--desktop", "org.example.Phone.desktop"]),
    ])
    func `a call starts the app by its name, and waits for it`(
        members: String, words: [String]
    ) throws {
        leave(members)
        stage.admin.send(Frame.request(9, "call.start", Self.start))
        let starter = try #require(stage.spawned.first)
        #expect(starter.arguments == ["callbroker", "start-app"] + words)
        #expect(starter.environment.contains("BROKER_SOCKET=/run/broker.sock"))
        #expect(starter.environment.contains("DISPLAY=:0"))
        #expect(!starter.environment.contains { $0.hasPrefix("NOTIFY_SOCKET=") })
        #expect(starter.wiring == .none && !starter.endsChildren)
        stage.exit(0, .code(0))
        #expect(reply().isEmpty)
        let app = stage.memory.provider("org.a", members)
        #expect(app.audit.performs.count == 1)
        #expect(stage.news().contains("provider.added"))
    }

    private func asks() -> String {
        stage.admin.tell(
            "call.may_ring",
            #"{"provider":"org.a","remote":{"type":"phone","value":"+15550101"}}"#
        ).last ?? ""
    }

    @Test func `whether a call would ring is known without a start of its app`() throws {
        leave()
        #expect(asks().contains(#""state":"ringing","presentation":"ring""#))
        _ = stage.admin.tell("policy.set", #"{"do_not_disturb":{"on":true}}"#)
        #expect(asks().contains("do_not_disturb"))
        #expect(stage.spawned.isEmpty && !stage.news().contains("provider.added"))
        #expect(try stage.ask("provider.list")["providers"]?.elements ?? [] == [])
    }

    @Test func `an app that is being started would ring as if it were there`() {
        leave()
        stage.admin.send(Frame.request(9, "call.start", Self.start))
        #expect(asks().contains(#""state":"waiting""#), "\(asks())")
    }

    @Test func `calls of the meantime wait for the same start`() {
        leave()
        stage.admin.send(Frame.request(9, "call.start", Self.start))
        stage.admin.send(Frame.request(10, "call.start", Self.start))
        #expect(stage.spawned.count == 1)
    }

    @Test func `a link is for the app that has registered its scheme`() throws {
        leave(Self.bus + #","url_schemes":["bell"]"#)
        stage.admin.send(Frame.request(9, "call.dial", #"{"uri":"bell:front"}"#))
        #expect(stage.spawned.count == 1)
    }

    @Test func `its lines place calls, too`() throws {
        leave(Self.bus + #","lines":[{"line":"work","label":"Work"}]"#)
        stage.admin.send(
            Frame.request(
                9, "call.start", #"{"remote":{"type":"phone","value":"1"},"line":"work"}"#))
        #expect(stage.spawned.count == 1)
    }

    @Test func `a dry run starts nothing, and says what it would start`() throws {
        leave()
        let plan = try stage.ask("call.start", Self.dryRun)
        #expect(plan["would_start"]?.elements == [.string("org.a")])
        #expect(plan["refusal"] == .null)
        #expect(stage.spawned.isEmpty)
        _ = stage.memory.provider("org.a", Self.bus)
        #expect(try stage.ask("call.start", Self.dryRun)["would_start"] == nil)
    }

    @Test(arguments: [ChildProcess.Exit.code(1), .code(10), .code(12), .code(64), .signal(9)])
    func `an app that cannot be started fails the call at once`(exit: ChildProcess.Exit) {
        leave()
        stage.admin.send(Frame.request(9, "call.start", Self.start))
        stage.exit(0, exit)
        #expect(reply().contains(#""code":-32014"#))
        #expect(stage.memory.log.lines.contains { $0.contains("cannot start org.a: ") })
        // The next call tries it again.
        stage.admin.send(Frame.request(9, "call.start", Self.start))
        #expect(stage.spawned.count == 2)
    }

    @Test func `so does a host that starts nothing`() {
        leave()
        stage.fault = SocketError(.unusable, "no processes")
        stage.admin.send(Frame.request(9, "call.start", Self.start))
        let reply = reply()
        #expect(reply.contains(#""reason":"unknown_provider""#), "\(reply)")
    }

    @Test func `an app that does not register fails the call after 20 seconds`() {
        leave()
        stage.admin.send(Frame.request(9, "call.start", Self.start))
        stage.exit(0, .code(0))
        stage.memory.turn(afterMS: 19_999)
        #expect(reply().isEmpty)
        stage.memory.turn(afterMS: 1)
        #expect(reply().contains(#""code":-32014"#))
    }

    @Test func `a program that still starts it ends when the app is there`() {
        leave()
        stage.admin.send(Frame.request(9, "call.start", Self.start))
        _ = stage.memory.provider("org.a", Self.bus)
        #expect(stage.processes[0].signals == [9])
        stage.exit(0, .signal(9))
        #expect(reply().isEmpty)
    }

    @Test func `the list has it, running or not`() throws {
        leave(Self.file)
        let app = try #require(try startable().first)
        #expect(app["provider"] == .string("org.a"))
        #expect(app["start_by"]?["desktop"] == .string("org.example.Phone.desktop"))
        #expect(app["authorization"] == .string("authorized"))
        _ = stage.memory.provider("org.a", Self.bus)
        #expect(try startable().isEmpty)
        let list = try stage.ask("provider.list")["providers"]?.elements
        #expect(list?.first?["start_by"]?["dbus"] == .string("org.example.Phone"))
    }

    @Test func `a registration without the name forgets it, and so does an update`() throws {
        leave()
        leave("")
        #expect(try startable().isEmpty)
        #expect(
            try stage.ask("call.start", Self.start)["data"]?["reason"]
                == .string("unknown_provider"))
        let app = stage.memory.provider("org.a", Self.bus)
        _ = app.tell("provider.update", #"{"start_by":null}"#)
        app.vanish()
        #expect(try startable().isEmpty)
    }

    @Test func `the user's denial forgets it`() throws {
        leave()
        _ = try stage.ask("policy.set", #"{"authorization":{"org.a":"denied"}}"#)
        #expect(try startable().isEmpty)
        _ = try stage.ask("policy.set", #"{"authorization":{"org.a":"authorized"}}"#)
        #expect(try startable().isEmpty)
        _ = try stage.ask("call.start", Self.start)
        #expect(stage.spawned.isEmpty)
    }

    @Test func `an app that the user has not allowed is not started`() throws {
        _ = try stage.ask("policy.set", #"{"new_providers":"ask"}"#)
        leave()
        #expect(try startable().first?["authorization"] == .string("not_determined"))
        let error = try stage.ask("call.start", Self.start)
        #expect(error["data"]?["reason"] == .string("unentitled"))
        #expect(stage.spawned.isEmpty)
        _ = try stage.ask("policy.set", #"{"authorization":{"org.a":"authorized"}}"#)
        stage.admin.send(Frame.request(9, "call.start", Self.start))
        #expect(stage.spawned.count == 1)
    }

    @Test func `it outlives a restart of the broker`() throws {
        leave()
        try stage.memory.expectThatItsJournalTellsAll()
        let next = Stage([:], memory: try MemoryBroker(goingOnAfter: stage.memory))
        let again = Stage([:], memory: try MemoryBroker(goingOnAfter: next.memory))
        #expect(try again.ask("provider.list")["startable"]?.elements.count == 1)
        again.admin.send(Frame.request(9, "call.start", Self.start))
        #expect(again.spawned.count == 1)
    }

    // MARK: - Who may say it

    @Test func `a plugin has a manifest instead`() {
        let stage = Stage(["org.bell": Stage.bell(#""start":"boot""#)])
        let plugin = stage.plugin()
        _ = plugin.ask(Frame.hello(#""roles":["provider"]"#))
        #expect(plugin.register(Self.bus).last?.contains("invalid_value field=/start_by") == true)
    }

    private func register(_ process: PeerProcess, _ rule: String, _ members: String) throws
        -> String
    {
        _ = try stage.ask("policy.set", #"{"rights":[{"sandbox":"any"\#(rule)},{}]}"#)
        let app = stage.memory.connect(known: process)
        _ = app.ask(Frame.hello(#""roles":["provider"],"identity":"org.a""#))
        let reply = app.register(members).last ?? ""
        _ = app.tell("provider.unregister")
        app.vanish()
        return reply
    }

    @Test func `a client that may not see people cannot have itself started`() throws {
        let phone = PeerProcess(sandbox: .flatpak, app: "org.example.Phone")
        let reply = try register(phone, #","redacted":true"#, Self.bus)
        #expect(reply.contains("-32003 limited_view field=/start_by"), "\(reply)")
        #expect(try startable().isEmpty)
    }

    @Test(arguments: [
        (PeerProcess(sandbox: .flatpak, app: "org.example.Phone"), bus, true),
        (PeerProcess(sandbox: .flatpak, app: "org.example.Phone"), file, true),
        (PeerProcess(sandbox: .flatpak, app: "org.example"), bus, true),
        (PeerProcess(sandbox: .flatpak, app: "org.example.Ph"), bus, false),
        (PeerProcess(sandbox: .flatpak, app: "org.other"), file, false),
        (
            PeerProcess(sandbox: .snap, app: "phone"),
            #""start_by":{"desktop":"phone_phone.desktop"}"#, true
        ),
        (PeerProcess(sandbox: .snap, app: "phone"), file, false),
        (PeerProcess(sandbox: .snap, app: "phone"), bus, false),
        (PeerProcess(sandbox: .other), bus, false),
    ])
    func `a program in a sandbox can only name itself`(
        process: PeerProcess, members: String, isAllowed: Bool
    ) throws {
        let reply = try register(process, "", members)
        #expect(reply.contains("invalid_value field=/start_by") == !isAllowed, "\(reply)")
        #expect(try startable().count == (isAllowed ? 1 : 0))
    }

    @Test(arguments: [
        "{}", #"{"dbus":"org.example.Phone","desktop":"a.desktop"}"#, #"{"dbus":"phone"}"#,
        #"{"dbus":":1.7"}"#, #"{"dbus":"org.example.7"}"#, #"{"dbus":"org..example"}"#,
        #"{"desktop":"/etc/a.desktop"}"#, #"{"desktop":"../a.desktop"}"#,
        #"{"desktop":"a/b.desktop"}"#, #"{"desktop":".desktop"}"#, #"{"desktop":"a"}"#,
        #"{"desktop":"-a.desktop"}"#, #"{"desktop":"a\u0000.desktop"}"#, #"{"exec":"/bin/sh"}"#,
    ])
    func `a name that is none is refused`(name: String) {
        let app = stage.memory.ready("provider", identity: "org.a")
        let reply = app.register(#""start_by":\#(name)"#).last ?? ""
        #expect(reply.contains(": -32602 ") || reply.contains(": -32700 "), "\(reply)")
    }

    @Test func `64 apps can be started, and one more registers without it`() {
        for number in 1...64 { _ = stage.memory.provider("org.a\(number)", Self.bus) }
        let app = stage.memory.ready("provider", identity: "org.b")
        #expect(app.register(Self.bus).last?.contains("-32007 max_entries field=/start_by") == true)
        #expect(app.register().last?.contains("org.b") == true)
    }
}
