import BrokerSocket
import Testing

struct FairQueueTests {
    @Test func `what one process has put in comes out in its order`() {
        var queue = FairQueue<Int>()
        for number in 1...100 { queue.append(number, of: 7) }
        #expect(queue.count == 100)
        #expect((1...100).map { _ in queue.popFirst() } == Array(1...100))
        #expect(queue.isEmpty)
        #expect(queue.popFirst() == nil)
    }

    @Test func `processes take turns, however much one has put in`() {
        var queue = FairQueue<String>()
        for number in 1...5 { queue.append("a\(number)", of: 1) }
        queue.append("b1", of: 2)
        queue.append("c1", of: 3)
        queue.append("c2", of: 3)
        var order: [String] = []
        while let next = queue.popFirst() { order.append(next) }
        #expect(order == ["a1", "b1", "c1", "a2", "c2", "a3", "a4", "a5"])
    }

    @Test func `who comes back is the last in the row`() {
        var queue = FairQueue<Int>()
        queue.append(1, of: 1)
        queue.append(2, of: 2)
        #expect(queue.popFirst() == 1)
        queue.append(3, of: 1)
        #expect([queue.popFirst(), queue.popFirst()] == [2, 3])
    }

    @Test func `a queue that is never empty does not grow`() {
        var queue = FIFO<Int>()
        queue.append(0)
        for number in 1...10_000 {
            queue.append(number)
            #expect(queue.popFirst() == number - 1)
            #expect(queue.count == 1)
        }
    }
}
