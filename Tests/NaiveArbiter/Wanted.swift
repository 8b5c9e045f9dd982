internal import CallArbitration
internal import CallModel

/// What the rules want to come of one event.
struct Wanted {
    /// What goes to providers, in order.
    enum Work: Equatable {
        case perform(CallID, CallAction, attempt: Int)
        case activate(CallID?)
        case deactivate(CallID?)
    }

    enum Reply: Equatable {
        case acknowledged
        case refused(RefusalReason, Rule?)
        case incoming(CallState, isSilent: Bool)
        case registered(calls: [CallID], dropped: [CallID])
        case accepted(isJoined: Bool)
        case dryRun(RefusalReason?, Rule?, holds: [CallID], ends: [CallID])
        /// All is settled, well or not.
        case completed(RefusalReason?)
    }

    struct Entry: Equatable {
        let call: CallID
        /// Nil where the contract names none.
        let reason: EndReason?
        /// Nil where the contract leaves it open.
        let missed: MissedReasons?
    }

    var replies: [(token: RequestToken, reply: Reply)] = []
    var work: [Work] = []
    /// The actions in `work`, in the same order.
    var sent: [NaiveArbiter.Action] = []
    /// By their own numbers.
    var cancelled: [Int] = []
    var timedOut: [Int] = []
    var history: [Entry] = []
    var offers: [CallID] = []
    var refused: [CallID] = []
    var anomalies: [Anomaly] = []
    var resets: [ProviderID] = []
}
