internal import ArgumentParser
internal import BrokerJSON
internal import CallModel
internal import CallProtocol

/// `callbroker endpoint`: where the sound of calls comes out.
struct EndpointCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "endpoint",
        abstract: "Show and choose where calls are heard: speaker, headset, ….",
        discussion: """
            Endpoints of the host count for all calls of apps that have none of their own, now and \
            later. Those of an app are chosen for each of its calls.
            """,
        subcommands: [List.self, Use.self], defaultSubcommand: List.self)

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the endpoints of the host and of calls.")

        @OptionGroup var client: ClientOptions

        func run() throws {
            let session = try client.open(.observer)
            let host = try session.request(.getHost)
            var rows = Self.rows(host.result, of: Messages.endpointOfHost)
            try session.forEachPage(.listCalls) { page in
                page.result["calls"]?.elements.forEach { call in
                    rows += Self.rows(call, of: CallSummary(call).shortID)
                }
            }
            session.show(host) { _ in Self.table(rows) }
        }

        private static func rows(_ value: JSONValue, of owner: String) -> [[String]] {
            let endpoints = value["endpoints"].map { [AudioEndpoint](checked: $0) } ?? []
            return endpoints.map { endpoint in
                [
                    endpoint.id.printable, endpoint.kind.rawValue.printable, endpoint.state.words,
                    owner, endpoint.name?.printable ?? "",
                ]
            }
        }

        private static func table(_ rows: [[String]]) -> String {
            guard !rows.isEmpty else { return Messages.endpointNone }
            return TextTable(
                [
                    .text(Messages.headingEndpoint), .plain(Messages.headingKind),
                    .plain(Messages.headingState), .plain(Messages.headingOf),
                    .text(Messages.headingName),
                ], rows
            ).description
        }
    }

    struct Use: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "use",
            abstract: "Choose an endpoint of the host, or of a call.")

        @Argument(help: "The endpoint, as the list has it.") var endpoint: String
        @Argument(
            help: "The call of an app that has endpoints of its own.", completion: Suggestions.calls
        )
        var call: String?
        @OptionGroup var client: ClientOptions

        func run() throws {
            let session = try client.open(.controller, waiting: 15)
            guard let call else {
                let reply = try session.request(.chooseEndpoint) {
                    $0.member("endpoint", endpoint)
                }
                return session.show(reply) { _ in
                    Messages.endpointSet(endpoint: endpoint.printable)
                }
            }
            let candidates = Candidates(
                none: Messages.callNone, several: Messages.callSeveralToShow,
                verbs: ["set_endpoint"])
            let chosen = try CallChooser(session).choose(call, candidates)
            let reply = try session.request(.setEndpoint) { writer in
                writer.member("call", chosen)
                writer.member("endpoint", endpoint)
                writer.member("wait", "completed" as StaticString)
            }
            session.show(reply, OutcomeText.done)
        }
    }
}

extension AudioEndpoint.State {
    fileprivate var words: String {
        switch self {
        case .available: Messages.endpointAvailable
        case .inUse: Messages.endpointInUse
        case .unavailable: Messages.endpointUnavailable
        }
    }
}
