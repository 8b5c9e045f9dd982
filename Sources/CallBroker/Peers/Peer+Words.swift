internal import CallModel
internal import CallProtocol

/// The words of features for clients that have not named them: the nearest older word.

extension CallState {
    /// Returns the state as a peer knows it.
    ///
    /// - Parameter peer: The reader; nil for one that knows all states.
    func known(to peer: Peer?) -> CallState {
        self == .alerting && !(peer?.knows(.alerting) ?? true) ? .dialing : self
    }
}

extension Presentation {
    /// Returns the presentation as an app knows it.
    func known(to peer: Peer?) -> Presentation {
        self == .tone && !(peer?.knows(.tone) ?? true) ? .silent : self
    }
}

/// Changes the text of an event about a call for subscribers that do not know the state
/// `alerting`. The text of an event is written once, and these are few.
enum OlderWords {
    private static let alerting = Array(#""state":"alerting""#.utf8)
    private static let dialing = Array(#""state":"dialing""#.utf8)

    /// Replaces the state in a frame. Within a string of JSON the quotation marks would be escaped.
    static func replaceAlerting(in frame: inout [UInt8]) {
        guard let place = frame.firstRange(of: alerting) else { return }
        frame.replaceSubrange(place, with: dialing)
    }
}
