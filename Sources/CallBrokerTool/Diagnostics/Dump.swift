internal import ArgumentParser
internal import BrokerJSON
internal import CallProtocol

/// `callbroker dump`: everything that the broker is doing, for a bug report.
struct Dump: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump",
        abstract: "Show everything that the broker is doing, for a bug report.",
        discussion: """
            Prints one document: the broker, its counters, policy, calls, apps and plugins; open \
            transactions and actions with their age, timers, screens, connections with their \
            subscriptions, refusals and anomalies. Remote parties, lines of apps, and texts that apps \
            have written about calls are replaced by pseudonyms, which are the same in every dump and \
            recording of this host.
            """)

    @Flag(help: "Include numbers, addresses, names and the output of plugins.")
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
        let people = PseudonymKey.pseudonymsIfPossible(in: state.folder)
        let host = try session.request(.getHost)
        writer.name("host")
        if withHandles {
            writer.value(host.result)
        } else {
            NamelessList(resultOf: .getHost, people).write(host.result, to: &writer)
        }
        for (name, method) in [
            ("providers", MethodName.listProviders), ("plugins", .listPlugins),
            ("calls", .listCalls),
        ] {
            writer.name(name)
            let nameless = withHandles ? nil : NamelessList(of: method, people)
            writer.value(json: try list(session, method, name, nameless))
        }
        try client.output.show(writer.bytes + Array("}".utf8)) { FlatText($0).aligned }
    }

    /// Lists all pages; empty at a broker that does not have the method, or does not grant it.
    private func list(
        _ session: Session, _ method: MethodName, _ name: String, _ nameless: NamelessList?
    ) throws -> [UInt8] {
        guard session.requestIfPossible(method) != nil else { return Array("[]".utf8) }
        var writer = JSONWriter(Array("[".utf8))
        try session.forEachPage(method) { page in
            for element in page.result[named: name].map({ Array($0.elements) }) ?? [] {
                if let nameless {
                    nameless.write(element, to: &writer)
                } else {
                    writer.value(element)
                }
            }
        }
        return writer.bytes + Array("]".utf8)
    }
}
