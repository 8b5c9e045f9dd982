internal import BrokerSocket

/// How long a turn may last, and which processes have made it long lately. One that has, by however many
/// connections, waits for the next turn once this one has lasted long enough; the others never wait
/// for more than a turn.
struct TurnShare {
    /// What was used counts half after so long.
    private static let halfLifeMS: Int64 = 16
    private static let processesMax = 1_024

    private struct Load {
        var nanoseconds: Int64
        var at: MonotonicTime

        func left(at now: MonotonicTime) -> Int64 {
            let halvings = (now.milliseconds - at.milliseconds) / halfLifeMS
            return nanoseconds >> min(max(halvings, 0), 62)
        }
    }

    private let turnMS: Int
    private var end = MonotonicTime.never
    private var loads: [Int32: Load] = [:]

    init(_ limits: BrokerLimits) {
        turnMS = limits.turnMS
        begin()
    }

    /// A turn, or a part of it with a share of its own, begins.
    mutating func begin(at now: MonotonicTime = .now()) {
        end = now.advanced(milliseconds: turnMS)
    }

    func isUsedUp(at now: MonotonicTime = .now()) -> Bool {
        now >= end
    }

    /// Whether a process has used half a turn of late.
    func isBusy(_ process: Int32, at now: MonotonicTime = .now()) -> Bool {
        (loads[process]?.left(at: now) ?? 0) > Int64(turnMS) * 500_000
    }

    /// Notes the time that was used for a process.
    mutating func note(_ process: Int32, from start: MonotonicTime, to now: MonotonicTime = .now())
    {
        let left = loads[process]?.left(at: now) ?? 0
        loads[process] = Load(nanoseconds: left + now.nanoseconds - start.nanoseconds, at: now)
        guard loads.count > Self.processesMax else { return }
        loads = loads.filter { $0.value.left(at: now) > 0 }
    }
}
