internal import BrokerSocket

/// What one peer may use of one turn: so many frames, or its part of the time that all who flood get
/// together; one frame at least. A flood of frames, or a few large ones, must not make the others wait.
struct FrameShare {
    private var framesLeft: Int
    private let end: MonotonicTime

    /// - Parameter peers: that have more to say than one turn takes.
    init(_ limits: BrokerLimits, among peers: Int = 1) {
        framesLeft = limits.framesPerTurn
        let nanoseconds = Int64(limits.turnMS) * 1_000_000 / Int64(max(1, peers))
        end = MonotonicTime(nanoseconds: MonotonicTime.now().nanoseconds + nanoseconds)
    }

    /// Takes one frame's share; true if nothing is left for another.
    mutating func isUsedUp() -> Bool {
        framesLeft -= 1
        return framesLeft <= 0 || MonotonicTime.now() >= end
    }
}
