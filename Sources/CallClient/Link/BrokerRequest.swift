internal import BrokerJSON

/// A request of the broker to a client, on one of its connections.
struct BrokerRequest: Hashable, Sendable {
    let connection: Int
    let id: Int64
}

/// The requests of the broker that have no reply yet, all on the latest connection.
struct OpenRequests {
    private var connection = 0
    private var ids: Set<Int64> = []

    /// Begins another connection, on which ids count anew.
    mutating func reconnect() {
        connection += 1
        ids = []
    }

    mutating func begin(_ id: Int64) -> BrokerRequest {
        ids.insert(id)
        return BrokerRequest(connection: connection, id: id)
    }

    /// Returns true if a request is still to be answered: it was not withdrawn, and its connection is
    /// not lost.
    mutating func end(_ request: BrokerRequest) -> Bool {
        request.connection == connection && ids.remove(request.id) != nil
    }

    /// Withdraws the request that a `broker.cancel` names, and answers it; nil if there is none.
    mutating func cancel(_ params: JSONValue?, _ loop: LinkLoop) -> BrokerRequest? {
        guard let id = params?["request"]?.integer, ids.remove(id) != nil else { return nil }
        loop.answer(id, error: .cancelled, reason: "cancelled", "the request was cancelled")
        return BrokerRequest(connection: connection, id: id)
    }

    /// Withdraws the requests of a connection that is lost, and returns them.
    mutating func removeAll() -> [BrokerRequest] {
        defer { ids = [] }
        return ids.sorted().map { BrokerRequest(connection: connection, id: $0) }
    }
}
