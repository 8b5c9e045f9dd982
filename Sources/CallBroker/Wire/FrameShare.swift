internal import BrokerSocket

/// The share of one peer in one turn: a number of frames, or a quarter of its time. A flood of
/// frames, or a few large ones, must not delay other peers.
struct FrameShare {
    private var framesLeft: Int
    private let end: MonotonicTime

    init(_ limits: BrokerLimits) {
        framesLeft = limits.framesPerTurn
        end = MonotonicTime(
            nanoseconds: MonotonicTime.now().nanoseconds + Int64(limits.turnMS) * 250_000)
    }

    /// Counts one frame; true if the share is used up.
    mutating func isUsedUp() -> Bool {
        framesLeft -= 1
        return framesLeft <= 0 || MonotonicTime.now() >= end
    }
}
