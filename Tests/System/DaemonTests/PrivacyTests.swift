import TestSupport
import Testing

/// Section 12: what was sent in is never quoted, in no error and in no log. `FrameCheck` and
/// `TestDaemon` look for the marker in everything; here it is put wherever it might come back from.
struct PrivacyTests {
    private let marker = FrameCheck.marker

    @Test func `text that is refused does not come back`() throws {
        let client = try TestDaemon().connect()
        let lines = [
            marker, #""\#(marker)""#, #"{"\#(marker)"}"#, #"{"\#(marker)":}"#, "[\(marker)",
            #"{"a":"\#(marker)\x"}"#, #"{"\#(marker)":1,"\#(marker)":2}"#, #"["\#(marker)"]"#,
            #"{"jsonrpc":"\#(marker)","id":1,"method":"broker.ping"}"#,
            #"{"jsonrpc":"2.0","id":["\#(marker)"],"method":"broker.ping"}"#,
            #"{"jsonrpc":"2.0","id":2,"method":"\#(marker)"}"#,
            #"{"jsonrpc":"2.0","id":3,"method":["\#(marker)"]}"#,
            #"{"jsonrpc":"2.0","id":4,"method":"broker.ping","params":"\#(marker)"}"#,
            #"{"jsonrpc":"2.0","id":5,"method":"broker.ping","params":["\#(marker)"]}"#,
            #"{"jsonrpc":"2.0","id":6,"method":"broker.ping","params":{"\#(marker)":1}}"#,
            #"{"jsonrpc":"2.0","id":7,"method":"broker.ping","params":{"a":"\#(marker)"}}"#,
            #"{"jsonrpc":"2.0","id":8,"method":"broker.describe","params":{"name":"\#(marker)"}}"#,
            #"{"jsonrpc":"2.0","id":9,"method":"broker.describe","params":{"name":["\#(marker)"]}}"#,
            #"{"jsonrpc":"2.0","id":10,"error":{"code":1,"message":"\#(marker)"}}"#,
            #"{"jsonrpc":"2.0","method":"\#(marker)","params":{"a":"\#(marker)"}}"#,
            String(repeating: "[", count: 40) + marker,
            #"{"jsonrpc":"2.0","id":"\#(marker)\#(String(repeating: "a", count: 64))"}"#,
        ]
        for line in lines {
            try client.send(line)
            // What is cut off has the same rights as what is not.
            try client.send(String(line.dropLast()))
        }
        #expect(try client.finish().count >= lines.count)
    }

    @Test func `params of hello that are refused do not come back`() throws {
        let client = try TestDaemon().connect()
        let faulty = [
            #"{"protocol":"\#(marker)"}"#, #"{"protocol":{"min":"\#(marker)","max":1}}"#,
            #"{"protocol":{"min":15550100,"max":15550100},"client":{"name":"a","version":"1"}}"#,
            #"{"protocol":{"min":1,"max":1},"client":{"name":["\#(marker)"],"version":"1"}}"#,
            TestClient.hello(#""roles":["provider"],"identity":"\#(marker)""#),
            TestClient.hello(#""roles":"\#(marker)""#),
            TestClient.hello(#""identity":["\#(marker)"]"#),
            TestClient.hello(#""resume":{"session":"\#(marker)","secret":"\#(marker)"}"#),
            TestClient.hello(#""resume":"\#(marker)""#),
            TestClient.hello(#""\#(marker)":{}"#),
        ]
        for params in faulty {
            #expect(try client.request("broker.hello", params).error != nil)
        }
    }

    @Test func `what hello takes does not reach the log unmasked`() throws {
        let daemon = try TestDaemon()
        let client = try daemon.connect()
        let params = """
            {"protocol":{"min":1,"max":1},"client":{"name":"\(marker)","version":"\(marker)",\
            "url":"tel:\(marker)"},"roles":["provider"],"identity":"org.n15550100.a"}
            """
        #expect(try client.request("broker.hello", params).result != nil)
        #expect(try client.finish() == [])
        #expect(try daemon.stop() == .exited(0))
    }

    @Test func `a thousand mutilated frames are answered, survived and not quoted`() throws {
        var random = SeededRandom(for: "the mutilated frames")
        let daemon = try TestDaemon(limits: ["bad_frames": 100_000])
        let client = try daemon.connect()
        let params = TestClient.hello(#""roles":["controller"],"identity":"org.example.a""#)
        let whole = [
            String.ping(1, payload: #"{"a":[1,2.5e3,null,true,"\u00fc\n"]}"#),
            #"{"jsonrpc":"2.0","id":"a","method":"broker.hello","params":\#(params)}"#,
            #"{"jsonrpc":"2.0","method":"broker.log","params":{"level":"info","message":"a"}}"#,
            "[\(String.ping(1)),\(String.ping(2)),{}]", #"{"jsonrpc":"2.0","id":5,"result":{}}"#,
        ].map { Array($0.utf8) }
        var reader = 0
        for _ in 1...1_000 {
            var line = whole.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...4, using: &random) { mutilate(&line, using: &random) }
            line.removeAll { $0 == 0x0A }
            try client.send(bytes: line + [0x0A])
            reader += 1
            // Answers are read as they come, so that the connection never pauses.
            if reader.isMultiple(of: 20) { client.readSome(atMost: 1 << 20) }
        }
        _ = try client.finish()
        try daemon.connect().expectNothing()
    }

    private func mutilate(_ line: inout [UInt8], using random: inout SeededRandom) {
        guard !line.isEmpty else { return }
        let place = Int.random(in: 0..<line.count, using: &random)
        switch Int.random(in: 0...5, using: &random) {
        case 0: line[place] = UInt8.random(in: 0...255, using: &random)
        case 1: line.remove(at: place)
        case 2: line.removeLast(line.count - place)
        case 3:
            let tokens = Array("{}[]\",:0-e".utf8).shuffled(using: &random)
            line.insert(contentsOf: tokens, at: place)
        case 4: line.insert(contentsOf: line[place...], at: place)
        default: line.insert(contentsOf: Array(FrameCheck.marker.utf8), at: place)
        }
    }
}
