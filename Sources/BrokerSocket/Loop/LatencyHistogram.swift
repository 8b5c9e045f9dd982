/// A histogram of durations in fixed buckets. Recording a duration allocates nothing.
package struct LatencyHistogram: Equatable, Sendable {
    /// The upper bounds of the buckets, in microseconds. One more bucket has everything above.
    package static let boundsUS: [Int] = [
        100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000,
        1_000_000, 2_500_000, 5_000_000, 10_000_000, 30_000_000, 60_000_000,
    ]

    /// The number of durations in each bucket.
    package private(set) var counts = [Int](repeating: 0, count: boundsUS.count + 1)
    private var nanoseconds: Int64 = 0

    package init() {}

    /// The sum of all durations, in microseconds.
    package var sumUS: Int {
        Int(nanoseconds / 1_000)
    }

    /// The longest duration in the sum: a day.
    private static let nanosecondsMax: Int64 = 86_400_000_000_000

    /// Adds a duration. A negative one counts as none, one of more than a day as a day.
    package mutating func record(nanoseconds duration: Int64) {
        let duration = min(max(0, duration), Self.nanosecondsMax)
        let bucket = Self.boundsUS.firstIndex { duration <= Int64($0) * 1_000 }
        counts[bucket ?? Self.boundsUS.count] += 1
        nanoseconds += duration
    }

    /// Adds the time between two moments.
    package mutating func record(from start: MonotonicTime, to end: MonotonicTime) {
        record(nanoseconds: end.nanoseconds - start.nanoseconds)
    }
}
