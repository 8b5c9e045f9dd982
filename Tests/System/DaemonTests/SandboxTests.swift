import Glibc
import Testing

/// Apps in sandboxes with the socket shared in.
struct SandboxTests {
    /// What the broker says about a client with an identity.
    private func listed(_ identity: String, at daemon: TestDaemon) throws -> JSON? {
        let list = try daemon.admin().request("connection.list").result?["connections"]
        return list?.elements?.first { $0["identity"]?.string == identity }
    }

    @Test func `a program of the host is listed with its executable`() throws {
        let daemon = try TestDaemon()
        let client = try daemon.connectReady(#""roles":["provider"],"identity":"org.example.here""#)
        let own = try #require(try listed("org.example.here", at: daemon))
        #expect(own["sandbox"]?.string == "none")
        #expect(own["executable"]?.string == testProgram)
        #expect(own["pid"]?.integer == Int(getpid()))
        #expect(own["uid"]?.integer == Int(getuid()))
        try client.expectNothing()
    }

    @Test func `a Flatpak is listed with its id`() throws {
        let daemon = try TestDaemon()
        let app = try SandboxedClient.flatpak("org.example.Phone", of: daemon)
        _ = try app.hello(#""roles":["observer"],"identity":"org.example.phone""#)
        let phone = try #require(try listed("org.example.phone", at: daemon))
        #expect(phone["sandbox"]?.string == "flatpak")
        #expect(phone["app"]?.string == "org.example.Phone")
        #expect(phone["executable"]?.string?.hasPrefix("/usr/bin/python3") == true)
        #expect(phone["pid"]?.integer != 0)
    }

    @Test func `a sandbox with the host's files is one all the same`() throws {
        let daemon = try TestDaemon()
        let app = try SandboxedClient(
            of: daemon, ["--unshare-user", "--die-with-parent", "--bind", "/", "/"])
        _ = try app.hello(#""roles":["observer"],"identity":"org.example.app""#)
        let entry = try #require(try self.listed("org.example.app", at: daemon))
        #expect(entry["sandbox"]?.string == "other")
        #expect(entry["app"] == nil)
    }

    @Test func `a process that has ended before its hello is not known`() throws {
        let daemon = try TestDaemon()
        let descriptor = try UnixSocket.make()
        let holder = try ChildProcess(
            [programFolder + "/SocketHolder", daemon.socketPath], passing: descriptor)
        #expect(try holder.output.wait { $0.contains("connected") })
        holder.signal(SIGKILL)
        _ = try holder.waitForEnd()
        let client = TestClient(descriptor)
        _ = try client.hello(#""roles":["observer"],"identity":"org.example.orphan""#)
        let orphan = try #require(try listed("org.example.orphan", at: daemon))
        #expect(orphan["sandbox"]?.string == "unknown")
        #expect(orphan["executable"] == nil)
    }

    @Test func `a Flatpak has the roles that a rule gives it, and loses them with the rule`() throws
    {
        let daemon = try TestDaemon(
            policy: #"{"rights":[{"app":"org.example.Phone","roles":["provider"]}]}"#)
        func hello(_ id: String) throws -> (app: SandboxedClient, roles: JSON?) {
            let app = try SandboxedClient.flatpak(id, of: daemon)
            let reply = try app.hello(
                #""roles":["provider","controller","observer"],"identity":"org.example.phone""#)
            return (app, reply.result?["granted_roles"])
        }
        let (phone, roles) = try hello("org.example.Phone")
        #expect(roles == .array(["provider"]))
        #expect(try hello("org.example.Stranger").roles == .array(["observer"]))
        let answer = try daemon.admin().request("policy.set", #"{"rights":[]}"#)
        #expect(answer.result != nil)
        let goodbye = try phone.line(after: #"{"jsonrpc":"2.0","method":"broker.goodbye""#)
        #expect(goodbye.contains(#""reason":"rights_changed""#))
        #expect(try hello("org.example.Phone").roles == .array(["observer"]))
    }

    @Test func `a stranger in a sandbox is not told who calls`() throws {
        let daemon = try TestDaemon()
        let stranger = try SandboxedClient.flatpak("org.example.Stranger", of: daemon)
        _ = try stranger.hello()
        _ = try stranger.request("events.subscribe", #"{"topics":["*"]}"#)
        let phone = try daemon.connectReady(#""roles":["provider"],"identity":"org.example.phone""#)
        _ = try phone.request(
            "provider.register", #"{"display_name":"Phone","handle_types":["phone"]}"#)
        let call = "ca110000-0000-4000-8000-000000000001"
        let ring = try phone.request(
            "call.report_incoming",
            #"{"call":"\#(call)","remote":{"type":"phone","value":"+15550123"},"#
                + #""display_name":"Ada Lovelace"}"#)
        #expect(ring.result?["state"]?.string == "ringing")
        let list = try stranger.request("call.list").result?["calls"]
        #expect(list?.elements?.first?["state"]?.string == "ringing")
        #expect(try stranger.request("history.list").reason == "limited_view")
        #expect(stranger.process.output.text.contains(#""topic":"call.added""#))
        for secret in ["15550123", "Ada", "Lovelace"] {
            #expect(!stranger.process.output.text.contains(secret))
        }
    }

    /// Its files, users, processes and network are its own, apart from the socket.
    private func container(of daemon: TestDaemon) throws -> SandboxedClient {
        try SandboxedClient(
            of: daemon,
            [
                "--unshare-all", "--uid", "54321", "--die-with-parent", "--ro-bind", "/usr", "/usr",
                "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64", "--symlink",
                "usr/bin", "/bin", "--proc", "/proc", "--dev", "/dev", "--bind", daemon.socketPath,
                daemon.socketPath,
            ])
    }

    @Test func `a container has the rights of its credential until that is revoked`() throws {
        let daemon = try TestDaemon()
        let issued = try Tool(
            "grant", "issue", "box", "--role", "provider", "--role", "observer", "--own-calls",
            "--for", "1h", socketPath: daemon.socketPath)
        #expect(issued.end == .exited(0), "\(issued.errors)")
        let roles = #""roles":["provider","observer","controller"],"identity":"org.example.box""#
        let hello = #""credential":"\#(issued.output.dropLast())",\#(roles)"#
        let stranger = try container(of: daemon).hello(roles)
        #expect(stranger.result?["granted_roles"] == .array(["observer"]))
        let app = try container(of: daemon)
        let reply = try app.hello(hello)
        #expect(reply.result?["granted_roles"] == .array(["provider", "observer"]))
        #expect(reply.result?["rights"]?["calls"]?.string == "own")
        let registered = try app.request(
            "provider.register", #"{"display_name":"Box","handle_types":["phone"]}"#)
        #expect(registered.result != nil)
        let list = try Tool("grant", "show", socketPath: daemon.socketPath)
        #expect(list.output.contains("box"))
        let revoked = try Tool("grant", "revoke", "box", socketPath: daemon.socketPath)
        #expect(revoked.end == .exited(0))
        let goodbye = try app.line(after: #"{"jsonrpc":"2.0","method":"broker.goodbye""#)
        #expect(goodbye.contains(#""reason":"rights_changed""#))
        #expect(try container(of: daemon).hello(hello).reason == "bad_credential")
    }

    /// The installed service has a user namespace of its own, and so no rights over other processes.
    @Test func `a broker with users of its own knows sandboxes, but no executables`() throws {
        let daemon = try TestDaemon(wrapper: ["unshare", "--user", "--map-root-user"])
        let desk = try daemon.connectReady(#""roles":["provider"],"identity":"org.example.desk""#)
        let own = try #require(try listed("org.example.desk", at: daemon))
        #expect(own["sandbox"]?.string == "none" && own["executable"] == nil)
        let app = try SandboxedClient.flatpak("org.example.Phone", of: daemon)
        _ = try app.hello(#""roles":["observer"],"identity":"org.example.phone""#)
        let phone = try #require(try listed("org.example.phone", at: daemon))
        #expect(phone["sandbox"]?.string == "other")
        try desk.expectNothing()
    }

    @Test func `frames behind a hello wait with it`() throws {
        let daemon = try TestDaemon()
        let client = try daemon.connect()
        let hello =
            #"{"jsonrpc":"2.0","id":1,"method":"broker.hello","params":"#
            + TestClient.hello(#""roles":["observer"]"#) + "}\n"
        let list = #"{"jsonrpc":"2.0","id":2,"method":"call.list"}"# + "\n"
        try client.send(bytes: Array((hello + list + .ping(3) + "\n").utf8))
        client.shutdownWriting()
        let verdicts = try client.verdictsToEnd()
        #expect(verdicts.count == 3)
        #expect(verdicts.map { $0.prefix(2) } == ["1 ", "2 ", "3 "])
        #expect(!verdicts[1].contains("-32002"))
    }

    @Test func `the tool lists clients with their programs`() throws {
        let daemon = try TestDaemon()
        let app = try SandboxedClient.flatpak("org.example.Phone", of: daemon)
        _ = try app.hello(#""roles":["observer"]"#)
        let run = try Tool("connections", socketPath: daemon.socketPath)
        #expect(run.end == .exited(0))
        let lines = run.output.split(separator: "\n")
        #expect(lines.first?.hasPrefix("PID") == true)
        #expect(lines.contains { $0.contains("flatpak org.example.Phone") })
        #expect(lines.contains { $0.contains(executablePath) && $0.hasSuffix("admin") })
    }
}
