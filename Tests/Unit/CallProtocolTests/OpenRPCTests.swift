import BrokerJSON
import CallProtocol
import Testing

struct OpenRPCTests {
    private static let table = MethodTable.withTestMethods
    private static let names = table.methods.map(\.name).filter { $0 != .discover }

    private let document = JSONWriter.text { writer in
        writer.object { OpenRPC(table).write(to: &$0) }
    }

    @Test func `the document says what it is`() throws {
        try withJSON(document) { root in
            #expect(root["openrpc"]?.string == "1.3.2")
            #expect(root["info"]?["title"]?.string == "CallBroker")
            #expect(root["info"]?["version"]?.string == Release.version)
            #expect(root["info"]?["license"]?["name"]?.string == "Apache-2.0")
        }
    }

    @Test func `every method and topic is listed in order, but not rpc discover`() throws {
        try withJSON(document) { root in
            let names = root["methods"]?.elements.compactMap { $0["name"]?.string }
            let topics = TopicTable.rows.map(\.topic.rawValue)
            #expect(names == Self.names.map(\.rawValue) + topics)
        }
    }

    @Test func `the methods of the test mode are not in a daemon's document`() {
        let text = JSONWriter.text { writer in
            writer.object { OpenRPC(MethodTable.standard).write(to: &$0) }
        }
        #expect(!text.contains("test.advance"))
    }

    @Test func `the document fits into the one reply that may be long`() {
        #expect(document.utf8.count < 1 << 20)
        #expect(!document.contains("\n"))
    }

    @Test(arguments: names) func `an entry has every member it needs`(name: MethodName) throws {
        let method = try row(name)
        try withJSON(entry(method)) { entry in
            var names: [String] = []
            entry.forEachMember { name, _ in names.append(String(decoding: name, as: UTF8.self)) }
            let head = ["name", "summary", "description", "paramStructure", "params"]
            let extensions = ["x-direction", "x-roles", "x-notification", "x-since"]
            let expected =
                method.isNotification
                ? head + ["examples"] + extensions
                : head + ["result", "errors", "examples"] + extensions + ["x-deadline-ms"]
            #expect(names == expected)
            #expect(entry["paramStructure"]?.string == "by-name")
            #expect(entry["x-direction"]?.string == method.direction.rawValue)
            #expect(entry["x-notification"]?.boolean == method.isNotification)
            #expect((entry["examples"]?.count ?? 0) > 0)
        }
    }

    @Test(arguments: names)
    func `an entry's examples are those of the row`(name: MethodName) throws {
        let method = try row(name)
        try withJSON(entry(method)) { entry in
            let examples = try #require(entry["examples"])
            #expect(
                examples.elements.compactMap { $0["name"]?.string } == method.examples.map(\.name))
            for (written, example) in zip(examples.elements, method.examples) {
                let params = written["params"]?.elements.map { pair in
                    (pair["name"]?.string ?? "").quoted + ":"
                        + JSONWriter.text { writer in pair["value"].map { writer.value($0) } }
                }
                #expect("{" + (params ?? []).joined(separator: ",") + "}" == example.params)
                let result = written["result"]?["value"].map { value in
                    JSONWriter.text { $0.value(value) }
                }
                #expect(result == example.result)
            }
        }
    }

    @Test func `a whole entry, to the byte`() throws {
        let describe = try row(.describe)
        #expect(
            entry(describe) == """
                {"name":"broker.describe","summary":"Describes a method or an event",\
                "description":"Returns the entry of that name in the OpenRPC document. Clients can \
                check here whether an older broker supports a member.",\
                "paramStructure":"by-name","params":[{"name":"name",\
                "summary":"the name of a method or a topic","required":true,"schema":{"type":"string",\
                "minLength":1,"maxLength":128,"x-max-bytes":128}}],\
                "result":{"name":"result","schema":{"type":"object"}},\
                "errors":[{"code":-32602,"message":"invalid_params"},\
                {"code":-32004,"message":"not_found"}],\
                "examples":[{"name":"ping","params":[{"name":"name","value":"broker.ping"}]}],\
                "x-direction":"to_broker","x-roles":[],"x-notification":false,"x-since":"0.1",\
                "x-deadline-ms":5000}
                """)
    }

    @Test(
        arguments: [
            (.ping, []), (.stats, ["admin"]), (.answer, ["controller", "ui"]),
            (.listCalls, ["controller", "observer", "ui"]),
        ] as [(MethodName, [String])])
    func `the roles are told`(name: MethodName, roles: [String]) throws {
        let method = try row(name)
        try withJSON(entry(method)) { entry in
            #expect(entry["x-roles"]?.elements.compactMap(\.string) == roles)
        }
    }

    @Test(arguments: TopicTable.rows.map(\.topic))
    func `a topic's entry is that of the event it stands in`(topic: Topic) throws {
        let row = try #require(TopicTable.rows.first { $0.topic == topic })
        let text = JSONWriter.text { writer in
            writer.object { OpenRPC(Self.table).write(row, to: &$0) }
        }
        #expect(text.utf8.count < 32_768, "broker.describe fits into a frame")
        try withJSON(text) { entry in
            var names: [String] = []
            entry.forEachMember { name, _ in names.append(String(decoding: name, as: UTF8.self)) }
            #expect(
                names == [
                    "name", "summary", "description", "paramStructure", "params", "examples",
                    "x-direction", "x-roles", "x-notification", "x-since", "x-topic",
                ])
            #expect(entry["name"]?.string == topic.rawValue)
            #expect(entry["x-topic"]?.string == topic.rawValue)
            #expect(entry["x-direction"]?.string == "to_client")
            #expect(entry["x-notification"]?.boolean == true)
            let event = try self.row(.event)
            #expect(
                entry["params"]?.elements.compactMap { $0["name"]?.string }
                    == event.params.map { "\($0.name)" })
        }
    }

    @Test(arguments: names) func `an entry fits into a frame`(name: MethodName) throws {
        #expect(entry(try row(name)).utf8.count < 32_768)
    }

    private func row(_ name: MethodName) throws -> Method {
        try #require(Self.table.find(name.rawValue))
    }

    private func entry(_ method: Method) -> String {
        JSONWriter.text { writer in
            writer.object { OpenRPC(Self.table).write(method, to: &$0) }
        }
    }
}
