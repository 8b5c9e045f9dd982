/// Our own requests on one connection that wait for the peer's answer, and what each was for.
///
/// Ids count up from 1 and are never used again on the connection. A request that was cancelled
/// still waits: the peer owes it an answer, and until then the id stays taken.
///
/// Inlinable and public, so that it is compiled for the purposes that there are: the compiler does
/// not inline what is `package`.
public struct OutgoingRequests<Purpose> {
    @usableFromInline var waiting: [Int64: Purpose] = [:]
    @usableFromInline var last: Int64 = 0

    @inlinable public init() {}

    @inlinable public var count: Int {
        waiting.count
    }

    /// Registers a request and returns the id to send it with.
    @inlinable public mutating func open(_ purpose: Purpose) -> Int64 {
        last += 1
        waiting[last] = purpose
        return last
    }

    /// What request `id` was for, without settling it: for progress and cancellation.
    @inlinable public func purpose(of id: Int64) -> Purpose? {
        waiting[id]
    }

    /// All that is not answered, in the order of sending.
    @inlinable public var open: [(id: Int64, purpose: Purpose)] {
        waiting.sorted { $0.key < $1.key }.map { (id: $0.key, purpose: $0.value) }
    }

    /// Settles request `id`. Nil for an id nobody waits for: an unknown or a second answer.
    @inlinable public mutating func settle(_ id: Int64) -> Purpose? {
        waiting.removeValue(forKey: id)
    }

    /// Settles everything, in the order of sending: the connection is gone.
    @inlinable public mutating func settleAll() -> [Purpose] {
        let ids = waiting.keys.sorted()
        defer { waiting = [:] }
        return ids.compactMap { waiting[$0] }
    }
}
