/// A queue of deadlines, each with a payload.
///
/// Nearly every timer is cancelled long before it fires: the deadline of an action is a minute
/// away, and its reply comes in a millisecond. So cancelling must be cheap and must not leave
/// garbage for that minute. The queue is a heap of (deadline, number) beside a dictionary from
/// number to payload. Cancelling only removes from the dictionary; a heap entry whose number is
/// gone is skipped when it reaches the top. When more than half of the heap is garbage it is
/// rebuilt, which amortizes to a constant per cancelled timer: memory is bounded by twice the live
/// timers.
///
/// Timers with the same deadline fire in the order they were started: numbers count up.
///
/// Inlinable, because the payload's type is known only where the queue is used, and generic code
/// would look up its metadata at every step. Public, because the compiler does not inline `package`
/// declarations.
public struct TimerQueue<Payload> {
    /// The handle of a started timer; never reused.
    public struct Handle: Hashable, Sendable {
        @usableFromInline let number: UInt64

        @inlinable init(number: UInt64) {
            self.number = number
        }

        /// Returns the hash for a dictionary with this seed. Numbers count up: they need no other.
        @inlinable public func _rawHashValue(seed: Int) -> Int {
            Int(truncatingIfNeeded: number) ^ seed
        }
    }

    @usableFromInline var heap = DeadlineHeap()
    @usableFromInline var payloads: [Handle: Payload] = [:]
    @usableFromInline var last = Handle(number: 0)

    /// Creates an empty queue.
    @inlinable public init() {}

    /// The number of timers.
    @inlinable public var count: Int {
        payloads.count
    }

    /// The deadline of the next timer; nil if there is none.
    @inlinable public var nextDeadline: MonotonicTime? {
        mutating get {
            dropCancelled()
            return heap.first?.deadline
        }
    }

    /// Starts a timer, and returns its handle.
    @inlinable public mutating func start(
        at deadline: MonotonicTime, _ payload: Payload
    ) -> Handle {
        last = Handle(number: last.number + 1)
        payloads[last] = payload
        heap.insert(DeadlineHeap.Entry(deadline: deadline, number: last.number))
        return last
    }

    /// Cancels a timer; does nothing if it has fired or was cancelled before.
    @inlinable public mutating func cancel(_ handle: Handle) {
        guard payloads.removeValue(forKey: handle) != nil else { return }
        guard heap.count > 64, heap.count > 2 * payloads.count else { return }
        heap.retain { payloads[Handle(number: $0)] != nil }
    }

    /// Removes the next timer that is due at `now`, and returns its payload; nil if none is due.
    @inlinable public mutating func popDue(at now: MonotonicTime) -> Payload? {
        dropCancelled()
        guard let first = heap.first, first.deadline <= now else { return nil }
        heap.removeFirst()
        return payloads.removeValue(forKey: Handle(number: first.number))
    }

    /// Calls `body` with the payload of each timer, in no order.
    @inlinable public func forEach(_ body: (Payload) -> Void) {
        for payload in payloads.values { body(payload) }
    }

    @inlinable mutating func dropCancelled() {
        while let first = heap.first, payloads[Handle(number: first.number)] == nil {
            heap.removeFirst()
        }
    }
}
