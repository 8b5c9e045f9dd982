import CallTesting
import Testing

/// The validation of a provider's frames.
struct FrameValidatorTests {
    private var validator = FrameValidator()

    init() {
        validator.requested(1)
    }

    private mutating func faults(_ line: String, isPlainOutput: Bool = false) -> [Fault] {
        let (kind, faults) = validator.read(Array(line.utf8)[...], isPlainOutput: isPlainOutput)
        if case .bad(let fault, _) = kind { return [fault] + faults.map(\.0) }
        return faults.map(\.0)
    }

    private static func reply(_ rest: String) -> String {
        #"{"jsonrpc":"2.0","id":1,\#(rest)}"#
    }

    @Test(arguments: [
        "", " \t\r", reply(#""result":{}"#), reply(#""result":{"at_ms":1}"#) + "\r",
        reply(#""error":{"code":-32601,"message":"no"}"#),
        reply(#""error":{"code":1,"message":"","data":{}},"x_more":[1]"#),
        #"{"jsonrpc":"2.0","method":"broker.log","params":{}}"#,
        #"[{"jsonrpc":"2.0","id":"a","method":"broker.ping"}]"#,
    ])
    func `nothing is wrong with`(line: String) {
        var copy = self
        #expect(copy.faults(line) == [])
    }

    @Test(
        arguments: [
            ("performing", .badJSON), ("{", .badJSON), (#"{"a":1,"a":2}"#, .badJSON),
            (#"{"jsonrpc":"2.0","id":null,"result":{}}"#, .nullID),
            (#"{"jsonrpc":"2.0","result":{}}"#, .nullID),
            (#"{"jsonrpc":"2.0","id":"1","result":{}}"#, .unknownID),
            (#"{"jsonrpc":"2.0","id":2,"result":{}}"#, .unknownID),
            (#"{"jsonrpc":"2.0","id":1}"#, .badRequest), (#"{"id":1,"result":{}}"#, .badRequest),
            (reply(#""result":null"#), .badReply), (reply(#""result":[]"#), .badReply),
            (reply(#""error":{"code":"no","message":"no"}"#), .badReply),
            (reply(#""error":{"code":1}"#), .badReply),
            (reply(#""error":{"code":1,"message":"","data":[]}"#), .badReply),
            (reply(#""result":{},"error":{"code":1,"message":""}"#), .badReply),
            (reply(#""result":{"at_ms":1.5}"#), .fraction),
            ("[" + reply(#""result":{}"#) + "]", .batch),
            (#"{"jsonrpc":"2.0","id":true,"method":"broker.ping"}"#, .nullID),
            (reply(#""result":{"noise":"\#(String(repeating: "a", count: 65_536))"}"#), .tooLong),
        ] as [(String, Fault)])
    func `one thing is wrong with`(line: String, fault: Fault) {
        var copy = self
        #expect(copy.faults(line) == [fault])
    }

    @Test mutating func `a request is answered once`() {
        #expect(faults(Self.reply(#""result":{}"#)) == [])
        #expect(faults(Self.reply(#""result":{}"#)) == [.answeredTwice])
        #expect(validator.open == [])
    }

    @Test mutating func `an id of its own is free again after the reply`() {
        let ping = #"{"jsonrpc":"2.0","id":7,"method":"broker.ping"}"#
        #expect(faults(ping) == [])
        #expect(faults(ping) == [.repeatedID])
        validator.replied(to: .integer(7))
        #expect(faults(ping) == [])
    }

    @Test mutating func `on standard output a log line is no frame`() {
        #expect(faults("performing", isPlainOutput: true) == [.strayOutput])
        #expect(faults("{", isPlainOutput: true) == [.badJSON])
    }
}
