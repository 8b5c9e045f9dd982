import Testing

/// R7 to R10: responses, ids in use, batches, and one reply to every request.
struct ReplyProfileTests {
    @Test func `R7: a response is never answered, and is counted`() throws {
        let daemon = try TestDaemon()
        let client = try daemon.connect()
        let responses = [
            #"{"jsonrpc":"2.0","id":5,"result":{}}"#, #"{"jsonrpc":"2.0","id":"a","result":null}"#,
            #"{"jsonrpc":"2.0","id":5,"error":{"code":1,"message":"x"}}"#,
            #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}"#,
        ]
        for line in responses { try client.send(line) }
        #expect(try client.finish() == [])
        #expect(try daemon.stat("responses_ignored") == 4)
    }

    @Test func `R7: responses in a batch are not answered either`() throws {
        let client = try TestDaemon().connect()
        let response = #"{"jsonrpc":"2.0","id":5,"result":{}}"#
        try client.send("[\(response),\(response)]")
        try client.send("[\(response),\(String.ping(1))]")
        #expect(try client.finish() == ["[1 {}]"])
    }

    @Test func `R8: an id in use gets an error with id null and the first is unaffected`() throws {
        let client = try TestDaemon().connect()
        try client.send("[\(String.ping(7, payload: "1")),\(String.ping(7, payload: "2"))]")
        let line = try #require(try client.line())
        let entries = try #require(try JSON(line).elements).map { Frame($0) }
        #expect(entries.map(\.verdict) == [#"7 {"payload":1}"#, "null -32600"])
        #expect(entries.last?.reason == "duplicate_id")
        #expect(entries.last?.data?["request"] == 7)
    }

    @Test func `R8: a string and an integer do not clash`() throws {
        let client = try TestDaemon().connect()
        let other = #"{"jsonrpc":"2.0","id":"7","method":"broker.ping"}"#
        try client.send("[\(String.ping(7)),\(other)]")
        #expect(try client.finish() == [#"[7 {}, "7" {}]"#])
    }

