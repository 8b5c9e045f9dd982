internal import BrokerSocket

/// The sharing of a turn between processes. Those that have used much time lately, over however
/// many connections, wait until all others have been served, and share a fixed time then.
struct TurnShare {
    /// The work for processes that wait, in this order. Each part has a quarter of the time, and
    /// what the parts before it have left.
    enum Part: Int {
        /// Sending the events that have been held back.
        case events = 1
        /// Handling frames that were read before.
        case frames
        /// Reading from their connections.
        case reading
        /// Closing connections that have ended.
        case closing
    }

    /// The time after which used time counts half.
    private static let halfLifeMS: Int64 = 16
    private static let processesMax = 1_024
    /// The maximum that is charged for one event: the processor may have run other programs
    /// meanwhile.
    private static let eventNanosecondsMax: Int64 = 250_000

    private struct Load {
        var nanoseconds: Int64 = 0
        var at = MonotonicTime.zero

        func left(at now: MonotonicTime) -> Int64 {
            let halvings = (now.milliseconds - at.milliseconds) / halfLifeMS
            return nanoseconds >> min(max(halvings, 0), 62)
        }

        mutating func add(_ used: Int64, at now: MonotonicTime) {
            nanoseconds = left(at: now) + used
            at = now
        }
    }

    private let turnNanoseconds: Int64
    private var start = MonotonicTime.zero
    private var loads: [Int32: Load] = [:]

    init(_ limits: BrokerLimits) {
        turnNanoseconds = Int64(limits.turnMS) * 1_000_000
        begin()
    }

    /// Begins the time of the processes that wait, after all others have been served.
    mutating func begin(at now: MonotonicTime = .now()) {
        start = now
    }

    func isUsedUp(_ part: Part, at now: MonotonicTime = .now()) -> Bool {
        now.nanoseconds - start.nanoseconds >= turnNanoseconds * Int64(part.rawValue) / 4
    }

    /// Returns true if a process has used more than half a turn lately.
    func isBusy(_ process: Int32, at now: MonotonicTime) -> Bool {
        (loads[process]?.left(at: now) ?? 0) > turnNanoseconds / 2
    }

    /// Charges a process for the time that one of its events has taken.
    mutating func charge(_ process: Int32, nanoseconds: Int64, at now: MonotonicTime) {
        let used = min(nanoseconds, Self.eventNanosecondsMax)
        loads[process, default: Load()].add(used, at: now)
        guard loads.count > Self.processesMax else { return }
        loads = loads.filter { $0.value.left(at: now) > 0 }
    }
}
