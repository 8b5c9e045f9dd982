internal import CallArbitration
internal import CallModel

/// What providers are doing, and which transactions run (I5, O4).
struct WorkLedger: Sendable {
    /// An action that its provider was asked to perform and that has not settled.
    struct Outstanding: Sendable {
        let action: ActionID
        let provider: ProviderID
        let call: CallID
        let isEnd: Bool
        var attempt: Int
        var isAnnounced = false
    }

    private static let perProviderMax = 8

    private(set) var outstanding: [Outstanding] = []
    private var settled: [ActionID: ActionState] = [:]
    private var performed: Set<ActionID> = []
    private var transactions: [TransactionID: Bool] = [:]
    private(set) var openTransactions = 0
    /// Actions that a provider is asked to carry out as a whole transaction, and those it took.
    private var offered: [TransactionID: [Dispatch]] = [:]
    private var taken: [ActionID: ProviderID] = [:]
    /// Who may be asked the same again in this event: it has just come back.
    private var returned: ProviderID?
    /// Actions that settled in this event; their timers have to be off at its end.
    private var justSettled: [ActionID] = []

    mutating func begin(_ event: ArbiterEvent) {
        returned = nil
        justSettled.removeAll(keepingCapacity: true)
        if case .providerRegistered(let registration) = event { returned = registration.provider }
        switch event {
        case .offerSettled(let transaction, let provider, let isTaken):
            settleOffer(transaction, provider, isTaken: isTaken)
        case .timerFired(.offer(let transaction, let provider)):
            settleOffer(transaction, provider, isTaken: false)
        case .actionFulfilled(let action, let provider, _),
            .actionFailed(let action, let provider, _):
            // Who settles an action of an offer before he has answered it takes it.
            let offer = offered.first { $0.value.contains { $0.action == action } }
            if let offer { settleOffer(offer.key, provider, isTaken: true) }
        default: break
        }
    }

    private mutating func settleOffer(
        _ transaction: TransactionID, _ provider: ProviderID, isTaken: Bool
    ) {
        let dispatches = offered[transaction]?.filter { $0.provider == provider } ?? []
        offered[transaction]?.removeAll { $0.provider == provider }
        guard isTaken else { return }
        for dispatch in dispatches { taken[dispatch.action] = provider }
    }

    mutating func offer(_ transaction: TransactionID, _ dispatches: [Dispatch]) {
        offered[transaction, default: []] += dispatches
    }

    mutating func perform(_ dispatch: Dispatch, _ complaints: inout [Complaint]) {
        if let index = outstanding.firstIndex(where: { $0.action == dispatch.action }) {
            if dispatch.attempt != outstanding[index].attempt + 1 || returned != dispatch.provider {
                complain(.settlesOnce, "an action is performed again for no reason", dispatch)
            }
            outstanding[index].attempt = dispatch.attempt
            return
        }
        if dispatch.attempt != 1 || !performed.insert(dispatch.action).inserted {
            complain(.settlesOnce, "a settled action is performed again", dispatch)
        }
        checkRoom(for: dispatch, &complaints)
        outstanding.append(
            Outstanding(
                action: dispatch.action, provider: dispatch.provider, call: dispatch.call,
                isEnd: dispatch.kind == .end, attempt: dispatch.attempt))

        func complain(_ check: Check, _ what: String, _ about: Dispatch) {
            complaints.append(Complaint(check, what, "\(about)"))
        }
    }

    private func checkRoom(for dispatch: Dispatch, _ complaints: inout [Complaint]) {
        var ofProvider = 1
        for other in outstanding {
            if other.provider == dispatch.provider { ofProvider += 1 }
            if other.call == dispatch.call, other.isEnd == (dispatch.kind == .end) {
                complaints.append(
                    Complaint(.outstanding, "two actions of a call at once", "\(dispatch)"))
            }
        }
        if ofProvider > Self.perProviderMax, !dispatch.mayBeUrgent {
            complaints.append(
                Complaint(.outstanding, "too many actions of a provider at once", "\(dispatch)"))
        }
    }

    mutating func cancel(_ action: ActionID, _ complaints: inout [Complaint]) {
        let isTaken = taken[action] != nil && settled[action] == nil
        let isOffered = offered.values.contains { $0.contains { $0.action == action } }
        guard !isTaken, !isOffered, !outstanding.contains(where: { $0.action == action }) else {
            return
        }
        complaints.append(
            Complaint(.settlesOnce, "an action is cancelled that nobody performs", "\(action)"))
    }

