internal import ArgumentParser
internal import BrokerJSON
internal import BrokerSocket
internal import CallClient
internal import CallProtocol

/// `callbroker metrics`: figures for Prometheus.
struct MetricsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metrics",
        abstract: "Show figures for monitoring.",
        discussion: """
            Prints calls, transactions, refusals, latencies, journal, store, plugins and memory in \
            OpenMetrics text. With --listen it serves them for Prometheus at /metrics until it is \
            stopped, in the format that the scraper accepts. No number and no caller is in them.
            """)

    @Flag(help: "Print the classic text format, for promtool and earlier scrapers.")
    var classic = false

    @Option(
        help: ArgumentHelp(
            "Serve the figures on ADDRESS:PORT or unix:PATH.",
            discussion: "A port alone is one of 127.0.0.1."))
    var listen: String?

    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        guard listen == nil || !classic else {
            throw ValidationError("with --listen, the scraper chooses the format")
        }
    }

    func run() throws {
        guard let listen else {
            return StandardOutput.write(try text(classic ? .classic : .openMetrics))
        }
        let server: MetricsServer
        do {
            server = try MetricsServer(listen) { form throws(ToolFailure) in try text(form) }
        } catch {
            throw ToolFailure(error.kind == .unusable ? .usage : .noConnection, "\(error)")
        }
        StandardError.write("listening on \(server.url)\n")
        server.run()
    }

    private func text(_ form: MetricsText.Form) throws(ToolFailure) -> String {
        let deadline = connection.deadline(defaultSeconds: 5)
        let frame = try connection.describingErrors { () throws(SocketError) in
            try SingleRequest(path: connection.place.path, deadline: deadline)
                .run(MethodName.metrics.rawValue, params: Array("{}".utf8), roles: .admin)
        }
        let document = try Frame.parse(frame)
        guard let result = document.root["result"] else {
            throw ErrorText(document.root["error"] ?? document.root, nil) { _ in nil }.failure
        }
        return BrokerFigures.text(of: result, form)
    }
}
