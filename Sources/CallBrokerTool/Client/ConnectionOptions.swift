internal import ArgumentParser
internal import BrokerSocket
internal import CallProtocol

/// The broker's socket, and the timeout.
struct ConnectionOptions: ParsableArguments {
    private static let defaultSeconds = 10.0

    @Option(help: "Path of the broker's socket.", completion: .file())
    var socket: String?

    @Option(
        help: ArgumentHelp(
            "The timeout: seconds, or a time \(TimeSpan.forms).",
            discussion: "Default: 10, or 150 where the command waits until a request is completed."),
        transform: { try TimeSpan(option: $0, .seconds) })
    var timeout: TimeSpan?

    func validate() throws {
        guard let timeout else { return }
        guard timeout.milliseconds > 0, timeout.seconds <= 86_400 else {
            throw ValidationError("--timeout must be more than 0 and at most 86400 seconds")
        }
    }

    /// True if an option or the environment names the socket.
    var isSocketChosen: Bool {
        socket != nil || Environment.current["BROKER_SOCKET"] != nil
    }

    var place: SocketPath {
        SocketPath(option: socket, environment: Environment.current, uid: HostProcess.userID)
    }

    func deadline(defaultSeconds seconds: Double = defaultSeconds) -> MonotonicTime {
        .now().advanced(milliseconds: timeout.map { Int($0.milliseconds) } ?? Int(seconds * 1_000))
    }

    /// Runs `body`, and turns socket errors into messages for people.
    func describingErrors<Answer>(
        _ body: () throws(SocketError) -> Answer
    ) throws(ToolFailure) -> Answer {
        do throws(SocketError) {
            return try body()
        } catch {
            switch error.kind {
            case .timedOut:
                throw ToolFailure(.deadline, error.words)
            case .noListener: throw noBroker(error)
            case .inUse, .unusable, .system:
                throw ToolFailure(.noConnection, error.words)
            }
        }
    }

    /// The commands that start a broker on the socket of this client.
    var startInstructions: String {
        Messages.connectionStartHere(command: startCommand) + "\n"
            + Messages.connectionStartService
    }

    private var startCommand: String {
        "callbroker serve" + (socket == nil ? "" : " --socket \(place.path)")
    }

    private func noBroker(_ error: SocketError) -> ToolFailure {
        return ToolFailure(
            .noConnection, Messages.connectionStartOne(failure: error.words, command: startCommand))
    }
}
