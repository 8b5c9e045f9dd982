internal import ArgumentParser
internal import BrokerJSON
internal import CallProtocol

/// `callbroker connections`: the connected clients, and which programs they are.
struct Connections: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "connections",
        abstract: "List the connected clients, and which programs they are.",
        discussion: "The kernel describes the programs; the identities are those that they give.")

    @OptionGroup var client: ClientOptions

    func run() throws {
        let session = try client.open(.admin)
        try session.showList(.listConnections, "connections") { elements in
            TextTable(
                [
                    .plain(Messages.headingProcess), .text(Messages.headingProgram),
                    .plain(Messages.headingSandbox), .text(Messages.headingUnit),
                    .text(Messages.headingApp), .text(Messages.headingRoles),
                ],
                elements.map(Self.row)
            ).description
        }
    }

    private static func row(_ client: JSONValue) -> [String] {
        let sandbox = [client["sandbox"]?.string, client["app"]?.string].compactMap { $0 }
        return [
            client["pid"]?.integer.map(String.init) ?? "",
            client["executable"]?.string ?? "", sandbox.joined(separator: " "),
            client["unit"]?.string ?? "", client["identity"]?.string ?? "",
            client["roles"]?.elements.compactMap(\.string).joined(separator: " ") ?? "",
        ]
    }
}
