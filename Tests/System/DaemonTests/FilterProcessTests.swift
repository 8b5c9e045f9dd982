import Glibc
import Testing

/// Screeners, directories and screens as processes of their own, that nobody has started (rule 32).
struct FilterProcessTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A program that gives one answer to whatever it is asked.
    private func write(_ role: String, answering result: String, _ members: String = "") throws {
        try folder.write(
            #"""
            while read -r line; do
                case $line in *'"id":'*'"method":'*) ;; *) continue ;; esac
                id=${line#*'"id":'}
                printf '{"jsonrpc":"2.0","id":%s,"result":\#(result)}\n' "${id%%,*}"
            done
            """#, to: "it.sh")
        let more = members.isEmpty ? "" : "," + members
        try folder.write(
            #"""
            {"manifest":1,"identity":"org.example.it","roles":["\#(role)"],"exec":["sh","it.sh"],
            "handshake":"implicit"\#(more)}
            """#, to: "org.example.it.plugin.json")
    }

    private func daemon() throws -> TestDaemon {
        try TestDaemon(arguments: ["--test-mode", "--plugin-dir", folder.path])
    }

    private func app(_ daemon: TestDaemon, _ name: String = "app") throws -> TestClient {
        let app = try daemon.connectReady(
            #""roles":["provider"],"identity":"org.example.\#(name)""#)
        _ = try app.request(
            "provider.register", #"{"display_name":"App","handle_types":["phone"]}"#)
        return app
    }

    private func ring(_ app: TestClient, _ number: Int) throws -> Frame {
        try app.request(
            "call.report_incoming",
            #"{"call":"\#(Self.call(number))","remote":{"type":"phone","value":"+15551"}}"#)
    }

    private static func call(_ number: Int) -> String {
        "00000000-0000-4000-8000-00000000000\(number)"
    }

    private func admin(_ daemon: TestDaemon) throws -> TestClient {
        try daemon.connectReady(#""roles":["admin","observer"]"#)
    }

    private func row(_ admin: TestClient) throws -> JSON {
        let reply = try admin.request("plugin.list", "{}", isAlone: false)
        return try #require(reply.result?["plugins"]?[0])
    }

    /// Each answer is a turn of the daemon.
    private func wait(for state: String, _ admin: TestClient) throws {
        let deadline = ContinuousClock.now + ceiling
        while try row(admin)["state"] != .string(state) {
            guard ContinuousClock.now < deadline else {
                throw CeilingReached(waitedFor: "the state \(state)")
            }
            sched_yield()
        }
    }

    @Test func `the first call starts the screener, and passes it`() throws {
        try write("screener", answering: #"{"verdict":"block","label":"Survey"}"#)
        let daemon = try daemon()
        let admin = try admin(daemon)
        #expect(try row(admin)["state"] == .string("stopped"))
        #expect(try ring(try app(daemon), 1).code == -32_008)
        #expect(try row(admin)["state"] == .string("ready"))
        let history = try Tool("history", "--json", socketPath: daemon.socketPath)
        #expect(history.output.contains(#""filtered_by":"org.example.it""#), "\(history.output)")
    }

    @Test func `one that fails closed and is killed lets nobody through, and is named`() throws {
        try write(
            "screener", answering: #"{"verdict":"allow"}"#,
            #""restart":"never","screener":{"fail":"closed"}"#)
        let daemon = try daemon()
        let (app, admin) = (try app(daemon), try admin(daemon))
        #expect(try ring(app, 1).result?["state"] == .string("ringing"))
        kill(pid_t(try #require(try row(admin)["pid"]?.integer)), SIGKILL)
        try wait(for: "failed", admin)
        #expect(try ring(app, 2).code == -32_008)
        let explained = try Tool(
            "explain", Self.call(2), "--flat", socketPath: daemon.socketPath)
        #expect(explained.output.contains("org.example.it gave no verdict: it has failed"))
        let doctor = try Tool("plugin", "doctor", socketPath: daemon.socketPath)
        #expect(doctor.end == .exited(1))
        _ = try admin.request("plugin.restart", #"{"plugin":"org.example.it"}"#, isAlone: false)
        #expect(try ring(app, 3).result?["state"] == .string("waiting"))
    }

    @Test func `one that fails closed and is taken away lets nobody through, also after a restart`()
        throws
    {
        try write(
            "screener", answering: #"{"verdict":"allow"}"#, #""screener":{"fail":"closed"}"#)
        let first = try daemon()
        #expect(try ring(try app(first), 1).result?["state"] == .string("ringing"))
        _ = try first.stop()
        #expect(unlink(folder.file("org.example.it.plugin.json")) == 0)
        let second = try TestDaemon(
            arguments: ["--test-mode", "--plugin-dir", folder.path], in: first.folder)
        #expect(try ring(try app(second, "second"), 2).code == -32_008)
        let doctor = try Tool("plugin", "doctor", socketPath: second.socketPath)
        #expect(doctor.output.contains("is no longer installed"), "\(doctor.output)")
        try folder.write("{}", to: "org.example.it.plugin.json")
        let admin = try admin(second)
        _ = try admin.request("plugin.rescan", "{}", isAlone: false)
        #expect(try ring(try app(second, "third"), 3).result?["state"] == .string("waiting"))
    }

    @Test func `the first call starts the directory, and its name is shown`() throws {
        try write("directory", answering: #"{"display_name":"Example Ltd"}"#)
        let daemon = try daemon()
        #expect(try ring(try app(daemon), 1).result?["state"] == .string("ringing"))
        let calls = try Tool("calls", "--json", socketPath: daemon.socketPath)
        #expect(calls.output.contains("Example Ltd"), "\(calls.output)")
    }

    @Test func `the first call starts the screen, and is its own`() throws {
        try write("ui", answering: #"{"presented":true}"#, #""ui":{"priority":1}"#)
        let daemon = try daemon()
        #expect(try ring(try app(daemon), 1).result?["state"] == .string("ringing"))
        let admin = try admin(daemon)
        #expect(try row(admin)["state"] == .string("ready"))
        _ = try admin.request("test.settle", "{}", isAlone: false)
        let screen = try admin.request("broker.info", "{}", isAlone: false).result?["screen"]
        #expect("\(screen ?? .null)".contains("org.example.it"))
    }
}
