import Glibc
import Testing

/// Section 17: tables for people, JSON for programs, and what errors say.
struct OutputTests {
    typealias World = ToolWorld

    // MARK: - Forms

    @Test func `calls are a table on a terminal`() throws {
        let world = try World()
        #expect(try world.run("calls", isOnTerminal: true).output == "no calls\n")
        let name = #""display_name":"Ada \u001b[31m""#
        try world.provider.rings(World.ada, from: World.adaNumber, name)
        #expect(
            try world.run("calls", isOnTerminal: true).output == """
                CALL      APP                STATE    WITH                   ALLOWED
                7b0c7c52  org.example.a  <-  ringing  Ada \u{FFFD}[31m <+15550123>  answer decline silence

                """)
    }

    @Test func `providers, a call and an outcome are laid out on a terminal`() throws {
        let world = try World()
        try world.provider.rings(World.ada, from: World.adaNumber)
        #expect(
            try world.run("providers", isOnTerminal: true).output == """
                APP            NAME   KIND  CONNECTED  AUTHORIZED  CALLS  ADDRESSES
                org.example.a  Phone  app   yes        yes         1      phone

                """)
        let call = try world.run("call", isOnTerminal: true)
        #expect(call.output.contains("remote.value         +15550123\n"))
        let run = try world.run("answer", performing: ["answer"], isOnTerminal: true)
        #expect(run.output == "completed\n  answer 7b0c7c52 org.example.a fulfilled\n")
    }

    @Test func `providers that may have no calls are listed with what to do`() throws {
        let world = try World()
        let other = try ScriptedProvider(world.daemon, "org.example.b")
        defer { withExtendedLifetime(other) {} }
        let policy = try world.run(
            "policy", "set", "authorization.org.example.a=denied", "new_providers=ask")
        try #require(policy.end == .exited(0))
        #expect(
            try world.run("providers", isOnTerminal: true).output == """
                APP            NAME   KIND  CONNECTED  AUTHORIZED  CALLS  ADDRESSES
                org.example.a  Phone  app   yes        denied      0      phone
                org.example.b  Phone  app   yes        waiting     0      phone
                org.example.a is denied, and cannot have calls; to authorize it: callbroker policy set authorization.org.example.a=authorized
                org.example.b is not authorized yet, and cannot have calls; to authorize it: callbroker policy set authorization.org.example.b=authorized

                """)
    }

    @Test func `a table fits the terminal, and is whole in a pipe`() throws {
        let world = try World()
        let name = #""display_name":"Ada Augusta King, Countess of Lovelace 日本語 👩‍👩‍👧""#
        try world.provider.rings(World.ada, from: World.adaNumber, name)
        let narrow = try Tool(
            finishing: world.start(["calls"], size: (columns: 72, rows: 24))
        ).output.split(separator: "\n")
        #expect(narrow.count == 2)
        #expect(narrow.allSatisfy { $0.count <= 72 }, "\(narrow)")
        #expect(narrow[1].contains("Ada Augusta") && narrow[1].contains("…"))
        let whole = try world.run("calls").output
        #expect(whole.contains("Countess of Lovelace 日本語 👩‍👩‍👧 <+15550123>"))
        #expect(try world.run("calls", isOnTerminal: true).output == whole)
    }

    @Test func `a list that is longer than the terminal goes to the pager`() throws {
        let world = try World()
        try world.provider.rings(World.ada, from: World.adaNumber)
        let pager = ["PAGER": "sed 's/^/paged: /'"]
        func calls(_ arguments: String..., rows: Int) throws -> String {
            let process = try world.start(
                ["calls"] + arguments, size: (columns: 200, rows: rows), environment: pager)
            return try Tool(finishing: process).output
        }
        #expect(try calls(rows: 2).hasPrefix("paged: CALL "))
        #expect(try calls(rows: 24).hasPrefix("CALL "))
        #expect(try calls("--no-pager", rows: 2).hasPrefix("CALL "))
        let pipe = try Tool(finishing: world.start(["calls"], environment: pager))
        #expect(pipe.output.hasPrefix("CALL "))
    }

    @Test func `a user who leaves the pager early is no error`() throws {
        let world = try World()
        let process = try world.start(
            ["methods"], size: (columns: 20, rows: 2), environment: ["PAGER": "head -n 1"])
        let run = try Tool(finishing: process)
        #expect(run.end == .exited(0))
        #expect(run.errors == "")
    }

    @Test func `--json is JSON on a terminal too`() throws {
        let world = try World()
        let run = try world.run("providers", "--json", isOnTerminal: true)
        #expect(try JSON(run.output)["provider"] == "org.example.a")
    }

    @Test func `--flat and --raw of a list`() throws {
        let world = try World()
        try world.provider.rings(World.ada, from: World.adaNumber)
        let flat = try world.run("calls", "--flat").output
        #expect(flat.contains("[0].remote.value=+15550123\n"))
        let raw = try JSON(try world.run("calls", "--raw").output)
        #expect(raw["result"]?["calls"]?[0]?["call"]?.string == World.ada)
    }

    @Test func `all pages of a long list are shown`() throws {
        let world = try World(#""max_call_groups":200"#)
        let policy = try world.run(
            "request", "policy.set",
            #"limits:={"ringing":200,"calls":200,"calls_per_provider":200}"#)
        try #require(policy.end == .exited(0))
        let name = String(repeating: "x", count: 120)
        for number in 100..<250 {
            try world.provider.rings(
                "00000\(number)-6a3e-4c1f-9f4b-0d3a5e1c2b01", from: "+1555\(number)",
                #""display_name":"\#(name)""#)
        }
        #expect(try world.run("calls", "--json").output.split(separator: "\n").count == 150)
        #expect(try world.run("calls", "--raw").output.split(separator: "\n").count > 1)
    }

    // MARK: - Errors

    @Test func `an error says what stands in the way`() throws {
        let world = try World()
        try world.talkToAda(#""supports_holding":false"#)
        try world.provider.rings(World.bob, from: World.bobNumber)
        let run = try world.run("answer")
        #expect(run.end == .exited(1))
        #expect(run.output == "")
        for line in [
            "error -32006 invalid_state: ", "  reason: cannot_hold\n", "  rule: 6\n",
            "  hint: end the calls in the way",
            "  in the way: 7b0c7c52 org.example.a active \(World.adaNumber)\n",
        ] { #expect(run.errors.contains(line)) }
    }

    @Test func `request names the calls in the way too`() throws {
        let world = try World()
        try world.talkToAda(#""supports_holding":false"#)
        try world.provider.rings(World.bob, from: World.bobNumber)
        let run = try world.run("request", "call.answer", "call=\(World.bob)")
        #expect(run.errors.contains("in the way: 7b0c7c52 org.example.a active +15550123"))
    }

    @Test func `an error in a program's form is the error as it came`() throws {
        let world = try World()
        try world.talkToAda(#""supports_holding":false"#)
        try world.provider.rings(World.bob, from: World.bobNumber)
        let run = try world.run("answer", "--json")
        #expect(run.end == .exited(1))
        let error = try JSON(run.errors)
        #expect(error["data"]?["blocking"]?[0]?["call"]?.string == World.ada)
    }

    @Test func `an app that refuses fails the verb`() throws {
        let world = try World()
        try world.provider.rings(World.ada, from: World.adaNumber)
        let process = try world.start(["answer"])
        try world.provider.perform(
            "answer", error: #"{"code":-32000,"message":"no","data":{"reason":"line_dead"}}"#)
        let run = try Tool(finishing: process)
        #expect(run.end == .exited(1))
        #expect(run.errors.contains("-32013"))
        #expect(run.errors.contains("line_dead"))
        #expect(
            run.errors.contains(
                "  answer 7b0c7c52 org.example.a failed - the app's reason: line_dead, \"no\"\n"))
    }

    // MARK: - Exit codes

    @Test(arguments: [
        ["answer", "a", "b"], ["answer", "--hold", "--end"], ["button", "twice"], ["dtmf"],
        ["start"], ["dial"], ["explain", "a", "--transaction", "b"], ["watch", "--since", "x"],
        ["what-if", "calls"], ["what-if", "answer", "--bogus"], ["calls", "--json", "--flat"],
        ["hold", "--timeout", "0"], ["end", "--on-conflict", "maybe"],
    ])
    func `2: wrong usage of a verb`(arguments: [String]) throws {
        let folder = try TemporaryFolder()
        let process = try ChildProcess(
            [executablePath] + arguments, environment: ["BROKER_SOCKET": folder.file("none")])
        #expect(try process.waitForEnd() == .exited(2))
        #expect(!process.errors.text.isEmpty)
    }

    @Test(arguments: [[], ["calls"], ["answer"], ["watch"], ["explain", ToolWorld.ada]])
    func `3: nobody there`(arguments: [String]) throws {
        let folder = try TemporaryFolder()
        let process = try ChildProcess(
            [executablePath] + arguments, environment: ["BROKER_SOCKET": folder.file("none")])
        #expect(try process.waitForEnd() == .exited(3))
        #expect(process.errors.text.contains("callbroker serve"))
    }

    @Test func `4: an app that does not answer in the user's time`() throws {
        let world = try World()
        try world.provider.rings(World.ada, from: World.adaNumber)
        let run = try world.run("answer", World.ada, "--timeout", "0.2")
        #expect(run.end == .exited(4))
    }

    @Test func `who gives up takes back what no app was asked for yet`() throws {
        let world = try World()
        try world.talkToAda()
        try world.provider.rings(World.bob, from: World.bobNumber)
        let process = try world.start(["answer"])
        while try world.provider.client.frame().method != "provider.perform" {}
        let asked = try JSON(try world.run("call", World.bob, "--json").output)
        #expect(asked["pending_action"] == "queued")
        process.signal(SIGKILL)
        _ = try process.waitForEnd()
        try world.daemon.wait(for: "connections") { $0 == 2 }
        let takenBack = try JSON(try world.run("call", World.bob, "--json").output)
        #expect(takenBack["pending_action"] == nil)
        #expect(takenBack["state"] == "waiting")
    }

    @Test func `4: an app that does not answer in its own time`() throws {
        let world = try World()
        try world.talkToAda()
        let process = try world.start(["mute", "--deadline", "1000"])
        while try world.provider.client.frame().method != "provider.perform" {}
        try world.daemon.advance(1_000)
        let run = try Tool(finishing: process)
        #expect(run.end == .exited(4))
        #expect(run.errors.contains("-32009"))
    }

    @Test func `6: a broker that is too old for a verb`() throws {
        let broker = try FakeBroker()
        let process = try ChildProcess(
            [executablePath, "history"], environment: ["BROKER_SOCKET": broker.path])
        let client = try broker.accept()
        try client.answer(#"{"broker":{"name":"callbroker","version":"0.0.9"}}"#)
        _ = try client.line()
        let data = #"{"reason":"unknown_method","retryable":false}"#
        try client.send(
            line:
                #"{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"no","data":\#(data)}}"#)
        let run = try Tool(finishing: process)
        #expect(run.end == .exited(6))
        #expect(
            run.errors == "callbroker: the broker, release 0.0.9, does not know history.list; "
                + "restart it: systemctl --user restart callbroker\n")
    }

    @Test(arguments: [
        (["history", "--limt"], "Did you mean '--limit'?", "callbroker history show --help"),
        (["dnd", "on", "--for", "soon"], "'soon' is invalid", "callbroker dnd on --help"),
        (["answer", "a", "b"], "", "callbroker answer --help"),
    ])
    func `wrong usage is one line, with the command that helps`(
        arguments: [String], message: String, help: String
    ) throws {
        let process = try ChildProcess([executablePath] + arguments)
        #expect(try process.waitForEnd() == .exited(2))
        let errors = process.errors.text
        #expect(errors.hasPrefix("callbroker: ") && errors.contains(message), "\(errors)")
        #expect(errors.hasSuffix(" (see \"\(help)\")\n"), "\(errors)")
        #expect(errors.split(separator: "\n").count == 1)
    }

    @Test func `5: not permitted`() throws {
        let world = try World()
        let run = try world.run("request", "provider.update", "display_name=Mine")
        #expect(run.end == .exited(5))
        #expect(run.errors.contains("only an app can call provider.update"))
    }

    @Test func `5: the broker says so`() throws {
        let broker = try FakeBroker()
        let process = try ChildProcess(
            [executablePath, "policy", "set", "allows_emergency=true"],
            environment: ["BROKER_SOCKET": broker.path])
        let client = try broker.accept()
        try client.answer("{}")
        _ = try client.line()
        let data = #"{"reason":"role_not_granted","retryable":false}"#
        try client.send(
            line:
                #"{"jsonrpc":"2.0","id":2,"error":{"code":-32003,"message":"no","data":\#(data)}}"#)
        let run = try Tool(finishing: process)
        #expect(run.end == .exited(5))
        #expect(run.errors.contains("error -32003 permission_denied: no\n"))
    }
}
