internal import BrokerSocket

/// What one peer may use of one turn: so many frames, or a quarter of its time. A flood of frames, or a
/// few large ones, must not make the others wait.
struct FrameShare {
    private var framesLeft: Int
    private let end: MonotonicTime

    init(_ limits: BrokerLimits) {
        framesLeft = limits.framesPerTurn
        end = MonotonicTime(
            nanoseconds: MonotonicTime.now().nanoseconds + Int64(limits.turnMS) * 250_000)
    }

    /// Takes one frame's share; true if nothing is left for another.
    mutating func isUsedUp() -> Bool {
        framesLeft -= 1
        return framesLeft <= 0 || MonotonicTime.now() >= end
    }
}
