internal import BrokerSocket
internal import CallProtocol

/// Where the broker is, and who we are.
public struct ClientOptions: Sendable {
    /// The program, for logs and lists; at most 128 bytes.
    public var name: String
    /// Its release.
    public var version = "0"
    /// The broker's socket. Nil: `BROKER_SOCKET`, else the usual places, as the tool does it.
    public var socketPath: String?
    /// A token, for the broker of another user.
    public var credential: String?
    /// Whether an app rings only while the broker says so: then it is silent while a screen rings for its
    /// call, and its delegate is told of every change. Otherwise it rings beside the screen.
    public var followsPresentation = false
    /// How long to wait before a lost session is opened again; it doubles with each try in vain.
    public var firstRetryMS = 100
    /// The longest wait between two tries.
    public var longestRetryMS = 5_000
    /// How long a session that is closed may take to reach the broker.
    package var goodbyeMS = 1_000

    public init(name: String? = nil) {
        let program = CommandLine.arguments.first.flatMap { $0.split(separator: "/").last }
        self.name = name ?? program.map(String.init) ?? "swift"
    }

    /// Where the broker listens.
    package var path: String {
        SocketPath(
            option: socketPath, environment: Environment.current, uid: HostProcess.userID
        ).path
    }
}
