import Testing

/// F4 to F6 and the frame limits of section 11: at the limit it passes, one more is refused.
struct FrameLimitTests {
    /// A ping of exactly `size` bytes, its LF included.
    private func ping(_ id: Int, bytes size: Int) -> String {
        let padding = size - 1 - String.ping(id, payload: #""""#).utf8.count
        return .ping(id, payload: #"""# + String(repeating: "a", count: padding) + #"""#)
    }

    @Test func `F4: a frame at the limit passes and one byte more is refused`() throws {
        let client = try TestDaemon(limits: ["frame_bytes": 4_096]).connect()
        try client.send(ping(1, bytes: 4_096))
        #expect(try client.frame().result != nil)
        try client.send(ping(2, bytes: 4_097))
        let refusal = try client.frame()
        #expect(refusal.verdict == "null -32011")
        #expect(refusal.reason == "frame_bytes")
        #expect(refusal.data?["limit"]?.description == #"{"name":"frame_bytes","value":4096}"#)
        #expect(try client.finish() == [])
    }

    @Test func `F4: the limit is 65,536 bytes by default`() throws {
        let client = try TestDaemon().connect()
        // A notification, because the answer to so long a ping would not fit outwards.
        let start = #"{"jsonrpc":"2.0","method":"broker.ping","params":{"payload":""#
        let fit = 65_536 - 1 - start.utf8.count - 3
        try client.send(start + String(repeating: "a", count: fit) + #""}}"#)
        try client.expectNothing()
        try client.send(start + String(repeating: "a", count: fit + 1) + #""}}"#)
        #expect(try client.finish() == ["null -32011"])
    }

    @Test func `F4: the limit holds for a last line without its line feed`() throws {
        let daemon = try TestDaemon(limits: ["frame_bytes": 4_096])
        let (fits, long) = (try daemon.connect(), try daemon.connect())
        try fits.send(bytes: Array(ping(1, bytes: 4_096).utf8))
        #expect(try fits.finish().count == 1)
        try long.send(bytes: Array(ping(1, bytes: 4_098).utf8))
        #expect(try long.finish() == ["null -32011"])
    }

    @Test func `F4: an endless line gets one error and the next line is read as usual`() throws {
        let client = try TestDaemon(limits: ["frame_bytes": 4_096]).connect()
        for _ in 1...100 {
            try client.send(bytes: [UInt8](repeating: UInt8(ascii: "{"), count: 10_000))
        }
        try client.send("")
        try client.send(.ping(2))
        #expect(try client.finish() == ["null -32011", "2 {}"])
    }

    @Test func `F4: the error of an endless line does not wait for its end`() throws {
        let client = try TestDaemon(limits: ["frame_bytes": 4_096]).connect()
        try client.send(bytes: [UInt8](repeating: UInt8(ascii: " "), count: 4_097))
        #expect(try client.frame().verdict == "null -32011")
    }

    @Test func `F4: a reply that would not fit becomes reply_bytes`() throws {
        let client = try TestDaemon().connect()
        // A character that the broker may escape makes the answer longer than the request.
        let del = String(repeating: "\u{7F}", count: 20_000)
        try client.send(.ping(1, payload: #""\#(del)""#))
        let frame = try client.frame()
        #expect(frame.verdict == "1 -32011" || frame.result?["payload"] == .string(del))
        if frame.error != nil { #expect(frame.reason == "reply_bytes") }
    }

    @Test func `F4: an answer of 65,535 bytes passes and one byte more is refused`() throws {
        // A ping's request is longer than its reply, so the inward limit has to give way.
        let client = try TestDaemon(limits: ["frame_bytes": 66_000]).connect()
        let bare = #"{"jsonrpc":"2.0","id":1,"result":{"payload":""}}"#.utf8.count + 1
        let fit = String(repeating: "a", count: 65_535 - bare)
        try client.send(.ping(1, payload: #""\#(fit)""#))
        #expect(try client.frame().result?["payload"] == .string(fit))
        try client.send(.ping(1, payload: #""\#(fit)a""#))
        let refusal = try client.frame()
        #expect(refusal.verdict == "1 -32011")
        #expect(refusal.reason == "reply_bytes")
    }

    @Test func `F5: 32 levels pass and 33 are refused`() throws {
        let client = try TestDaemon().connect()
        // The request itself is level 1 and its params are level 2.
        func nested(_ levels: Int) -> String {
            String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        }
        try client.send(.ping(1, payload: nested(30)))
        #expect(try client.frame().verdict == #"1 {"payload":\#(nested(30))}"#)
        try client.send(.ping(2, payload: nested(31)))
        let refusal = try client.frame()
        #expect(refusal.verdict == "null -32011")
        #expect(refusal.reason == "depth")
        #expect(refusal.data?["limit"]?.description == #"{"name":"depth","value":32}"#)
    }

    @Test func `F5: depth counts objects and arrays alike, and brackets in strings not`() throws {
        let client = try TestDaemon(limits: ["depth": 4]).connect()
        try client.send(.ping(1, payload: #"{"a":["[[[[{{{{"]}"#))
        try client.send(.ping(2, payload: #"{"a":[{}]}"#))
        try client.send(.ping(3, payload: #""\"[[[[[[[""#))
        let expected = [
            #"1 {"payload":{"a":["[[[[{{{{"]}}"#, "null -32011", #"3 {"payload":"\"[[[[[[["}"#,
        ]
        #expect(try client.finish() == expected)
    }

    @Test func `F5: 4,096 values pass and one more is refused`() throws {
        let client = try TestDaemon().connect()
        // The request, its three strings, the params and the array are six values.
        func zeros(_ count: Int) -> String {
            "[" + [String](repeating: "0", count: count).joined(separator: ",") + "]"
        }
        let fixed = 1 + 3 + 1 + 1
        try client.send(.ping(1, payload: zeros(4_096 - fixed)))
        #expect(try client.frame().result != nil)
        try client.send(.ping(2, payload: zeros(4_097 - fixed)))
        let refusal = try client.frame()
        #expect(refusal.verdict == "null -32011")
        #expect(refusal.reason == "values")
        #expect(refusal.data?["limit"]?.description == #"{"name":"values","value":4096}"#)
    }

    @Test func `F5: a zero byte is refused wherever it stands`() throws {
        let client = try TestDaemon().connect()
        let line = Array(String.ping(1, payload: "1").utf8)
        for place in [0, 1, 20, line.count - 3, line.count] {
            var bytes = line
            bytes.insert(0, at: place)
            try client.send(bytes: bytes + [0x0A])
        }
        #expect(try client.finish() == [String](repeating: "null -32700", count: 5))
    }

    @Test func `F5: a million brackets cost one error`() throws {
        let client = try TestDaemon().connect()
        try client.send(String(repeating: "[", count: 1_000_000))
        try client.send(String(repeating: "[", count: 60_000))
        #expect(try client.finish() == ["null -32011", "null -32011"])
    }

    @Test func `F6: 63 bad frames in a row are borne and the 64th is the last`() throws {
        let client = try TestDaemon().connect()
        for _ in 1...63 { try client.send("x") }
        #expect(try client.verdicts(63) == [String](repeating: "null -32700", count: 63))
        try client.expectNothing()
        for _ in 1...64 { try client.send("x") }
        #expect(try client.verdicts(64) == [String](repeating: "null -32700", count: 64))
        let goodbye = try client.frame()
        #expect(goodbye.verdict == #"broker.goodbye "protocol_errors""#)
        #expect(try client.line() == nil)
    }

    @Test func `F6: parse, invalid and limit errors all count`() throws {
        let client = try TestDaemon(limits: ["bad_frames": 4]).connect()
        try client.send("x")
        try client.send("{}")
        try client.send(String(repeating: "[", count: 33))
        try client.send("[]")
        let goodbye = #"broker.goodbye "protocol_errors""#
        let expected = ["null -32700", "null -32600", "null -32011", "null -32600", goodbye]
        #expect(try client.verdictsToEnd() == expected)
    }

    @Test func `F6: one good frame resets the count, even an error or a notification`() throws {
        let client = try TestDaemon(limits: ["bad_frames": 3]).connect()
        let good = [
            String.ping(1), #"{"jsonrpc":"2.0","id":2,"method":"no.such"}"#,
            #"{"jsonrpc":"2.0","method":"no.such"}"#, #"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        ]
        for line in good {
            try client.send("x")
            try client.send("x")
            try client.send(line)
        }
        let bad = "null -32700"
        let expected = [bad, bad, "1 {}", bad, bad, "2 -32601", bad, bad, bad, bad]
        #expect(try client.finish() == expected)
    }
}
