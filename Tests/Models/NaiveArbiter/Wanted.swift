internal import CallArbitration
internal import CallModel

/// What the rules want to come of one event.
struct Wanted {
    struct Offered: Equatable {
        let call: CallID
        let kind: CallAction
    }

    /// What goes to providers, in order.
    enum Work: Equatable {
        case perform(CallID, CallAction, attempt: Int, deadlineMS: Int, ageMS: Int, Cause)
        case offer(ProviderID, [Offered])
        case activate(CallID?)
        case deactivate(CallID?)
    }

    struct Report: Equatable {
        struct Entry: Equatable {
            let kind: ActionKind
            let call: CallID
            let isImplied: Bool
            let state: ActionState
            /// What its provider says, if that would not do it.
            var failure: ActionFailure?
        }

        let state: TransactionState
        var entries: [Entry] = []
        var wouldHold: [CallID] = []
        var wouldEnd: [CallID] = []
        var wouldActivate: [CallID] = []
        var refused: NaiveArbiter.Refused?
        var isJoined = false
    }

    enum Reply: Equatable {
        case acknowledged
        case refused(NaiveArbiter.Refused)
        case incoming(CallState, Presentation)
        case registered(calls: [CallID], dropped: [CallID])
        case accepted(Report)
        /// All is settled, well or not.
        case completed(Report)
    }

    struct Entry: Equatable {
        let call: CallID
        let reason: EndReason
        let missed: MissedReasons
        let cause: Cause
        let hasVideo: Bool
        let filteredBy: String?
        let createdAt: Instant
        let connectedAt: Instant?
        let endedAt: Instant
        let failure: ActionFailure?
        let detail: EndDetail?
    }

    /// What everybody hears, but for the changes of calls and actions.
    enum Announced: Equatable {
        case callAdded(CallID, Cause)
        case callRemoved(CallID, Cause)
        case callRefused(CallID, RefusalReason, Rule)
        case resumeOffered(CallID, becauseOf: CallID)
        case hostChanged(HostFacts)
        case transactionAccepted
        case transactionCompleted(TransactionState)
        case actionLate
        case providerAdded(ProviderID)
        case providerChanged(ProviderID)
        case providerResumed(ProviderID)
        case providerLost(ProviderID, graceMS: Int)
        case providerRemoved(ProviderID, RemovalReason)
        case audioChanged(from: CallID?, to: CallID?)
        case anomaly(Anomaly, CallID?)
    }

    var replies: [(token: RequestToken, reply: Reply)] = []
    var work: [Work] = []
    /// The actions performed in `work`, in the same order; and those that were offered.
    var sent: [NaiveArbiter.Action] = []
    var offered: [NaiveArbiter.Action] = []
    /// By their own numbers.
    var cancelled: [Int] = []
    var timedOut: [Int] = []
    var history: [Entry] = []
    var announced: [Announced] = []
    var screened: [CallID] = []
}

extension Cause {
    /// Without the id that the engine makes.
    var plain: Cause {
        var plain = self
        plain.transaction = nil
        return plain
    }
}
