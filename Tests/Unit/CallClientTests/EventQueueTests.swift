import CallModel
import Testing

@testable import CallClient

/// Events that nobody has taken yet.
struct EventQueueTests {
    private let queue = EventQueue()

    @Test func `events come in their order, and then the end`() async {
        queue.add(.snapshot([]))
        queue.add(.removed(CallID(UUIDBits(high: 0, low: 1))))
        queue.end()
        #expect(await queue.next() == .snapshot([]))
        #expect(await queue.next() == .removed(CallID(UUIDBits(high: 0, low: 1))))
        #expect(await queue.next() == nil)
    }

    @Test func `too many events become one snapshot`() async {
        for number in 0...EventQueue.eventsMax {
            queue.add(.removed(CallID(UUIDBits(high: 0, low: UInt64(number)))))
        }
        queue.end()
        #expect(await queue.next() == .snapshot([]))
        #expect(await queue.next() == nil)
    }

    @Test func `a cancelled consumer does not wait`() async {
        let waiting = Task { await queue.next() }
        waiting.cancel()
        #expect(await waiting.value == nil)
    }
}
