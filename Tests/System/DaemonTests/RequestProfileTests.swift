import Testing

/// R1 to R6: ids, params, notifications, and what is no request at all.
struct RequestProfileTests {
    /// What the broker says to `lines`, to the end of the stream.
    private func answers(to lines: String...) throws -> [String] {
        let client = try TestDaemon().connect()
        for line in lines { try client.send(line) }
        return try client.finish()
    }

    private func ping(id: String) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"broker.ping"}"#
    }

    @Test func `R1: a string and an integer are different ids`() throws {
        #expect(try answers(to: ping(id: "1"), ping(id: #""1""#)) == ["1 {}", #""1" {}"#])
    }

    @Test(arguments: ["null", "1.5", "1.0", "1e3", "true", "false", "[]", "{}", "[1]"])
    func `R1: null, fractional, boolean and structured ids are refused`(id: String) throws {
        #expect(try answers(to: ping(id: id)) == ["null -32600"])
    }

    @Test func `R1: an integer beyond int64 is no id`() throws {
        let answers = try answers(
            to: ping(id: "9223372036854775807"), ping(id: "9223372036854775808"),
            ping(id: "-9223372036854775808"), ping(id: "-9223372036854775809"))
        let expected = [
            "9223372036854775807 {}", "null -32700", "-9223372036854775808 {}", "null -32700",
        ]
        #expect(answers == expected)
    }

    @Test func `R1: an id of 64 bytes comes back and one of 65 is refused`() throws {
        let fit = String(repeating: "a", count: 64)
        let answers = try answers(to: ping(id: #""\#(fit)""#), ping(id: #""\#(fit)a""#))
        #expect(answers == [#""\#(fit)" {}"#, "null -32600"])
    }

    @Test func `R1: the length of an id counts bytes of UTF-8, not letters`() throws {
        let fit = String(repeating: "ü", count: 32)
        let answers = try answers(to: ping(id: #""\#(fit)""#), ping(id: #""\#(fit)a""#))
        #expect(answers == [#""\#(fit)" {}"#, "null -32600"])
    }

    @Test func `R1: an empty string and escapes are ids like any other`() throws {
        let client = try TestDaemon().connect()
        try client.send(ping(id: #""""#))
        try client.send(ping(id: #""\"\\\u0041\n""#))
        #expect(try client.line() == #"{"jsonrpc":"2.0","id":"","result":{}}"#)
        #expect(try client.line() == #"{"jsonrpc":"2.0","id":"\"\\A\n","result":{}}"#)
    }

    @Test func `a method of 128 bytes is unknown and one of 129 is refused`() throws {
        let fit = String(repeating: "m", count: 128)
        let answers = try answers(
            to: #"{"jsonrpc":"2.0","id":1,"method":"\#(fit)"}"#,
            #"{"jsonrpc":"2.0","id":2,"method":"\#(fit)m"}"#)
        #expect(answers == ["1 -32601", "2 -32600"])
    }

    @Test func `R3: an empty array means no params`() throws {
        let line = #"{"jsonrpc":"2.0","id":1,"method":"broker.ping","params":[]}"#
        #expect(try answers(to: line) == ["1 {}"])
    }

    @Test(arguments: ["[1]", "[null]", "[[]]", "[{}]"])
    func `R3: any other array is invalid params`(params: String) throws {
        let line = #"{"jsonrpc":"2.0","id":1,"method":"broker.ping","params":\#(params)}"#
        #expect(try answers(to: line) == ["1 -32602"])
    }

    @Test(arguments: ["null", "1", "1.5", "true", #""x""#])
    func `R3: null and scalar params make an invalid request`(params: String) throws {
        let line = #"{"jsonrpc":"2.0","id":1,"method":"broker.ping","params":\#(params)}"#
        #expect(try answers(to: line) == ["1 -32600"])
    }

    @Test func `R4: an unknown member of params is refused with a pointer to it`() throws {
        let client = try TestDaemon().connect()
        let reply = try client.request("broker.ping", #"{"payload":1,"pay":2}"#)
        #expect(reply.code == -32602)
        #expect(reply.field == "/pay")
        let nested = try client.request(
            "broker.hello",
            #"{"protocol":{"min":1,"max":1,"mid":1},"client":{"name":"a","version":"1"}}"#)
        #expect(nested.code == -32602)
        #expect(nested.field == "/protocol/mid")
    }

    @Test func `R4: members that begin with x_ are accepted, at every level`() throws {
        let client = try TestDaemon().connect()
        let ping = try client.request("broker.ping", #"{"x_a":1,"payload":2,"x_":{"b":[]}}"#)
        #expect(ping.result?.description == #"{"payload":2}"#)
        let params = """
            {"protocol":{"min":1,"max":1,"x_p":1},"x_trace":[1],\
            "client":{"name":"a","version":"1","x_build":{}}}
            """
        #expect(try client.request("broker.hello", params).result != nil)
    }

    @Test func `R4: members that only look like x_ are unknown`() throws {
        let client = try TestDaemon().connect()
        for name in ["x", "X_a", "x-a", "_x_a"] {
            #expect(try client.request("broker.ping", #"{"\#(name)":1}"#).code == -32602)
        }
    }

    @Test func `R4: unknown members beside params are ignored`() throws {
        let line = #"{"jsonrpc":"2.0","id":1,"method":"broker.ping","trace":{"a":1},"x":null}"#
        #expect(try answers(to: line) == ["1 {}"])
    }

    @Test func `R4: a wrong value is refused with a pointer to it`() throws {
        let client = try TestDaemon().connect()
        let faulty = [
            (#"{"client":{"name":"a","version":"1"}}"#, "/protocol"),
            (#"{"protocol":1,"client":{"name":"a","version":"1"}}"#, "/protocol"),
            (#"{"protocol":{"min":1},"client":{"name":"a","version":"1"}}"#, "/protocol/max"),
            (#"{"protocol":{"min":1,"max":"1"},"client":{}}"#, "/protocol/max"),
            (#"{"protocol":{"min":1,"max":1}}"#, "/client"),
            (#"{"protocol":{"min":1,"max":1},"client":{"name":"a"}}"#, "/client/version"),
            (TestClient.hello(#""roles":"admin""#), "/roles"),
            (TestClient.hello(#""roles":["observer",1]"#), "/roles/1"),
            (TestClient.hello(#""identity":7"#), "/identity"),
            (TestClient.hello(#""resume":{}"#), "/resume/session"),
        ]
        for (params, field) in faulty {
            let reply = try client.request("broker.hello", params)
            #expect(reply.code == -32602)
            #expect(reply.field == field)
        }
    }

    @Test func `R4: a name that no method would have does not come back in the pointer`() throws {
        // A name may be private text, so the pointer may end at the parent; if it does not, it
        // escapes what pointers escape. A telephone number never comes back.
        let client = try TestDaemon().connect()
        let reply = try client.request("broker.ping", #"{"a/b~c":1}"#)
        #expect(["/a~1b~0c", ""].contains(reply.field))
        let marked = try client.request("broker.ping", #"{"\#(FrameCheck.marker)":1}"#)
        #expect(marked.field == "")
    }

    @Test func `R5: a valid notification is never answered, whatever is wrong with it`() throws {
        let client = try TestDaemon().connectReady()
        let faulty = [
            #"{"jsonrpc":"2.0","method":"broker.log"}"#,
            #"{"jsonrpc":"2.0","method":"broker.log","params":[1]}"#,
            #"{"jsonrpc":"2.0","method":"broker.log","params":{"level":"loud","message":1}}"#,
            #"{"jsonrpc":"2.0","method":"broker.cancel","params":{"request":[]}}"#,
            #"{"jsonrpc":"2.0","method":"broker.stats","params":{"nope":1}}"#,
        ]
        for line in faulty { try client.send(line) }
        // A warning is no answer: it may come for names that are no notification.
        #expect(try client.finish().allSatisfy { $0.hasPrefix("broker.warning") })
    }

    @Test func `R5: what is no request and has no id gets an error with id null`() throws {
        let invalid = [
            "{}", #"{"jsonrpc":"2.0"}"#, #"{"method":"broker.ping"}"#,
            #"{"jsonrpc":"1.0","method":"x.y"}"#, #"{"jsonrpc":2.0,"method":"x.y"}"#,
            #"{"jsonrpc":"2.0","method":7}"#, #"{"jsonrpc":"2.0","method":null}"#,
            "1", #""a""#, "null", "true", "1.5",
        ]
        let client = try TestDaemon().connect()
        for line in invalid { try client.send(line) }
        #expect(try client.finish() == invalid.map { _ in "null -32600" })
    }

    @Test(arguments: ["null", "3", #""x""#])
    func `R5: a notification is not answered, whatever is wrong with its params`(
        params: String
    ) throws {
        let line = #"{"jsonrpc":"2.0","method":"broker.ping","params":\#(params)}"#
        #expect(try answers(to: line) == [])
    }

    @Test func `R6: the id of an invalid request is echoed if it is valid itself`() throws {
        let answers = try answers(
            to: #"{"jsonrpc":"1.0","id":7,"method":"broker.ping"}"#, #"{"id":"a","method":"x"}"#,
            #"{"jsonrpc":"2.0","id":8,"method":null}"#, #"{"jsonrpc":"2.0","id":9,"method":""}"#,
            #"{"jsonrpc":"2.0","id":[1],"method":7}"#, #"{"jsonrpc":"2.0","id":1.5,"method":7}"#,
            #"{"jsonrpc":"2.0","id":10}"#)
        let expected = [
            "7 -32600", #""a" -32600"#, "8 -32600", "9 -32601", "null -32600", "null -32600",
            "10 -32600",
        ]
        #expect(answers == expected)
    }

    @Test func `R11: duplicate members are refused, at every level`() throws {
        let answers = try answers(
            to: #"{"jsonrpc":"2.0","id":1,"id":2,"method":"broker.ping"}"#,
            #"{"jsonrpc":"2.0","id":1,"method":"broker.ping","params":{"payload":{"a":1,"a":1}}}"#,
            #"{"jsonrpc":"2.0","id":1,"method":"broker.ping","params":{"a":1,"\u0061":1}}"#)
        #expect(answers == [String](repeating: "null -32700", count: 3))
    }

    @Test func `R11: U+0000 is refused, spelled or escaped`() throws {
        let client = try TestDaemon().connect()
        try client.send(.ping(1, payload: #""\u0000""#))
        try client.send(bytes: Array(String.ping(2, payload: "\"\0\"").utf8) + [0x0A])
        #expect(try client.finish() == ["null -32700", "null -32700"])
    }
}
