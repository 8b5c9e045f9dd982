import Testing

/// Section 5, the methods of this release: what each takes and gives.
struct MethodTests {
    private func ready(_ roles: String = #""roles":["admin","observer"]"#) throws -> TestClient {
        try TestDaemon().connectReady(roles)
    }

    @Test func `info tells who is serving`() throws {
        let daemon = try TestDaemon()
        let client = try daemon.connectReady()
        try daemon.advance(1_234)
        let result = try #require(try client.request("broker.info").result)
        let names = [
            "name", "version", "instance", "epoch", "seq", "uptime_ms", "counts", "journal",
        ]
        #expect(Set(result.names).isSuperset(of: names))
        #expect(result["name"] == "callbroker")
        #expect(result["uptime_ms"] == 1_234)
        #expect(result["counts"]?["connections"] == 2)
    }

    @Test func `info and hello agree`() throws {
        let client = try TestDaemon().connect()
        let hello = try client.hello().result
        let info = try client.request("broker.info").result
        #expect(info?["version"] == hello?["broker"]?["version"])
        #expect(info?["instance"] == hello?["broker"]?["instance"])
        #expect(info?["epoch"] == hello?["epoch"])
        #expect(info?["seq"] == hello?["seq"])
    }

    @Test func `ping without a payload gives none`() throws {
        let client = try TestDaemon().connect()
        try client.send(.ping(1))
        #expect(try client.line() == #"{"jsonrpc":"2.0","id":1,"result":{}}"#)
        try client.send(.ping(2, payload: "null"))
        #expect(try client.line() == #"{"jsonrpc":"2.0","id":2,"result":{"payload":null}}"#)
    }

    @Test func `describe gives the entry that discover gives`() throws {
        let client = try TestDaemon().connect()
        let document = try client.request("rpc.discover").result
        for entry in try #require(document?["methods"]?.elements) {
            let name = try #require(entry["name"]?.string)
            let reply = try client.request("broker.describe", #"{"name":"\#(name)"}"#)
            #expect(reply.result == entry)
        }
    }

    @Test func `describe of an unknown name is not found`() throws {
        let client = try TestDaemon().connect()
        #expect(try client.request("broker.describe", #"{"name":"no.such"}"#).code == -32004)
        let marked = #"{"name":"\#(FrameCheck.marker)"}"#
        #expect(try client.request("broker.describe", marked).code == -32004)
        #expect(try client.request("broker.describe").code == -32602)
    }

    @Test func `a notification's method with an id is no method`() throws {
        let client = try ready()
        for method in ["broker.log", "broker.cancel", "broker.goodbye", "broker.warning"] {
            #expect(try client.request(method, "{}").code == -32601)
        }
    }

    @Test func `log writes a line to the log`() throws {
        let daemon = try TestDaemon()
        let client = try daemon.connectReady()
        try client.send(
            #"{"jsonrpc":"2.0","method":"broker.log","params":{"level":"notice","message":"hm 7"}}"#
        )
        try client.expectNothing()
        #expect(try daemon.logs("hm 7"))
    }

