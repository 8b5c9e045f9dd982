import BrokerSocket
import Testing

struct LatencyHistogramTests {
    private func counts(_ nanoseconds: Int64...) -> [Int: Int] {
        var histogram = LatencyHistogram()
        for duration in nanoseconds { histogram.record(nanoseconds: duration) }
        let filled = histogram.counts.enumerated().filter { $0.element > 0 }
        return Dictionary(uniqueKeysWithValues: filled.map { ($0.offset, $0.element) })
    }

    @Test func `a bound belongs to its bucket`() {
        #expect(counts(0, 99_999, 100_000) == [0: 3])
        #expect(counts(100_001, 250_000) == [1: 2])
    }

    @Test func `what is above every bound has a bucket of its own`() {
        let last = LatencyHistogram.boundsUS.count
        #expect(counts(60_000_000_000) == [last - 1: 1])
        #expect(counts(60_000_000_001, .max) == [last: 2])
    }

    @Test func `the bounds increase`() {
        #expect(LatencyHistogram.boundsUS == LatencyHistogram.boundsUS.sorted())
        #expect(Set(LatencyHistogram.boundsUS).count == LatencyHistogram.boundsUS.count)
    }

    @Test func `the sum has every duration, and a negative one counts as none`() {
        var histogram = LatencyHistogram()
        histogram.record(nanoseconds: 1_500)
        histogram.record(nanoseconds: 1_500)
        histogram.record(nanoseconds: -7_000)
        let start = MonotonicTime.zero.advanced(milliseconds: 5)
        histogram.record(from: start, to: start.advanced(milliseconds: 2))
        #expect(histogram.sumUS == 2_003)
        #expect(histogram.counts.reduce(0, +) == 4)
    }
}
