internal import CallClient
internal import CallModel

/// The transactions that a provider performs, and those that its own app requested.
///
/// Not thread-safe: the provider's lock guards it.
struct PendingTransactions {
    private(set) var transactions: [CXTransaction] = []
    private var actions: [ActionID: CXAction] = [:]
    /// The actions that the app requested, by transaction.
    private var requested: [TransactionID: [CXCallAction]] = [:]

    /// The transactions that are not complete.
    mutating func pending() -> [CXTransaction] {
        dropComplete()
        return transactions
    }

    mutating func pendingCallActions() -> [CXCallAction] {
        dropComplete()
        return transactions.flatMap(\.actions).compactMap { $0 as? CXCallAction }
            .filter { !$0.isComplete }
    }

    private mutating func dropComplete() {
        guard transactions.contains(where: \.isComplete) else { return }
        transactions.removeAll(where: \.isComplete)
        let left = Set(transactions.flatMap(\.actions).map { ObjectIdentifier($0) })
        actions = actions.filter { left.contains(ObjectIdentifier($0.value)) }
    }

    // MARK: - Requests of the app

    /// Stores copies of the actions of a request, to be performed in place of new ones.
    mutating func willRequest(_ actions: [CXCallAction], as transaction: TransactionID) {
        requested[transaction] = actions.compactMap { $0.copy() as? CXCallAction }
    }

    mutating func requestFailed(_ transaction: TransactionID) {
        requested[transaction] = nil
    }

    // MARK: - Requests of the broker

    /// Adds a transaction that is offered as a whole.
    mutating func add(
        _ transaction: TransactionID, _ requests: [ActionRequest],
        settle: @escaping (ActionRequest, ActionOutcome) -> Void
    ) -> CXTransaction {
        dropComplete()
        let made = requests.map { request in action(for: request, settle) }
        let result = CXTransaction(UUID(transaction.bits), made)
        transactions.append(result)
        requested[transaction] = requested[transaction].flatMap { $0.isEmpty ? nil : $0 }
        return result
    }

    /// Adds a single action. Returns it with its transaction, which is nil if the action is known
    /// already.
    mutating func add(
        _ request: ActionRequest, settle: @escaping (ActionRequest, ActionOutcome) -> Void
    ) -> (CXTransaction?, CXAction) {
        if let known = actions[request.id] {
            known.renew(deadlineMS: request.deadlineMS)
            return (nil, known)
        }
        let transaction = add(request.transaction, [request], settle: settle)
        return (transaction, action(for: request, settle))
    }

    private mutating func action(
        for request: ActionRequest, _ settle: @escaping (ActionRequest, ActionOutcome) -> Void
    ) -> CXAction {
        if let known = actions[request.id] { return known }
        let action = takeRequested(request) ?? CXCallAction.make(request)
        action.begin(deadlineMS: request.deadlineMS) { settle(request, $0) }
        actions[request.id] = action
        return action
    }

    /// Returns the app's own action for a request, if there is one: it keeps its id, and what a
    /// subclass adds. A start is found by its call alone, because the user may have requested
    /// another address.
    private mutating func takeRequested(_ request: ActionRequest) -> CXCallAction? {
        let index = requested[request.transaction]?.firstIndex {
            CallID($0.callUUID) == request.call
                && ($0.action == request.action
                    || $0 is CXStartCallAction && request.action.kind == .start)
        }
        return index.flatMap { requested[request.transaction]?.remove(at: $0) }
    }

    func action(_ id: ActionID) -> CXAction? {
        actions[id]
    }

    /// Removes and returns an action that has ended.
    mutating func remove(_ action: ActionID) -> CXAction? {
        actions.removeValue(forKey: action)
    }

    /// Removes everything, and returns the actions.
    mutating func removeAll() -> [CXAction] {
        defer { self = PendingTransactions() }
        return Array(actions.values)
    }
}

extension CXCallAction {
    /// Makes an action for a request of the broker.
    fileprivate static func make(_ request: ActionRequest) -> CXCallAction {
        let call = request.call.uuid
        switch request.action {
        case .start(let start):
            let action = CXStartCallAction(call: call, handle: CXHandle(start.remote))
            (action.contactIdentifier, action.isVideo) = (start.contact, start.hasVideo)
            return action
        case .answer: return CXAnswerCallAction(call: call)
        case .end: return CXEndCallAction(call: call)
        case .setHeld(let isHeld): return CXSetHeldCallAction(call: call, onHold: isHeld)
        case .setMuted(let isMuted): return CXSetMutedCallAction(call: call, muted: isMuted)
        case .setGroup(let other):
            return CXSetGroupCallAction(call: call, callUUIDToGroupWith: other?.uuid)
        case .playDTMF(let digits, let style):
            let type = CXPlayDTMFCallAction.ActionType(rawValue: style.callKitNumber)
            return CXPlayDTMFCallAction(call: call, digits: digits, type: type ?? .singleTone)
        // CallKit has none of these; the delegate fails an action without a class of its own.
        case .setEndpoint, .setVideo, .setText, .transfer, .attendedTransfer, .deflect:
            return CXCallAction(call: call)
        }
    }
}
