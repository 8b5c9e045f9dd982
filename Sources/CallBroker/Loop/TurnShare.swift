internal import BrokerSocket

/// Whose turn it is: how long one lasts, and which processes have made it long lately, by however many
/// connections. Those wait until everybody else has been served, and share what time there is.
struct TurnShare {
    /// What is done for those who wait, in this order. Each has a quarter of the time, and what the
    /// ones before it have left.
    enum Part: Int {
        /// Sending the events that they have not got yet.
        case events = 1
        /// Handling frames that were read before.
        case frames
        /// Reading what they have sent.
        case reading
        /// Closing connections that have ended.
        case closing
    }

    /// What was used counts half after so long.
    private static let halfLifeMS: Int64 = 16
    private static let processesMax = 1_024
    /// One event counts for no more: the machine may have given the processor to somebody else meanwhile.
    private static let eventNanosecondsMax: Int64 = 250_000

    private struct Load {
        var nanoseconds: Int64
        var at: MonotonicTime

        func left(at now: MonotonicTime) -> Int64 {
            let halvings = (now.milliseconds - at.milliseconds) / halfLifeMS
            return nanoseconds >> min(max(halvings, 0), 62)
        }
    }

    private let turnNanoseconds: Int64
    private var start = MonotonicTime.zero
    private var loads: [Int32: Load] = [:]

    init(_ limits: BrokerLimits) {
        turnNanoseconds = Int64(limits.turnMS) * 1_000_000
        begin()
    }

    /// Everybody else has been served.
    mutating func begin(at now: MonotonicTime = .now()) {
        start = now
    }

    func isUsedUp(_ part: Part, at now: MonotonicTime = .now()) -> Bool {
        now.nanoseconds - start.nanoseconds >= turnNanoseconds * Int64(part.rawValue) / 4
    }

    /// Whether a process has used half a turn of late.
    func isBusy(_ process: Int32, at now: MonotonicTime) -> Bool {
        (loads[process]?.left(at: now) ?? 0) > turnNanoseconds / 2
    }

    /// Notes the time that an event of a process has taken.
    mutating func note(_ process: Int32, nanoseconds: Int64, at now: MonotonicTime) {
        let left = loads[process]?.left(at: now) ?? 0
        let used = min(nanoseconds, Self.eventNanosecondsMax)
        loads[process] = Load(nanoseconds: left + used, at: now)
        guard loads.count > Self.processesMax else { return }
        loads = loads.filter { $0.value.left(at: now) > 0 }
    }
}
