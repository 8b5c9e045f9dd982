internal import BrokerSocket

/// A rate limit that allows bursts: holds up to one second's worth of tokens and fills evenly.
struct TokenBucket: Sendable {
    private let perSecond: Int
    /// The level in billionths of a token, so that filling is exact in integers.
    private var level: Int64
    private var filledAt: MonotonicTime

    private static let token: Int64 = 1_000_000_000

    init(perSecond: Int, at now: MonotonicTime) {
        self.perSecond = perSecond
        level = Int64(perSecond) * Self.token
        filledAt = now
    }

    /// Takes one token; false if there is none.
    mutating func take(at now: MonotonicTime) -> Bool {
        let elapsed = min(now.nanoseconds - filledAt.nanoseconds, Self.token)
        level = min(level + elapsed * Int64(perSecond), Int64(perSecond) * Self.token)
        filledAt = now
        guard level >= Self.token else { return false }
        level -= Self.token
        return true
    }
}
