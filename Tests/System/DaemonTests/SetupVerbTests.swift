import Glibc
import Testing

/// `callbroker setup`: what a first run finds, and what it enables.
struct SetupVerbTests {
    private let world: SetupWorld

    init() throws {
        world = try SetupWorld()
    }

    /// The report of a run for programs.
    private func report(_ arguments: [String], exits code: Int32 = 0) throws -> JSON {
        let tool = try Tool(finishing: world.start(arguments + ["--json"]))
        #expect(tool.end == .exited(code), "\(tool)")
        return try JSON(tool.output)
    }

    private func plugin(_ name: String, of report: JSON) throws -> JSON {
        try #require(report["plugins"]?.elements?.first { $0["name"]?.string == name })
    }

    private func state(_ name: String, _ client: TestClient) throws -> JSON? {
        let params = #"{"plugin":"org.example.\#(name)"}"#
        let reply = try client.request("plugin.list", params, isAlone: false)
        return reply.result?["plugins"]?[0]?["state"]
    }

    // MARK: - What it finds

    @Test func `what plugins need is looked for, and nothing is enabled in a pipe`() throws {
        try world.folder.write("#!/bin/sh\n", to: "tools/ring-tool")
        chmod(world.folder.file("tools/ring-tool"), 0o755)
        try world.bundle("bell", members: #","needs":[{"program":"ring-tool"}]"#)
        try world.bundle(
            "gong", members: #","needs":[{"program":"no-such-tool","package":"gong-tools"}]"#)
        try world.bundle(
            "lamp", members: #","needs":[{"module":"json"},{"module":"no_such_library"}]"#)
        try world.bundle("tower", members: #","needs":[{"bus_name":"org.example.Tower"}]"#)
        try world.bundle("guard", roles: #"["provider","ui"]"#)
        let daemon = try world.daemon()
        let tool = try world.setup()
        #expect(tool.end == .exited(0), "\(tool.errors)")
        #expect(tool.errors == "")
        for line in [
            "Telephones\n", "  bell        found: A bell.\n",
            "  gong        not here: the program no-such-tool is not installed\n"
                + "    sudo apt install gong-tools\n",
            "  lamp        not here: the Python library no_such_library is not installed\n",
            "  tower       not here: this session has no bus, so nothing provides org.example.Tower",
            "Nothing was enabled: answer the questions on a terminal, or use --yes.\n",
            "  callbroker setup ", "  callbroker doctor ",
        ] { #expect(tool.output.contains(line), "\(line): \(tool.output)") }
        #expect(!namesInFolder(world.folder.path).contains("config"))
        let bell = try plugin("bell", of: report([]))
        #expect(bell["state"] == "found" && bell["enabled_now"] == .boolean(false))
        let gong = try plugin("gong", of: report(["--no-input"]))
        #expect(gong["state"] == "missing" && gong["packages"] == .array(["gong-tools"]))
        withExtendedLifetime(daemon) {}
    }

    @Test func `without bundled plugins it says so`() throws {
        rmdir(world.folder.file("share/callbroker/plugins"))
        let daemon = try world.daemon()
        #expect(try world.setup().output.contains("No plugins came with this program"))
        withExtendedLifetime(daemon) {}
    }

    // MARK: - What it enables

    @Test func `--yes enables what was found, as plugin enable does`() throws {
        try world.bundle("bell")
        try world.bundle("gong", members: #","needs":[{"program":"no-such-tool"}]"#)
        let daemon = try world.daemon()
        let bell = try plugin("bell", of: report(["--yes"]))
        #expect(bell["state"] == "enabled" && bell["enabled_now"] == .boolean(true))
        let client = try daemon.connectReady(#""roles":["admin"]"#)
        #expect(try state("bell", client) == "ready")
        #expect(try state("gong", client) == nil)
        let again = try world.setup("--yes")
        #expect(again.output.contains("  bell        enabled: A bell.\n"))
        #expect(!again.output.contains("bell is enabled"))
        #expect(again.end == .exited(0))
    }

    @Test func `of several things that a plugin drives one is enough, and decides its options`()
        throws
    {
        let needs =
            #"{"one_of":[{"program":"no-such-tool","package":"tools"},"#
            + #"{"module":"json","options":{"line":"json"}}]}"#
        let options = #"[{"option":"line","type":"string","default":"tool"}]"#
        try world.bundle("bell", members: #","needs":[\#(needs)],"options":\#(options)"#)
        try world.bundle(
            "gong",
            members: #","needs":[{"one_of":[{"program":"no-such-tool","package":"tools"},"#
                + #"{"module":"no_such_library"}]}]"#)
        let daemon = try world.daemon()
        let gong = try plugin("gong", of: report([]))
        #expect(gong["state"] == "missing" && gong["packages"] == .array(["tools"]))
        #expect(
            gong["problems"]?[0]?.string
                == "the program no-such-tool is not installed, or the Python library "
                + "no_such_library is not installed")
        #expect(try plugin("bell", of: report(["--yes"]))["state"] == "enabled")
        let client = try daemon.connectReady(#""roles":["admin"]"#)
        let listed = try client.request(
            "plugin.list", #"{"plugin":"org.example.bell"}"#, isAlone: false)
        #expect("\(listed)".contains(#""value":"json""#), "\(listed)")
    }

    @Test func `a plugin that was disabled is enabled again`() throws {
        try world.bundle("bell")
        let daemon = try world.daemon()
        let client = try daemon.connectReady(#""roles":["admin"]"#)
        _ = try report(["--yes"])
        _ = try client.request(
            "plugin.disable", #"{"plugin":"org.example.bell"}"#, isAlone: false)
        // It may still be stopping.
        #expect(try plugin("bell", of: report([]))["state"] == "found")
        #expect(try plugin("bell", of: report(["--yes"]))["state"] == "enabled")
        #expect(try state("bell", client) == "ready")
    }

    @Test func `a plugin that does not run is named with the reason and the remedy`() throws {
        // A plugin without a handshake counts as running until it is seen to exit.
        try world.bundle(
            "bell", script: "echo 'no line' >&2; exit 3", handshake: "explicit")
        let daemon = try world.daemon()
        let tool = try world.setup("--yes")
        #expect(tool.end == .exited(1))
        let line = tool.output.split(separator: "\n").first { $0.contains("bell is enabled, and") }
        #expect(line?.contains("does not run: ") == true && line?.contains("no line") == true)
        #expect(tool.output.contains("callbroker plugin"), "\(tool.output)")
        withExtendedLifetime(daemon) {}
    }

    @Test func `on a terminal it asks, and for the options that a manifest marks`() throws {
        try world.bundle(
            "bell",
            members: #"""
                ,"options":[{"option":"loud","type":"bool","default":false,"setup":true,
                "description":"ring loudly"},{"option":"volume","type":"int","default":3,"setup":true,
                "description":"how loud"},{"option":"tune","type":"string","setup":true},
                {"option":"other","type":"string"}]
                """#)
        try world.bundle("gong")
        let daemon = try world.daemon()
        let (tool, questions) = try world.setup(
            ["--no-test-call"],
            answering: [
                ("Enable bell? [Y/n] ", ""), ("bell: ring loudly? [y/N] ", "yes"),
                ("bell: how loud (Enter leaves 3): ", "7"), ("bell: tune (Enter skips): ", ""),
                ("Enable gong? [Y/n] ", "what"), ("[Y/n] Enable gong? [Y/n] ", "n"),
            ])
        #expect(tool.end == .exited(0), "\(tool)")
        #expect(!questions.contains("other") && !questions.contains("test call"))
        #expect(tool.output.contains("bell is enabled, and runs\n"))
        let client = try daemon.connectReady(#""roles":["admin"]"#)
        #expect(try state("gong", client) == nil)
        let reply = try client.request(
            "plugin.list", #"{"plugin":"org.example.bell"}"#, isAlone: false)
        let options = reply.result?["plugins"]?[0]?["options"]?.elements ?? []
        #expect(options.map { $0["value"] } == [.boolean(true), .integer(7), nil, nil])
    }

    // MARK: - Brokers

    @Test func `without a broker one line says how to start one`() throws {
        let tool = try world.setup("--socket", world.folder.file("none.sock"))
        #expect(tool.end == .exited(3))
        #expect(tool.errors.contains("start one: callbroker serve --socket "))
        #expect(tool.errors.split(separator: "\n").count == 1)
    }

    @Test func `the service manager is offered, and starts the broker`() throws {
        // As systemctl would: the socket unit starts a broker at the default path.
        let socket = world.folder.file("run/callbroker/broker.sock")
        mkdir(world.folder.file("run"), 0o700)
        mkdir(world.folder.file("run/callbroker"), 0o700)
        try world.folder.write(
            """
            #!/bin/sh
            echo "$@" >>\(world.folder.file("asked"))
            case $2 in
            list-unit-files) echo 'callbroker.socket disabled' ;;
            enable)
                setsid \(executablePath) serve --socket \(socket) --state-dir \(world.folder.file("s")) \
                    2>\(world.folder.file("log")) &
                until grep -q 'listening on' \(world.folder.file("log")); do sleep 0.02; done
                echo $! >\(world.folder.file("pid")) ;;
            esac
            """, to: "tools/systemctl")
        chmod(world.folder.file("tools/systemctl"), 0o755)
        world.use("XDG_RUNTIME_DIR", world.folder.file("run"))
        let refused = try world.setup()
        #expect(refused.end == .exited(3), "\(refused)")
        let (tool, questions) = try world.setup(
            ["--no-test-call"], answering: [("at each login? [Y/n] ", "")])
        defer {
            kill(Int32((try? contents(of: world.folder.file("pid")).dropLast()) ?? "") ?? 0, 9)
        }
        #expect(questions.contains("No broker runs."))
        #expect(tool.output.contains("The broker is started"), "\(tool)")
        #expect(tool.end == .exited(0), "\(tool)")
        #expect(
            try contents(of: world.folder.file("asked"))
                .contains("--user enable --now callbroker.socket\n"))
    }

    @Test func `an old broker is named as such`() throws {
        let broker = try FakeBroker()
        let process = try world.start(["--yes", "--socket", broker.path])
        let socket = try broker.accept()
        try socket.answer(#"{"broker":{"version":"0.0.1"}}"#)
        try socket.answer(#"{"version":"0.0.1"}"#)
        let second = try broker.accept()
        try second.answer(#"{"broker":{"version":"0.0.1"}}"#)
        let request = try JSON(second.line() ?? "")
        try second.send(
            line: #"{"jsonrpc":"2.0","id":\#(request["id"] ?? .null),"#
                + #""error":{"code":-32601,"message":"unknown"}}"#)
        let tool = try Tool(finishing: process)
        #expect(tool.end == .exited(6))
        #expect(tool.errors.contains("release 0.0.1, does not know plugin.list; restart it"))
    }
}
