internal import BrokerSocket

extension SocketError {
    /// The sentence in the language of the user; what the system says about files and calls is as
    /// it says it.
    var words: String {
        fault?.words ?? description
    }
}

extension ConnectionFault {
    fileprivate var words: String {
        switch self {
        case .noListener(let path, let reason):
            Messages.connectionNoListener(path: path, reason: reason)
        case .notAccepting(let path): Messages.connectionNotAccepting(path: path)
        case .unreachable(let path, let reason):
            Messages.connectionUnreachable(path: path, reason: reason)
        case .noReply: Messages.connectionNoReply
        case .closed: Messages.connectionClosed
        case .tooManyEvents: Messages.connectionTooManyEvents
        case .longLine(let bytesMax): Messages.connectionLongLine(bytes: "\(bytesMax)")
        case .longPath(let path, let bytesMax):
            Messages.connectionLongPath(
                path: path, bytes: "\(path.utf8.count)", most: "\(bytesMax)")
        case .noPath: Messages.connectionNoPath
        }
    }
}
