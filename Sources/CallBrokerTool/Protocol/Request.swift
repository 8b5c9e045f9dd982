internal import ArgumentParser
internal import BrokerJSON
internal import BrokerRPC
internal import CallPlugins
internal import CallProtocol

/// `callbroker request`: any method.
struct Request: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "request",
        abstract: "Call any method, or send a notification.",
        discussion: """
            key=value is converted to the type in the method's schema; key:=JSON takes any JSON value; \
            - reads the params as one JSON object from standard input. "callbroker methods" lists \
            the methods, "callbroker describe NAME" their members.
            """)

    @Argument(help: "The method, such as broker.info.", completion: Suggestions.methods)
    var method: String

    @Argument(help: "The params: key=value, key:=JSON, or -.")
    var params: [String] = []

    @OptionGroup var client: ClientOptions

    func run() throws {
        let row = MethodTable.withTestMethods.find(method)
        let arguments = ParamArguments(params, members: row?.params ?? [])
        let roles = try roles(for: row)
        let json = try arguments.json()
        do {
            if let row, row.isNotification {
                try Self.check(json, row)
                try client.notify(method, params: json, roles: roles)
            } else {
                try client.show(method, params: json, roles: roles) { FlatText($0).aligned }
            }
        } catch let failure as ToolFailure {
            throw failure.suggesting("unknown_method", Self.near(method))
                .suggesting("unknown_member", arguments.suggestions)
        }
    }

    /// Returns the roles of the method that the tool can have; it has no identity.
    private func roles(for row: Method?) throws(ToolFailure) -> RoleSet {
        guard let row, !row.roles.isEmpty else { return .controller }
        let roles = row.roles.roles.filter { !$0.needsIdentity }.map { RoleSet($0) }
        guard !roles.isEmpty else {
            throw ToolFailure(
                .denied,
                "only an app can call \(method): it needs an identity, which this tool does not have"
            )
        }
        return RoleSet(roles)
    }

    /// Checks a notification's params, because the broker does not answer it.
    private static func check(_ params: [UInt8], _ row: Method) throws(ToolFailure) {
        let document = try Frame.parse(params)
        do throws(SchemaFault) {
            try row.check(document.root)
        } catch {
            throw ToolFailure(.usage, RPCError(error).message)
        }
    }

    private static func near(_ method: String) -> [String] {
        let names = MethodTable.withTestMethods.methods.filter { $0.direction != .toClient }
            .map(\.name.rawValue)
        return NearestName.find(method, in: names).map { [$0] } ?? []
    }
}

/// `callbroker methods`: the list of methods.
struct Methods: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "methods",
        abstract: "List the methods and events of the running broker.")

    @OptionGroup var client: ClientOptions

    func run() throws {
        let method = MethodName.discover.rawValue
        try client.show(
            method, params: Array("{}".utf8), roles: RoleSet(.observer), lines: Self.lines
        ) { Self.table($0) }
    }

    /// Returns one JSON object per method.
    private static func lines(_ document: JSONValue) -> String {
        entries(of: document).map { entry in
            var writer = JSONWriter()
            writer.object { writer in
                for (name, member) in [
                    ("name", "name"), ("summary", "summary"), ("direction", "x-direction"),
                    ("notification", "x-notification"),
                ] {
                    guard let value = entry[named: member] else { continue }
                    writer.name(name)
                    writer.value(value)
                }
            }
            return writer.text
        }.joined(separator: "\n")
    }

    private static func table(_ document: JSONValue) -> String {
        let rows = entries(of: document).map { ($0["name"]?.string ?? "", $0) }
        let width = Padding.width(of: rows.map(\.0))
        return rows.map { name, entry in
            let arrow = entry["x-direction"]?.string == "to_client" ? "<-" : "->"
            let summary = entry["summary"]?.string ?? ""
            return "\(arrow) \(name.padded(to: width))  \(summary)".printable
        }.joined(separator: "\n")
    }

    private static func entries(of document: JSONValue) -> [JSONValue] {
        document["methods"].map { Array($0.elements) } ?? []
    }
}

/// `callbroker describe`: one method or event, or the manifest of plugins.
struct Describe: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "describe",
        abstract: "Describe one method or event, or the manifest of plugins.",
        discussion: """
            "describe manifest" needs no broker; with --json it prints a JSON Schema.
            """)

    @Argument(
        help: "The name, such as broker.hello; or manifest.", completion: Suggestions.methods)
    var name: String

    @OptionGroup var client: ClientOptions

    func run() throws {
        guard name != "manifest" else { return try describeManifest() }
        var writer = JSONWriter()
        writer.object { $0.member("name", name) }
        do {
            try client.show(
                MethodName.describe.rawValue, params: writer.bytes, roles: RoleSet(.observer)
            ) { MethodPage($0).description }
        } catch let failure as ToolFailure {
            throw failure.suggesting("unknown_method", near)
        }
    }

    private func describeManifest() throws {
        var writer = JSONWriter()
        ManifestSchemas.write(to: &writer)
        guard client.output.chosen == nil else {
            return try client.output.show(writer.bytes) { _ in "" }
        }
        StandardOutput.write(try ManifestPage().markdown)
    }

    private var near: [String] {
        let names =
            ["manifest"] + MethodTable.withTestMethods.methods.map(\.name.rawValue)
            + Topic.allCases.map(\.rawValue)
        return NearestName.find(name, in: names).map { [$0] } ?? []
    }
}
