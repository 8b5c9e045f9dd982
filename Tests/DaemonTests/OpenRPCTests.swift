import Testing

/// Section 15: the document that describes the daemon, held against the daemon.
struct OpenRPCTests {
    private let contract: Contract
    private let methods: [JSON]

    init() throws {
        contract = try Contract.shared.get()
        methods = try #require(contract.document["methods"]?.elements)
    }

    @Test func `the document says what it is`() {
        #expect(contract.document["openrpc"] == "1.3.2")
        #expect(contract.document["info"]?["title"]?.string?.isEmpty == false)
        #expect(contract.document["info"]?["version"]?.string?.isEmpty == false)
        #expect(Set(contract.document.names).isSuperset(of: ["openrpc", "info", "methods"]))
    }

    @Test func `it lists every method of this release once, and not itself`() {
        let names = methods.compactMap { $0["name"]?.string }
        let expected: Set = [
            "broker.hello", "broker.ping", "broker.info", "broker.describe", "broker.cancel",
            "broker.log", "broker.warning", "broker.goodbye", "broker.stats", "test.advance",
        ]
        #expect(Set(names) == expected)
        #expect(names.count == expected.count)
    }

    @Test func `every method has the members of section 15`() {
        for method in methods {
            let required = ["paramStructure", "params", "examples", "x-direction", "x-roles"]
            #expect(Set(method.names).isSuperset(of: required), "\(method["name"] ?? .null)")
            #expect(method["paramStructure"] == "by-name")
            #expect(method["examples"]?.elements?.isEmpty == false)
            let direction = method["x-direction"]?.string
            #expect(["to_broker", "to_client", "both"].contains(direction))
            #expect(method["x-since"]?.string != nil)
            let isNotification = method["x-notification"] == .boolean(true)
            #expect(isNotification || method["x-notification"] == .boolean(false))
            #expect((method["result"] == nil) == isNotification)
            if !isNotification {
                #expect(method["errors"]?.elements != nil)
                #expect(method["x-deadline-ms"]?.integer != nil)
            }
        }
    }

    @Test func `errors have numbers of the table and every number its name`() {
        var names: [Int: Set<String>] = [:]
        for error in methods.flatMap({ $0["errors"]?.elements ?? [] }) {
            let code = error["code"]?.integer ?? 0
            let registered = [-32700 ... -32700, -32603 ... -32600, -32019 ... -32000]
            #expect(registered.contains { $0.contains(code) })
            names[code, default: []].insert(error["message"]?.string ?? "")
        }
        #expect(names.values.allSatisfy { $0.count == 1 })
    }

    @Test func `schemas keep to the subset`() {
        for method in methods {
            let params = method["params"]?.elements?.compactMap { $0["schema"] } ?? []
            for schema in params + [method["result"]?["schema"]].compactMap({ $0 }) {
                #expect(Schema(json: schema).unknownKeywords == [])
            }
        }
    }

    @Test func `every example fits its schema`() throws {
        for method in methods {
            let name = try #require(method["name"]?.string)
            for example in method["examples"]?.elements ?? [] {
                let members = example["params"]?.elements?.map {
                    JSON.Member(name: $0["name"]?.string ?? "", value: $0["value"] ?? .null)
                }
                #expect(contract.faults(inParams: .object(members ?? []), of: name) == [])
                if let result = example["result"]?["value"] {
                    #expect(contract.faults(inResult: result, of: name) == [])
                }
            }
        }
    }

