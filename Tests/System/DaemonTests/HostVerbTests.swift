import Testing

/// Section 17: the verbs that are about the host rather than about a call.
struct HostVerbTests {
    typealias World = ToolWorld

    // MARK: - Policy

    @Test func `policy is shown and changed`() throws {
        let world = try World()
        #expect(try JSON(try world.run("policy", "--json").output)["on_cannot_hold"] == "refuse")
        let run = try world.run(
            "policy", "set", "on_cannot_hold=end", "limits.ringing=8", "limits.calls=9",
            "default_provider.tel=org.example.a")
        #expect(run.end == .exited(0))
        let policy = try JSON(try world.run("policy", "show", "--json").output)
        #expect(policy["on_cannot_hold"] == "end")
        #expect(policy["limits"]?["ringing"] == 8)
        #expect(policy["limits"]?["calls"] == 9)
        #expect(policy["default_provider"]?["tel"] == "org.example.a")
        #expect(try world.run("policy", "set", "limits.ringing=many").end == .exited(2))
        #expect(try world.run("policy", "set", "moon=full").end == .exited(1))
        let taken = try world.run("policy", "set", "default_provider.tel=null", "--json")
        #expect(try JSON(taken.output)["default_provider"] == .object([]))
    }

    // MARK: - Dump

    @Test func `dump tells everything but who the people are`() throws {
        let world = try World()
        try world.provider.rings(
            World.ada, from: World.adaNumber, #""display_name":"Ada Lovelace""#)
        try world.provider.rings(World.bob, from: World.adaNumber)
        let run = try world.run("dump", "--json")
        #expect(run.end == .exited(0))
        #expect(!run.output.contains("5550123"))
        #expect(!run.output.contains("Lovelace"))
        let dump = try JSON(run.output)
        #expect(
            dump.names == [
                "info", "stats", "now", "policy", "host", "providers", "plugins", "calls",
            ])
        #expect(dump["now"]?["connections"]?.elements?.count == 2)
        #expect(dump["now"]?["timers"]?.elements?.isEmpty == false)
        let people = [0, 1].map { dump["calls"]?[$0]?["remote"]?["value"]?.string }
        #expect(people[0]?.hasPrefix("+999") == true)
        #expect(people[1] == people[0])
        #expect(dump["stats"]?["frames_bad"] == 0)
        let whole = try world.run("dump", "--with-handles")
        #expect(whole.output.contains(World.adaNumber))
        #expect(whole.output.contains("Ada Lovelace"))
    }

