/// Directions in which a call has video, as seen from this host.
public enum VideoDirection: String, CaseIterable, Sendable {
    /// There is no video.
    case off
    /// The camera is sent, and nothing is shown.
    case send
    /// The remote side is shown, and no camera is sent.
    case receive
    /// Both sides see each other.
    case both
}
