import TestSupport
import Testing

/// F1 to F3: lines, where they begin and where they end.
struct FrameTests {
    @Test func `F1: one line in, one line out`() throws {
        let client = try TestDaemon().connect()
        try client.send(.ping(1, payload: "42"))
        #expect(try client.line() == #"{"jsonrpc":"2.0","id":1,"result":{"payload":42}}"#)
    }

    @Test func `F1: a carriage return before the line feed is white space`() throws {
        let client = try TestDaemon().connect()
        try client.send(.ping(1) + "\r")
        #expect(try client.finish() == ["1 {}"])
    }

    @Test func `F1: blanks may stand anywhere between the tokens of a line`() throws {
        let client = try TestDaemon().connect()
        try client.send(" \t{ \"jsonrpc\" :\t\"2.0\" , \"id\":1,\"method\":\"broker.ping\" } \t\r")
        #expect(try client.finish() == ["1 {}"])
    }

    @Test func `F1: lines of only blanks are ignored`() throws {
        let client = try TestDaemon().connect()
        try client.send(bytes: Array("\n\n \n\t\n\r\n  \t \r\n".utf8))
        try client.send(.ping(1))
        #expect(try client.finish() == ["1 {}"])
    }

    @Test func `F1: a remainder of only blanks is ignored`() throws {
        let client = try TestDaemon().connect()
        try client.send(bytes: Array((.ping(1) + "\n \t\r").utf8))
        #expect(try client.finish() == ["1 {}"])
    }

    @Test func `F1: a frame may be split at every byte`() throws {
        let daemon = try TestDaemon()
        let client = try daemon.connect()
        let line = Array((.ping(7, payload: #""ü\u00e9😀""#) + "\n").utf8)
        let answer = #"{"jsonrpc":"2.0","id":7,"result":{"payload":"üé😀"}}"#
        for split in 1..<line.count {
            try client.send(bytes: Array(line[..<split]))
            // The counter's reply proves that the first part was read by itself.
            _ = try daemon.stat("turns")
            try client.send(bytes: Array(line[split...]))
            #expect(try client.line() == answer)
        }
    }

    @Test func `F1: a frame may come byte by byte`() throws {
        let daemon = try TestDaemon()
        let client = try daemon.connect()
        for byte in Array((.ping(7, payload: "[1]") + "\n").utf8) {
            try client.send(bytes: [byte])
            _ = try daemon.stat("turns")
        }
        #expect(try client.line() == #"{"jsonrpc":"2.0","id":7,"result":{"payload":[1]}}"#)
    }

    @Test func `F1: frames may be joined and cut at random`() throws {
        var random = SeededRandom(for: "the cuts")
        let client = try TestDaemon().connect()
        let text = (1...400).map { .ping($0, payload: "\($0)") + "\n" }.joined()
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = min(rest.count, Int.random(in: 1...700, using: &random))
            try client.send(bytes: Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        #expect(try client.finish() == (1...400).map { #"\#($0) {"payload":\#($0)}"# })
    }

    @Test(arguments: [
        "\u{FEFF}" + .ping(1), "{'jsonrpc':1}", "{\"jsonrpc\":\"2.0\",}", "NaN", "[1,]", "{} {}",
        #"{"a":01}"#, #"{"a":+1}"#, #"{"a":"\x"}"#, #"{"a":"\ud800"}"#, "\u{1}", "//", "\"\t\"",
        #"{"a":1e999}"#, #"{"a":"\u0000"}"#, #"{"a":9223372036854775808}"#, "tru", "\"",
    ])
    func `F1: what is no JSON gets a parse error with its position`(text: String) throws {
        let client = try TestDaemon().connect()
        try client.send(text)
        let frame = try client.frame()
        #expect(frame.verdict == "null -32700")
        #expect(frame.data?["position"]?["line"] == 1)
        #expect(try client.finish() == [])
    }

    @Test func `F1: bytes that are no UTF-8 get a parse error`() throws {
        let client = try TestDaemon().connect()
        let bad: [[UInt8]] = [
            [0x80], [0xC0, 0x80], [0xC3], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFF],
        ]
        for bytes in bad {
            let start = #"{"jsonrpc":"2.0","id":1,"method":"broker.ping","params":""#
            try client.send(bytes: Array(start.utf8) + bytes + Array("\"}\n".utf8))
        }
        #expect(try client.finish() == bad.map { _ in "null -32700" })
    }

    @Test func `a position counts lines and columns from 1, bytes from 0`() throws {
        let client = try TestDaemon().connect()
        try client.send(#"{"a":"üü" x}"#)
        let position = try client.frame().data?["position"]
        #expect(position?["line"] == 1)
        #expect(position?["column"] == 11)
        #expect(position?["byte"] == 12)
    }

    @Test func `F2: a last line without its line feed is a line`() throws {
        let client = try TestDaemon().connect()
        try client.send(bytes: Array((.ping(1) + "\n" + .ping(2)).utf8))
        #expect(try client.finish() == ["1 {}", "2 {}"])
    }

    @Test func `F2: a truncated last line is a parse error`() throws {
        let client = try TestDaemon().connect()
        try client.send(bytes: Array(String.ping(1).utf8.dropLast()))
        #expect(try client.finish() == ["null -32700"])
    }

    @Test func `F3: after half-close what is outstanding is still delivered`() throws {
        let client = try TestDaemon().connect()
        let payload = #"""# + String(repeating: "a", count: 10_000) + #"""#
        for id in 1...40 { try client.send(.ping(id, payload: payload)) }
        let answers = try client.finish()
        #expect(answers == (1...40).map { #"\#($0) {"payload":\#(payload)}"# })
    }

    @Test func `F3: half-close without a word closes at once`() throws {
        let client = try TestDaemon().connect()
        #expect(try client.finish() == [])
    }

    @Test func `F3: half-close waits 30 s for a reader and no longer`() throws {
        let daemon = try TestDaemon(limits: ["stall_ms": 60_000])
        let client = try daemon.connect()
        let payload = #"""# + String(repeating: "a", count: 30_000) + #"""#
        var id = 0
        while try daemon.stat("bytes_queued") == 0, id < 100 {
            id += 1
            try client.send(.ping(id, payload: payload))
        }
        client.shutdownWriting()
        #expect(try daemon.stat("connections") == 2)
        try daemon.advance(29_999)
        #expect(try daemon.stat("connections") == 2)
        try daemon.advance(1)
        #expect(try daemon.stat("connections") == 1)
    }
}
