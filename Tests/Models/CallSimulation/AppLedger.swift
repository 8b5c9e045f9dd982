internal import CallArbitration
internal import CallModel

/// What apps asked for: they may have calls of others held, never ended (principle 4), unless an
/// emergency needs it.
struct AppLedger: Sendable {
    private var asking: (token: RequestToken, app: ProviderID)?
    private var transactions: [TransactionID: ProviderID] = [:]

    mutating func begin(_ event: ArbiterEvent) {
        asking = nil
        guard case .transactionRequested(let request) = event,
            case .app(let app) = request.requester
        else { return }
        asking = (request.token, app)
    }

    mutating func accept(_ token: RequestToken, _ report: TransactionReport) {
        guard let asking, asking.token == token, !report.isJoined,
            let transaction = report.transaction
        else { return }
        transactions[transaction] = asking.app
    }

    /// Silence costs a call of another app its life all the same (rule 5b): that is a failure.
    func record(_ entry: HistoryEntry, _ complaints: inout [Complaint]) {
        guard let transaction = entry.cause.transaction, let app = transactions[transaction],
            entry.provider != app, entry.reason != .failed, entry.cause.rule != .emergency
        else { return }
        complaints.append(
            Complaint(.endsOnlyItself, "an app ends a call of another", "\(entry)"))
    }
}