    @Test func `dump tells neither a call's other parties nor whose lines they are`() throws {
        let (line, id) = ("ann@example.org", "7b0c@ada.example")
        let world = try World(
            """
            "lines":[{"line":"\(line)","label":"Ann's line","reason":"ann is unknown","state":"failed",\
            "handle":{"type":"email","value":"ann.own@example.org"},\
            "voicemail":{"type":"phone","value":"+15550177"}}]
            """)
        try world.provider.rings(
            World.ada, from: World.adaNumber,
            """
            "display_name":"Ada Lovelace","external_id":"\(id)","line":"\(line)",\
            "forwarded_from":{"type":"phone","value":"+15550199"}
            """)
        let dump = try JSON(world.run("dump", "--json", "--state-dir", world.state).output)
        let text = "\(dump)"
        for name in ["ann@", "Ann's", "ann is", "ann.own", "ada.example", "Lovelace", "+15550"] {
            #expect(!text.contains(name), "\(name) in \(text)")
        }
        let (call, own) = (dump["calls"]?[0], dump["providers"]?[0]?["lines"]?[0])
        #expect(call?["line"] != nil && call?["line"] == own?["line"])
        #expect(call?["forwarded_from"]?["value"]?.string?.hasPrefix("+999") == true)
        #expect(own?["state"] == "failed" && own?["handle"]?["type"] == "email")
        #expect(call?["state"] == "ringing" && call?["call"] == .string(World.ada))
        let recorded = try Tool("record", "--state-dir", world.state, "-").output
        #expect(recorded.contains("line=\(call?["line"]?.string ?? "")"))
        let whole = try world.run("dump", "--with-handles").output
        for name in [line, id, "+15550199", "+15550177"] { #expect(whole.contains(name)) }
    }

    // MARK: - Doctor

    @Test func `doctor finds a healthy host healthy`() throws {
        let world = try World()
        let run = try world.run("doctor", isOnTerminal: true)
        #expect(run.end == .exited(0))
        for line in [
            "ok       path: \(world.daemon.socketPath), from BROKER_SOCKET\n",
            "ok       socket: yours, 0600\n", "ok       app: org.example.a (app) is connected",
        ] { #expect(run.output.contains(line)) }
        #expect(!run.output.contains("problem"))
    }

    @Test func `doctor names the screen that presents calls`() throws {
        let world = try World()
        let before = try world.run("doctor", isOnTerminal: true).output
        #expect(before.contains("warning  screen: none is connected"))
        let screen = try world.daemon.connectReady(#""roles":["ui"],"identity":"org.example.desk""#)
        _ = try screen.request("ui.claim")
        let run = try world.run("doctor", isOnTerminal: true)
        #expect(run.output.contains("ok       screen: org.example.desk presents calls\n"))
    }

    @Test func `doctor counts what should not have happened`() throws {
        let world = try World()
        #expect(!(try world.run("doctor").output.contains("since the broker started")))
        for call in [World.ada, World.bob] {
            try world.provider.rings(call, from: World.adaNumber)
            let video = #"{"call":"\#(call)","has_video":true}"#
            try #require(try world.provider.report("update", video).result != nil)
        }
        let dump = try JSON(world.run("dump", "--json").output)
        #expect(dump["now"]?["anomalies"]?[0]?["anomaly"] == "video_undeclared")
        #expect(dump["now"]?["anomalies"]?[0]?["count"] == 2)
        let run = try world.run("doctor")
        #expect(run.end == .exited(0))
        #expect(
            run.output.contains(
                "warning  video_undeclared: an app reported video that it has not declared, "
                    + "2 times since the broker started\n         callbroker watch broker.anomaly"),
            "\(run.output)")
    }

    @Test func `doctor warns where apps that hang are not noticed`() throws {
        let world = try World()
        #expect(try !world.run("doctor", isOnTerminal: true).output.contains("hang"))
        _ = try world.run("policy", "set", "heartbeat_ms=0")
        let run = try world.run("doctor", isOnTerminal: true)
        #expect(run.output.contains("hanging apps are not detected: heartbeat_ms is 0"))
        #expect(run.output.contains("callbroker policy set heartbeat_ms=10000"))
        #expect(run.end == .exited(0))
    }

    @Test func `doctor tells of a journal that is kept`() throws {
        let run = try World().run("doctor", isOnTerminal: true)
        #expect(run.output.contains(/ok       journal: kept, [1-9][0-9]+ bytes\n/))
    }

    @Test(arguments: [
        (["--test-mode", "--no-journal"], "ok       journal: none, in test mode\n"),
        (["--no-journal"], "warning  journal: none: a restart of the broker ends all calls\n"),
    ])
    func `doctor warns where no journal is kept`(arguments: [String], line: String) throws {
        let daemon = try TestDaemon(arguments: arguments)
        let process = try ChildProcess(
            [executablePath, "doctor", "--socket", daemon.socketPath], isOnTerminal: true)
        let run = try Tool(finishing: process)
        #expect(run.end == .exited(0))
        #expect(run.output.contains(line), "\(run.output)")
    }

    /// The daemon may not write files of more than 8 KiB from the time on when it serves: a sanitizer
    /// writes some when it starts. What the shell ignores, its child does.
    @Test func `a journal that cannot be written is a problem, until it can`() throws {
        let ignoring = #"trap '' XFSZ; exec "$@""#
        let daemon = try TestDaemon(wrapper: ["/bin/sh", "-c", ignoring, "sh"])
        let limit = ["--pid", "\(daemon.process.pid)", "--fsize=8192:unlimited"]
        try #require(try ChildProcess(["/usr/bin/prlimit"] + limit).waitForEnd() == .exited(0))
        let provider = try ScriptedProvider(daemon)
        try provider.rings(World.ada, from: World.adaNumber)
        let update = #"{"call":"\#(World.ada)","display_name":"Ada Lovelace"}"#
        while !daemon.log.contains("cannot write the journal") {
            try provider.report("update", update)
        }
        let doctor = ["doctor", "--socket", daemon.socketPath]
        let ill = try Tool(
            finishing: ChildProcess([executablePath] + doctor, isOnTerminal: true))
        #expect(ill.end == .exited(1))
        #expect(
            ill.output.contains(
                "problem  journal: calls would be lost on a restart of the broker: cannot write to "
                    + "\(daemon.folder.file("state"))/journal: File too large\n"))
        #expect(ill.output.contains("the broker retries every second"))
        // Anew it is short enough.
        let admin = try daemon.connectReady(#""roles":["admin"]"#)
        _ = try admin.request("test.advance", #"{"ms":1000}"#, isAlone: false)
        #expect(try daemon.logs("the journal can be written again"))
        let well = try Tool("doctor", socketPath: daemon.socketPath)
        #expect(well.end == .exited(0))
    }

    @Test func `doctor names damaged journals that were kept`() throws {
        let world = try RestartWorld()
        try world.kill()
        try Array("no journal\n".utf8).write(to: world.journal)
        try world.startAgain()
        let folder = world.folder.file("state")
        // The broker says where it keeps its own; of another's folder nothing is said.
        let run = try Tool("doctor", socketPath: world.daemon.socketPath)
        #expect(run.end == .exited(0))
        #expect(run.output.contains("warning  journal: "))
        #expect(run.output.contains("\(folder)/journal.kept-1"))
        let other = try RestartWorld()
        let well = try Tool("doctor", socketPath: other.daemon.socketPath)
        #expect(!well.output.contains("journal.kept"))
        // Where none answers it has to be told.
        try world.kill()
        let none = try Tool("doctor", "--state-dir", folder, socketPath: world.daemon.socketPath)
        #expect(none.end == .exited(3))
        #expect(none.output.contains("\(folder)/journal.kept-1"))
    }

    @Test func `doctor says how to start a broker where none answers`() throws {
        let folder = try TemporaryFolder()
        let run = try Tool("doctor", socketPath: folder.file("none"))
        #expect(run.end == .exited(3))
        #expect(run.output.contains(" does not exist"))
        #expect(run.output.contains("callbroker serve"))
    }

    @Test func `doctor names apps that are lost, silent or missing`() throws {
        let world = try World()
        let lost = try ScriptedProvider(world.daemon, "org.example.lost")
        try lost.rings(World.bob, from: World.bobNumber)
        lost.client.shutdownWriting()
        try world.provider.rings(World.ada, from: World.adaNumber)
        try #require(try world.run("answer", World.ada, "--no-wait").end == .exited(0))
        try #require(
            try world.run("policy", "set", "default_provider.sip=org.gone").end == .exited(0))
        let run = try world.run("doctor", isOnTerminal: true)
        #expect(run.end == .exited(1))
        for text in [
            "problem  app: org.example.lost (app) is not connected",
            "warning  call: 7b0c7c52 is answering: org.example.a has not answered yet",
            "warning  policy: the default app for sip: is org.gone, which is not registered",
        ] { #expect(run.output.contains(text)) }
    }

    @Test func `doctor names apps that may have no calls, and the command that allows them`() throws
    {
        let world = try World()
        let policy = try world.run(
            "policy", "set", "authorization.org.example.a=denied",
            "default_provider.tel=org.example.a")
        try #require(policy.end == .exited(0))
        let run = try world.run("doctor", isOnTerminal: true)
        #expect(run.end == .exited(0))
        let command = "callbroker policy set authorization.org.example.a=authorized"
        for text in [
            "warning  app: org.example.a is denied, and cannot have calls\n         \(command)\n",
            "warning  policy: the default app for tel: is org.example.a, which cannot have calls\n         \(command)\n",
        ] { #expect(run.output.contains(text)) }
    }

    @Test func `doctor names apps whose emergencies wait for somebody who asks`() throws {
        let world = try World()
        let ask = #"emergency:={"claims":{"org.example.a":{"incoming":"ask"}}}"#
        try #require(try world.run("policy", "set", ask).end == .exited(0))
        let run = try world.run("doctor", isOnTerminal: true)
        #expect(run.end == .exited(0))
        let text = "emergency claims of org.example.a are ignored (incoming: ask)"
        let allowed = #"{"claims":{"org.example.a":{"incoming":"allowed"}}}"#
        let command = "callbroker policy set emergency:='\(allowed)'"
        #expect(run.output.contains("warning  policy: \(text)\n         \(command)\n"))
    }

    @Test func `doctor only warns of what is not wrong yet`() throws {
        let daemon = try TestDaemon()
        let run = try Tool("doctor", socketPath: daemon.socketPath)
        #expect(run.end == .exited(0))
        #expect(run.output.contains("warning  apps: "))
    }

    @Test func `to doctor a broker that does not answer is a problem like any other`() throws {
        let broker = try FakeBroker()
        let run = try Tool("doctor", "--json", "--timeout", "0.1", socketPath: broker.path)
        #expect(run.end == .exited(1))
        #expect(run.output.contains(#"{"state":"problem","subject":"broker""#))
        #expect(!run.output.contains(#""message":"callbroker:"#))
    }

    // MARK: - Bridge

    @Test func `bridge carries bytes both ways, and the end of the input`() throws {
        let world = try World()
        let input = [String.ping(1), String.ping(2, payload: "7")].joined(separator: "\n")
        let run = try Tool("bridge", socketPath: world.daemon.socketPath, input: input)
        #expect(run.end == .exited(0))
        #expect(
            run.output == """
                {"jsonrpc":"2.0","id":1,"result":{}}
                {"jsonrpc":"2.0","id":2,"result":{"payload":7}}

                """)
    }

    // MARK: - Lint

    private func lint(_ frames: String) throws -> Tool {
        try Tool("lint", "--json", input: frames)
    }

    @Test func `lint finds nothing in a conversation that is right`() throws {
        let hello = TestClient.hello()
        let run = try lint(
            """
            > {"jsonrpc":"2.0","id":1,"method":"broker.hello","params":\(hello)}

            > {"jsonrpc":"2.0","id":2,"method":"call.swap","params":{"x_trace":1}}
            < {"jsonrpc":"2.0","id":2,"error":{"code":-32006,"message":"no","data":{"reason":"busy"}}}
            < {"jsonrpc":"2.0","id":1,"method":"broker.ping"}
            > {"jsonrpc":"2.0","id":1,"result":{}}
            """)
        #expect(run.end == .exited(0))
        #expect(run.output == "")
    }

    @Test func `what the broker says more than we know may be new`() throws {
        let hello = TestClient.hello()
        let run = try lint(
            """
            > {"jsonrpc":"2.0","id":1,"method":"broker.hello","params":\(hello)}
            > {"jsonrpc":"2.0","id":2,"method":"events.unsubscribe","params":{"subscription":1}}
            < {"jsonrpc":"2.0","id":2,"result":{"seq":1,"new":1}}
            < {"jsonrpc":"2.0","id":1,"method":"broker.ping","params":{"new":1}}
            < {"jsonrpc":"2.0","method":"audio.activated","params":{"new":1,"group":"\(World.ada)","calls":[]}}
            < {"jsonrpc":"2.0","method":"broker.goodbye","params":{"reason":"stop","resumable":false,"new":{}}}
            """)
        #expect(run.output == "")
        #expect(run.end == .exited(0))
    }

    /// They fit the method table, whatever else is in them.
    @Test(arguments: [
        (#""id":1,"method":"provider.perform","params":{"new":1}"#, "params.action is required"),
        (
            #""method":"audio.activated","params":{"new":1,"group":"g","calls":[]}"#,
            "params.group must be a UUID of 36 characters"
        ),
        (
            #""method":"events.gap","params":{"new":1,"subscription":1,"from":1,"to":2}"#,
            "params.reason is required"
        ),
        (
            #""method":"event","params":{"subscription":1,"seq":2,"prev":1,"at_ms":0,"#
                + #""epoch":"7b0c7c52-6a3e-4c1f-9f4b-0d3a5e1c2b01","topic":"history.changed","#
                + #""new":1,"data":{"new":1}}"#, "params.data.missed is required"
        ),
        (#""method":"broker.goodbye","params":{"new":1}"#, "params.reason is required"),
    ])
    func `lint checks the broker's own frames`(members: String, message: String) throws {
        let run = try lint(#"< {"jsonrpc":"2.0",\#(members)}"#)
        #expect(run.output == #"{"line":1,"rule":"5","message":"\#(message)"}"# + "\n")
    }

    @Test(arguments: [
        (#"{"jsonrpc":"2.0","id":1,"method":"broker.ping""#, "F1"), ("> {\"a\":\u{1}}", "F1"),
        ("[" + String(repeating: "[", count: 40) + String(repeating: "]", count: 41), "F5"),
        (#"{"jsonrpc":"2.0","id":null,"method":"broker.ping"}"#, "R1"),
        (#"{"jsonrpc":"1.0","id":1,"method":"broker.ping"}"#, "R1"), ("42", "R1"),
        (#"{"jsonrpc":"2.0","id":1,"method":"broker.ping","params":[1]}"#, "R3"),
        (#"{"jsonrpc":"2.0","id":1,"method":"broker.ping","params":7}"#, "R3"),
        (#"{"jsonrpc":"2.0","id":1,"method":"broker.ping","params":{"pay":7}}"#, "R4"),
        (#"{"jsonrpc":"2.0","method":"broker.ping"}"#, "R5"), ("[]", "R9"),
        (#"{"jsonrpc":"2.0","id":1,"method":"moon.rise"}"#, "5"),
        (#"{"jsonrpc":"2.0","id":1,"method":"broker.describe"}"#, "5"),
        (#"{"jsonrpc":"2.0","id":1,"method":"broker.info"}"#, "3"),
        (#"< {"jsonrpc":"2.0","id":7,"method":"broker.ping"}"#, "R2"),
        (#"< {"jsonrpc":"2.0","id":9,"result":{}}"#, "R10"),
        (
            #"< {"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"","data":{"reason":""}}}"#,
            "12"
        ),
        (
            #"< {"jsonrpc":"2.0","method":"broker.warning","params":{"reason":"a","message":"b","ref":1.5}}"#,
            "F8"
        ),
    ])
    func `lint names the rule and the line`(frame: String, rule: String) throws {
        let run = try lint("\n" + frame + "\n")
        #expect(run.end == .exited(1))
        let faults = try run.output.split(separator: "\n").map { try JSON(String($0)) }
        #expect(faults.contains { $0["line"] == 2 && $0["rule"]?.string == rule })
    }

    @Test func `lint follows who asked what`() throws {
        let run = try lint(
            """
            > {"jsonrpc":"2.0","id":1,"method":"rpc.discover"}
            > {"jsonrpc":"2.0","id":1,"method":"rpc.discover"}
            """)
        #expect(run.output.contains(#""line":2,"rule":"R8""#))
    }

    // MARK: - Serve

    @Test func `serve tells its decisions without saying who calls`() throws {
        let daemon = try TestDaemon(arguments: ["--test-mode", "--explain"])
        let provider = try ScriptedProvider(daemon)
        try provider.rings(World.ada, from: World.adaNumber, #""display_name":"Lovelace""#)
        #expect(
            try daemon.process.errors.wait {
                $0.contains(" rule 1 rings 7b0c7c52 org.example.a ringing by provider\n")
            })
        #expect(!daemon.log.contains("5550123"))
        #expect(!daemon.log.contains("Lovelace"))
    }

    // MARK: - The manual

    @Test func `the manual has every verb and every option`() throws {
        let manual = try contents(of: repositoryPath + "/packaging/callbroker.1")
        let help = try Tool("--help").output
        let commands = help.split(separator: "\n").compactMap { line in
            line.firstMatch(of: #/^  ([a-z][a-z-]*)  /#).map { String($0.1) }
        }
        #expect(commands.count >= 30)
        for command in commands {
            #expect(manual.contains("Ic \(command)"), "\(command)")
            let page = try Tool("help", command).output
            for option in page.matches(
                of: #/^ +(?:-[a-z], )?--([a-z-]+)/#.anchorsMatchLineEndings())
            {
                #expect(manual.contains("Fl -\(option.1)"), "\(command) --\(option.1)")
            }
        }
    }
}
