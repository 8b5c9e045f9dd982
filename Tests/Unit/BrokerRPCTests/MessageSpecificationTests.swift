import BrokerJSON
import BrokerRPC
import Testing

/// The examples of section 7 of the JSON-RPC 2.0 specification, as far as a message decides them.
/// We take params by name only, which is where we differ on purpose.
struct MessageSpecificationTests {
    @Test(arguments: [(1, "[42, 23]"), (2, "[23, 42]")])
    func `rpc call with positional parameters`(id: Int64, params: String) throws {
        let text = #"{"jsonrpc": "2.0", "method": "subtract", "params": \#(params), "id": \#(id)}"#
        #expect(
            try Seen.message(text).refusal
                == Refusal(.invalidParams, "positional_params", id: .integer(id)))
    }

    @Test func `rpc call with named parameters`() throws {
        let third =
            #"{"jsonrpc": "2.0", "method": "subtract", "params": "#
            + #"{"subtrahend": 23, "minuend": 42}, "id": 3}"#
        let fourth =
            #"{"jsonrpc": "2.0", "method": "subtract", "params": "#
            + #"{"minuend": 42, "subtrahend": 23}, "id": 4}"#
        #expect(
            try Seen.message(third)
                == .request(.integer(3), "subtract", .named(#"{"subtrahend":23,"minuend":42}"#)))
        #expect(
            try Seen.message(fourth)
                == .request(.integer(4), "subtract", .named(#"{"minuend":42,"subtrahend":23}"#)))
    }

    @Test func `a notification`() throws {
        let update = #"{"jsonrpc": "2.0", "method": "update", "params": [1,2,3,4,5]}"#
        #expect(try Seen.message(update) == .notification("update", .positional))
        let bare = #"{"jsonrpc": "2.0", "method": "foobar"}"#
        #expect(try Seen.message(bare) == .notification("foobar", .none))
    }

    @Test func `rpc call of non-existent method`() throws {
        let text = #"{"jsonrpc": "2.0", "method": "foobar", "id": "1"}"#
        #expect(try Seen.message(text) == .request(.text("1"), "foobar", .none))
    }

    static let invalid = [
        (#"{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]"#, 39),
        (
            #"[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},"#
                + #"{"jsonrpc": "2.0", "method"]"#, 94
        ),
    ]

    @Test(arguments: invalid)
    func `rpc call and batch with invalid JSON`(text: String, byte: Int) {
        #expect {
            _ = try JSONDocument(parsing: Array(text.utf8))
        } throws: { error in
            guard let fault = error as? JSONFault else { return false }
            let error = RPCError(fault, limits: .frame)
            return error.code == .parseError
                && error.position == JSONPosition(line: 1, column: byte + 1, byte: byte)
        }
    }

    @Test func `rpc call with invalid Request object`() throws {
        let text = #"{"jsonrpc": "2.0", "method": 1, "params": "bar"}"#
        #expect(try Seen.message(text).refusal == Refusal(.invalidRequest, "method"))
    }

    @Test func `rpc call with an empty Array`() throws {
        #expect(try Seen.message("[]").refusal == Refusal(.invalidRequest, "object"))
        #expect(try Seen.batch("[]") == [])
    }

    @Test func `rpc call with an invalid Batch`() throws {
        let one = Refusal(.invalidRequest, "object")
        #expect(try Seen.batch("[1]").map(\.refusal) == [one])
        #expect(try Seen.batch("[1,2,3]").map(\.refusal) == [one, one, one])
    }

    @Test func `rpc call Batch`() throws {
        let text = """
            [
                {"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},
                {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]},
                {"jsonrpc": "2.0", "method": "subtract", "params": [42,23], "id": "2"},
                {"foo": "boo"},
                {"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},
                {"jsonrpc": "2.0", "method": "get_data", "id": "9"}
            ]
            """
        let seen = try Seen.batch(text)
        #expect(
            seen.map(\.refusal) == [
                Refusal(.invalidParams, "positional_params", id: .text("1")),
                nil,
                Refusal(.invalidParams, "positional_params", id: .text("2")),
                Refusal(.invalidRequest, "jsonrpc"),
                nil,
                nil,
            ])
        #expect(
            seen.filter { $0.refusal == nil } == [
                .notification("notify_hello", .positional),
                .request(.text("5"), "foo.get", .named(#"{"name":"myself"}"#)),
                .request(.text("9"), "get_data", .none),
            ])
    }

    @Test func `rpc call Batch, all notifications`() throws {
        let text = """
            [
                {"jsonrpc": "2.0", "method": "notify_sum", "params": [1,2,4]},
                {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]}
            ]
            """
        #expect(
            try Seen.batch(text) == [
                .notification("notify_sum", .positional),
                .notification("notify_hello", .positional),
            ])
    }

    @Test func `the responses of the examples are answers, which nobody answers`() throws {
        #expect(
            try Seen.message(#"{"jsonrpc": "2.0", "result": 19, "id": 1}"#) == .result(1, "19"))
        let error = #"{"code":-32601,"message":"Method not found"}"#
        #expect(
            try Seen.message(#"{"jsonrpc": "2.0", "error": \#(error), "id": "1"}"#)
                == .error(nil, error))
        #expect(
            try Seen.message(#"{"jsonrpc": "2.0", "error": \#(error), "id": null}"#)
                == .error(nil, error))
    }
}