    @Test func `log cannot forge a second line, colour the terminal or tell a number`() throws {
        let daemon = try TestDaemon()
        let client = try daemon.connectReady()
        let message = #"one\ntwo\u001b[31m\r\u202e\u0085 \#(FrameCheck.marker)"#
        let params = #"{"level":"error","message":"\#(message)","fields":{"a":"\#(message)"}}"#
        try client.send(#"{"jsonrpc":"2.0","method":"broker.log","params":\#(params)}"#)
        try client.expectNothing()
        #expect(try daemon.logs("one"))
        let line = daemon.log.split(separator: "\n").first { $0.contains("one") }
        #expect(line?.contains("two") == true)
        let control: [Unicode.Scalar] = ["\u{1B}", "\r", "\u{202E}", "\u{85}"]
        #expect(!daemon.log.unicodeScalars.contains { control.contains($0) })
    }

    @Test func `a flood of log lines is counted, not written`() throws {
        let daemon = try TestDaemon()
        let client = try daemon.connectReady()
        for index in 1...1_000 {
            let params = #"{"level":"error","message":"flood \#(index % 7)"}"#
            try client.send(#"{"jsonrpc":"2.0","method":"broker.log","params":\#(params)}"#)
        }
        try client.expectNothing()
        #expect(try daemon.stop() == .exited(0))
        let lines = daemon.log.split(separator: "\n").filter { $0.contains("flood") }
        #expect(lines.count == 100)
    }

    @Test func `an unknown notification gets a warning, once`() throws {
        let client = try ready()
        for _ in 1...3 {
            try client.send(
                #"{"jsonrpc":"2.0","method":"no.such","params":{"a":"\#(FrameCheck.marker)"}}"#)
        }
        let warnings = try client.finish()
        #expect(warnings == [#"broker.warning "unknown_notification""#])
    }

    @Test func `after goodbye what is open is answered and the connection closes`() throws {
        let client = try ready()
        try client.send(.ping(1))
        try client.send(#"{"jsonrpc":"2.0","method":"broker.goodbye","params":{"reason":"done"}}"#)
        #expect(try client.verdictsToEnd() == ["1 {}"])
    }

    @Test func `stats count frames, requests, notifications and errors`() throws {
        let daemon = try TestDaemon()
        let names = ["frames_received", "frames_bad", "requests", "notifications", "errors_sent"]
        let before = try names.map { try daemon.stat($0) }
        let client = try daemon.connect()
        try client.send(.ping(1))
        try client.send("x")
        try client.send(#"{"jsonrpc":"2.0","method":"no.such"}"#)
        try client.send(#"{"jsonrpc":"2.0","id":2,"method":"no.such"}"#)
        #expect(try client.finish().count == 3)
        let after = try names.map { try daemon.stat($0) }
        // Between two readings of a counter lie five requests for counters.
        #expect(zip(before, after).map { $1 - $0 } == [4 + 5, 1, 2 + 5, 1, 2])
    }

    @Test func `stats count connections`() throws {
        let daemon = try TestDaemon()
        #expect(try daemon.stat("connections") == 1)
        let clients = try (1...5).map { _ in try daemon.connectReady() }
        #expect(try daemon.stat("connections") == 6)
        for client in clients { #expect(try client.finish() == []) }
        #expect(try daemon.stat("connections") == 1)
        #expect(try daemon.stat("connections_accepted") == 6)
    }

    @Test func `advance moves the clock, fires what is due and says how much`() throws {
        let daemon = try TestDaemon()
        let clients = try (1...3).map { _ in try daemon.connect() }
        for client in clients { try client.expectNothing() }
        let admin = try daemon.admin()
        let first = try admin.request("test.advance", #"{"ms":9999}"#).result
        #expect(first?.description == #"{"fired":0,"now_ms":9999,"seq":0}"#)
        let second = try admin.request("test.advance", #"{"ms":1}"#).result
        #expect(second?["fired"] == 3)
        #expect(second?["now_ms"] == 10_000)
    }

    @Test func `advance by nothing is allowed, backwards is not`() throws {
        let client = try ready()
        #expect(try client.request("test.advance", #"{"ms":0}"#).result?["now_ms"] == 0)
        #expect(try client.request("test.advance", #"{"ms":-1}"#).code == -32602)
        #expect(try client.request("test.advance").code == -32602)
    }

    @Test func `the clock of hello follows advance`() throws {
        let daemon = try TestDaemon()
        let before = try daemon.connect().hello().result?["clock"]
        try daemon.advance(5_000)
        let after = try daemon.connect().hello().result?["clock"]
        for name in ["now_at_ms", "mono_ms"] {
            let (first, second) = (before?[name]?.integer ?? 0, after?[name]?.integer ?? 0)
            #expect(second - first == 5_000)
        }
    }

    @Test func `without test mode there is no test method`() throws {
        let client = try TestDaemon(arguments: []).connectReady(#""roles":["admin"]"#)
        #expect(try client.request("test.advance", #"{"ms":1}"#).code == -32601)
        let document = try client.request("rpc.discover").result
        let names = document?["methods"]?.elements?.compactMap { $0["name"]?.string } ?? []
        #expect(!names.contains { $0.hasPrefix("test.") })
    }
}
