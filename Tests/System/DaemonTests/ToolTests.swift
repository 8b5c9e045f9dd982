import Glibc
import Testing

/// Section 17: the tool's exit codes, what it prints, and how it reads params.
struct ToolTests {
    // MARK: - Exit codes

    @Test func `0: a result is one line of JSON for a program`() throws {
        let daemon = try TestDaemon()
        let run = try Tool(
            "request", "broker.ping", "payload:=7", "--json", socketPath: daemon.socketPath)
        #expect(run.end == .exited(0))
        #expect(run.output == #"{"payload":7}"# + "\n")
        #expect(run.errors == "")
    }

    @Test func `1: an error reply is told by code, name, reason and field`() throws {
        let daemon = try TestDaemon()
        let run = try Tool("request", "broker.ping", "pay=7", socketPath: daemon.socketPath)
        #expect(run.end == .exited(1))
        #expect(run.output == "")
        for part in ["-32602", "invalid_params", "unknown_member", "/pay"] {
            #expect(run.errors.contains(part))
        }
    }

    @Test(arguments: [
        ["bogus"], ["request"], ["request", "broker.ping", "--bogus"],
        ["request", "broker.ping", "payload"], ["request", "broker.ping", "payload:=nope"],
        ["request", "broker.ping", "--timeout", "x"], ["request", "broker.ping", "=1"],
        ["describe"], ["serve", "extra"],
    ])
    func `2: wrong usage is told on standard error`(arguments: [String]) throws {
        // The paths lead nowhere: usage is checked before anybody connects.
        let folder = try TemporaryFolder()
        let process = try ChildProcess(
            [executablePath] + arguments, environment: ["BROKER_SOCKET": folder.file("none")])
        let end = try process.waitForEnd()
        try process.output.readToEnd()
        #expect(end == .exited(2))
        #expect(!(process.errors.text + process.output.text).isEmpty)
    }

    @Test func `3: nobody there is told with the path and what to do`() throws {
        let folder = try TemporaryFolder()
        let run = try Tool("request", "broker.info", socketPath: folder.file("none.sock"))
        #expect(run.end == .exited(3))
        #expect(run.errors.contains(folder.file("none.sock")))
        #expect(run.errors.contains("callbroker serve"))
    }

    @Test func `3: a broker that closes before it answers is no connection`() throws {
        try withServer { path, listener in
            let process = try ChildProcess(
                [executablePath, "request", "broker.info", "--socket", path])
            close(try acceptConnection(on: listener))
            #expect(try process.waitForEnd() == .exited(3))
        }
    }

    @Test func `4: no answer in time`() throws {
        try withServer { path, listener in
            let run = try Tool("request", "broker.info", "--timeout", "0.05", socketPath: path)
            #expect(run.end == .exited(4))
            #expect(!run.errors.isEmpty)
        }
    }

