import Testing

/// Section 3: what hello agrees on, and what it refuses.
struct HelloTests {
    @Test func `hello tells the version, the session, the roles, the limits and the clock`() throws
    {
        let client = try TestDaemon().connect()
        let result = try #require(try client.hello().result)
        let names = [
            "protocol", "broker", "session", "granted_roles", "denied_roles", "limits", "epoch",
            "seq", "clock", "options", "heartbeat_ms",
        ]
        #expect(Set(result.names).isSuperset(of: names))
        #expect(result["protocol"] == 1)
        #expect(result["broker"]?["name"] == "callbroker")
        #expect(result["session"]?.names == ["session", "secret", "resumed", "grace_ms"])
        #expect(result["session"]?["resumed"] == .boolean(false))
        #expect(result["clock"]?.names == ["now_at_ms", "mono_ms"])
        #expect(result["options"] == .object([]))
    }

    @Test func `hello tells the limits of section 11`() throws {
        let client = try TestDaemon().connect()
        let limits = try #require(try client.hello().result?["limits"])
        let expected: [String: JSON] = [
            "frame_bytes": 65_536, "frame_out_bytes": 65_535, "depth": 32, "values": 4_096,
            "batch": 32, "id_bytes": 64, "method_bytes": 128, "pending_requests": 64,
            "queue_soft_bytes": 262_144, "queue_hard_bytes": 1_048_576, "queue_hard_frames": 1_024,
            "stall_ms": 5_000, "user_queue_bytes": 67_108_864, "other_user_queue_bytes": 4_194_304,
            "connections": 16_384, "other_user_connections": 256,
            "other_user_connects_per_second": 50, "other_user_requests_per_second": 500,
            "hello_ms": 10_000, "bad_frames": 64, "frames_per_turn": 64, "half_close_ms": 30_000,
        ]
        for (name, value) in expected { #expect(limits[name] == value, "\(name)") }
    }

    @Test func `hello tells limits that were configured`() throws {
        let client = try TestDaemon(limits: ["depth": 9, "batch": 3]).connect()
        let limits = try #require(try client.hello().result?["limits"])
        #expect(limits["depth"] == 9)
        #expect(limits["batch"] == 3)
        #expect(limits["values"] == 4_096)
    }

    @Test(arguments: [(1, 1), (0, 1), (1, 7), (0, 1_000_000)])
    func `a range that holds version 1 gets version 1`(range: (Int, Int)) throws {
        let client = try TestDaemon().connect()
        let reply = try client.request("broker.hello", params(min: range.0, max: range.1))
        #expect(reply.result?["protocol"] == 1)
    }

    @Test(arguments: [(2, 2), (2, 9), (0, 0)])
    func `a range without version 1 is refused with what is supported`(range: (Int, Int)) throws {
        let client = try TestDaemon().connect()
        let reply = try client.request("broker.hello", params(min: range.0, max: range.1))
        #expect(reply.code == -32015)
        #expect(reply.data?["supported"]?.description == #"{"min":1,"max":1}"#)
    }

    @Test func `a range that ends before it begins is refused`() throws {
        let client = try TestDaemon().connect()
        let reply = try client.request("broker.hello", params(min: 2, max: 1))
        #expect(reply.code == -32602 || reply.code == -32015)
    }

    private func params(min: Int, max: Int) -> String {
        #"{"protocol":{"min":\#(min),"max":\#(max)},"client":{"name":"a","version":"1"}}"#
    }

    @Test func `a failed hello may be repeated`() throws {
        let client = try TestDaemon().connect()
        #expect(try client.request("broker.hello", params(min: 2, max: 2)).code == -32015)
        #expect(try client.request("broker.hello", "{}").code == -32602)
        #expect(try client.request("broker.info").code == -32002)
        #expect(try client.hello().result != nil)
        #expect(try client.request("broker.info").result != nil)
    }

    @Test func `a second hello after success is refused and changes nothing`() throws {
        let client = try TestDaemon().connectReady()
        #expect(try client.hello(#""roles":["admin"]"#).code == -32006)
        #expect(try client.request("broker.stats").code == -32003)
        #expect(try client.request("broker.info").result != nil)
    }

    @Test func `requests behind hello in one write are handled after it`() throws {
        let client = try TestDaemon().connect()
        let hello = #"{"jsonrpc":"2.0","id":1,"method":"broker.hello","params":"#
        let info = #"{"jsonrpc":"2.0","id":2,"method":"broker.info"}"#
        try client.send("\(hello)\(TestClient.hello())}\n\(info)")
        let frames = [try client.frame(), try client.frame()]
        #expect(frames.map(\.id) == [1, 2])
        #expect(frames.allSatisfy { $0.result != nil })
    }

    @Test func `a request in front of hello is refused, the one behind is served`() throws {
        let client = try TestDaemon().connect()
        let info = #"{"jsonrpc":"2.0","id":2,"method":"broker.info"}"#
        try client.send(info)
        #expect(try client.frame().verdict == "2 -32002")
        try client.hello()
        try client.send(info)
        #expect(try client.frame().result?["name"] == "callbroker")
    }

    @Test func `no roles means observer`() throws {
        let client = try TestDaemon().connect()
        let result = try client.hello().result
        #expect(result?["granted_roles"] == ["observer"])
        #expect(result?["denied_roles"] == .array([]))
    }

    @Test func `the owner of the socket gets what section 4 gives it`() throws {
        let client = try TestDaemon().connect()
        let roles = #""roles":["provider","controller","observer","ui","admin"]"#
        let result = try client.hello(#"\#(roles),"identity":"org.example.a""#).result
        let granted = result?["granted_roles"]?.elements?.compactMap(\.string) ?? []
        #expect(Set(granted) == ["provider", "controller", "observer", "ui", "admin"])
        #expect(granted.count == 5)
    }

    @Test func `roles that are not to be had are denied with a reason, and hello succeeds`() throws
    {
        let client = try TestDaemon().connect()
        let roles = #""roles":["screener","directory","emperor","observer"]"#
        let result = try client.hello(#"\#(roles),"identity":"org.example.a""#).result
        #expect(result?["granted_roles"] == ["observer"])
        let denied = result?["denied_roles"]?.elements?.map(\.description) ?? []
        let expected: Set = [
            #"{"role":"screener","reason":"not_granted"}"#,
            #"{"role":"directory","reason":"not_granted"}"#,
            #"{"role":"emperor","reason":"unknown_role"}"#,
        ]
        #expect(Set(denied) == expected)
    }

    @Test func `sixteen may be screens, and the next one once one of them has gone`() throws {
        let daemon = try TestDaemon()
        let screens = try (1...16).map { number in
            try daemon.connectReady(#""roles":["ui"],"identity":"org.example.s\#(number)""#)
        }
        let hello = #""roles":["ui"],"identity":"org.example.late""#
        let denied = try daemon.connect().hello(hello).result?["denied_roles"]?.description
        #expect(denied == #"[{"role":"ui","reason":"taken"}]"#)
        #expect(try screens[3].finish() == [])
        let granted = try daemon.connect().hello(hello)
        #expect(granted.result?["granted_roles"] == ["ui"])
    }

    @Test func `the screen has one holder at a time`() throws {
        let daemon = try TestDaemon()
        let screens = try ["a", "b"].map { name in
            try daemon.connectReady(#""roles":["ui"],"identity":"org.example.\#(name)""#)
        }
        #expect(try screens[0].request("ui.claim").result?["primary"] == .boolean(true))
        #expect(try screens[1].request("ui.claim").result?["primary"] == .boolean(false))
        #expect(try screens[0].finish() == [])
        #expect(try screens[1].request("ui.claim").result?["primary"] == .boolean(true))
    }

    @Test(arguments: ["screener", "directory"])
    func `a role nobody is granted gives nothing without an identity`(role: String) throws {
        // Which of the two faults is told first is open.
        let client = try TestDaemon().connect()
        let reply = try client.hello(#""roles":["\#(role)"]"#)
        #expect(reply.code == -32602 || reply.result?["granted_roles"] == .array([]))
    }

    @Test(arguments: ["provider", "ui"])
    func `some roles need an identity`(role: String) throws {
        let client = try TestDaemon().connect()
        let reply = try client.hello(#""roles":["\#(role)"]"#)
        #expect(reply.code == -32602)
        #expect(reply.field == "/identity")
    }

    @Test(arguments: ["phone", ".org", "org.", "org..a", "org a.b", "", "org.ex\u{E4}mple"])
    func `an identity is a reverse-domain name`(identity: String) throws {
        let client = try TestDaemon().connect()
        let reply = try client.hello(#""roles":["provider"],"identity":"\#(identity)""#)
        #expect(reply.code == -32602)
        #expect(reply.field == "/identity")
    }

    @Test func `a method outside the granted roles is refused`() throws {
        let client = try TestDaemon().connectReady(#""roles":["controller","observer"]"#)
        for method in ["broker.stats", "test.advance"] {
            let reply = try client.request(method, method == "test.advance" ? #"{"ms":1}"# : nil)
            #expect(reply.code == -32003)
            #expect(reply.reason == "role_not_granted")
        }
    }

    @Test func `every connection has a session and a secret of its own`() throws {
        let daemon = try TestDaemon()
        let clients = try (1...20).map { _ in try daemon.connect() }
        let sessions = try clients.map { try $0.hello().result?["session"] }
        #expect(Set(sessions.map { $0?["session"] }).count == 20)
        #expect(Set(sessions.map { $0?["secret"] }).count == 20)
        for secret in sessions.map({ $0?["secret"]?.string ?? "" }) { #expect(secret.count >= 32) }
    }

    @Test func `two starts are two instances of the same line of events`() throws {
        let folder = try TemporaryFolder()
        let first = try TestDaemon(in: folder)
        let before = try first.connectReady().request("broker.info").result
        #expect(try first.stop() == .exited(0))
        let after = try TestDaemon(in: folder).connectReady().request("broker.info").result
        #expect(before?["instance"] != after?["instance"])
        #expect(before?["epoch"] == after?["epoch"])
    }
}
