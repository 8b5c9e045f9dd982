internal import ArgumentParser
internal import BrokerSocket
internal import CallProtocol

/// Which broker, and how long to wait for it.
struct ConnectionOptions: ParsableArguments {
    private static let usualSeconds = 10.0

    @Option(help: "Path of the broker's socket.", completion: .file())
    var socket: String?

    @Option(
        help: ArgumentHelp(
            "How long to wait for an answer, in seconds.",
            discussion: "10 if left out; 150 where the reply comes when all is done."))
    var timeout: Double?

    func validate() throws {
        guard let timeout else { return }
        guard timeout > 0, timeout <= 86_400 else {
            throw ValidationError("--timeout must be more than 0 and at most 86400 seconds")
        }
    }

    /// Whether somebody said where the socket is.
    var isSocketChosen: Bool {
        socket != nil || Environment.current["BROKER_SOCKET"] != nil
    }

    var place: SocketPath {
        SocketPath(option: socket, environment: Environment.current, uid: HostProcess.userID)
    }

    func deadline(usually seconds: Double = usualSeconds) -> MonotonicTime {
        .now().advanced(milliseconds: Int((timeout ?? seconds) * 1_000))
    }

    /// Runs `body` with what goes wrong with sockets told as people want to read it.
    func explaining<Answer>(
        _ body: () throws(SocketError) -> Answer
    ) throws(ToolFailure) -> Answer {
        do throws(SocketError) {
            return try body()
        } catch {
            switch error.kind {
            case .timedOut: throw ToolFailure(code: .deadline, message: "callbroker: \(error)")
            case .noListener: throw noBroker(error)
            case .inUse, .unusable, .system:
                throw ToolFailure(code: .noConnection, message: "callbroker: \(error)")
            }
        }
    }

    /// How to start a broker that listens where this client looks for it.
    var howToStart: String {
        let option = socket == nil ? "" : " --socket \(place.path)"
        return """
            Start one in another terminal:   callbroker serve\(option)
            or, where it is installed:       systemctl --user start callbroker.socket
            """
    }

    private func noBroker(_ error: SocketError) -> ToolFailure {
        ToolFailure(code: .noConnection, message: "callbroker: \(error)\n\(howToStart)")
    }
}
