import BrokerJSON
import BrokerRPC
import Testing

struct MessageTests {
    // MARK: - Requests

    @Test func `a request has an id, a method and perhaps params`() throws {
        #expect(
            try Seen.message(#"{"jsonrpc":"2.0","id":7,"method":"a.b","params":{"c":[1]}}"#)
                == .request(.integer(7), "a.b", .named(#"{"c":[1]}"#)))
        #expect(
            try Seen.message(#"{"jsonrpc":"2.0","id":"x","method":"a.b"}"#)
                == .request(.text("x"), "a.b", .none))
        #expect(
            try Seen.message(#"{"params":{},"method":"","id":0,"jsonrpc":"2.0"}"#)
                == .request(.integer(0), "", .named("{}")))
    }

    @Test func `an empty array means no params`() throws {
        #expect(
            try Seen.message(#"{"jsonrpc":"2.0","id":7,"method":"a","params":[]}"#)
                == .request(.integer(7), "a", .none))
    }

    @Test(arguments: ["[1]", "[null]", "[[]]", "[{}]", "[1,2,3]"])
    func `other arrays are refused as params by position`(params: String) throws {
        let text = #"{"jsonrpc":"2.0","id":7,"method":"a","params":\#(params)}"#
        #expect(
            try Seen.message(text).refusal
                == Refusal(.invalidParams, "positional_params", id: .integer(7)))
    }

    @Test(arguments: ["null", "true", "0", "0.5", #""a""#])
    func `null and scalars are no params`(params: String) throws {
        let text = #"{"jsonrpc":"2.0","id":"q","method":"a","params":\#(params)}"#
        #expect(
            try Seen.message(text).refusal == Refusal(.invalidRequest, "params", id: .text("q")))
    }

    @Test func `unknown members of the envelope are ignored`() throws {
        let text = #"{"jsonrpc":"2.0","auth":{"id":9},"id":7,"method":"a","x_trace":null}"#
        #expect(try Seen.message(text) == .request(.integer(7), "a", .none))
    }

    @Test func `whatever has a method is no response`() throws {
        let text = #"{"jsonrpc":"2.0","id":7,"method":"a","result":1,"error":{}}"#
        #expect(try Seen.message(text) == .request(.integer(7), "a", .none))
    }

    // MARK: - Ids

    @Test(arguments: ["null", "true", "1.0", "1e2", "[1]", "{}"])
    func `an id that is neither string nor integer is refused without id`(id: String) throws {
        let text = #"{"jsonrpc":"2.0","id":\#(id),"method":"a"}"#
        #expect(try Seen.message(text).refusal == Refusal(.invalidRequest, "id"))
    }

    @Test func `an id may have 64 bytes`() throws {
        let longest = String(repeating: "x", count: 64)
        let good = #"{"jsonrpc":"2.0","id":"\#(longest)","method":"a"}"#
        #expect(try Seen.message(good) == .request(.text(longest), "a", .none))
        let bad = #"{"jsonrpc":"2.0","id":"\#(longest)x","method":"a"}"#
        let error = RPCError(.invalidRequest, reason: .idBytes, "the id is too long").with {
            $0.limit = RPCError.Limit(name: "id_bytes", value: 64)
        }
        #expect(try Seen.message(bad) == .invalid(error, id: nil))
    }

    @Test func `the limits decide how long an id and a method may be`() throws {
        var limits = FrameLimits()
        limits.idBytes = 2
        limits.methodBytes = 3
        let good = #"{"jsonrpc":"2.0","id":"ab","method":"abc"}"#
        #expect(
            try Seen.message(good, limits: limits) == .request(.text("ab"), "abc", .none))
        let longID = #"{"jsonrpc":"2.0","id":"abc","method":"abc"}"#
        #expect(
            try Seen.message(longID, limits: limits).refusal
                == Refusal(.invalidRequest, "id_bytes"))
        let longMethod = #"{"jsonrpc":"2.0","id":"ab","method":"abcd"}"#
        #expect(
            try Seen.message(longMethod, limits: limits).refusal
                == Refusal(.invalidRequest, "method_bytes", id: .text("ab")))
    }

    // MARK: - What is no request

