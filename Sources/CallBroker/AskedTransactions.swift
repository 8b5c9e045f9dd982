internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel

/// Transactions whose ids their clients chose: who asks for the same again gets the same answer, and
/// nothing happens twice. Each is remembered for ten minutes after it was asked for.
struct AskedTransactions {
    struct Reply {
        let report: TransactionReport
        let seq: Int64
        /// How a provider failed in it.
        let providerError: ActionFailure?
    }

    private struct Entry {
        /// What was asked for, without what differs when the same is asked for again.
        let key: ArbiterEvent
        let expiry: MonotonicTime
        var reply: Reply?
        /// Those who asked again before there was a reply.
        var waiting: [ReplyTarget] = []
    }

    private static let keptMS = 600_000
    private static let countMax = 16_384

    private var entries: [TransactionID: Entry] = [:]
    /// In the order in which they were asked for.
    private var order: [(id: TransactionID, expiry: MonotonicTime)] = []
    private var oldest = 0

    /// What was asked for under an id before.
    enum Former {
        case nothing
        case answered(Reply)
        case underWay
        /// Something else.
        case different
    }

    func former(_ id: TransactionID, _ key: ArbiterEvent, at now: MonotonicTime) -> Former {
        guard let entry = entries[id], entry.expiry > now else { return .nothing }
        guard entry.key == key else { return .different }
        return entry.reply.map { .answered($0) } ?? .underWay
    }

    mutating func begin(_ id: TransactionID, _ key: ArbiterEvent, at now: MonotonicTime) {
        forgetOld(at: now)
        let expiry = now.advanced(milliseconds: Self.keptMS)
        entries[id] = Entry(key: key, expiry: expiry)
        order.append((id, expiry))
    }

    mutating func wait(for id: TransactionID, _ target: ReplyTarget) {
        entries[id]?.waiting.append(target)
    }

    /// Keeps the reply. Those who asked again and wait for it.
    mutating func settle(_ id: TransactionID, _ reply: Reply) -> [ReplyTarget] {
        guard let waiting = entries[id]?.waiting else { return [] }
        entries[id]?.reply = reply
        entries[id]?.waiting = []
        return waiting
    }

    /// A refused request changed nothing, and may be asked for again. It is refused at once: nobody
    /// can have asked for the same meanwhile.
    mutating func forget(_ id: TransactionID) {
        entries[id] = nil
    }

    // MARK: - Kept

    var stored: [AskedTransaction] {
        order[oldest...].compactMap { id, expiry in
            guard let entry = entries[id], entry.expiry == expiry else { return nil }
            return AskedTransaction(
                request: AskedRequest(id: id, key: entry.key),
                expiry: Instant(nanoseconds: expiry.nanoseconds), reply: entry.reply?.stored)
        }
    }

    mutating func takeOver(_ stored: AskedTransaction) {
        let (id, expiry) = (
            stored.request.id, MonotonicTime(nanoseconds: stored.expiry.nanoseconds)
        )
        entries[id] = Entry(
            key: stored.request.key, expiry: expiry, reply: stored.reply.map(Reply.init(stored:)))
        order.append((id, expiry))
    }

    // MARK: - Forgotten

    private mutating func forgetOld(at now: MonotonicTime) {
        while oldest < order.count,
            order[oldest].expiry <= now || order.count - oldest >= Self.countMax
        {
            let (id, expiry) = order[oldest]
            if entries[id]?.expiry == expiry { entries[id] = nil }
            oldest += 1
        }
        guard oldest > 1_024, oldest > order.count / 2 else { return }
        order.removeFirst(oldest)
        oldest = 0
    }
}

extension AskedTransactions.Reply {
    fileprivate var stored: AskedTransaction.Reply {
        AskedTransaction.Reply(
            report: report, seq: Int(seq),
            failure: providerError)
    }

    fileprivate init(stored: AskedTransaction.Reply) {
        self.init(
            report: stored.report, seq: Int64(stored.seq),
            providerError: stored.failure)
    }
}
