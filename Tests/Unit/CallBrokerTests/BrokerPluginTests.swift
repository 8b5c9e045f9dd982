import BrokerSocket
import CallBroker
import CallTesting
import Testing

/// Plugins, seen by an admin and by themselves.
struct BrokerPluginTests {
    private typealias Stage = PluginHostStage

    private static let hello = Frame.hello(#""roles":["provider"]"#)
    private static let register = Frame.request(
        1, "provider.register", #"{"display_name":"Bell","handle_types":["generic"]}"#)

    private func stage(_ members: String) -> Stage {
        Stage(["org.bell": Stage.bell(members)])
    }

    // MARK: - The process

    @Test func `a plugin gets a clean environment, and lives beside its manifest`() {
        let stage = stage(
            #""start":"boot","env":{"LOUD":"1"},"env_pass":["FIFO","NONE"],"memory_mb":64,"nofile":32"#
        )
        var expected = ChildSettings(
            name: "org.bell", program: "/plugins/bell", arguments: ["./bell"],
            environment: [
                "BROKER_SOCKET=/run/broker.sock", "FIFO=/f", "HOME=/home/ada", "LANG=C", "LOUD=1",
                "PATH=/usr/local/bin:/usr/bin:/bin",
            ], folder: "/plugins", wiring: .standard)
        expected.memoryBytes = 64 << 20
        expected.descriptors = 32
        #expect(stage.spawned == [expected])
    }

    @Test func `a program without a path is looked for beside the manifest, then in PATH`() {
        let stage = Stage([
            "org.bell": #"{"manifest":1,"identity":"org.bell","roles":["provider"],"start":"boot","#
                + #""exec":["python3","bell.py"],"cwd":"sub","transport":"fd3"}"#
        ])
        #expect(stage.spawned.map(\.program) == ["/usr/bin/python3"])
        #expect(stage.spawned.map(\.folder) == ["/plugins/sub"])
        #expect(stage.spawned.map(\.wiring) == [.third])
    }

    @Test func `with an implicit handshake it is registered the moment it runs`() throws {
        let stage = stage(Stage.implicit)
        #expect(stage.news() == ["provider.added", "stopped -> ready {}"])
        let provider = try stage.ask("provider.list")["providers"]?.elements.first
        #expect(provider?["display_name"] == .string("org.bell"))
        let plugin = stage.plugin()
        plugin.send(
            Frame.request(
                "u1", "call.report_incoming",
                #"{"call":"7b0c7c52-6a3e-4c1f-9f4b-0d3a5e1c2b01","remote":{"type":"generic","value":"Ada"}}"#
            ))
        #expect(plugin.brief().first?.hasPrefix("u1: ") == true)
    }

    @Test func `a screener with an implicit handshake is asked from the moment it runs`() {
        let stage = Stage([
            "org.guard": #"{"manifest":1,"identity":"org.guard","roles":["screener"],"#
                + #""start":"boot","exec":["./guard"],"handshake":"implicit"}"#
        ])
        let guardian = stage.plugin()
        let phone = stage.memory.provider("org.a")
        phone.ring(1)
        guardian.answer("screener.check", #"{"verdict":"block"}"#)
        #expect(phone.brief() == ["1: -32008 screener rule=32"])
    }

    @Test func `it may still say hello, once`() {
        let stage = stage(Stage.implicit)
        let plugin = stage.plugin()
        #expect(plugin.ask(Self.hello).first?.contains(#""granted_roles":["provider"]"#) == true)
        #expect(plugin.ask(Self.hello).first?.contains("already_initialized") == true)
    }

    @Test func `with an explicit one it says hello and registers, and is ready then`() {
        let stage = stage(#""start":"boot""#)
        #expect(stage.news() == ["stopped -> starting {}"])
        let plugin = stage.plugin()
        #expect(plugin.ask(Self.hello).first?.contains(#""granted_roles":["provider"]"#) == true)
        #expect(stage.news() == [])
        _ = plugin.ask(Self.register)
        #expect(stage.news() == ["provider.added", "starting -> ready {}"])
    }

    @Test func `ten seconds without hello, and it is told to go, and made to`() {
        let stage = stage(#""start":"boot""#)
        let plugin = stage.plugin()
        stage.memory.turn(afterMS: 10_000)
        #expect(plugin.brief() == ["goodbye stop"])
        #expect(stage.processes[0].signals == [15])
        stage.memory.turn(afterMS: 5_000)
        #expect(stage.processes[0].signals == [15, 9])
        stage.exit(0, .signal(9))
        #expect(
            stage.news() == [
                "stopped -> starting {}",
                #"starting -> backoff {"exit":{"signal":9},"failure":"hello_missing"}"#,
            ])
    }

    @Test func `one that dies is told of with its last words, and comes back`() throws {
        let stage = stage(Stage.implicit)
        _ = stage.news()
        stage.log("one\ntwo\nthree\nfour\nfive\nno audio")
        stage.exit(0, .code(1))
        #expect(
            stage.news() == [
                "provider.lost", "provider.removed",
                #"ready -> backoff {"exit":{"code":1},"failure":"exited","stderr":["two","three","four","five","no audio"]}"#,
            ])
        #expect(
            try stage.row()["failure_message"] == .string("the process exited with status 1"))
        stage.memory.turn(afterMS: 399)
        #expect(stage.spawned.count == 1)
        stage.memory.turn(afterMS: 201)
        #expect(stage.spawned.count == 2)
        #expect(stage.news() == ["provider.added", #"backoff -> ready {}"#])
    }

    @Test func `a process that ends is enough, though its socket stays open`() {
        let stage = stage(Stage.implicit)
        let plugin = stage.plugin()
        stage.exit(0, .code(0))
        #expect(plugin.brief() == ["goodbye process_exited"])
        #expect(stage.news().last == #"ready -> stopped {"exit":{"code":0}}"#)
    }

    @Test func `a socket that ends first changes nothing about how it ended`() {
        let stage = stage(Stage.implicit)
        stage.plugin().vanish()
        stage.exit(0, .code(0))
        #expect(
            stage.news() == [
                "provider.added", "stopped -> ready {}", "provider.lost", "provider.removed",
                #"ready -> stopped {"exit":{"code":0}}"#,
            ])
    }

    @Test func `a program that cannot be run is told of`() throws {
        let stage = stage("")
        stage.fault = SocketError(.system, "cannot run /plugins/bell: No such file or directory")
        _ = try stage.ask("plugin.start", #"{"plugin":"org.bell"}"#)
        let row = try stage.row()
        #expect(row["state"] == .string("backoff"))
        #expect(row["failure_message"] == .string("\(stage.fault.map { "\($0)" } ?? "")"))
    }

    // MARK: - Signs of life

    @Test func `a minute of silence is broken by a ping, and an error is an answer`() throws {
        let stage = stage(Stage.implicit)
        let plugin = stage.plugin()
        for _ in 0..<4 { stage.memory.turn(afterMS: 15_000) }
        #expect(plugin.lines() == [Frame.request(1, "broker.ping", "{}")])
        plugin.send(Frame.error("1", -32_601, "unknown_method", "what?"))
        stage.memory.turn(afterMS: 10_000)
        #expect(plugin.lines() == [])
        #expect(try stage.row()["state"] == .string("ready"))
    }

    @Test func `two misses, and it is replaced`() {
        let stage = stage(Stage.implicit)
        let plugin = stage.plugin()
        for _ in 0..<4 { stage.memory.turn(afterMS: 15_000) }
        stage.memory.turn(afterMS: 10_000)
        _ = stage.news()
        stage.memory.turn(afterMS: 10_000)
        #expect(stage.news() == ["ready -> unresponsive {\"failure\":\"unresponsive\"}"])
        #expect(plugin.brief().last == "goodbye stop")
        stage.exit(0, .signal(15))
        stage.memory.turn(afterMS: 600)
        #expect(stage.spawned.count == 2)
    }

    // MARK: - What it writes

    @Test func `a line that is no frame is a log line, and it is warned once`() throws {
        let stage = stage(Stage.implicit)
        let plugin = stage.plugin()
        #expect(
            plugin.ask("starting up", "  still").map { $0.contains("stray_output") } == [true])
        let lines = try stage.ask("plugin.logs", #"{"plugin":"org.bell"}"#)["lines"]?.elements
        #expect(lines?.map { $0["text"] } == [.string("starting up"), .string("  still")])
        // What looks like a frame and is none is our business.
        #expect(plugin.ask("{oops").first?.contains("-32700") == true)
    }

    @Test func `of a flood 200 lines a second are kept`() throws {
        let stage = stage(Stage.implicit)
        stage.log(String(repeating: "x\n", count: 300))
        let logs = try stage.ask("plugin.logs", #"{"plugin":"org.bell","limit":1}"#)
        #expect(logs["last"] == .integer(200))
        #expect(logs["dropped"] == .integer(100))
        let findings = try stage.ask("plugin.doctor")["findings"]?.elements
        #expect(
            findings?.first?["message"]
                == .string("writes too much output: 100 lines were dropped"))
    }

    @Test func `logs go on where the last page ended`() throws {
        let stage = stage(Stage.implicit)
        stage.log("a\nb\nc\n")
        let page = try stage.ask("plugin.logs", #"{"plugin":"org.bell","after":1,"limit":1}"#)
        #expect(page["lines"]?.elements.map { $0["number"] } == [.integer(2)])
        let latest = try stage.ask("plugin.logs", #"{"plugin":"org.bell","limit":2}"#)
        #expect(latest["lines"]?.elements.map { $0["text"] } == [.string("b"), .string("c")])
    }

    @Test func `of more lines than fit into a frame the latest are given, or those that come next`()
        throws
    {
        let stage = stage(Stage.implicit)
        stage.log(String(repeating: String(repeating: "x", count: 8_100) + "\n", count: 20))
        func numbers(_ members: String) throws -> [Int?] {
            let logs = try stage.ask("plugin.logs", #"{"plugin":"org.bell"\#(members)}"#)
            return logs["lines"]?.elements.map { $0["number"]?.integer } ?? []
        }
        #expect(try numbers("") == Array(14...20))
        #expect(try numbers(#","after":0"#) == Array(1...7))
        #expect(try numbers(#","after":19"#) == [20])
    }

    @Test func `one that waits for its app is told of, with what it says of it`() throws {
        let stage = stage(
            #""start":"boot","transport":"connect","#
                + #""provider":{"handle_types":["generic"],"app_process":"separate"}"#)
        stage.log("nobody listens at 127.0.0.1:4444\n")
        #expect(
            try stage.ask("plugin.doctor")["findings"]?.elements.map { "\($0)" } == [
                #"{"plugin":"org.bell","level":"warning","#
                    + #""message":"is running and waits for its app","#
                    + #""hint":"start that app; the plugin's last lines may name it","#
                    + #""stderr":["nobody listens at 127.0.0.1:4444"]}"#
            ])
        _ = stage.memory.connect().ask(
            Frame.hello(#""identity":"org.bell","roles":["provider"]"#))
        #expect(try stage.ask("plugin.doctor")["findings"]?.elements.isEmpty == true)
    }

    // MARK: - Stop

    @Test func `a stopped plugin stays away, and its provider is gone`() throws {
        let stage = stage(Stage.implicit)
        #expect(
            try stage.ask("plugin.stop", #"{"plugin":"org.bell"}"#)["state"] == .string("ready"))
        #expect(try stage.row()["stopping"] == .boolean(true))
        stage.exit(0, .code(0))
        #expect(
            stage.news() == [
                "provider.lost", "provider.removed", #"ready -> stopped {"exit":{"code":0}}"#,
            ])
        stage.memory.turn(afterMS: 100_000)
        #expect(stage.spawned.count == 1)
    }

    @Test func `the broker's own end takes them along`() {
        let stage = stage(Stage.implicit)
        let plugin = stage.plugin()
        stage.memory.stop()
        #expect(!stage.memory.broker.isIdle)
        #expect(plugin.brief().contains("goodbye restarting"))
        stage.memory.turn(afterMS: 1_000)
        #expect(stage.processes[0].signals == [15])
        stage.exit(0, .signal(15))
        #expect(!stage.memory.broker.hasPluginProcesses)
    }

    @Test func `five failures, and only a restart brings it back`() throws {
        let stage = stage(Stage.implicit)
        for index in 0..<5 {
            stage.exit(index, .code(1))
            stage.memory.turn(afterMS: 10_000)
        }
        #expect(stage.spawned.count == 5)
        let refused = try stage.ask("plugin.start", #"{"plugin":"org.bell"}"#)
        #expect(refused["data"]?["reason"] == .string("failed"))
        #expect(
            try stage.ask("plugin.restart", #"{"plugin":"org.bell"}"#)["state"] == .string("ready"))
    }
}
