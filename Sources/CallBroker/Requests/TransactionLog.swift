internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallModel
internal import CallProtocol

/// The latest transactions, with the time that each waited and the time that it ran; serves
/// `transaction.list`.
final class TransactionLog: BrokerPart {
    private struct Entry {
        let transaction: TransactionID
        let cause: Cause
        let acceptedAt: MonotonicTime
        let acceptedAtMS: Int64
        /// The time at which the first action was sent.
        var sentAt: MonotonicTime?
        var endedAt: MonotonicTime?
        var state = TransactionState.accepted
        /// The first actions; the others are only counted.
        var actions: [TransactionReport.Entry]
        var actionCount: Int
        /// The reason of a failure.
        var reason: RefusalReason?
        /// The clients that see it.
        var audience: EventFeed.Audience
    }

    private static let countMax: Int64 = 1_000
    private static let actionsMax = 8

    private var entries: [Int64: Entry] = [:]
    /// The numbers of the transactions that are not completed.
    private var open: [TransactionID: Int64] = [:]
    /// The number of the latest transaction.
    private var last: Int64 = 0

    func begin(_ report: TransactionReport, _ cause: Cause) {
        guard let transaction = report.transaction else { return }
        last += 1
        entries[last] = Entry(
            transaction: transaction, cause: cause, acceptedAt: broker.clock.now,
            acceptedAtMS: broker.clock.unixMS,
            actions: Self.first(report.entries),
            actionCount: report.entries.count,
            audience: broker.calls.audience(of: report.entries))
        open[transaction] = last
        let forgotten = entries.removeValue(forKey: last - Self.countMax)
        if let forgotten, open[forgotten.transaction] == last - Self.countMax {
            open[forgotten.transaction] = nil
        }
    }

    /// Records that an action was sent.
    func recordDispatch(of transaction: TransactionID) {
        guard let number = open[transaction], entries[number]?.sentAt == nil else { return }
        entries[number]?.sentAt = broker.clock.now
    }

    func complete(_ report: TransactionReport) {
        guard let transaction = report.transaction,
            let number = open.removeValue(forKey: transaction), var entry = entries[number]
        else { return }
        entry.endedAt = broker.clock.now
        entry.state = report.state
        entry.actions = Self.first(report.entries)
        entry.actionCount = report.entries.count
        entry.reason = report.refusal?.reason
        entry.audience = broker.calls.audience(of: report.entries)
        entries[number] = entry
    }

    func list(_ page: PageParams, _ target: ReplyTarget) throws(RPCError) {
        guard !target.peer.rights.isForOwnCalls else { throw .limitedView }
        let before = page.after == nil ? Int64.max : try page.serial()
        let first = max(1, last - Self.countMax + 1)
        let newest = min(last, before > 0 ? before - 1 : 0)
        let numbers = stride(from: newest, through: first, by: -1).filter { number in
            entries[number].map { target.peer.belongs(to: $0.audience) } ?? false
        }
        broker.events.bringUpToDate(target.peer)
        broker.outbox.reply(target) { writer in
            let shown = numbers.prefix(page.limit ?? .max)
            let count = writer.page("transactions", shown, broker.limits.pageBytes) {
                number, writer in
                if let entry = entries[number] { write(entry, to: &writer) }
            }
            if count > 0, count < numbers.count {
                writer.member("next", String(numbers[count - 1]))
            }
            writer.member("seq", broker.events.seq)
        }
    }

    private func write(_ entry: Entry, to writer: inout JSONWriter) {
        let end = entry.endedAt ?? broker.clock.now
        writer.member("transaction", entry.transaction)
        writer.member("state", entry.state.word)
        writer.member("accepted_at_ms", entry.acceptedAtMS)
        writer.member(
            "wait_ms", Self.milliseconds(from: entry.acceptedAt, to: entry.sentAt ?? end))
        if let sent = entry.sentAt {
            writer.member("run_ms", Self.milliseconds(from: sent, to: end))
        }
        writer.member("actions", entry.actions)
        if entry.actionCount > entry.actions.count {
            writer.member("more_actions", entry.actionCount - entry.actions.count)
        }
        writer.member("reason", ifSet: entry.reason?.rawValue)
        writer.member("cause", entry.cause)
    }

    /// Returns the actions that are kept. Nearly always all of them are: their array is shared.
    private static func first(
        _ entries: [TransactionReport.Entry]
    ) -> [TransactionReport.Entry] {
        entries.count <= actionsMax ? entries : Array(entries.prefix(actionsMax))
    }

    private static func milliseconds(from start: MonotonicTime, to end: MonotonicTime) -> Int64 {
        max(0, end.milliseconds - start.milliseconds)
    }
}
