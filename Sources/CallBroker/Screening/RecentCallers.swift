internal import CallModel
internal import CallStore

/// Who has called in vain in the last minutes: whoever calls again then may have a reason. In two
/// generations, so that to note one more costs the same however many there are.
struct RecentCallers {
    /// Callers of one generation at most.
    private static let countMax = 4_096

    private var latest: [HandleKey: Instant] = [:]
    private var former: [HandleKey: Instant] = [:]
    /// When the latest generation began.
    private var begunAt = Instant.zero

    mutating func note(_ caller: HandleKey, at instant: Instant) {
        let end = begunAt.advanced(byMS: DoNotDisturb.repeatedCallMS)
        if instant > end || latest.count >= Self.countMax {
            (former, latest, begunAt) = (latest, [:], instant)
        }
        latest[caller] = instant
    }

    /// Whether `caller` has called so lately that the call of now counts as a repeated one.
    func includes(_ caller: HandleKey, at now: Instant) -> Bool {
        guard let before = latest[caller] ?? former[caller] else { return false }
        return now <= before.advanced(byMS: DoNotDisturb.repeatedCallMS)
    }

    /// The host has slept: that time has passed, too.
    mutating func age(byMS milliseconds: Int) {
        latest = latest.mapValues { $0.advanced(byMS: -milliseconds) }
        former = former.mapValues { $0.advanced(byMS: -milliseconds) }
        begunAt = begunAt.advanced(byMS: -milliseconds)
    }
}
