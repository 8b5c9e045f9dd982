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

    private static let countMax = 1_000
    private static let actionsMax = 8

    private var entries = Ring<Entry>(countMax: countMax)
    /// The numbers of the transactions that are not completed.
    private var open: [TransactionID: Int] = [:]
    /// The number of the latest transaction; the first has 0.
    private var last = -1

    func begin(_ report: TransactionReport, _ cause: Cause) {
        guard let transaction = report.transaction else { return }
        last += 1
        forget(last - Self.countMax)
        entries.append(
            Entry(
                transaction: transaction, cause: cause, acceptedAt: broker.clock.now,
                acceptedAtMS: broker.clock.unixMS,
                actions: Self.first(report.entries),
                actionCount: report.entries.count,
                audience: broker.calls.audience(of: report.entries)))
        open[transaction] = last
    }

    /// Forgets a transaction whose place in the ring the next one takes.
    private func forget(_ number: Int) {
        guard number >= 0 else { return }
        let transaction = entries[Self.place(of: number)].transaction
        if open[transaction] == number { open[transaction] = nil }
    }

    /// Returns the place of a transaction in the ring.
    private static func place(of number: Int) -> Int {
        number % countMax
    }

    /// Records that an action was sent.
    func recordDispatch(of transaction: TransactionID) {
        guard let place = open[transaction].map(Self.place), entries[place].sentAt == nil else {
            return
        }
        entries[place].sentAt = broker.clock.now
    }

    func complete(_ report: TransactionReport) {
        guard let transaction = report.transaction,
            let place = open.removeValue(forKey: transaction).map(Self.place)
        else { return }
        entries[place].endedAt = broker.clock.now
        entries[place].state = report.state
        entries[place].actions = Self.first(report.entries)
        entries[place].actionCount = report.entries.count
        entries[place].reason = report.refusal?.reason
        entries[place].audience = broker.calls.audience(of: report.entries)
    }

    func list(_ page: PageParams, _ target: ReplyTarget) throws(RPCError) {
        guard !target.peer.rights.isForOwnCalls else { throw .limitedView }
        let before = page.after == nil ? Int.max : max(0, Int(clamping: try page.serial()))
        let newest = min(last, before - 1)
        let oldest = max(0, last - Self.countMax + 1)
        let numbers = stride(from: newest, through: oldest, by: -1).filter {
            target.peer.belongs(to: entries[Self.place(of: $0)].audience)
        }
        broker.events.bringUpToDate(target.peer)
        broker.outbox.reply(target) { writer in
            let shown = numbers.prefix(page.limit ?? .max)
            let count = writer.page("transactions", shown, broker.limits.pageBytes) {
                number, writer in
                write(entries[Self.place(of: number)], to: &writer)
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
