/// Deadlines and what is due at them.
///
/// Nearly every timer is cancelled long before it fires: an action's deadline is a minute, its
/// answer comes in a millisecond. So cancelling must be cheap and must not leave garbage for the
/// minute. The queue is a binary heap of (deadline, number) beside a dictionary from number to
/// payload. Cancelling only removes from the dictionary; a heap entry whose number is gone is
/// skipped when it surfaces. When more than half of the heap is such garbage the heap is built
/// anew, which spreads to a constant per cancelled timer: memory is bounded by twice the live ones.
///
/// Timers with the same deadline fire in the order they were started: numbers count up.
package struct TimerQueue<Payload> {
    /// Names one started timer; never used again.
    package struct Handle: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    private struct Entry {
        let deadline: MonotonicTime
        let number: UInt64

        func isBefore(_ other: Entry) -> Bool {
            (deadline, number) < (other.deadline, other.number)
        }
    }

    private var heap: [Entry] = []
    private var payloads: [UInt64: Payload] = [:]
    private var lastNumber: UInt64 = 0

    package init() {}

    package var count: Int {
        payloads.count
    }

    /// When the next timer is due; nil without timers.
    package var nextDeadline: MonotonicTime? {
        mutating get {
            dropCancelled()
            return heap.first?.deadline
        }
    }

    package mutating func start(at deadline: MonotonicTime, _ payload: Payload) -> Handle {
        lastNumber += 1
        payloads[lastNumber] = payload
        heap.append(Entry(deadline: deadline, number: lastNumber))
        siftUp(from: heap.count - 1)
        return Handle(number: lastNumber)
    }

    /// Cancels a timer; nothing happens if it has fired or was cancelled before.
    package mutating func cancel(_ handle: Handle) {
        guard payloads.removeValue(forKey: handle.number) != nil else { return }
        if heap.count > 64, heap.count > 2 * payloads.count { rebuild() }
    }

    /// Takes the next timer that is due at `now`; nil when none is.
    package mutating func popDue(at now: MonotonicTime) -> Payload? {
        dropCancelled()
        guard let first = heap.first, first.deadline <= now else { return nil }
        removeFirst()
        return payloads.removeValue(forKey: first.number)
    }

    // MARK: - The heap

    private mutating func dropCancelled() {
        while let first = heap.first, payloads[first.number] == nil { removeFirst() }
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        siftDown(from: 0)
    }

    private mutating func rebuild() {
        heap.removeAll { payloads[$0.number] == nil }
        for index in stride(from: heap.count / 2, through: 0, by: -1) { siftDown(from: index) }
    }

    private mutating func siftUp(from start: Int) {
        var child = start
        while child > 0, heap[child].isBefore(heap[(child - 1) / 2]) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func siftDown(from start: Int) {
        var parent = start
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].isBefore(heap[least]) {
                least = child
            }
            if least == parent { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