    @Test func `R8: ids belong to a connection`() throws {
        let daemon = try TestDaemon()
        let clients = try (1...3).map { _ in try daemon.connect() }
        for client in clients { try client.send(.ping(7)) }
        for client in clients { #expect(try client.finish() == ["7 {}"]) }
    }

    @Test func `R8: an id may be used again after its reply`() throws {
        let client = try TestDaemon().connect()
        for _ in 1...5 {
            try client.send(.ping(7))
            #expect(try client.frame().verdict == "7 {}")
        }
    }

    @Test func `R9: a batch of 32 passes and one of 33 is refused`() throws {
        let client = try TestDaemon().connect()
        try client.send("[" + (1...32).map { .ping($0) }.joined(separator: ",") + "]")
        let verdict = "[" + (1...32).map { "\($0) {}" }.joined(separator: ", ") + "]"
        #expect(try client.frame().verdict == verdict)
        try client.send("[" + (1...33).map { .ping($0) }.joined(separator: ",") + "]")
        let refusal = try client.frame()
        #expect(refusal.verdict == "null -32011")
        #expect(refusal.reason == "batch")
        #expect(refusal.data?["limit"]?.description == #"{"name":"batch","value":32}"#)
    }

    @Test func `R9: a refused batch did nothing`() throws {
        let daemon = try TestDaemon(limits: ["batch": 2])
        let client = try daemon.connectReady(#""roles":["admin"]"#)
        let advance = #"{"jsonrpc":"2.0","method":"test.advance","params":{"ms":5}}"#
        let request = #"{"jsonrpc":"2.0","id":1,"method":"test.advance","params":{"ms":5}}"#
        try client.send("[\(request),\(advance),\(advance)]")
        #expect(try client.frame().verdict == "null -32011")
        #expect(try client.request("broker.info").result?["uptime_ms"] == 0)
    }

    @Test func `R9: hello is refused inside a batch`() throws {
        let client = try TestDaemon().connect()
        let hello = #"{"jsonrpc":"2.0","id":1,"method":"broker.hello","params":"#
        try client.send("[\(hello)\(TestClient.hello())},\(String.ping(2))]")
        let frame = try client.frame()
        let first = Frame(try #require(frame.json[0]))
        #expect(first.id == 1)
        #expect(first.error != nil)
        #expect(frame.json[1]?.description == #"{"jsonrpc":"2.0","id":2,"result":{}}"#)
        #expect(try client.hello().result != nil)
    }

    @Test func `R9: a batch inside a batch is an invalid request`() throws {
        let client = try TestDaemon().connect()
        try client.send("[[],[\(String.ping(1))],\(String.ping(2))]")
        #expect(try client.finish() == ["[null -32600, null -32600, 2 {}]"])
    }

    @Test func `R9: a batch is answered by one array, single frames by none`() throws {
        let client = try TestDaemon().connect()
        try client.send(.ping(1))
        try client.send("[\(String.ping(2))]")
        try client.send(.ping(3))
        #expect(Set(try client.finish()) == ["1 {}", "[2 {}]", "3 {}"])
    }

    @Test func `R9: a batch that outgrows the outward limit is still answered once each`() throws {
        let client = try TestDaemon(limits: ["frame_out_bytes": 4_096]).connect()
        let payload = #"""# + String(repeating: "a", count: 1_500) + #"""#
        let pings = (1...4).map { String.ping($0, payload: payload) }
        try client.send("[" + pings.joined(separator: ",") + "]")
        let frame = try client.frame()
        #expect(frame.json.description.utf8.count < 4_096)
        for reply in frame.json.elements?.map({ Frame($0) }) ?? [frame] where reply.error != nil {
            #expect(reply.code == -32011)
            #expect(reply.reason == "reply_bytes")
        }
        #expect(try client.finish() == [])
    }

    @Test func `R9: an invalid entry does not spoil its neighbours`() throws {
        let client = try TestDaemon().connect()
        let broken = #"{"jsonrpc":"2.0","id":1.5,"method":"broker.ping"}"#
        try client.send("[\(String.ping(1)),\(broken),null,\(String.ping(2))]")
        #expect(try client.finish() == ["[1 {}, null -32600, null -32600, 2 {}]"])
    }

    @Test func `R10: a thousand requests get a thousand replies`() throws {
        let client = try TestDaemon().connectReady(#""roles":["admin"]"#)
        let methods = ["broker.ping", "broker.info", "broker.stats", "no.such", "broker.describe"]
        var answered: Set<Int> = []
        for id in 1...1_000 {
            try client.send(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(methods[id % 5])"}"#)
            if id.isMultiple(of: 50) {
                for _ in 1...50 { answered.insert(try #require(try client.frame().id?.integer)) }
            }
        }
        #expect(answered == Set(1...1_000))
        #expect(try client.finish() == [])
    }

    @Test func `R10: requests outstanding when the broker stops are answered before the goodbye`()
        throws
    {
        let daemon = try TestDaemon()
        let client = try daemon.connect()
        for id in 1...20 { try client.send(.ping(id)) }
        _ = try daemon.admin()
        daemon.process.signal(15)
        let verdicts = try client.verdictsToEnd()
        #expect(verdicts.dropLast() == (1...20).map { "\($0) {}" }[...])
        #expect(verdicts.last?.hasPrefix("broker.goodbye") == true)
        #expect(try daemon.stop() == .exited(0))
    }

    @Test func `R10: a cancelled request is answered once`() throws {
        let client = try TestDaemon().connectReady(#""roles":["admin"]"#)
        try client.send(#"{"jsonrpc":"2.0","id":1,"method":"test.advance","params":{"ms":1}}"#)
        try client.send(#"{"jsonrpc":"2.0","method":"broker.cancel","params":{"request":1}}"#)
        let verdict = try client.frame().verdict
        #expect(verdict.hasPrefix("1 {") || verdict == "1 -32010")
        #expect(try client.finish() == [])
    }

    @Test func `cancelling what nobody asked is ignored`() throws {
        let client = try TestDaemon().connectReady()
        for id in ["99", #""a""#, "-1"] {
            try client.send(
                #"{"jsonrpc":"2.0","method":"broker.cancel","params":{"request":\#(id)}}"#)
        }
        #expect(try client.finish() == [])
    }

    @Test func `pending_requests: at the limit it passes and one more is overloaded`() throws {
        // Outstanding are the requests of a batch, which is answered when all of it is.
        let client = try TestDaemon(limits: ["pending_requests": 3]).connect()
        try client.send("[" + (1...4).map { .ping($0) }.joined(separator: ",") + "]")
        let entries = try #require(try client.frame().json.elements).map { Frame($0) }
        #expect(entries.map(\.verdict) == ["1 {}", "2 {}", "3 {}", "4 -32012"])
        #expect(entries.last?.reason == "pending")
        #expect(entries.last?.data?["retryable"] == .boolean(true))
        #expect(entries.last?.data?["retry_after_ms"]?.integer != nil)
        try client.expectNothing()
    }
}
