internal import CallModel

/// The unanswered requests that send actions to one provider, by their JSON-RPC ids.
struct ActionRequests {
    private var performs: [ActionID: Int64] = [:]
    private var offers: [TransactionID: Int64] = [:]

    /// The request that sent an action, alone or in a transaction.
    subscript(action: ActionID) -> Int64? {
        get { performs[action] }
        set { performs[action] = newValue }
    }

    /// The request that offers a transaction.
    subscript(offer transaction: TransactionID) -> Int64? {
        get { offers[transaction] }
        set { offers[transaction] = newValue }
    }

    /// Removes the actions that a request has sent.
    mutating func removeActions(of request: Int64) {
        performs = performs.filter { $0.value != request }
    }
}
