import Glibc
import Testing

/// Plugins as processes of their own, seen from outside.
struct PluginTests {
    let folder: TemporaryFolder
    private let bell: String
    private let fifo: Int32

    init() throws {
        folder = try TemporaryFolder()
        bell = folder.file("bell.fifo")
        #expect(mkfifo(bell, 0o600) == 0)
        // Open at both ends, so that nobody waits for the other.
        fifo = open(bell, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    }

    /// The provider of the protocol's guide, as it stands there.
    private static func doorbell() throws -> String {
        try contents(of: repositoryPath + "/plugins/sdk/python/examples/doorbell.sh")
    }

    private func write(_ script: String, _ members: String) throws {
        try folder.write(script, to: "bell.sh")
        try folder.write(
            #"""
            {"manifest":1,"identity":"org.example.bell","roles":["provider"],
            "exec":["sh","bell.sh"],"start":"boot",\#(members)}
            """#, to: "org.example.bell.plugin.json")
    }

    private func writeDoorbell() throws {
        try write(
            try Self.doorbell(),
            #"""
            "transport":"stdio","handshake":"implicit","env_pass":["DOORBELL_FIFO"],
            "provider":{"handle_types":["generic"]}
            """#)
    }

    private func daemon(_ arguments: [String] = ["--test-mode"]) throws -> TestDaemon {
        try TestDaemon(
            arguments: arguments + ["--plugin-dir", folder.path],
            environment: ["DOORBELL_FIFO": bell])
    }

    func press(_ who: String) {
        let line = Array("\(who)\n".utf8)
        #expect(Glibc.write(fifo, line, line.count) == line.count)
    }

    /// Somebody who sees to plugins and calls, and hears of both.
    func user(of daemon: TestDaemon, _ topics: String = #""plugin.*","call.*""#) throws
        -> TestClient
    {
        let client = try daemon.connectReady(#""roles":["admin","controller","observer"]"#)
        _ = try client.request(
            "events.subscribe", #"{"topics":[\#(topics)],"snapshot":false}"#)
        return client
    }

    /// The data of the next event of a topic.
    func event(_ topic: String, to client: TestClient) throws -> JSON {
        while true {
            let params = try client.frame().params
            if params?["topic"] == .string(topic), let data = params?["data"] { return data }
        }
    }

    private func row(_ client: TestClient) throws -> JSON {
        let reply = try client.request("plugin.list", "{}", isAlone: false)
        return try #require(reply.result?["plugins"]?[0])
    }

    /// Waits until the plugin is in a state; each answer is a turn of the daemon.
    func wait(for state: String, _ client: TestClient) throws -> JSON {
        let deadline = ContinuousClock.now + ceiling
        while ContinuousClock.now < deadline {
            let row = try row(client)
            if row["state"] == .string(state) { return row }
            sched_yield()
        }
        throw CeilingReached(waitedFor: "the state \(state): \(try row(client))")
    }

    /// Whether a process is gone, or is only waited for by whoever has inherited it.
    private func isGone(_ pid: Int) -> Bool {
        let deadline = ContinuousClock.now + ceiling
        while ContinuousClock.now < deadline {
            guard let status = try? contents(of: "/proc/\(pid)/status"),
                !status.contains("State:\tZ")
            else { return true }
            sched_yield()
        }
        return false
    }

    private func children(of pid: Int) -> [Int] {
        let text = (try? contents(of: "/proc/\(pid)/task/\(pid)/children")) ?? ""
        return text.split(separator: " ").compactMap { Int($0) }
    }

    // MARK: - Providers

    @Test func `the provider in fifteen lines of shell works as it stands`() throws {
        try writeDoorbell()
        let daemon = try daemon()
        let client = try user(of: daemon)
        press("front")
        let call = try event("call.added", to: client)
        #expect(call["remote"]?["value"] == .string("front"))
        let id = try #require(call["call"]?.string)
        let answer = try client.request(
            "call.answer", #"{"call":"\#(id)","wait":"completed"}"#, isAlone: false)
        #expect(answer.result?["state"] == .string("completed"))
        let tone = try client.request(
            "call.play_dtmf", #"{"call":"\#(id)","digits":"1","wait":"completed"}"#, isAlone: false)
        #expect(tone.code == -32_013)
        let end = try client.request(
            "call.end", #"{"call":"\#(id)","wait":"completed"}"#, isAlone: false)
        #expect(end.result?["state"] == .string("completed"))
    }

    @Test func `one that is killed is noticed at once though its child holds the socket`() throws {
        try writeDoorbell()
        let daemon = try daemon()
        let client = try user(of: daemon)
        press("front")
        _ = try event("call.added", to: client)
        let pid = try #require(try row(client)["pid"]?.integer)
        let background = children(of: pid)
        #expect(background.count == 1)
        kill(pid_t(pid), SIGKILL)
        let removed = try event("call.removed", to: client)
        #expect(removed["cause"]?["rule"] == .string("26"))
        let change = try event("plugin.state", to: client)
        #expect(change["state"] == .string("backoff"))
        #expect("\(change["exit"] ?? .null)" == #"{"signal":9}"#)
        for child in background { #expect(isGone(child)) }
        // The pause is on the virtual clock.
        try daemon.advance(600)
        #expect(try wait(for: "ready", client)["starts"] == .integer(2))
    }

    @Test func `on descriptor 3 it talks, and what it prints is a log`() throws {
        try write(
            #"""
            echo hello from $HOME
            printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"broker.hello","params":{"protocol":{"min":1,"max":1},"client":{"name":"bell","version":"1"},"roles":["provider"]}}' >&3
            read -r greeting <&3
            printf '%s\n' '{"jsonrpc":"2.0","id":2,"method":"provider.register","params":{"display_name":"Bell","handle_types":["generic"]}}' >&3
            while read -r line <&3; do :; done
            """#, #""transport":"fd3","env":{"HOME":"/nowhere"}"#)
        let daemon = try daemon()
        let client = try user(of: daemon)
        _ = try wait(for: "ready", client)
        let logs = try client.request(
            "plugin.logs", #"{"plugin":"org.example.bell"}"#, isAlone: false)
        #expect(logs.result?["lines"]?[0]?["text"] == .string("hello from /nowhere"))
    }

    @Test func `logs follow what is written, over a restart of the plugin`() throws {
        try write(
            "echo here is number $$ >&2; while read -r line; do :; done",
            #""handshake":"implicit","provider":{"handle_types":["generic"]}"#)
        let daemon = try daemon()
        let client = try user(of: daemon)
        let first = try #require(try wait(for: "ready", client)["pid"]?.integer)
        let follower = try ChildProcess([
            executablePath, "plugin", "logs", "--follow", "bell", "--json", "--socket",
            daemon.socketPath,
        ])
        func heard(_ pid: Int) throws -> Bool {
            try follower.output.wait { $0.contains(#""text":"here is number \#(pid)""#) }
        }
        #expect(try heard(first))
        kill(pid_t(first), SIGKILL)
        _ = try event("plugin.state", to: client)
        try daemon.advance(600)
        let second = try #require(try wait(for: "ready", client)["pid"]?.integer)
        #expect(try heard(second))
        let lines = follower.output.text.split(whereSeparator: \.isNewline)
        #expect(lines.count == 2)
        #expect(follower.errors.text == "")
    }

    @Test func `as many of the latest lines are shown as are asked for, however long`() throws {
        try write(
            """
            for i in 1 2 3 4 5 6 7 8 9 10 11 12; do printf 'line %d %08000d\\n' $i 0 >&2; done
            while read -r line; do :; done
            """,
            #""handshake":"implicit","provider":{"handle_types":["generic"]}"#)
        let daemon = try daemon()
        let follower = try ChildProcess([
            executablePath, "plugin", "logs", "--follow", "bell", "--socket", daemon.socketPath,
        ])
        #expect(try follower.output.wait { $0.contains("line 12 ") })
        let tool = try Tool(
            "plugin", "logs", "bell", "--lines", "10", "--json", socketPath: daemon.socketPath)
        let numbers = try tool.output.split(separator: "\n").map {
            try JSON(String($0))["number"]?.integer
        }
        #expect(numbers == Array(3...12))
    }

    @Test func `choices that cannot be read are kept aside, and the doctor tells of them`() throws {
        try writeDoorbell()
        let state = folder.file("state")
        #expect(mkdir(state, 0o700) == 0)
        try folder.write("{oops", to: "state/plugins.json")
        let daemon = try daemon(["--test-mode", "--state-dir", state])
        let client = try user(of: daemon)
        _ = try client.request(
            "plugin.disable", #"{"plugin":"org.example.bell"}"#, isAlone: false)
        let aside = state + "/plugins.json.kept-1"
        #expect(try contents(of: aside) == "{oops")
        #expect(
            try contents(of: state + "/plugins.json")
                == #"{"version":1,"plugins":{"org.example.bell":{"disabled":true}}}"# + "\n")
        let doctor = try Tool("doctor", "--socket", daemon.socketPath, "--json")
        #expect(
            doctor.output.contains("unreadable plugin settings were saved: \(aside)"))
    }

    @Test func `one that ignores what it is told is ended`() throws {
        try write(
            "trap '' TERM; >deaf; while :; do read -r line || tail -f /dev/null & wait; done",
            #""handshake":"implicit","stop_timeout_ms":100,"provider":{"handle_types":["generic"]}"#
        )
        let daemon = try daemon()
        let client = try user(of: daemon)
        let pid = try #require(try row(client)["pid"]?.integer)
        let deadline = ContinuousClock.now + ceiling
        while FileStatus(folder.file("deaf")) == nil, ContinuousClock.now < deadline {
            sched_yield()
        }
        _ = try client.request("plugin.stop", #"{"plugin":"org.example.bell"}"#, isAlone: false)
        try daemon.advance(100)
        try daemon.advance(5_000)
        let row = try wait(for: "stopped", client)
        #expect("\(row["exit"] ?? .null)" == #"{"signal":9}"#)
        #expect(isGone(pid))
    }

    @Test func `a broker that is killed takes its plugins with it`() throws {
        try writeDoorbell()
        let daemon = try daemon()
        let pid = try #require(try row(try user(of: daemon))["pid"]?.integer)
        let background = children(of: pid)
        #expect(try daemon.stop(SIGKILL) == .killed(by: SIGKILL))
        for process in [pid] + background { #expect(isGone(process)) }
    }

    @Test func `a broker that stops takes its plugins with it`() throws {
        try writeDoorbell()
        let daemon = try daemon()
        let pid = try #require(try row(try user(of: daemon))["pid"]?.integer)
        #expect(try daemon.stop() == .exited(0))
        #expect(isGone(pid))
    }

    @Test func `its last words are in the event, and the doctor names it`() throws {
        try write("echo no audio device >&2; exit 3", #""transport":"fd3""#)
        let daemon = try daemon()
        let client = try user(of: daemon)
        let row = try wait(for: "backoff", client)
        #expect("\(row["stderr"] ?? .null)" == #"["no audio device"]"#)
        #expect("\(row["exit"] ?? .null)" == #"{"code":3}"#)
        let doctor = try Tool("plugin", "doctor", "--json", socketPath: daemon.socketPath)
        #expect(doctor.end == .exited(1))
        #expect(doctor.output.contains("the process exited with status 3"))
        #expect(doctor.output.contains("no audio device"))
        let all = try Tool("doctor", "--flat", socketPath: daemon.socketPath)
        #expect(all.output.contains("no audio device"))
    }

    @Test func `a manifest that comes is noticed`() throws {
        let daemon = try daemon()
        let client = try user(of: daemon)
        try writeDoorbell()
        let change = try event("plugin.state", to: client)
        #expect(change["plugin"] == .string("org.example.bell"))
    }

    // MARK: - The tool

    @Test func `an app that is not running is named by a part of its name`() throws {
        for name in ["bell", "gate"] {
            try folder.write(
                #"""
                {"manifest":1,"identity":"org.example.\#(name)","name":"Door \#(name.uppercased())",
                "roles":["provider"],"exec":["sh","none.sh"],"start":"demand",
                "provider":{"handle_types":["generic"]}}
                """#, to: "org.example.\(name).plugin.json")
        }
        let daemon = try daemon()
        func put(_ app: String) throws -> Tool {
            try Tool(
                "contact", "put", "Ada", "+15550123", "--another", "--provider", app,
                socketPath: daemon.socketPath)
        }
        for app in ["org.example.gate", "gate", "Door GATE", "door g"] {
            let run = try put(app)
            #expect(run.end == .exited(0), "\(app): \(run.errors)")
        }
        let contacts = try Tool("contact", "--json", socketPath: daemon.socketPath).output
        let apps = try contacts.split(separator: "\n").map { try JSON(String($0))["provider"] }
        #expect(apps == Array(repeating: "org.example.gate", count: 4))
        let several = try put("door")
        #expect(several.end == .exited(2))
        #expect(
            several.errors == """
                callbroker: several apps match "door"; name one by its identity:
                  org.example.bell Door BELL
                  org.example.gate Door GATE

                """)
    }

    @Test func `the tool lists, stops, starts and sets`() throws {
        try write(
            try Self.doorbell(),
            #"""
            "handshake":"implicit","env_pass":["DOORBELL_FIFO"],
            "provider":{"handle_types":["generic"]},
            "options":[{"option":"volume","type":"int","default":3,"dynamic":true}]
            """#)
        try folder.write("{\n  \"manifest\": 1,\n}", to: "org.example.broken.plugin.json")
        let daemon = try daemon()
        func run(_ arguments: String...) throws -> Tool {
            let process = try ChildProcess(
                [executablePath, "plugin"] + arguments,
                environment: ["BROKER_SOCKET": daemon.socketPath])
            return try Tool(finishing: process)
        }
        let list = try run("list", "--json").output.split(separator: "\n")
        #expect(list.count == 2)
        #expect(
            list.last?.contains(#""fault":{"file":"\#(folder.path)/org.example.broken"#) == true)
        #expect(list.last?.contains(#""line":3"#) == true)
        #expect(
            try run("set", "bell", "volume", "7", "--json").output.contains(#""applies":"now""#))
        #expect(try run("show", "bell", "--flat").output.contains("options[0].value=7"))
        #expect(try run("set", "bell", "volume", "loud").end == .exited(2))
        #expect(try run("stop", "bell", "--json").end == .exited(0))
        let client = try user(of: daemon)
        _ = try wait(for: "stopped", client)
        #expect(try run("start", "bell", "--json").output.contains(#""state":"ready""#))
        #expect(try run("stop", "bel", "--json").end == .exited(0))
        #expect(try run("stop", "door").errors.contains("unknown plugin door"))
    }
}
