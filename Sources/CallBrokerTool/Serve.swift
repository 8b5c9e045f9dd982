internal import ArgumentParser
internal import BrokerSocket
internal import CallBroker
internal import Logging

/// `callbroker serve`: the daemon.
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the broker in the foreground.",
        discussion: """
            Writes "listening on PATH" to standard error when it is ready; SIGTERM or Ctrl-C stops \
            it. Under a service manager it takes over the sockets it is given and reports READY.
            """)

    @Option(help: "Path of the socket. Default: $BROKER_SOCKET, else in the runtime directory.")
    var socket: String?

    @Option(name: .customLong("state-dir"), help: "Folder for what must survive a restart.")
    var stateFolder: String?

    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(
            "Keep a journal in the state folder.",
            discussion: "Without it a restart of the broker ends all calls."))
    var journal = true

    @Option(name: .customLong("config"), help: "A JSON file with a part of the policy, and limits.")
    var configurationFile: String?

    @Option(name: .customLong("plugin-dir"), help: "A further folder of plugins; may be repeated.")
    var pluginFolders: [String] = []

    @Flag(help: "Private socket, nothing on disk, and a clock that only test.advance moves.")
    var testMode = false

    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(
            "Tell every decision on standard error, one line each.",
            discussion: "Without numbers and names. On if standard error is a terminal."))
    var explain: Bool?

    @Option(help: "What to log at least.")
    var logLevel = LogLevel.notice

    /// How long the log may take to be read when the broker has stopped.
    private static let lastLinesMS = 500

    func run() throws {
        Daemon.reserveDescriptors()
        let log = try LineWriter()
        LoggingSystem.bootstrap { StreamLogHandler(label: $0, stream: LogStream(log)) }
        var logger = Logger(label: "callbroker")
        logger.logLevel = logLevel.level
        var options = ServeOptions(environment: Environment.current)
        options.socket = socket
        options.stateFolder = stateFolder
        options.keepsJournal = journal
        options.configurationFile = configurationFile
        options.pluginFolders = pluginFolders
        options.isTestMode = testMode
        options.explains = explain ?? Terminal.isErrorOutput
        do {
            try Daemon(options, logger: logger, log).run()
            log.flush(withinMS: Self.lastLinesMS)
        } catch let error as SocketError {
            let code: ToolFailure.Code = error.kind == .inUse ? .noConnection : .errorReply
            throw ToolFailure(code: code, message: "callbroker: \(error)")
        } catch let error as ConfigurationError {
            throw ToolFailure(code: .errorReply, message: "callbroker: \(error)")
        }
    }
}

/// What the broker logs goes through a `LineWriter`.
private struct LogStream: TextOutputStream, Sendable {
    private let writer: LineWriter

    init(_ writer: LineWriter) {
        self.writer = writer
    }

    func write(_ string: String) {
        writer.write(string)
    }
}

/// A level as the option takes it.
enum LogLevel: String, CaseIterable, ExpressibleByArgument {
    case trace, debug, info, notice, warning, error, critical

    var level: Logger.Level {
        Logger.Level(rawValue: rawValue) ?? .notice
    }
}
