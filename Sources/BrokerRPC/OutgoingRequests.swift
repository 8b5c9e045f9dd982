/// Our own requests on one connection that wait for the peer's answer, and what each was for.
///
/// Ids count up from 1 and are never used again on the connection. A request that was cancelled
/// still waits: the peer owes it an answer, and until then the id stays taken.
package struct OutgoingRequests<Purpose> {
    private var waiting: [Int64: Purpose] = [:]
    private var last: Int64 = 0

    package init() {}

    package var count: Int {
        waiting.count
    }

    /// Registers a request and returns the id to send it with.
    package mutating func open(_ purpose: Purpose) -> Int64 {
        last += 1
        waiting[last] = purpose
        return last
    }

    /// What request `id` was for, without settling it: for progress and cancellation.
    package func purpose(of id: Int64) -> Purpose? {
        waiting[id]
    }

    /// Settles request `id`. Nil for an id nobody waits for: an unknown or a second answer.
    package mutating func settle(_ id: Int64) -> Purpose? {
        waiting.removeValue(forKey: id)
    }

    /// Settles everything, in the order of sending: the connection is gone.
    package mutating func settleAll() -> [Purpose] {
        let ids = waiting.keys.sorted()
        defer { waiting = [:] }
        return ids.compactMap { waiting[$0] }
    }
}
