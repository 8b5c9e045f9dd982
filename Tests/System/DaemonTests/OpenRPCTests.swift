import Testing

/// Section 15: the document that describes the daemon, held against the daemon.
struct OpenRPCTests {
    /// The session, the protocol itself, the broker, the test mode.
    private static let session: Set = [
        "broker.hello", "broker.ping", "broker.info", "broker.describe", "broker.cancel",
        "broker.progress", "broker.log", "broker.warning", "broker.goodbye", "broker.stats",
        "broker.metrics", "broker.dump", "broker.backup", "broker.shutdown", "connection.list",
        "host.get",
        "policy.get", "policy.set", "grant.issue", "grant.list", "grant.revoke",
        "ui.ask", "question.list", "question.answer", "provider.request_authorization",
        "events.subscribe",
        "events.unsubscribe",
        "event", "events.gap", "test.advance", "test.settle",
    ]
    private static let calls: Set = [
        "provider.register", "provider.update", "provider.unregister", "provider.list",
        "line.set_setting", "line.change_setting",
        "push.deliver", "push.received", "push.unreported", "push.reset", "push.set_token",
        "push.token",
        "call.report_incoming", "call.report_alerting", "call.report_video_request",
        "call.report_text_request", "call.report_text", "provider.send_text",
        "call.report_connecting",
        "call.report_connected",
        "call.report_held", "call.report_muted", "call.report_group", "call.report_missed",
        "call.report_update", "call.report_ended", "provider.perform", "provider.execute",
        "action.settle", "provider.timed_out", "provider.reset", "audio.activated",
        "audio.deactivated", "call.presentation", "transaction.request", "call.start",
        "call.answer", "call.pull", "call.end", "call.report_external",
        "call.set_held", "call.set_muted", "call.set_group", "call.play_dtmf", "call.dial",
        "audio.report_endpoints", "audio.set_endpoint", "audio.use_endpoint",
        "audio.handover", "call.swap",
        "call.set_endpoint", "call.set_video", "call.set_text", "call.send_text", "call.transfer",
        "call.attended_transfer",
        "call.deflect",
        "call.merge",
        "call.split", "call.press_button", "call.silence", "call.prioritize", "call.may_ring",
        "call.continue_tones",
        "call.explain", "call.timeline", "transaction.list", "call.report_quality",
        "call.report_participants", "participant.list", "participant.update", "participant.change",
        "call.list",
        "call.get", "ui.claim", "ui.release", "ui.present",
        "ui.dismiss",
    ]
    private static let stored: Set = [
        "provider.authorization_changed", "screener.check", "directory.lookup",
        "directory.put_entries", "directory.change_entries", "directory.clear", "directory.list",
        "directory.enable", "block.add", "block.remove", "block.list", "contact.put",
        "contact.remove", "contact.list", "history.list", "history.sum", "history.remove",
        "history.clear",
        "history.mark_seen", "history.import", "plugin.list", "plugin.start", "plugin.stop",
        "plugin.restart",
        "plugin.enable", "plugin.disable", "plugin.rescan", "plugin.logs", "plugin.doctor",
        "plugin.set_option", "plugin.options_changed",
    ]
    private static let topics: Set = [
        "call.added", "call.changed", "call.allowed_changed", "call.removed", "call.refused",
        "call.dial_refused",
        "call.resume_offered", "call.quality", "call.participants", "call.text", "host.changed",
        "host.presence",
        "transaction.accepted",
        "transaction.completed",
        "action.dispatched",
        "action.fulfilled", "action.failed", "action.timed_out", "action.late", "provider.added",
        "provider.changed", "provider.resumed", "provider.lost", "provider.removed",
        "audio.changed", "audio.endpoints_changed", "screen.changed", "policy.changed",
        "history.changed",
        "plugin.state", "plugin.log",
        "broker.anomaly", "broker.bookmark",
        "broker.stopping",
    ]

    /// Everything but a screener's and a directory's.
    private static let everyRole =
        #""identity":"org.example.phone","roles":["#
        + #""provider","controller","observer","ui","audio","admin"]"#

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
        let expected = Self.session.union(Self.calls).union(Self.stored).union(Self.topics)
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

