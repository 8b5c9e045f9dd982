internal import ArgumentParser
internal import BrokerSocket
internal import CallBroker
internal import Logging

/// `callbroker serve`: the daemon.
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the broker in the foreground.",
        discussion: """
            Writes "listening on PATH" to standard error when ready; SIGTERM or Ctrl-C stops it. Under \
            a service manager, uses the sockets passed in and reports READY.
            """)

    @Option(help: "Path of the socket. Default: $BROKER_SOCKET, else in the runtime directory.")
    var socket: String?

    @Option(name: .customLong("state-dir"), help: "Folder of the journal, the store and settings.")
    var stateFolder: String?

    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(
            "Keep a journal in the state folder.",
            discussion: "Without a journal, calls end when the broker restarts."))
    var journal = true

    @Option(name: .customLong("config"), help: "A JSON file with policy and limits.")
    var configurationFile: String?

    @Option(name: .customLong("plugin-dir"), help: "An additional plugin folder; may be repeated.")
    var pluginFolders: [String] = []

    @Flag(help: "Use a private socket, no files, and a clock that only test.advance moves.")
    var testMode = false

    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(
            "Log every decision to standard error, one line each.",
            discussion:
                "Numbers and names are left out. Default: on if standard error is a terminal."))
    var explain: Bool?

    @Option(help: "The minimum level of log messages.")
    var logLevel = LogLevel.notice

    /// The longest time for flushing the log on exit, in milliseconds.
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
            throw ToolFailure(code, "\(error)")
        } catch let error as ConfigurationError {
            throw ToolFailure(.errorReply, "\(error)")
        }
    }
}

/// The stream of the log, which writes through a `LineWriter`.
private struct LogStream: TextOutputStream, Sendable {
    private let writer: LineWriter

    init(_ writer: LineWriter) {
        self.writer = writer
    }

    func write(_ string: String) {
        writer.write(string)
    }
}

/// A log level as an option.
enum LogLevel: String, CaseIterable, ExpressibleByArgument {
    case trace, debug, info, notice, warning, error, critical

    var level: Logger.Level {
        Logger.Level(rawValue: rawValue) ?? .notice
    }
}
