/// Reasons why a program gets no reply from a broker, with the values of its sentence. A program
/// for people says them in their language; `description` is English, for logs.
package enum ConnectionFault: Equatable, Sendable, CustomStringConvertible {
    /// Nobody listens on the path; the reason is the system's.
    case noListener(path: String, reason: String)
    /// The queue of connections stayed full until the deadline.
    case notAccepting(path: String)
    /// The path cannot be connected to, for a reason of the system.
    case unreachable(path: String, reason: String)
    /// No reply arrived before the deadline.
    case noReply
    /// The broker closed the connection before its reply.
    case closed
    /// The broker sent more events before its reply than are kept.
    case tooManyEvents
    /// The broker sent a line that is longer than `bytesMax`.
    case longLine(bytesMax: Int)
    /// The path does not fit into an address of a socket.
    case longPath(path: String, bytesMax: Int)
    /// The path is empty, or holds a NUL byte.
    case noPath

    package var description: String {
        switch self {
        case .noListener(let path, let reason): "no broker is listening on \(path) (\(reason))"
        case .notAccepting(let path): "the broker on \(path) does not accept connections"
        case .unreachable(let path, let reason): "cannot connect to \(path): \(reason)"
        case .noReply: "the broker did not reply in time"
        case .closed: "the broker closed the connection without a reply"
        case .tooManyEvents: "the broker sent too many events before its reply"
        case .longLine(let bytesMax): "the broker sent a line of more than \(bytesMax) bytes"
        case .longPath(let path, let bytesMax):
            "the socket path \(path) has \(path.utf8.count) bytes, but a Unix socket takes at most "
                + "\(bytesMax): choose a shorter one with --socket"
        case .noPath: "the socket path is empty or holds a NUL byte"
        }
    }

    fileprivate var kind: SocketError.Kind {
        switch self {
        case .noListener: .noListener
        case .notAccepting, .noReply: .timedOut
        case .unreachable, .longPath, .noPath: .unusable
        case .closed, .tooManyEvents, .longLine: .system
        }
    }
}

extension SocketError {
    /// Creates the error of a connection with a broker.
    package init(_ fault: ConnectionFault) {
        self.init(fault.kind, fault.description, fault)
    }
}
