internal import BrokerSocket
internal import CallModel

/// The time of the current turn, by the monotonic clock and in Unix time: everything that a turn
/// decides happens at one instant.
final class TurnClock {
    /// The host's clocks as they were read when the turn began.
    private(set) var loopClock: LoopClock
    /// The instant of the current turn.
    private(set) var now: MonotonicTime
    /// Unix time minus monotonic time, in milliseconds.
    private(set) var unixOffsetMS: Int64
    let startedAt: MonotonicTime
    /// The time in milliseconds that the host has slept since its boot.
    private(set) var asleepMS: Int64

    /// Two readings of the clocks differ by less than a sleep.
    private static let sleepMinMS: Int64 = 2_000
    /// Unix time moves when the clock was set, and not for some milliseconds of drift.
    private static let driftMaxMS: Int64 = 1_000

    init(_ loopClock: LoopClock) {
        self.loopClock = loopClock
        startedAt = loopClock.now
        now = loopClock.now
        unixOffsetMS = loopClock.unixMS - loopClock.now.milliseconds
        asleepMS = loopClock.asleepMS
    }

    // MARK: - Moving

    func beginTurn(_ loopClock: LoopClock) {
        self.loopClock = loopClock
        now = loopClock.now
        let offsetMS = loopClock.unixMS - now.milliseconds
        if abs(offsetMS - unixOffsetMS) > Self.driftMaxMS { unixOffsetMS = offsetMS }
    }

    /// Moves to an instant within a turn: the next timer of a test, or the next entry of a journal.
    func move(to instant: MonotonicTime) {
        now = instant
    }

    /// Takes over the offset that a journal was written with.
    func restore(unixOffsetMS: Int64) {
        self.unixOffsetMS = unixOffsetMS
    }

    /// Returns how long the host has slept since the last call, in milliseconds; nil if it has not.
    func takeSleepMS() -> Int? {
        let sleptMS = loopClock.asleepMS - asleepMS
        guard sleptMS >= Self.sleepMinMS else { return nil }
        asleepMS = loopClock.asleepMS
        return Int(sleptMS)
    }

    // MARK: - Reading

    /// The time of this turn, as the arbiter and the journal count it.
    var instant: Instant {
        Instant(nanoseconds: now.nanoseconds)
    }

    /// The time of this turn in milliseconds of Unix time.
    var unixMS: Int64 {
        now.milliseconds + unixOffsetMS
    }

    /// Converts an instant of the arbiter to milliseconds of Unix time.
    func unixMS(_ instant: Instant) -> Int64 {
        instant.nanoseconds / 1_000_000 + unixOffsetMS
    }

    /// Converts a client's milliseconds of Unix time to an instant of the arbiter.
    func instant(atUnixMS milliseconds: Int64?) -> Instant? {
        milliseconds.map { Instant.zero.advanced(byMS: Int($0 - unixOffsetMS)) }
    }

    /// Milliseconds since the host's boot, including sleep.
    var runningMS: Int64 {
        now.milliseconds + asleepMS
    }
}
