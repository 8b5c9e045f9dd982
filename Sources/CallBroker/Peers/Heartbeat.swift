internal import BrokerSocket

/// Whether whoever is at the other end of a connection still reacts (rule 27): when it is to be asked for a
/// sign of life, and when it has been asked in vain for long enough.
///
/// A sign of life only writes the time down. What follows from it is worked out when the one timer fires, so
/// a frame costs the same, however many of them come.
struct Heartbeat {
    /// What is to be done when the timer fires.
    enum Step: Equatable {
        /// Nothing until then.
        case wait(until: MonotonicTime)
        case ping
        case giveUp
    }

    /// One may go unanswered by accident.
    private static let pingsMax = 2
    /// A timer that fires so late tells that we stood still ourselves.
    private static let lateMS = 1_000

    private var heardAt = MonotonicTime.zero
    /// Pings in a row without a sign of life, and when the last of them was sent.
    private var pings = 0
    private var pingedAt = MonotonicTime.zero

    /// Whether a ping was sent, and nothing has come since.
    var isAsking: Bool {
        pings > 0
    }

    mutating func hear(at now: MonotonicTime) {
        heardAt = now
        pings = 0
    }

    /// It shall show at once that it reacts.
    ///
    /// - Returns: false if it has been asked already.
    mutating func ask(at now: MonotonicTime) -> Bool {
        guard !isAsking else { return false }
        notePing(at: now)
        return true
    }

    /// - Parameter isHeard: whether all that it has sent was read. If not, its silence is ours.
    mutating func step(at now: MonotonicTime, everyMS intervalMS: Int, isHeard: Bool) -> Step {
        let due = (isAsking ? pingedAt : heardAt).advanced(milliseconds: intervalMS)
        guard now >= due else { return .wait(until: due) }
        guard isAsking else { return ping(at: now) }
        guard isHeard, now < due.advanced(milliseconds: Self.lateMS) else {
            pingedAt = now
            return .wait(until: now.advanced(milliseconds: intervalMS))
        }
        return pings < Self.pingsMax ? ping(at: now) : .giveUp
    }

    private mutating func ping(at now: MonotonicTime) -> Step {
        notePing(at: now)
        return .ping
    }

    private mutating func notePing(at now: MonotonicTime) {
        pings += 1
        pingedAt = now
    }
}