    @Test(arguments: ["null", "true", "1", "1.5", #""a""#, "[]", "[[]]"])
    func `what is no object is refused without id`(text: String) throws {
        #expect(try Seen.message(text).refusal == Refusal(.invalidRequest, "object"))
    }

    static let versions = [
        #""id":7,"method":"a""#, #""jsonrpc":"1.0","id":7,"method":"a""#,
        #""jsonrpc":2.0,"id":7,"method":"a""#, #""jsonrpc":2,"id":7,"method":"a""#,
        #""jsonrpc":null,"id":7,"method":"a""#, #""jsonrpc":"2.00","id":7,"method":"a""#,
        #""jsonrpc":"2.","id":7,"method":"a""#, #""jsonrpc":["2.0"],"id":7,"method":"a""#,
        #""JSONRPC":"2.0","id":7,"method":"a""#, #""jsonrpc":"","id":7,"method":"a""#,
    ]

    @Test(arguments: versions)
    func `jsonrpc must be the string 2.0, and the id is echoed`(members: String) throws {
        #expect(
            try Seen.message("{\(members)}").refusal
                == Refusal(.invalidRequest, "jsonrpc", id: .integer(7)))
    }

    @Test(arguments: ["", #","method":1"#, #","method":null"#, #","method":["a"]"#])
    func `method must be a string, and the id is echoed`(method: String) throws {
        let text = #"{"jsonrpc":"2.0","id":"x"\#(method)}"#
        #expect(
            try Seen.message(text).refusal == Refusal(.invalidRequest, "method", id: .text("x")))
    }

    @Test func `a method may have 128 bytes`() throws {
        let longest = String(repeating: "m", count: 128)
        let good = #"{"jsonrpc":"2.0","id":7,"method":"\#(longest)"}"#
        #expect(try Seen.message(good) == .request(.integer(7), longest, .none))
        let bad = #"{"jsonrpc":"2.0","id":7,"method":"\#(longest)m"}"#
        let error = RPCError(
            .invalidRequest, reason: .methodBytes, "the name of the method is too long"
        ).with { $0.limit = RPCError.Limit(name: "method_bytes", value: 128) }
        #expect(try Seen.message(bad) == .invalid(error, id: .integer(7)))
    }

    static let nobodys: [(String, String)] = [
        ("{}", "jsonrpc"), (#"{"foo":"boo"}"#, "jsonrpc"), (#"{"method":"a"}"#, "jsonrpc"),
        (#"{"jsonrpc":"2.0"}"#, "method"), (#"{"jsonrpc":"2.0","params":{}}"#, "method"),
        (#"{"jsonrpc":"2.0","method":1}"#, "method"),
        (#"{"jsonrpc":"1.0","method":"a","params":{}}"#, "jsonrpc"),
    ]

    @Test(arguments: nobodys)
    func `an invalid request without id is no notification`(text: String, reason: String) throws {
        #expect(try Seen.message(text).refusal == Refusal(.invalidRequest, reason))
    }

    @Test(arguments: ["null", "1.5", "[]", "{}", "true"])
    func `an invalid id of an invalid request is not echoed`(id: String) throws {
        let text = #"{"jsonrpc":"1.0","id":\#(id),"method":"a"}"#
        #expect(try Seen.message(text).refusal == Refusal(.invalidRequest, "jsonrpc"))
    }

    // MARK: - Notifications

    static let notifications: [(String, Seen.Params)] = [
        ("", .none), (#","params":{"a":1}"#, .named(#"{"a":1}"#)), (#","params":[]"#, .none),
        (#","params":[1,2]"#, .positional), (#","params":null"#, .malformed),
        (#","params":"bar""#, .malformed), (#","params":7"#, .malformed),
    ]

    @Test(arguments: notifications)
    func `a notification is one whatever is wrong with its params`(
        params: String, seen: Seen.Params
    ) throws {
        let text = #"{"jsonrpc":"2.0","method":"no.such_method"\#(params)}"#
        #expect(try Seen.message(text) == .notification("no.such_method", seen))
    }

    // MARK: - Responses

    @Test func `a result or an error without a method is a response`() throws {
        #expect(
            try Seen.message(#"{"jsonrpc":"2.0","id":7,"result":{"a":1}}"#)
                == .result(7, #"{"a":1}"#))
        #expect(try Seen.message(#"{"jsonrpc":"2.0","id":7,"result":null}"#) == .result(7, "null"))
        #expect(
            try Seen.message(#"{"jsonrpc":"2.0","id":-1,"error":{"code":1,"message":"no"}}"#)
                == .error(-1, #"{"code":1,"message":"no"}"#))
        #expect(
            try Seen.message(#"{"jsonrpc":"2.0","id":9223372036854775807,"result":1}"#)
                == .result(.max, "1"))
    }

    @Test func `an error of any kind is one, also beside a result`() throws {
        #expect(try Seen.message(#"{"jsonrpc":"2.0","id":7,"error":"no"}"#) == .error(7, #""no""#))
        #expect(try Seen.message(#"{"jsonrpc":"2.0","id":7,"error":null}"#) == .error(7, "null"))
        #expect(
            try Seen.message(#"{"jsonrpc":"2.0","id":7,"result":{},"error":{"code":1}}"#)
                == .error(7, #"{"code":1}"#))
    }

    @Test(arguments: ["", #","id":null"#, #","id":"7""#, #","id":7.0"#, #","id":[7]"#])
    func `a response whose id cannot be ours is still one, so nobody answers it`(
        id: String
    ) throws {
        #expect(try Seen.message(#"{"jsonrpc":"2.0","result":0\#(id)}"#) == .result(nil, "0"))
        #expect(try Seen.message(#"{"jsonrpc":"2.0","error":{}\#(id)}"#) == .error(nil, "{}"))
    }

    @Test(arguments: [#"{"id":7,"result":0}"#, #"{"jsonrpc":"1.0","id":7,"result":0}"#])
    func `something shaped like a response is not answered either`(text: String) throws {
        #expect(try Seen.message(text) == .result(7, "0"))
    }

    // MARK: - Messages in people's language

    @Test func `an error never tells what the peer wrote`() throws {
        let number = "+15550100"
        let texts = [
            #"{"jsonrpc":"\#(number)","id":"\#(number)","method":"a"}"#,
            #"{"jsonrpc":"2.0","id":["\#(number)"],"method":"a"}"#,
            #"{"jsonrpc":"2.0","id":1,"method":["\#(number)"]}"#,
            #"{"jsonrpc":"2.0","id":1,"method":"a","params":"\#(number)"}"#,
            #"{"jsonrpc":"2.0","id":1,"method":"a","params":["\#(number)"]}"#,
            #""\#(number)""#,
        ]
        for text in texts {
            guard case .invalid(let error, _) = try Seen.message(text) else {
                Issue.record("accepted")
                continue
            }
            #expect(!written { $0.value(error) }.contains("5550"))
        }
    }
}
