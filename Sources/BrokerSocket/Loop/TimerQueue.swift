/// Deadlines and what is due at them.
///
/// Nearly every timer is cancelled long before it fires: an action's deadline is a minute, its
/// answer comes in a millisecond. So cancelling must be cheap and must not leave garbage for the
/// minute. The queue is a heap of (deadline, number) beside a dictionary from number to payload.
/// Cancelling only removes from the dictionary; a heap entry whose number is gone is skipped when
/// it surfaces. When more than half of the heap is such garbage the heap is built anew, which
/// spreads to a constant per cancelled timer: memory is bounded by twice the live ones.
///
/// Timers with the same deadline fire in the order they were started: numbers count up.
///
/// Inlinable, because the payload's type is only known where the queue is used, and the generic
/// code would look its metadata up at every step. Public, because the compiler does not inline what
/// is `package`.
public struct TimerQueue<Payload> {
    /// Names one started timer; never used again.
    public struct Handle: Hashable, Sendable {
        @usableFromInline let number: UInt64

        @inlinable init(number: UInt64) {
            self.number = number
        }
    }

    @usableFromInline var heap = DeadlineHeap()
    @usableFromInline var payloads: [UInt64: Payload] = [:]
    @usableFromInline var lastNumber: UInt64 = 0

    @inlinable public init() {}

    @inlinable public var count: Int {
        payloads.count
    }

    /// When the next timer is due; nil without timers.
    @inlinable public var nextDeadline: MonotonicTime? {
        mutating get {
            dropCancelled()
            return heap.first?.deadline
        }
    }

    @inlinable public mutating func start(
        at deadline: MonotonicTime, _ payload: Payload
    ) -> Handle {
        lastNumber += 1
        payloads[lastNumber] = payload
        heap.insert(DeadlineHeap.Entry(deadline: deadline, number: lastNumber))
        return Handle(number: lastNumber)
    }

    /// Cancels a timer; nothing happens if it has fired or was cancelled before.
    @inlinable public mutating func cancel(_ handle: Handle) {
        guard payloads.removeValue(forKey: handle.number) != nil else { return }
        guard heap.count > 64, heap.count > 2 * payloads.count else { return }
        heap.keep { payloads[$0] != nil }
    }

    /// Takes the next timer that is due at `now`; nil when none is.
    @inlinable public mutating func popDue(at now: MonotonicTime) -> Payload? {
        dropCancelled()
        guard let first = heap.first, first.deadline <= now else { return nil }
        heap.removeFirst()
        return payloads.removeValue(forKey: first.number)
    }

    @inlinable mutating func dropCancelled() {
        while let first = heap.first, payloads[first.number] == nil { heap.removeFirst() }
    }
}
