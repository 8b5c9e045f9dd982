/// The reason of a `broker.goodbye` that the broker sends: a stable word for programs.
package enum GoodbyeReason: String, CaseIterable, Sendable {
    case stopping
    case restarting
    case superseded
    case unresponsive
    case stalled
    case helloTimeout = "hello_timeout"
    case protocolErrors = "protocol_errors"
    case tooManyConnections = "too_many_connections"
    case processExited = "process_exited"
    case rightsChanged = "rights_changed"
    case stop

    /// The reason why the broker closes the connection.
    package var meaning: String {
        switch self {
        case .stopping: "the broker stops, and keeps no journal: its calls and sessions end"
        case .restarting: "the broker stops, and its successor resumes calls and sessions"
        case .superseded: "the session continues on another connection"
        case .unresponsive: "two pings in a row were not answered"
        case .stalled: "the client does not read what it requested"
        case .helloTimeout: "no `broker.hello` and no `broker.ping` arrived in time"
        case .protocolErrors: "too many bad frames in a row"
        case .tooManyConnections:
            "the broker or the user has too many connections, or opens them too fast"
        case .processExited: "the process that opened the connection has exited"
        case .rightsChanged:
            "the user has taken rights from the client: by a rule of the policy, or with its credential"
        case .stop: "the plugin is being stopped"
        }
    }

    /// True if the client reconnects. If not, it needs a correction, or is not needed any more.
    package var reconnects: Bool {
        switch self {
        case .stopping, .restarting, .unresponsive, .stalled, .helloTimeout, .tooManyConnections,
            .rightsChanged:
            true
        case .superseded, .protocolErrors, .processExited, .stop: false
        }
    }

    /// The client's next step.
    package var advice: String {
        switch self {
        case .stopping: "yes; a new session, and calls are reported again"
        case .restarting: "yes, after `reconnect_after_ms`, with `resume`"
        case .superseded: "no; the other connection continues"
        case .unresponsive: "yes, with `resume`; answer pings while working"
        case .stalled: "yes; subscribe with the last `cursor`, and read faster"
        case .helloTimeout: "yes; send `broker.hello` at once"
        case .protocolErrors: "no; correct the client"
        case .tooManyConnections: "yes, after `reconnect_after_ms`"
        case .rightsChanged: "yes; the reply to the hello has the roles that are left"
        case .processExited: "no"
        case .stop: "no; exit"
        }
    }
}
