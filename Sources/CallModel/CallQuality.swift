/// The quality of a call's sound as its app measures it, such as from RTCP. A value that the app does
/// not know is nil.
public struct CallQuality: Hashable, Sendable {
    /// The maximum of jitter and round trip, in milliseconds.
    public static let millisecondsMax = 60_000

    /// The lost packets of a thousand, from 0 to 1,000, since the report before.
    public var lossPermille: Int?
    /// The variation of the packets' time of arrival, in milliseconds, from 0 to 60,000.
    public var jitterMS: Int?
    /// The time to the remote side and back, in milliseconds, from 0 to 60,000.
    public var roundTripMS: Int?

    /// Creates a quality from what the app knows of it.
    public init(lossPermille: Int? = nil, jitterMS: Int? = nil, roundTripMS: Int? = nil) {
        self.lossPermille = lossPermille
        self.jitterMS = jitterMS
        self.roundTripMS = roundTripMS
    }
}
