internal import BrokerJSON
public import CallModel
internal import CallProtocol

/// A transaction that the broker has accepted, as `CallController.recentTransactions` returns it.
public struct RecentTransaction: Hashable, Sendable {
    /// The id of the transaction.
    public let transaction: TransactionID
    /// The state of the transaction.
    public let state: TransactionState
    /// The time at which it was accepted: Unix time in milliseconds.
    public let acceptedAtMS: Int64
    /// The time until its first action was sent, in milliseconds; so far or in all if none was.
    public let waitMS: Int
    /// The time since then until it was completed, in milliseconds; nil if no action was sent.
    public let runMS: Int?
    /// Its first actions, at most eight.
    public let actions: [TransactionOutcome.Entry]
    /// The number of its other actions.
    public let moreActions: Int
    /// The reason of a failure: a stable word in snake_case.
    public let reason: String?
    /// The origin of the request.
    public let cause: Cause?
}

extension CallController {
    /// Returns the last transactions, up to 1,000, the latest first.
    public func recentTransactions() async throws(CallError) -> [RecentTransaction] {
        try await all(.listTransactions, "transactions") { RecentTransaction($0) }
    }
}

extension RecentTransaction {
    fileprivate init?(_ value: JSONValue) {
        guard let transaction = TransactionID(value["transaction"]),
            let state = TransactionState(value["state"]),
            let acceptedAtMS = value["accepted_at_ms"]?.integer
        else { return nil }
        (self.transaction, self.state, self.acceptedAtMS) = (transaction, state, acceptedAtMS)
        waitMS = value["wait_ms"]?.integer.map(Int.init) ?? 0
        runMS = value["run_ms"]?.integer.map(Int.init)
        actions =
            value["actions"].map { $0.elements.compactMap(TransactionOutcome.Entry.init) } ?? []
        moreActions = value["more_actions"]?.integer.map(Int.init) ?? 0
        reason = value["reason"]?.string
        cause = Cause(value["cause"])
    }
}
