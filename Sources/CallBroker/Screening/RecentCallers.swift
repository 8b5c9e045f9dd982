internal import CallModel
internal import CallStore

/// The callers whose calls were not answered in the last minutes: a caller that calls again may
/// have a reason. Kept in two generations, so that the cost of adding a caller does not depend on
/// the number of callers.
struct RecentCallers {
    /// The maximum number of callers in one generation.
    private static let countMax = 4_096

    private var latest: [HandleKey: Instant] = [:]
    private var former: [HandleKey: Instant] = [:]
    /// The time at which the latest generation began.
    private var begunAt = Instant.zero

    mutating func add(_ caller: HandleKey, at instant: Instant) {
        let end = begunAt.advanced(byMS: DoNotDisturb.repeatedCallMS)
        if instant > end || latest.count >= Self.countMax {
            (former, latest, begunAt) = (latest, [:], instant)
        }
        latest[caller] = instant
    }

    /// Returns true if `caller` has called so recently that a call at `now` counts as a repeated
    /// one.
    func includes(_ caller: HandleKey, at now: Instant) -> Bool {
        guard let before = latest[caller] ?? former[caller] else { return false }
        return now <= before.advanced(byMS: DoNotDisturb.repeatedCallMS)
    }

    /// Counts the time that the host has slept.
    mutating func age(byMS milliseconds: Int) {
        latest = latest.mapValues { $0.advanced(byMS: -milliseconds) }
        former = former.mapValues { $0.advanced(byMS: -milliseconds) }
        begunAt = begunAt.advanced(byMS: -milliseconds)
    }
}
