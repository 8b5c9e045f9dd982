internal import BrokerSocket

/// The heartbeat of one connection (rule 27): decides when to send a ping, and when the peer counts
/// as unresponsive.
///
/// Activity only records the time. Its consequences are computed when the timer fires, so a frame
/// always costs the same.
struct Heartbeat {
    /// The action when the timer fires.
    enum Step: Equatable {
        /// Do nothing until then.
        case wait(until: MonotonicTime)
        case ping
        case giveUp
    }

    /// The number of unanswered pings after which a peer is given up; one may be lost by accident.
    private static let pingsMax = 2
    /// The delay of the timer beyond which the broker itself has stood still.
    private static let lateMS = 1_000

    private var lastActivityAt = MonotonicTime.zero
    /// The number of pings since the latest activity, and the time of the last one.
    private var pings = 0
    private var pingedAt = MonotonicTime.zero
    /// The request id of the latest ping.
    private var lastPing: Int64?

    /// True if a ping was sent, and nothing has been received since.
    var isAsking: Bool {
        pings > 0
    }

    mutating func recordActivity(at now: MonotonicTime) {
        lastActivityAt = now
        pings = 0
    }

    /// Requests a ping at once.
    ///
    /// - Returns: false if a ping is unanswered already.
    mutating func requestPing(at now: MonotonicTime) -> Bool {
        guard !isAsking else { return false }
        recordPing(at: now)
        return true
    }

    /// Records the request id of a ping, and returns that of the former one.
    mutating func replacePing(by id: Int64) -> Int64? {
        defer { lastPing = id }
        return lastPing
    }

    /// Returns the action when the timer fires.
    ///
    /// - Parameter isFullyRead: True if everything that the peer has sent was handled. If not, its
    ///   silence is the broker's fault.
    mutating func step(at now: MonotonicTime, everyMS intervalMS: Int, isFullyRead: Bool) -> Step {
        let due = (isAsking ? pingedAt : lastActivityAt)
            .advanced(milliseconds: intervalMS)
        guard now >= due else { return .wait(until: due) }
        guard isAsking else { return ping(at: now) }
        guard isFullyRead, now < due.advanced(milliseconds: Self.lateMS) else {
            pingedAt = now
            return .wait(until: now.advanced(milliseconds: intervalMS))
        }
        return pings < Self.pingsMax ? ping(at: now) : .giveUp
    }

    private mutating func ping(at now: MonotonicTime) -> Step {
        recordPing(at: now)
        return .ping
    }

    private mutating func recordPing(at now: MonotonicTime) {
        pings += 1
        pingedAt = now
    }
}
