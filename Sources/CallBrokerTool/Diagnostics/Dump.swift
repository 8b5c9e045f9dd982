internal import ArgumentParser
internal import BrokerJSON
internal import CallArbitration
internal import CallModel
internal import CallProtocol

/// `callbroker dump`: everything that the broker is doing, for a bug report.
struct Dump: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show everything that the broker is doing, for a bug report.",
        discussion: """
            Prints one document: the broker, its counters, policy, calls, apps and plugins; open \
            transactions and actions with their age, timers, screens, connections with their \
            subscriptions, refusals and anomalies. Remote parties are replaced by pseudonyms, which are the same in \
            every dump and recording of this host.
            """)

    @Flag(help: "Include numbers, addresses and names.")
    var withHandles = false

    @OptionGroup var state: StateOption

    @OptionGroup var client: ClientOptions

    func run() throws {
        let session = try client.open([.observer, .admin])
        var writer = JSONWriter(Array("{".utf8))
        for (name, method) in [("info", MethodName.info), ("stats", .stats), ("now", .dump)] {
            writer.name(name)
            // The counters need the role admin; earlier brokers have no method for the rest.
            if let reply = session.requestIfPossible(method) {
                writer.value(reply.result)
            } else {
                writer.null()
            }
        }
        let policy = try session.request(.getPolicy)
        writer.name("policy")
        writer.value(policy.result["policy"] ?? policy.result)
        let host = try session.request(.getHost)
        writer.name("host")
        writer.value(host.result)
        writer.name("providers")
        writer.value(json: try list(session, .listProviders, "providers") { $1.value($0) })
        writer.name("plugins")
        writer.value(json: try plugins(session))
        let people = PseudonymKey.pseudonymsIfPossible(in: state.folder)
        writer.name("calls")
        writer.value(
            json: try list(session, .listCalls, "calls") { call, writer in
                if withHandles { writer.value(call) } else { people.write(call, to: &writer) }
            })
        try client.output.show(writer.bytes + Array("}".utf8)) { FlatText($0).aligned }
    }

    /// The output of plugins, and what they wrote before they failed, may name people.
    private static let wordsOfPlugins = ["stderr", "failure_message"]

    /// Lists the plugins; an earlier broker, or one that does not grant the role, has none.
    private func plugins(_ session: Session) throws -> [UInt8] {
        guard session.requestIfPossible(.listPlugins) != nil else { return Array("[]".utf8) }
        return try list(session, .listPlugins, "plugins") { plugin, writer in
            writer.object { writer in
                for name in plugin.memberNames
                where withHandles || !Self.wordsOfPlugins.contains(name) {
                    writer.name(name)
                    if let value = plugin[named: name] { writer.value(value) }
                }
            }
        }
    }

    private func list(
        _ session: Session, _ method: MethodName, _ name: String,
        _ write: (JSONValue, inout JSONWriter) -> Void
    ) throws -> [UInt8] {
        var writer = JSONWriter(Array("[".utf8))
        try session.forEachPage(method) { page in
            for element in page.result[named: name].map({ Array($0.elements) }) ?? [] {
                write(element, &writer)
            }
        }
        return writer.bytes + Array("]".utf8)
    }
}

/// Calls with pseudonyms in place of the remote parties.
extension Pseudonyms {
    fileprivate func write(_ call: JSONValue, to writer: inout JSONWriter) {
        var copy = JSONWriter(Array("{".utf8))
        call.forEachMember { name, value in
            copy.value(utf8: name)
            copy.bytes.append(UInt8(ascii: ":"))
            switch String(decoding: name, as: UTF8.self) {
            case "remote": copy.object { write(handle: value, to: &$0) }
            case "display_name": copy.value(self.name(value.string ?? ""))
            case "caller": copy.null()
            default: copy.value(value)
            }
        }
        writer.value(json: copy.bytes + Array("}".utf8))
    }

    private func write(handle value: JSONValue, to writer: inout JSONWriter) {
        let handle = Handle(checked: value)
        writer.member("type", handle.kind.name)
        writer.member("value", self.handle(handle).value)
    }
}
