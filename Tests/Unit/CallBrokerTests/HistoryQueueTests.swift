import CallModel
import CallStore
import Testing

@testable import CallBroker

struct HistoryQueueTests {
    private var queue = HistoryQueue()

    private mutating func add(_ numbers: ClosedRange<Int>, _ provider: String = "org.a") {
        for number in numbers {
            var entry = HistoryRecord(
                call: CallID(UUIDBits(high: 1, low: UInt64(number))),
                provider: ProviderID(provider), providerName: "A", direction: .incoming,
                remote: nil, startedAtMS: 0, endedAtMS: Int64(number), reason: .unanswered,
                origin: .provider)
            if number % 2 == 0 { entry.missedReasons = .unanswered }
            queue.append(entry)
        }
    }

    private mutating func next() -> [Int64] {
        queue.beginPart()?.entries.map(\.endedAtMS) ?? []
    }

    private mutating func expectNext(_ wanted: [Int64]) {
        let found = next()
        #expect(found == wanted)
    }

    @Test mutating func `entries go in their order, in parts`() {
        let part = HistoryQueue.partMax
        add(1...part + 2)
        expectNext(Array(1...Int64(part)))
        expectNext([Int64(part) + 1, Int64(part) + 2])
        expectNext([])
        add(1_001...1_001)
        expectNext([1_001])
    }

    @Test mutating func `what the store does not take stays, in front`() {
        add(1...2)
        let first = queue.beginPart()
        add(3...3)
        queue.finish(first?.number ?? 0, isSaved: false)
        #expect(queue.count == 3)
        expectNext([1, 2])
        expectNext([3])
    }

    @Test mutating func `what the store has is gone, with its missed calls`() {
        add(1...3)
        #expect(queue.newMissed == 1)
        #expect(!queue.isBusy)
        let part = queue.beginPart()
        #expect(queue.isBusy)
        add(4...4)
        queue.finish(part?.number ?? 0, isSaved: true)
        #expect(queue.count == 1)
        #expect(queue.newMissed == 1)
        #expect(!queue.isEmpty)
    }

    @Test
    mutating func `of too many for a store that fails the oldest go, but none that is on its way`()
    {
        add(1...HistoryQueue.countMax)
        let part = queue.beginPart()
        add(70_000...70_000)
        let few = queue.dropExcess()
        #expect(few == 0)
        queue.finish(part?.number ?? 0, isSaved: false)
        _ = queue.beginPart()
        let many = queue.dropExcess()
        #expect(many == HistoryQueue.partMax)
        expectNext(Array(513...768))
    }

    @Test mutating func `who is too fast has to wait, and nobody else`() {
        add(1...4_096)
        #expect(!queue.isOutrun(by: ProviderID("org.a")))
        add(4_097...4_097)
        #expect(queue.isOutrun(by: ProviderID("org.a")))
        add(1...1, "org.b")
        #expect(queue.isOutrun(by: ProviderID("org.a")))
        #expect(!queue.isOutrun(by: ProviderID("org.b")))
    }

    @Test mutating func `nobody waits for a store that fails`() {
        add(1...5_000)
        let part = queue.beginPart()
        queue.finish(part?.number ?? 0, isSaved: false)
        #expect(!queue.isOutrun(by: ProviderID("org.a")))
    }
}
