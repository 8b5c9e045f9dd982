import Testing

/// Section 3 and S1: identities in use, resuming, and what is served before hello.
struct SessionTests {
    private let provider = #""roles":["provider"],"identity":"org.example.a""#

    /// The member of hello that resumes the session `reply` opened.
    private func resume(_ reply: Frame, secret: String? = nil) -> String {
        let session = reply.result?["session"]
        let known = session?["secret"]?.string ?? ""
        return """
            "resume":{"session":\(session?["session"] ?? .null),"secret":"\(secret ?? known)"}
            """
    }

    @Test func `an identity in use is refused, and the first is unharmed`() throws {
        let daemon = try TestDaemon()
        let first = try daemon.connectReady(provider)
        let second = try daemon.connect()
        let reply = try second.hello(provider)
        #expect(reply.code == -32005)
        #expect(reply.reason == "identity")
        try first.expectNothing()
        #expect(try second.hello(#""roles":["provider"],"identity":"org.example.b""#).result != nil)
    }

    @Test func `an identity is free again when its connection is gone`() throws {
        let daemon = try TestDaemon()
        #expect(try daemon.connectReady(provider).finish() == [])
        #expect(try daemon.connect().hello(provider).result != nil)
    }

    @Test func `resume supersedes the old connection and keeps the session`() throws {
        let daemon = try TestDaemon()
        let first = try daemon.connect()
        let opened = try first.hello(provider)
        let second = try daemon.connect()
        let resumed = try second.hello("\(provider),\(resume(opened))")
        #expect(resumed.result?["session"]?["resumed"] == .boolean(true))
        #expect(resumed.result?["session"]?["session"] == opened.result?["session"]?["session"])
        let goodbye = try first.frame()
        #expect(goodbye.verdict == #"broker.goodbye "superseded""#)
        #expect(try first.line() == nil)
        try second.expectNothing()
    }

    @Test func `resume with a wrong secret does not supersede`() throws {
        let daemon = try TestDaemon()
        let first = try daemon.connect()
        let opened = try first.hello(provider)
        let wrong = resume(opened, secret: String(repeating: "0", count: 32))
        #expect(try daemon.connect().hello("\(provider),\(wrong)").code == -32005)
        try first.expectNothing()
    }

    @Test func `resume with another identity does not supersede`() throws {
        let daemon = try TestDaemon()
        let first = try daemon.connect()
        let opened = try first.hello(provider)
        let other = #""roles":["provider"],"identity":"org.example.b""#
        let reply = try daemon.connect().hello("\(other),\(resume(opened))")
        #expect(reply.result?["session"]?["resumed"] != .boolean(true))
        try first.expectNothing()
    }

    @Test func `resume of a session nobody knows opens a new one`() throws {
        // Hello fails only for version, credential or an identity in use.
        let unknown = """
            "resume":{"session":"6f3c2f0e-6d0c-4d6a-9f0a-0c4b1f0d7a11","secret":"a"}
            """
        let reply = try TestDaemon().connect().hello("\(provider),\(unknown)")
        #expect(reply.result?["session"]?["resumed"] == .boolean(false))
        let session = reply.result?["session"]?["session"]
        #expect(session != "6f3c2f0e-6d0c-4d6a-9f0a-0c4b1f0d7a11")
    }

    @Test func `before hello ping, describe and discover are served`() throws {
        let client = try TestDaemon().connect()
        #expect(try client.request("broker.ping").result != nil)
        #expect(try client.request("broker.describe", #"{"name":"broker.ping"}"#).result != nil)
        #expect(try client.request("rpc.discover").result?["openrpc"] == "1.3.2")
    }

    @Test func `before hello known methods need hello, unknown ones are unknown`() throws {
        let client = try TestDaemon().connect()
        for method in ["broker.info", "broker.stats", "test.advance"] {
            let reply = try client.request(method)
            #expect(reply.code == -32002)
            #expect(reply.data?["reason"] == "hello_required")
        }
        #expect(try client.request("no.such").code == -32601)
        #expect(try client.request("").code == -32601)
    }

    @Test func `before hello notifications are dropped and nothing is said unasked`() throws {
        let daemon = try TestDaemon()
        let client = try daemon.connect()
        try client.send(#"{"jsonrpc":"2.0","method":"no.such"}"#)
        try client.send(
            #"{"jsonrpc":"2.0","method":"broker.log","params":{"level":"error","message":"boo"}}"#)
        try client.expectNothing()
        #expect(!daemon.log.contains("boo"))
    }

    @Test func `before hello the broker greets nobody`() throws {
        let daemon = try TestDaemon()
        let client = try daemon.connect()
        #expect(try daemon.stat("connections") == 2)
        #expect(client.isSilent)
    }

    // MARK: - Time

    @Test func `a connection without hello is closed after 10 s and not before`() throws {
        let daemon = try TestDaemon()
        let client = try daemon.connect()
        try daemon.advance(9_999)
        #expect(client.isSilent)
        #expect(try daemon.stat("connections") == 2)
        try daemon.advance(1)
        let frames = try client.verdictsToEnd()
        #expect(frames.allSatisfy { $0.hasPrefix("broker.goodbye") })
        #expect(try daemon.stat("connections") == 1)
    }

    @Test func `ping gives another 10 s`() throws {
        let daemon = try TestDaemon()
        let client = try daemon.connect()
        for _ in 1...3 {
            try daemon.advance(9_999)
            try client.expectNothing()
        }
        try daemon.advance(9_999)
        #expect(client.isSilent)
        try daemon.advance(1)
        #expect(try client.verdictsToEnd().allSatisfy { $0.hasPrefix("broker.goodbye") })
    }

    @Test func `neither half a line, garbage nor other requests give more time`() throws {
        let daemon = try TestDaemon()
        let client = try daemon.connect()
        try daemon.advance(9_000)
        try client.send("x")
        try client.send(#"{"jsonrpc":"2.0","id":1,"method":"broker.info"}"#)
        try client.send("[]")
        #expect(try client.verdicts(3) == ["null -32700", "1 -32002", "null -32600"])
        try client.send(bytes: Array(#"{"jsonrpc""#.utf8))
        try daemon.advance(999)
        #expect(client.isSilent)
        try daemon.advance(1)
        #expect(try client.verdictsToEnd().allSatisfy { $0.hasPrefix("broker.goodbye") })
    }

    @Test func `after hello a connection may be silent for a day`() throws {
        let daemon = try TestDaemon()
        let client = try daemon.connectReady()
        try daemon.advance(86_400_000)
        // It may have been pinged meanwhile, and need not answer.
        let reply = try client.request("broker.info").result
        #expect(reply?["uptime_ms"] == 86_400_000)
    }

    @Test func `the limit hello_ms sets the time`() throws {
        let daemon = try TestDaemon(limits: ["hello_ms": 1_500])
        let client = try daemon.connect()
        try daemon.advance(1_499)
        #expect(client.isSilent)
        try daemon.advance(1)
        #expect(try client.verdictsToEnd().allSatisfy { $0.hasPrefix("broker.goodbye") })
    }
}