    @Test func `every example of a request runs`() throws {
        for method in methods where method["x-notification"] == .boolean(false) {
            let name = try #require(method["name"]?.string)
            for example in method["examples"]?.elements ?? [] {
                let client = try TestDaemon().connect()
                if name != "broker.hello" { try client.hello(#""roles":["admin","controller"]"#) }
                let members = example["params"]?.elements?.map {
                    JSON.Member(name: $0["name"]?.string ?? "", value: $0["value"] ?? .null)
                }
                let reply = try client.request(name, JSON.object(members ?? []).description)
                #expect(reply.error == nil, "\(name)")
                if let expected = example["result"]?["value"] {
                    #expect(reply.result?.names == expected.names)
                }
            }
        }
    }

    @Test func `a missing required member is refused, for every method that has one`() throws {
        let client = try TestDaemon().connectReady(#""roles":["admin"]"#)
        for method in methods where method["x-notification"] == .boolean(false) {
            let name = try #require(method["name"]?.string)
            let required = (method["params"]?.elements ?? []).filter {
                $0["required"] == .boolean(true)
            }
            if required.isEmpty || name == "broker.hello" { continue }
            let reply = try client.request(name, "{}")
            #expect(reply.code == -32602, "\(name)")
            #expect(reply.field == "/\(required[0]["name"]?.string ?? "")")
        }
    }

    @Test func `the bounds in the schemas are the bounds that hold`() throws {
        let client = try TestDaemon().connectReady(#""roles":["admin"]"#)
        let ms = contract.methods["test.advance"]?["params"]?[0]?["schema"]?["maximum"]
        let most = try #require(ms?.integer)
        #expect(try client.request("test.advance", #"{"ms":\#(most + 1)}"#).field == "/ms")
        #expect(try client.request("test.advance", #"{"ms":\#(most)}"#).error == nil)
        let name = contract.methods["broker.describe"]?["params"]?[0]?["schema"]?["maxLength"]
        let fit = String(repeating: "a", count: try #require(name?.integer))
        #expect(try client.request("broker.describe", #"{"name":"\#(fit)"}"#).code == -32004)
        #expect(try client.request("broker.describe", #"{"name":"\#(fit)a"}"#).code == -32602)
        #expect(try client.request("broker.describe", #"{"name":""}"#).code == -32602)
    }

    @Test func `a client's name and version have the bounds that their schema tells`() throws {
        let client = try TestDaemon().connect()
        let schema = contract.methods["broker.hello"]?["params"]?.elements?.first {
            $0["name"] == "client"
        }?["schema"]?["properties"]
        func hello(_ name: Int, _ version: Int) throws -> Frame {
            let texts = [name, version].map { String(repeating: "a", count: $0) }
            let program = #"{"name":"\#(texts[0])","version":"\#(texts[1])"}"#
            return try client.request(
                "broker.hello", #"{"protocol":{"min":1,"max":1},"client":\#(program)}"#)
        }
        let name = try #require(schema?["name"]?["maxLength"]?.integer)
        let version = try #require(schema?["version"]?["maxLength"]?.integer)
        #expect(try hello(name + 1, version).field == "/client/name")
        #expect(try hello(0, version).field == "/client/name")
        #expect(try hello(name, version + 1).field == "/client/version")
        #expect(try hello(name, 0).field == "/client/version")
        #expect(try hello(name, version).error == nil)
    }

    @Test func `an unknown member is refused by every method`() throws {
        let client = try TestDaemon().connectReady(#""roles":["admin"]"#)
        for method in methods where method["x-notification"] == .boolean(false) {
            let name = try #require(method["name"]?.string)
            if name == "broker.hello" { continue }
            let reply = try client.request(name, #"{"no_such_member":1}"#)
            #expect(reply.code == -32602, "\(name)")
        }
    }

    @Test func `the document is at most 1 MiB long`() throws {
        let client = try TestDaemon().connect()
        try client.send(#"{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}"#)
        #expect(try #require(try client.line()).utf8.count < 1 << 20)
    }

    @Test func `the validator itself finds faults`() throws {
        let text = """
            {"type":"object","required":["a"],"properties":{"a":{"type":"integer","minimum":1,\
            "maximum":3},"b":{"type":"string","pattern":"^[a-c]+$","maxLength":3},"c":{"oneOf":\
            [{"type":"string"},{"type":"integer"}]},"d":{"type":"array","maxItems":1,"items":\
            {"enum":["x"]}}}}
            """
        let schema = Schema(json: try JSON(text))
        let fine = #"{"a":1,"b":"abc","c":1,"d":["x"],"e":null}"#
        #expect(schema.faults(in: try JSON(fine)) == [])
        let faulty = [
            "[]", "{}", #"{"a":0}"#, #"{"a":4}"#, #"{"a":1.0}"#, #"{"a":1,"b":"abd"}"#,
            #"{"a":1,"b":"aaaa"}"#, #"{"a":1,"c":null}"#, #"{"a":1,"d":["y"]}"#,
            #"{"a":1,"d":["x","x"]}"#,
        ]
        for text in faulty { #expect(schema.faults(in: try JSON(text)).count == 1, "\(text)") }
    }
}
