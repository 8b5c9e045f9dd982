internal import CallArbitration
internal import CallModel

/// Something that somebody in the world will do.
enum Errand: Sendable {
    /// A provider's answer to an action.
    case answer(Dispatch, Answer)
    /// A provider's answer to an offer, and whether it carries it out itself then.
    case settleOffer(TransactionID, ProviderID, [Dispatch], isTaken: Bool)
    /// A provider says something about a call without being asked.
    case report(ProviderID, CallID, CallReport.News)
    case comeBack(ProviderID)
    /// The rest of a list of calls.
    case listMore(ProviderID, [LiveCall])
    case verdict(CallID, ScreeningVerdict)
    case priority(CallID)
    case request(TransactionRequest)

    enum Answer: Sendable {
        case fulfil
        case fail(ActionFailure)
        case extend(ms: Int)
    }
}

/// What is due, soonest first; of two that are due together, the one that was added first.
struct ErrandQueue: Sendable {
    private struct Entry: Sendable {
        let errand: Errand
        let at: Instant
    }

    /// The next one is the last.
    private var entries: [Entry] = []

    var nextAt: Instant? {
        entries.last?.at
    }

    mutating func add(_ errand: Errand, at instant: Instant) {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].at > instant { low = middle + 1 } else { high = middle }
        }
        entries.insert(Entry(errand: errand, at: instant), at: low)
    }

    mutating func pop() -> Errand? {
        entries.popLast()?.errand
    }

    /// Nobody answers an action any more.
    mutating func dropAnswers(to action: ActionID) {
        entries.removeAll {
            if case .answer(let dispatch, _) = $0.errand {
                dispatch.action == action
            } else {
                false
            }
        }
    }
}
