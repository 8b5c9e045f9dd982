internal import BrokerSocket
internal import CallProtocol

/// The options of a session: the broker's socket, the identity of the client, and how a lost
/// session is opened again.
public struct ClientOptions: Sendable {
    /// The name of the program, for logs and lists; at most 128 bytes.
    public var name: String
    /// The version of the program, for logs and lists.
    public var version = "0"
    /// The path of the broker's socket. Nil stands for `BROKER_SOCKET`, otherwise the default
    /// paths, as the tool uses them.
    public var socketPath: String?
    /// A token that lets this user connect to the broker of another user.
    public var credential: String?
    /// True if an app follows the broker's presentation: it is silent while a screen rings for its
    /// call, and its delegate receives every change. Otherwise it rings beside the screen.
    public var followsPresentation = false
    /// True if an observer also receives calls that are on other devices, in the state `external`.
    public var followsExternalCalls = false
    /// True if a controller also asks for the rights of an administrator, such as listing plugins.
    /// Without them those requests fail as `permissionDenied`, and all others succeed.
    public var administers = false
    /// The delay before a lost session is opened again, in milliseconds. It doubles with each
    /// failed attempt, and varies by 20 %.
    public var firstRetryMS = 100
    /// The longest delay between two attempts, in milliseconds.
    public var longestRetryMS = 5_000
    /// The time for a goodbye to reach the broker, in milliseconds.
    package var goodbyeMS = 1_000

    /// Makes options with defaults.
    ///
    /// - Parameter name: nil stands for the name of the executable.
    public init(name: String? = nil) {
        let program = CommandLine.arguments.first.flatMap { $0.split(separator: "/").last }
        self.name = name ?? program.map(String.init) ?? "swift"
    }

    /// The path of the broker's socket.
    package var path: String {
        SocketPath(
            option: socketPath, environment: Environment.current, uid: HostProcess.userID
        ).path
    }
}
