/// The requests of a connection that have not been answered yet.
///
/// A request that is answered at once is never added, so the table is empty on nearly every
/// connection and takes up one word.
package struct IncomingRequests: Sendable {
    private var open: Set<RequestID> = []
    private let countMax: Int

    package init(countMax: Int) {
        self.countMax = countMax
    }

    /// The number of unanswered requests.
    package var count: Int {
        open.count
    }

    /// The ids of the unanswered requests.
    package var ids: some Collection<RequestID> {
        open
    }

    package func contains(_ id: RequestID) -> Bool {
        open.contains(id)
    }

    /// Checks that a request is acceptable: its id is free and there is room. The error for an id
    /// in use must be sent without an id, or it would answer the first request.
    package func check(_ id: RequestID) throws(RPCError) {
        if open.isEmpty { return }
        guard !open.contains(id) else {
            throw RPCError(
                .invalidRequest, reason: .duplicateId,
                "a request with this id has not been answered yet"
            ).with {
                $0.request = id
                $0.hint = "increment the ids, or reuse one only after its reply"
            }
        }
        guard open.count < countMax else {
            throw RPCError(
                .overloaded, reason: .pending, "too many requests wait for their replies"
            ).with {
                $0.retryable = true
                $0.retryAfterMS = 100
                $0.limit = RPCError.Limit(name: "pending_requests", value: countMax)
            }
        }
    }

    /// Adds a request.
    package mutating func insert(_ id: RequestID) {
        open.insert(id)
    }

    /// Removes a request that is answered. Returns false if there is none, so that no request gets
    /// two replies.
    package mutating func remove(_ id: RequestID) -> Bool {
        open.remove(id) != nil
    }
}
