import Testing

@testable import CallBrokerTool

/// The horizontal axis of a picture of time.
struct TimeScaleTests {
    @Test func `times are drawn to scale`() {
        let scale = TimeScale([(1_000, 11_000), (4_000, 6_000)], x: 100, width: 1_000)
        #expect([1_000, 2_000, 6_000, 11_000].map(scale.x) == [100, 200, 600, 1_100])
        #expect([0, 20_000].map(scale.x) == [100, 1_100])
        #expect(scale.folds == [])
    }

    @Test func `a long time without a call is folded`() {
        let scale = TimeScale([(0, 5_000), (3_605_000, 3_610_000)], x: 0, width: 1_040)
        #expect(scale.folds == [.init(x: 500, ms: 3_600_000)])
        #expect(scale.x(3_605_000) == 540 && scale.x(3_610_000) == 1_040)
        // A time in the fold is where the fold begins.
        #expect(scale.x(1_000_000) == 500)
    }

    @Test func `short times without a call, and most of many, are not folded`() {
        #expect(TimeScale([(0, 5_000), (5_900, 9_000)], x: 0, width: 1_000).folds == [])
        let days = (0..<100).map {
            (fromMS: Int64($0) * 86_400_000, toMS: Int64($0) * 86_400_000 + 9)
        }
        let scale = TimeScale(days, x: 0, width: 1_000)
        #expect(scale.folds.count <= 24)
        #expect(scale.ticks.allSatisfy { (0...1_000).contains($0.x) })
    }

    @Test func `a long time in which nothing happens to a call is folded, too`() {
        let call = [(fromMS: Int64(0), toMS: Int64(607_000))]
        let scale = TimeScale(call, moments: [0, 3_000, 603_000, 607_000], x: 0, width: 740)
        #expect(scale.folds == [.init(x: 300, ms: 600_000)])
        #expect(scale.x(603_000) == 340)
        let even = TimeScale(call, moments: [0, 300_000, 390_000, 607_000], x: 0, width: 740)
        #expect(even.folds == [])
    }

    @Test(arguments: [1, 340, 5_000, 61_000, 3_700_000, 90_000_000, 1 << 50])
    func `ticks are at round times, and their labels do not overlap`(lengthMS: Int64) {
        let scale = TimeScale([(7, 7 + lengthMS)], x: 0, width: 1_000)
        let labeled = scale.ticks.filter { $0.label != nil }
        #expect(labeled.first?.label == "0 s")
        #expect((1...14).contains(scale.ticks.count))
        for (tick, next) in zip(labeled, labeled.dropFirst()) {
            #expect(tick.x + TextWidth.small(tick.label ?? "") < next.x)
        }
    }

    @Test func `no calls and calls of no length have a scale`() {
        #expect(TimeScale([], x: 0, width: 1_000).ticks == [])
        let scale = TimeScale([(5, 5)], x: 10, width: 1_000)
        #expect(scale.x(5) == 10 && scale.ticks.map(\.label) == ["0 s"])
    }

    @Test func `times and durations are short`() {
        #expect(
            [0, 250, 1_500, 60_000, 62_050, 3_725_000].map(TimeText.offset) == [
                "0 s", "0.25 s", "1.5 s", "1:00", "1:02.05", "1:02:05",
            ])
        #expect(
            [0, 340, 2_345, 12_345, 100_000].map(TimeText.duration) == [
                "0 ms", "340 ms", "2.3 s", "12 s", "1:40",
            ])
    }
}