    mutating func change(
        _ action: ActionID, _ call: CallID, _ state: ActionState, _ complaints: inout [Complaint]
    ) {
        switch state {
        case .planned, .queued: return
        case .dispatched: announce(action, call, &complaints)
        case .fulfilled, .failed, .timedOut, .skipped, .cancelled:
            settle(action, state, &complaints)
        }
    }

    private mutating func announce(
        _ action: ActionID, _ call: CallID, _ complaints: inout [Complaint]
    ) {
        if let provider = taken[action], performed.insert(action).inserted {
            outstanding.append(
                Outstanding(
                    action: action, provider: provider, call: call, isEnd: false, attempt: 0,
                    isAnnounced: true))
            return
        }
        guard let index = outstanding.firstIndex(where: { $0.action == action }),
            !outstanding[index].isAnnounced, outstanding[index].call == call
        else {
            complaints.append(
                Complaint(.settlesOnce, "a dispatch is announced and was not done", "\(action)"))
            return
        }
        outstanding[index].isAnnounced = true
    }

    private mutating func settle(
        _ action: ActionID, _ state: ActionState, _ complaints: inout [Complaint]
    ) {
        if settled.updateValue(state, forKey: action) != nil {
            complaints.append(
                Complaint(.settlesOnce, "an action settles twice", "\(action) \(state)"))
        }
        outstanding.removeAll { $0.action == action }
        justSettled.append(action)
    }

    /// What a requester is told of the actions is what was announced. Whoever takes a joined request
    /// back is told at once, and the plan goes on for the others.
    func check(_ report: TransactionReport, _ complaints: inout [Complaint]) {
        guard let transaction = report.transaction, transactions[transaction] == true else {
            return
        }
        for entry in report.entries {
            guard let action = entry.action, settled[action] != entry.state else { continue }
            // An end goes on when its plan is given up.
            if entry.kind == .end, settled[action] == nil { continue }
            complaints.append(
                Complaint(.replies, "a completion tells another state", "\(entry)"))
        }
    }

    mutating func accept(_ transaction: TransactionID, _ complaints: inout [Complaint]) {
        if transactions.updateValue(false, forKey: transaction) != nil {
            complaints.append(
                Complaint(.replies, "a transaction is accepted twice", "\(transaction)"))
        }
        openTransactions += 1
    }

    mutating func complete(_ transaction: TransactionID, _ complaints: inout [Complaint]) {
        if transactions.updateValue(true, forKey: transaction) != false {
            complaints.append(
                Complaint(
                    .replies, "a transaction is completed that does not run", "\(transaction)"))
        }
        openTransactions -= 1
    }

    /// A provider has gone for good: what it did is settled by now.
    mutating func lose(_ provider: ProviderID, _ complaints: inout [Complaint]) {
        for left in outstanding where left.provider == provider {
            complaints.append(
                Complaint(
                    .settlesOnce, "an action is left when its provider is removed",
                    "\(left.action)"))
        }
        outstanding.removeAll { $0.provider == provider }
    }

    mutating func finish(
        _ event: ArbiterEvent, _ timers: TimerTable, _ complaints: inout [Complaint]
    ) {
        if let action = event.settles,
            let index = outstanding.firstIndex(where: {
                $0.action == action.id && (action.by == nil || action.by == $0.provider)
            })
        {
            complaints.append(
                Complaint(.settlesOnce, "an answered action does not settle", "\(action.id)"))
            outstanding.remove(at: index)
        }
        for action in justSettled where timers.contains(.action(action)) {
            complaints.append(
                Complaint(.timers, "the timer of a settled action is left", "\(action)"))
        }
    }
}

extension ArbiterEvent {
    /// The action that is settled by it, and who has to say so.
    fileprivate var settles: (id: ActionID, by: ProviderID?)? {
        switch self {
        case .actionFulfilled(let action, let provider, _),
            .actionFailed(let action, let provider, _):
            (action, provider)
        case .timerFired(.action(let action)): (action, nil)
        default: nil
        }
    }
}

extension Dispatch {
    /// Emergencies, and what makes way for them, are sent however much a provider has to do (rule 20); so
    /// are their ends.
    fileprivate var mayBeUrgent: Bool {
        cause.rule == .emergency || kind == .end
    }
}
