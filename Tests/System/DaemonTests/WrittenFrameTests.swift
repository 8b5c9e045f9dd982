import Testing

/// F7 to F9: how the broker writes. `FrameCheck` holds every frame of the suite against F7 and F8;
/// here are the cases that tempt.
struct WrittenFrameTests {
    @Test func `F7: members stand in fixed order, whatever the request's order`() throws {
        let client = try TestDaemon().connect()
        try client.send(#"{"params":{"payload":1},"method":"broker.ping","id":5,"jsonrpc":"2.0"}"#)
        #expect(try client.line() == #"{"jsonrpc":"2.0","id":5,"result":{"payload":1}}"#)
        try client.send(#"{"id":6,"method":"no.such","jsonrpc":"2.0"}"#)
        let line = try #require(try client.line())
        #expect(line.hasPrefix(#"{"jsonrpc":"2.0","id":6,"error":{"code":-32601,"message":""#))
    }

    @Test func `F7: a string cannot look like a member to a shell's case`() throws {
        let client = try TestDaemon().connect()
        try client.send(.ping(1, payload: #""\",\"method\":\"x\"""#))
        let line = #"{"jsonrpc":"2.0","id":1,"result":{"payload":"\",\"method\":\"x\""}}"#
        #expect(try client.line() == line)
    }

    @Test func `F7: the payload of a ping may hold the reserved names`() throws {
        let client = try TestDaemon().connect()
        let payload = #"{"jsonrpc":1,"id":2,"method":3,"params":4,"result":5,"error":6}"#
        try client.send(.ping(1, payload: payload))
        #expect(try client.line() == #"{"jsonrpc":"2.0","id":1,"result":{"payload":\#(payload)}}"#)
    }

    @Test(arguments: [
        "0", "-1", "9223372036854775807", "-9223372036854775808", "true", "null", "1.5", #""""#,
        "{}", "[]", #"[1,"a",{"b":[null,false]}]"#, #""\\\"/\b\f\n\r\t""#, #"" 😀é""#,
    ])
    func `a payload comes back as it went, spelled compactly`(payload: String) throws {
        let client = try TestDaemon().connect()
        try client.send(.ping(1, payload: payload))
        let answer = try #require(try client.line())
        #expect(try JSON(answer)["result"]?["payload"] == JSON(payload))
    }

    @Test func `F8: a real where the protocol has an integer is refused`() throws {
        let client = try TestDaemon().connectReady(#""roles":["admin"]"#)
        for number in ["1.0", "1e3", "0.5"] {
            let reply = try client.request("test.advance", #"{"ms":\#(number)}"#)
            #expect(reply.code == -32602)
            #expect(reply.field == "/ms")
        }
    }

    @Test func `F8: ids are echoed over the whole range of int64`() throws {
        let client = try TestDaemon().connect()
        for id in [Int64.max, Int64.min, 1 << 53, -(1 << 53) - 1, 0] {
            try client.send(#"{"jsonrpc":"2.0","id":\#(id),"method":"broker.ping"}"#)
            #expect(try client.line() == #"{"jsonrpc":"2.0","id":\#(id),"result":{}}"#)
        }
    }

    @Test func `F9: large answers of many clients are never interleaved`() throws {
        let daemon = try TestDaemon()
        let clients = try (0..<8).map { _ in try daemon.connect() }
        let letters = ["a", "b", "c", "d", "e", "f", "g", "h"]
        let payloads = letters.map { #"""# + String(repeating: $0, count: 50_000) + #"""# }
        for round in 1...4 {
            for (client, payload) in zip(clients, payloads) {
                try client.send(.ping(round, payload: payload))
            }
        }
        for (client, payload) in zip(clients, payloads) {
            let expected = (1...4).map { #"\#($0) {"payload":\#(payload)}"# }
            #expect(try client.finish() == expected)
        }
    }

    @Test func `F9: a frame that is written in parts arrives whole before the next`() throws {
        // Not in test mode: a stop there does not wait for readers, as nobody moves its clock.
        let daemon = try TestDaemon(arguments: [])
        let client = try daemon.connect()
        let payload = #"""# + String(repeating: "x", count: 60_000) + #"""#
        var id = 0
        while try daemon.stat("bytes_queued") == 0, id < 100 {
            id += 1
            try client.send(.ping(id, payload: payload))
        }
        // The goodbye comes up while half a frame is still to be written.
        daemon.process.signal(15)
        let frames = try client.verdictsToEnd()
        #expect(frames.dropLast() == (1...id).map { #"\#($0) {"payload":\#(payload)}"# }[...])
        #expect(frames.last?.hasPrefix("broker.goodbye") == true)
        #expect(try daemon.stop() == .exited(0))
    }

    @Test func `O1: frames are accepted in the order in which they came`() throws {
        let client = try TestDaemon().connectReady(#""roles":["admin"]"#)
        for id in 1...20 {
            try client.send(#"{"jsonrpc":"2.0","id":\#(id),"method":"broker.stats"}"#)
        }
        // Replies may overtake each other, so they are sorted; each counts itself.
        var counts: [Int: Int] = [:]
        for _ in 1...20 {
            let frame = try client.frame()
            counts[try #require(frame.id?.integer)] = frame.result?["requests"]?.integer
        }
        let first = try #require(counts[1])
        #expect(counts == Dictionary(uniqueKeysWithValues: (1...20).map { ($0, first + $0 - 1) }))
    }
}
