import BrokerSocket
import TestSupport
import Testing

struct TimerQueueTests {
    @Test func `timers fire in the order of their deadlines`() {
        var queue = TimerQueue<String>()
        for (name, deadline) in [("c", 30), ("a", 10), ("d", 40), ("b", 20)] {
            _ = queue.start(at: .at(deadline), name)
        }
        #expect(queue.count == 4)
        #expect(queue.nextDeadline == .at(10))
        #expect(queue.fired(by: 100) == ["a", "b", "c", "d"])
        #expect(queue.nextDeadline == nil)
    }

    @Test func `equal deadlines fire in the order they were started`() {
        var queue = TimerQueue<String>()
        let names = (0..<200).map { "timer \($0)" }
        for name in names { _ = queue.start(at: .at(5), name) }
        #expect(queue.fired(by: 5) == names)
    }

    @Test func `a timer is due at its deadline and not a nanosecond before`() {
        var queue = TimerQueue<String>()
        _ = queue.start(at: MonotonicTime(nanoseconds: 1_000), "due")
        #expect(queue.popDue(at: MonotonicTime(nanoseconds: 999)) == nil)
        #expect(queue.popDue(at: MonotonicTime(nanoseconds: 1_000)) == "due")
        #expect(queue.popDue(at: MonotonicTime(nanoseconds: 1_000)) == nil)
    }

    @Test func `an empty queue has no deadline and nothing due`() {
        var queue = TimerQueue<String>()
        #expect(queue.nextDeadline == nil)
        #expect(queue.popDue(at: .at(1_000_000)) == nil)
    }

    @Test func `a cancelled timer neither fires nor counts`() {
        var queue = TimerQueue<String>()
        let first = queue.start(at: .at(10), "first")
        _ = queue.start(at: .at(20), "second")
        queue.cancel(first)
        #expect(queue.count == 1)
        #expect(queue.nextDeadline == .at(20))
        #expect(queue.fired(by: 100) == ["second"])
    }

    @Test func `cancelling again or after firing does nothing`() {
        var queue = TimerQueue<String>()
        let fired = queue.start(at: .at(10), "fired")
        let kept = queue.start(at: .at(20), "kept")
        #expect(queue.popDue(at: .at(10)) == "fired")
        queue.cancel(fired)
        queue.cancel(fired)
        #expect(queue.count == 1)
        queue.cancel(kept)
        queue.cancel(kept)
        #expect(queue.count == 0)
    }

    @Test func `a timer may be started while others fire`() {
        var queue = TimerQueue<Int>()
        _ = queue.start(at: .at(1), 1)
        var fired: [Int] = []
        while let number = queue.popDue(at: .at(10)) {
            fired.append(number)
            _ = queue.start(at: .at(number + 1), number + 1)
        }
        #expect(fired == Array(1...10))
        #expect(queue.nextDeadline == .at(11))
    }

    @Test func `handles are never used again`() {
        var queue = TimerQueue<Int>()
        var handles: Set<TimerQueue<Int>.Handle> = []
        for number in 0..<100 {
            let handle = queue.start(at: .at(number), number)
            handles.insert(handle)
            queue.cancel(handle)
        }
        #expect(handles.count == 100)
    }

    @Test func `a million started and cancelled timers leave no memory behind`() async {
        await #expect(processExitsWith: .success) {
            var queue = TimerQueue<Int>()
            _ = queue.start(at: .at(1), -1)
            for number in 0..<100_000 { queue.cancel(queue.start(at: .at(60_000), number)) }
            let before = try residentPages()
            for number in 0..<900_000 { queue.cancel(queue.start(at: .at(60_000), number)) }
            // A heap that kept them would have grown by 16 bytes each, which is 3,500 pages.
            #expect(try residentPages() - before < 1_000)
            #expect(queue.count == 1)
            #expect(queue.fired(by: 60_000) == [-1])
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func `the queue does what a sorted array does`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var queue = TimerQueue<Int>()
        var array = NaiveTimers()
        var handles: [TimerQueue<Int>.Handle] = []
        for _ in 0..<5_000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let deadline = Int.random(in: 0..<1_000, using: &random)
                handles.append(queue.start(at: .at(deadline), handles.count))
                array.start(at: deadline)
            case 5..<9:
                guard let index = handles.indices.randomElement(using: &random) else { continue }
                queue.cancel(handles[index])
                array.cancel(index)
            default:
                let now = Int.random(in: 0..<1_000, using: &random)
                #expect(queue.popDue(at: .at(now)) == array.popDue(at: now))
            }
            #expect(queue.count == array.timers.count)
            #expect(queue.nextDeadline == array.timers.first.map { .at($0.deadline) })
        }
        #expect(queue.fired(by: 1_000) == array.timers.map(\.number))
    }
}

/// The same, simple and slow.
private struct NaiveTimers {
    private(set) var timers: [(deadline: Int, number: Int)] = []
    private var last = -1

    mutating func start(at deadline: Int) {
        last += 1
        timers.append((deadline, last))
        timers.sort { ($0.deadline, $0.number) < ($1.deadline, $1.number) }
    }

    mutating func cancel(_ number: Int) {
        timers.removeAll { $0.number == number }
    }

    mutating func popDue(at now: Int) -> Int? {
        guard let first = timers.first, first.deadline <= now else { return nil }
        return timers.removeFirst().number
    }
}

extension MonotonicTime {
    fileprivate static func at(_ milliseconds: Int) -> MonotonicTime {
        MonotonicTime.zero.advanced(milliseconds: milliseconds)
    }
}

extension TimerQueue {
    fileprivate mutating func fired(by milliseconds: Int) -> [Payload] {
        var fired: [Payload] = []
        while let payload = popDue(at: .at(milliseconds)) { fired.append(payload) }
        return fired
    }
}

/// The second number of statm(5).
private func residentPages() throws -> Int {
    let text = String(
        decoding: try HostFile.read("/proc/self/statm", bytesMax: 1_000), as: UTF8.self)
    return try #require(Int(text.split(separator: " ")[1]))
}
