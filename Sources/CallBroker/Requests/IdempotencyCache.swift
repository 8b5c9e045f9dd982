internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel

/// The transactions whose ids were chosen by their clients: a repeated request gets the same reply,
/// and is not executed twice. Each is kept for ten minutes after its request.
struct IdempotencyCache {
    struct Reply {
        let report: TransactionReport
        let seq: Int64
    }

    /// The place of an entry, and the repeated requests that wait for its reply.
    private struct Place {
        /// The number of the entry, counted from the first one ever.
        let number: Int
        var waiting: [ReplyTarget] = []
    }

    private static let keptMS = 600_000
    private static let countMax = 16_384
    /// The number of repeated requests that may wait for one reply.
    static let waitingMax = 16

    private var places: [TransactionID: Place] = [:]
    /// The entries in the order of their requests, as a snapshot holds them; nil for a removed one.
    private var entries: [AskedTransaction?] = []
    /// The number of expired entries at the front, and of those removed from the array before.
    private var oldest = 0
    private var removed = 0

    /// The earlier request with an id.
    enum Former {
        case nothing
        case answered(Reply)
        case underWay
        /// Another request has the id.
        case different
    }

    func former(_ id: TransactionID, _ key: ArbiterEvent, at now: MonotonicTime) -> Former {
        guard let place = places[id], let entry = entries[place.number - removed],
            entry.expiry.nanoseconds > now.nanoseconds
        else { return .nothing }
        guard entry.request.key == key else { return .different }
        return entry.reply.map { .answered(Reply(stored: $0)) } ?? .underWay
    }

    mutating func begin(_ id: TransactionID, _ key: ArbiterEvent, at now: MonotonicTime) {
        forgetOld(at: now)
        let expiry = now.advanced(milliseconds: Self.keptMS)
        takeOver(
            AskedTransaction(
                request: AskedRequest(id: id, key: key),
                expiry: Instant(nanoseconds: expiry.nanoseconds), reply: nil))
    }

    /// Adds a request that waits for the reply to an earlier one; false if too many wait already,
    /// because all of them are answered in one turn.
    mutating func wait(for id: TransactionID, _ target: ReplyTarget) -> Bool {
        guard places[id]?.waiting.count ?? 0 < Self.waitingMax else { return false }
        places[id]?.waiting.append(target)
        return true
    }

    /// Stores the reply, and returns the repeated requests that wait for it.
    mutating func settle(_ id: TransactionID, _ reply: Reply) -> [ReplyTarget] {
        guard let place = places[id] else { return [] }
        entries[place.number - removed]?.reply = reply.stored
        places[id]?.waiting = []
        return place.waiting
    }

    /// Removes a refused request, which changed nothing and may be repeated. It is refused in the
    /// turn of its request, so no repeated one can wait for it.
    mutating func forget(_ id: TransactionID) {
        guard let place = places.removeValue(forKey: id) else { return }
        entries[place.number - removed] = nil
    }

    // MARK: - Storing

    var stored: [AskedTransaction] {
        entries[oldest...].compactMap { $0 }
    }

    /// Adds an entry; one with the same id is replaced.
    mutating func takeOver(_ stored: AskedTransaction) {
        forget(stored.request.id)
        places[stored.request.id] = Place(number: removed + entries.count)
        entries.append(stored)
    }

    // MARK: - Expiry

    private mutating func forgetOld(at now: MonotonicTime) {
        while oldest < entries.count {
            let entry = entries[oldest]
            let isOver = entry.map { $0.expiry.nanoseconds <= now.nanoseconds } ?? true
            guard isOver || entries.count - oldest >= Self.countMax else { break }
            if let entry { forget(entry.request.id) }
            oldest += 1
        }
        guard oldest > 1_024, oldest > entries.count / 2 else { return }
        entries.removeFirst(oldest)
        removed += oldest
        oldest = 0
    }
}

extension IdempotencyCache.Reply {
    fileprivate var stored: AskedTransaction.Reply {
        AskedTransaction.Reply(report: report, seq: Int(seq))
    }

    fileprivate init(stored: AskedTransaction.Reply) {
        self.init(report: stored.report, seq: Int64(stored.seq))
    }
}
