/// The times that a picture leaves out: those without any call, if that gives the others much more
/// room, and long ones in which calls stay as they are.
struct TimeGaps {
    typealias Period = (fromMS: Int64, toMS: Int64)

    private static let foldsMax = 24
    private static let idleLeastMS: Int64 = 2_000
    private static let quietLeastMS: Int64 = 60_000

    private var folds: [Period] = []
    private let whole: Period?

    /// - Parameter width: The room of the axis, in pixels.
    init(_ periods: [Period], _ moments: [Int64], width: Int) {
        let busy = Self.joined(periods)
        whole = busy.first.flatMap { first in busy.last.map { (first.fromMS, $0.toMS) } }
        foldIdle(zip(busy, busy.dropFirst()).map { ($0.toMS, $1.fromMS) }, Int64(width))
        let times = Set(moments).sorted()
        foldQuiet(
            zip(times, times.dropFirst()).map { ($0, $1) }.filter { gap in
                busy.contains { $0.fromMS <= gap.fromMS && gap.toMS <= $0.toMS }
            })
        folds.sort { $0.fromMS < $1.fromMS }
    }

    /// The times that are drawn.
    var stretches: [Period] {
        guard let whole else { return [] }
        let starts = [whole.fromMS] + folds.map(\.toMS)
        let ends = folds.map(\.fromMS) + [whole.toMS]
        return zip(starts, ends).map { ($0, $1) }
    }

    /// The time that is left.
    private var restMS: Int64 {
        let wholeMS = whole.map(Self.length) ?? 0
        return wholeMS - folds.reduce(0) { $0 + Self.length($1) }
    }

    /// Folds as many of the longest times without a call as give the rest the most room, if that is
    /// half as much again.
    private mutating func foldIdle(_ gaps: [Period], _ width: Int64) {
        let long = Self.longest(gaps, atLeastMS: Self.idleLeastMS).prefix(Self.foldsMax)
        var (restMS, best, bestScale) = (restMS, 0, 3 * Double(width) / 2 / Double(max(1, restMS)))
        for (index, gap) in long.enumerated() {
            restMS -= Self.length(gap)
            let room = width - Int64((index + 1) * TimeScale.foldWidth)
            let scale = Double(room) / Double(max(1, restMS))
            if scale > bestScale { (best, bestScale) = (index + 1, scale) }
        }
        folds += long.prefix(best)
    }

    /// Folds each long time in which nothing happens to any call, and which is longer than twice
    /// all that would be left.
    private mutating func foldQuiet(_ gaps: [Period]) {
        for gap in Self.longest(gaps, atLeastMS: Self.quietLeastMS) {
            let otherMS = restMS - Self.length(gap)
            let isMost = otherMS >= 1_000 && Self.length(gap) > 2 * otherMS
            guard folds.count < Self.foldsMax, isMost else { return }
            folds.append(gap)
        }
    }

    private static func longest(_ gaps: [Period], atLeastMS leastMS: Int64) -> [Period] {
        gaps.filter { length($0) >= leastMS }.sorted {
            (length($1), $0.fromMS) < (length($0), $1.fromMS)
        }
    }

    private static func length(_ period: Period) -> Int64 {
        period.toMS - period.fromMS
    }

    private static func joined(_ periods: [Period]) -> [Period] {
        var joined: [Period] = []
        for period in periods.sorted(by: { $0 < $1 }) {
            if let last = joined.last, period.fromMS <= last.toMS {
                joined[joined.count - 1].toMS = max(last.toMS, period.toMS)
            } else {
                joined.append(period)
            }
        }
        return joined
    }
}
