import BrokerSocket
import CallTesting
import Testing

// Rates are the broker's own business.
@testable import CallBroker

struct TokenBucketTests {
    @Test func `a second's worth may be taken at once and no more`() {
        var bucket = TokenBucket(perSecond: 3, at: .zero)
        #expect(taken(from: &bucket, at: 0) == 3)
    }

    @Test func `it fills evenly, to the nanosecond`() {
        var bucket = TokenBucket(perSecond: 4, at: .zero)
        #expect(taken(from: &bucket, at: 0) == 4)
        #expect(taken(from: &bucket, at: 249_999_999) == 0)
        #expect(taken(from: &bucket, at: 250_000_000) == 1)
        #expect(taken(from: &bucket, at: 999_999_999) == 2)
        #expect(taken(from: &bucket, at: 1_000_000_000) == 1)
    }

    @Test func `fractions add up without loss`() {
        var bucket = TokenBucket(perSecond: 3, at: .zero)
        _ = taken(from: &bucket, at: 0)
        let counts = (1...3_000).map { taken(from: &bucket, at: Int64($0) * 1_000_000) }
        #expect(counts.reduce(0, +) == 9)
        #expect(counts[332] == 0)
        #expect(counts[333] == 1)
    }

    @Test func `it never holds more than a second's worth`() {
        var bucket = TokenBucket(perSecond: 2, at: .zero)
        #expect(taken(from: &bucket, at: 0) == 2)
        #expect(taken(from: &bucket, at: 1_000_000_000_000) == 2)
        #expect(taken(from: &bucket, at: .max / 2) == 2)
    }

    @Test func `nothing a second is nothing ever`() {
        var bucket = TokenBucket(perSecond: 0, at: .zero)
        #expect(taken(from: &bucket, at: 1_000_000_000_000) == 0)
    }

    @Test func `the highest rate does not overflow`() {
        var bucket = TokenBucket(perSecond: 1 << 24, at: .zero)
        let later = MonotonicTime(nanoseconds: .max / 2)
        let isFull = bucket.take(at: later)
        #expect(isFull)
    }

    private func taken(from bucket: inout TokenBucket, at nanoseconds: Int64) -> Int {
        var count = 0
        while bucket.take(at: MonotonicTime(nanoseconds: nanoseconds)) { count += 1 }
        return count
    }
}
