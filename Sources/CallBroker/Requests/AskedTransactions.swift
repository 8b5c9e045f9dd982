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
    }

    /// Where an entry stands, and those who asked again before there was a reply.
    private struct Place {
        /// Counted from the first that there ever was.
        let number: Int
        var waiting: [ReplyTarget] = []
    }

    private static let keptMS = 600_000
    private static let countMax = 16_384
    /// How many may wait for one reply that others asked for.
    static let waitingMax = 16

    private var places: [TransactionID: Place] = [:]
    /// In the order in which they were asked for, as a snapshot holds them; nil for one that was forgotten.
    private var entries: [AskedTransaction?] = []
    /// Entries that are over, in front; and how many there were before the first of the array.
    private var oldest = 0
    private var removed = 0

    /// What was asked for under an id before.
    enum Former {
        case nothing
        case answered(Reply)
        case underWay
        /// Something else.
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

    /// False if too many do so already: all of them get their replies at one moment.
    mutating func wait(for id: TransactionID, _ target: ReplyTarget) -> Bool {
        guard places[id]?.waiting.count ?? 0 < Self.waitingMax else { return false }
        places[id]?.waiting.append(target)
        return true
    }

    /// Keeps the reply. Those who asked again and wait for it.
    mutating func settle(_ id: TransactionID, _ reply: Reply) -> [ReplyTarget] {
        guard let place = places[id] else { return [] }
        entries[place.number - removed]?.reply = reply.stored
        places[id]?.waiting = []
        return place.waiting
    }

    /// A refused request changed nothing, and may be asked for again. It is refused at once: nobody
    /// can have asked for the same meanwhile.
    mutating func forget(_ id: TransactionID) {
        guard let place = places.removeValue(forKey: id) else { return }
        entries[place.number - removed] = nil
    }

    // MARK: - Kept

    var stored: [AskedTransaction] {
        entries[oldest...].compactMap { $0 }
    }

    /// One that was asked for under an id that is used again takes the place of the former.
    mutating func takeOver(_ stored: AskedTransaction) {
        forget(stored.request.id)
        places[stored.request.id] = Place(number: removed + entries.count)
        entries.append(stored)
    }

    // MARK: - Forgotten

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

extension AskedTransactions.Reply {
    fileprivate var stored: AskedTransaction.Reply {
        AskedTransaction.Reply(report: report, seq: Int(seq))
    }

    fileprivate init(stored: AskedTransaction.Reply) {
        self.init(report: stored.report, seq: Int64(stored.seq))
    }
}
