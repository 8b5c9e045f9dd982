import Testing

/// The examples of section 7 of the JSON-RPC 2.0 specification, with our methods in place of theirs.
/// Where we are narrower on purpose (R11) the test says so.
struct SpecificationTests {
    /// What the broker says to `lines`, to the end of the stream.
    private func answers(to lines: String...) throws -> [String] {
        let client = try TestDaemon().connect()
        for line in lines { try client.send(line) }
        return try client.finish()
    }

    @Test func `rpc call with positional parameters is refused, a narrowing`() throws {
        let answers = try answers(
            to: #"{"jsonrpc": "2.0", "method": "broker.ping", "params": [42, 23], "id": 1}"#,
            #"{"jsonrpc": "2.0", "method": "broker.ping", "params": [23, 42], "id": 2}"#)
        #expect(answers == ["1 -32602", "2 -32602"])
    }

    @Test func `rpc call with named parameters, whatever the order of members`() throws {
        let first = #"{"subtrahend": 23, "minuend": 42}"#
        let second = #"{"minuend": 42, "subtrahend": 23}"#
        let method = #""jsonrpc": "2.0", "method": "broker.ping""#
        let answers = try answers(
            to: #"{\#(method), "params": {"payload": \#(first)}, "id": 3}"#,
            #"{\#(method), "id": 4, "params": {"payload": \#(second)}}"#)
        let expected = [
            #"3 {"payload":{"subtrahend":23,"minuend":42}}"#,
            #"4 {"payload":{"minuend":42,"subtrahend":23}}"#,
        ]
        #expect(answers == expected)
    }

    @Test func `a notification is not answered`() throws {
        let answers = try answers(
            to: #"{"jsonrpc": "2.0", "method": "broker.log", "params": [1,2,3,4,5]}"#,
            #"{"jsonrpc": "2.0", "method": "foobar"}"#)
        #expect(answers == [])
    }

    @Test func `rpc call of non-existent method`() throws {
        #expect(
            try answers(to: #"{"jsonrpc": "2.0", "method": "foobar", "id": "1"}"#)
                == [#""1" -32601"#])
    }

    @Test func `rpc call with invalid JSON`() throws {
        let line = #"{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]"#
        #expect(try answers(to: line) == ["null -32700"])
    }

    @Test func `rpc call with invalid Request object`() throws {
        let line = #"{"jsonrpc": "2.0", "method": 1, "params": "bar"}"#
        #expect(try answers(to: line) == ["null -32600"])
    }

    @Test func `rpc call Batch, invalid JSON`() throws {
        // On one line, as F1 has it.
        let line = """
            [ {"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"}, \
            {"jsonrpc": "2.0", "method" ]
            """
        #expect(try answers(to: line) == ["null -32700"])
    }

    @Test func `rpc call with an empty Array`() throws {
        #expect(try answers(to: "[]") == ["null -32600"])
    }

    @Test func `rpc call with an invalid Batch, but not empty`() throws {
        #expect(try answers(to: "[1]") == ["[null -32600]"])
    }

    @Test func `rpc call with invalid Batch`() throws {
        #expect(try answers(to: "[1,2,3]") == ["[null -32600, null -32600, null -32600]"])
    }

    @Test func `rpc call Batch`() throws {
        let entries = [
            #"{"jsonrpc": "2.0", "method": "broker.ping", "params": {"payload": 7}, "id": "1"}"#,
            #"{"jsonrpc": "2.0", "method": "notify_hello", "params": [7]}"#,
            #"{"jsonrpc": "2.0", "method": "broker.ping", "params": [42,23], "id": "2"}"#,
            #"{"foo": "boo"}"#,
            #"{"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"}"#,
            #"{"jsonrpc": "2.0", "method": "broker.ping", "id": "9"}"#,
        ]
        let answers = try answers(to: "[" + entries.joined(separator: ", ") + "]")
        let entry = [
            #""1" {"payload":7}"#, #""2" -32602"#, "null -32600", #""5" -32601"#, #""9" {}"#,
        ]
        #expect(answers == ["[" + entry.joined(separator: ", ") + "]"])
    }

    @Test func `rpc call Batch, all notifications`() throws {
        let line = """
            [{"jsonrpc": "2.0", "method": "notify_sum", "params": [1,2,4]}, \
            {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]}]
            """
        #expect(try answers(to: line) == [])
    }
}
