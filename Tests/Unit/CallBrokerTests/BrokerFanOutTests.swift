import BrokerSocket
import CallBroker
import CallTesting
import Testing

/// Many who want to know what happens, and those who leave.
struct BrokerFanOutTests {
    @Test func `what is more than a turn sends follows in the next ones, and nothing is lost`() {
        let host = MemoryBroker { $0.limits.eventsPerTurn = 16 }
        let a = host.provider()
        let observers = (1...80).map { _ in host.observer("call.added") }
        for call in 1...3 { a.ring(call) }
        var counts: [Int] = []
        var told = Array(repeating: 0, count: observers.count)
        for _ in 1...24 {
            host.turn()
            for (index, observer) in observers.enumerated() {
                told[index] += observer.lines().count
            }
            counts.append(told.reduce(0, +))
        }
        #expect(told == Array(repeating: 3, count: observers.count))
        #expect(zip(counts, counts.dropFirst()).allSatisfy { $1 - $0 <= 16 })
    }

    @Test func `one that is behind may ask again once it has caught up`() {
        let host = MemoryBroker { $0.limits.eventsPerTurn = 16 }
        let a = host.provider()
        let observers = (1...80).map { _ in host.observer("call.*") }
        a.ring(1)
        host.turn()
        for observer in observers { observer.send(Frame.request(7, "broker.ping")) }
        var lines = observers.map { _ in [String]() }
        for _ in 1...24 {
            for (index, observer) in observers.enumerated() { lines[index] += observer.lines() }
            host.turn()
        }
        for heard in lines {
            #expect(heard.last == Frame.result(7))
            #expect(heard.dropLast().allSatisfy { $0.contains(#""method":"event""#) })
            #expect(heard.count > 1)
        }
    }

    @Test func `those who stay are told when others in the middle have left`() {
        let host = MemoryBroker()
        let a = host.provider()
        let observers = (1...9).map { _ in host.observer("call.added") }
        for index in [4, 0, 8, 7] { observers[index].vanish() }
        a.ring(1)
        for index in [1, 2, 3, 5, 6] { #expect(observers[index].lines().count == 1) }
    }

    @Test func `one that is gone is told nothing more, and its end is read`() {
        let host = MemoryBroker { $0.limits.eventsPerTurn = 16 }
        let a = host.provider()
        let observers = (1...80).map { _ in host.observer("call.*") }
        for call in 1...9 { a.ring(call) }
        for observer in observers { observer.send(Frame.request(7, "broker.ping")) }
        let paused = observers.filter(\.connection.isReadingPaused)
        for observer in observers { observer.hangUp() }
        for _ in 1...3 { host.turn() }
        #expect(paused.count > 1)
        #expect(paused.allSatisfy { !$0.connection.isReadingPaused })
        #expect(!host.broker.hasWork)
    }
}