    @Test func `exactly the topics are marked as such, and are the events of watchers`() {
        for method in methods {
            let name = method["name"]?.string ?? ""
            #expect((method["x-topic"] != nil) == Self.topics.contains(name))
            guard let topic = method["x-topic"] else { continue }
            #expect(topic.string == name)
            #expect(method["x-direction"] == "to_client")
            #expect(method["x-notification"] == .boolean(true))
            let roles = method["x-roles"]?.elements?.compactMap(\.string)
            let listeners = topic == "plugin.log" ? ["admin"] : ["controller", "observer", "ui"]
            #expect(roles == listeners)
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

    /// What runs on a broker without calls. The others need something to be there first; what is
    /// asked in their examples must be understood at least.
    private static let standAlone: Set = [
        "broker.hello", "broker.ping", "broker.info", "broker.describe", "broker.stats",
        "broker.metrics", "broker.dump",
        "provider.register", "provider.list", "call.list", "host.get", "policy.get", "policy.set",
        "test.advance", "test.settle",
    ]

    @Test func `every example of a request runs, or fails for another reason than its params`()
        throws
    {
        // What stops the daemon is tried in `StopTests`.
        for method in requests where method["name"] != "broker.shutdown" {
            let name = try #require(method["name"]?.string)
            for example in method["examples"]?.elements ?? [] {
                let client = try TestDaemon().connect()
                // These are the user's, and no app's.
                let isUsers = ["call.press_button", "call.continue_tones"].contains(name)
                let roles = isUsers ? #""roles":["controller"]"# : Self.everyRole
                if name != "broker.hello" { try client.hello(roles) }
                let members = example["params"]?.elements?.map {
                    JSON.Member(name: $0["name"]?.string ?? "", value: $0["value"] ?? .null)
                }
                let reply = try client.request(
                    name, JSON.object(members ?? []).description, isAlone: false)
                guard Self.standAlone.contains(name) else {
                    #expect(![-32600, -32602, -32002, -32003].contains(reply.code), "\(name)")
                    continue
                }
                #expect(reply.error == nil, "\(name)")
                if let expected = example["result"]?["value"] {
                    #expect(reply.result?.names == expected.names)
                }
            }
        }
    }

    /// What can be asked of the broker.
    private var requests: [JSON] {
        methods.filter {
            $0["x-notification"] == .boolean(false) && $0["x-direction"] != "to_client"
        }
    }

    @Test func `a missing required member is refused, for every method that has one`() throws {
        let client = try TestDaemon().connectReady(Self.everyRole)
        for method in requests {
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
        let client = try TestDaemon().connectReady(Self.everyRole)
        for method in requests {
            let name = try #require(method["name"]?.string)
            if name == "broker.hello" { continue }
            let reply = try client.request(name, #"{"no_such_member":1}"#)
            #expect(reply.code == -32602, "\(name)")
        }
    }

    @Test func `a role that is not granted is missed before anything else`() throws {
        let client = try TestDaemon().connectReady(#""roles":["observer"]"#)
        for method in requests {
            let name = try #require(method["name"]?.string)
            let roles = method["x-roles"]?.elements?.compactMap(\.string) ?? []
            if roles.isEmpty || roles.contains("observer") { continue }
            let reply = try client.request(name, #"{"no_such_member":1}"#)
            #expect(reply.code == -32003, "\(name)")
            #expect(reply.reason == "role_not_granted")
        }
    }

    @Test func `what only the broker sends, nobody may send to it`() throws {
        let client = try TestDaemon().connectReady(Self.everyRole)
        for method in methods where method["x-direction"] == "to_client" {
            let name = try #require(method["name"]?.string)
            #expect(try client.request(name, "{}").code == -32601, "\(name)")
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
            {"enum":["x"]}},"f":{"type":"object","propertyNames":{"pattern":"^[a-z]+$"},\
            "additionalProperties":{"type":"integer"},"maxProperties":2}}}
            """
        let schema = Schema(json: try JSON(text))
        let fine = #"{"a":1,"b":"abc","c":1,"d":["x"],"e":null,"f":{"x":1,"y":2}}"#
        #expect(schema.faults(in: try JSON(fine)) == [])
        let faulty = [
            "[]", "{}", #"{"a":0}"#, #"{"a":4}"#, #"{"a":1.0}"#, #"{"a":1,"b":"abd"}"#,
            #"{"a":1,"b":"aaaa"}"#, #"{"a":1,"c":null}"#, #"{"a":1,"d":["y"]}"#,
            #"{"a":1,"d":["x","x"]}"#, #"{"a":1,"f":{"x":"1"}}"#, #"{"a":1,"f":{"X":1}}"#,
            #"{"a":1,"f":{"x":1,"y":2,"z":3}}"#,
        ]
        for text in faulty { #expect(schema.faults(in: try JSON(text)).count == 1, "\(text)") }
    }
}