    @Test func `5: not permitted`() throws {
        try withServer { path, listener in
            let process = try ChildProcess(
                [executablePath, "request", "broker.info", "--socket", path])
            let server = LineSocket(try acceptConnection(on: listener))
            let id = try #require(try JSON(server.line() ?? "")["id"])
            let error = """
                {"code":-32003,"message":"no","data":{"reason":"role_not_granted","retryable":false}}
                """
            try server.send(Array(#"{"jsonrpc":"2.0","id":\#(id),"error":\#(error)}"#.utf8 + [10]))
            #expect(try process.waitForEnd() == .exited(5))
            #expect(process.errors.text.contains("role_not_granted"))
        }
    }

    private func withServer(_ body: (_ path: String, _ listener: Int32) throws -> Void) throws {
        let folder = try TemporaryFolder()
        let listener = try UnixSocket.listening(on: folder.file("fake.sock"))
        defer { close(listener) }
        try body(folder.file("fake.sock"), listener)
    }

    // MARK: - Params

    @Test func `key=value is typed as the method's schema says`() throws {
        let daemon = try TestDaemon()
        let advance = try Tool(
            "request", "test.advance", "ms=5", "--json", socketPath: daemon.socketPath)
        #expect(advance.output == #"{"fired":0,"now_ms":5,"seq":0}"# + "\n")
        // A name is a string, also if it looks like a number.
        let describe = try Tool(
            "request", "broker.describe", "name=5", socketPath: daemon.socketPath)
        #expect(describe.end == .exited(1))
        #expect(describe.errors.contains("-32004"))
        let wrong = try Tool("request", "test.advance", "ms=soon", socketPath: daemon.socketPath)
        #expect(wrong.end == .exited(2))
        #expect(wrong.errors.contains("ms"))
    }

    @Test(arguments: [
        (["payload=42"], #"{"payload":"42"}"#), (["payload:=42"], #"{"payload":42}"#),
        (["payload="], #"{"payload":""}"#), (["payload=a=b"], #"{"payload":"a=b"}"#),
        ([#"payload:={"a":[1,null]}"#], #"{"payload":{"a":[1,null]}}"#),
        (["payload=a b\"c"], #"{"payload":"a b\"c"}"#), ([], "{}"),
        (["x_trace:=true", "payload:=1"], #"{"payload":1}"#),
    ])
    func `params as they are typed`(arguments: [String], result: String) throws {
        let daemon = try TestDaemon()
        let process = try ChildProcess(
            [executablePath, "request", "broker.ping", "--json", "--socket", daemon.socketPath]
                + arguments)
        #expect(try process.waitForEnd() == .exited(0))
        try process.output.readToEnd()
        #expect(process.output.text == result + "\n")
    }

    @Test func `what may be null is null if that is typed`() throws {
        let daemon = try TestDaemon()
        let call = "call=7b0c7c52-6a3e-4c1f-9f4b-0d3a5e1c2b01"
        for (word, isFit) in [("with=null", true), ("with=nil", false), ("with:=0", false)] {
            let run = try Tool(
                "request", "call.set_group", call, word, socketPath: daemon.socketPath)
            #expect(run.end == .exited(1))
            #expect(run.errors.contains("-32602") == !isFit)
        }
    }

    @Test func `a single - reads params from standard input`() throws {
        let daemon = try TestDaemon()
        let run = try Tool(
            "request", "broker.ping", "-", "--json", socketPath: daemon.socketPath,
            input: "{\n  \"payload\": [1, 2]\n}\n")
        #expect(run.end == .exited(0))
        #expect(run.output == #"{"payload":[1,2]}"# + "\n")
    }

    @Test(arguments: ["", "{", #"{"payload":}"#])
    func `standard input that is no JSON is wrong usage, told with the place`(input: String) throws
    {
        let daemon = try TestDaemon()
        let run = try Tool(
            "request", "broker.ping", "-", socketPath: daemon.socketPath, input: input)
        #expect(run.end == .exited(2))
        #expect(run.errors.contains("line 1"))
    }

    // MARK: - Output

    @Test func `--flat prints a path and a value on each line`() throws {
        let daemon = try TestDaemon()
        let run = try Tool(
            "request", "broker.ping", #"payload:={"a":[1,{"b":null}],"c":"x"}"#, "--flat",
            socketPath: daemon.socketPath)
        #expect(run.output == "payload.a[0]=1\npayload.a[1].b=null\npayload.c=x\n")
    }

    @Test func `--raw prints the reply's frame as it came`() throws {
        let daemon = try TestDaemon()
        let run = try Tool("request", "broker.ping", "--raw", socketPath: daemon.socketPath)
        let frame = try JSON(run.output)
        #expect(frame.names == ["jsonrpc", "id", "result"])
        #expect(frame["result"] == .object([]))
        #expect(run.output == "\(frame)\n")
    }

    @Test func `--json prints JSON on one line`() throws {
        let daemon = try TestDaemon()
        let run = try Tool("request", "broker.info", "--json", socketPath: daemon.socketPath)
        #expect(run.output.split(separator: "\n", omittingEmptySubsequences: false).count == 2)
        #expect(try JSON(run.output)["name"] == "callbroker")
    }

    @Test func `control characters from outside do not reach the terminal`() throws {
        let daemon = try TestDaemon()
        for format in ["--flat", "--json", "--raw"] {
            let run = try Tool(
                "request", "broker.ping", #"payload:="\u001b[31m\u0007""#, format,
                socketPath: daemon.socketPath)
            #expect(!run.output.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
        }
    }

    @Test func `methods lists what discover lists`() throws {
        let daemon = try TestDaemon()
        let run = try Tool("methods", "--json", socketPath: daemon.socketPath)
        #expect(run.end == .exited(0))
        let contract = try Contract.shared.get()
        for name in contract.methods.keys { #expect(run.output.contains(name)) }
    }

    @Test func `describe tells the entry of one method`() throws {
        let daemon = try TestDaemon()
        let run = try Tool("describe", "test.advance", "--json", socketPath: daemon.socketPath)
        #expect(run.end == .exited(0))
        #expect(run.output.contains("test.advance"))
        #expect(run.output.contains("86400000"))
        let none = try Tool("describe", "no.such", socketPath: daemon.socketPath)
        #expect(none.end == .exited(1))
        #expect(none.errors.contains("-32004"))
    }

    @Test func `describe lays out a method on a terminal`() throws {
        let world = try ToolWorld()
        let page = try world.run("describe", "policy.set", isOnTerminal: true).output
        for line in [
            "policy.set  (request to the broker, for controller, admin)\n",
            "end the call (keep | end)\n",
            "    limits.ringing?                        integer 1 to 1000000       calls",
            "    default_provider.NAME?                 string or null",
            "\n  errors:\n    -32602  invalid_params\n",
            "\n    two choices\n      params  {", "\n      result  {\"policy\":{",
        ] { #expect(page.contains(line), "\(page)") }
        let event = try world.run("describe", "call.added", isOnTerminal: true).output
        #expect(event.hasPrefix("call.added  (notification to clients, for "))
        #expect(event.contains("the type (phone | email | generic; more are possible)\n"))
        #expect(!event.contains("errors:"))
        let request = try world.run("describe", "transaction.request", isOnTerminal: true).output
        #expect(request.contains("the kind of action (start | answer | end | set_held | "))
        let ping = try world.run("describe", "broker.ping", isOnTerminal: true).output
        #expect(ping.hasPrefix("broker.ping  (request both ways, any role)\n"))
    }

    @Test func `--socket comes before BROKER_SOCKET`() throws {
        let daemon = try TestDaemon()
        let run = try Tool(
            "request", "broker.ping", "--socket", daemon.socketPath,
            socketPath: daemon.folder.file("none"))
        #expect(run.end == .exited(0))
    }

    @Test func `--version and --help answer without a broker`() throws {
        let version = try Tool("--version")
        #expect(version.end == .exited(0))
        let hello = try TestDaemon().connect().hello().result
        #expect(version.output.contains(try #require(hello?["broker"]?["version"]?.string)))
        let help = try Tool("--help")
        #expect(help.end == .exited(0))
        for command in ["serve", "request", "methods", "describe"] {
            #expect(help.output.contains(command))
        }
    }
}
