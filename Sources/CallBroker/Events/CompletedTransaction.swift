internal import CallModel

/// A transaction that was completed.
struct CompletedTransaction {
    let transaction: TransactionID?
    let cause: Cause
    let seq: Int64
    /// The numbers of the peers that were sent the event without a subscription.
    var recipients: Set<Int> = []
}
