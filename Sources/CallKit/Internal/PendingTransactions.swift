internal import CallClient
internal import CallModel

/// The transactions that a provider performs, and those that its own app requested.
///
/// Not thread-safe: the provider's lock guards it.
struct PendingTransactions {
    private(set) var transactions: [CXTransaction] = []
    /// The actions for each request of the broker: one, or one for each key of several tones.
    private var actions: [ActionID: [CXAction]] = [:]
    /// The requests whose actions are passed to the delegate one by one.
    private var performed: Set<ActionID> = []
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
        actions = actions.filter { entry in
            entry.value.contains { left.contains(ObjectIdentifier($0)) }
        }
        performed.formIntersection(actions.keys)
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
        let made = requests.flatMap { request in actions(for: request, settle) }
        let result = CXTransaction(UUID(transaction.bits), made)
        transactions.append(result)
        requested[transaction] = requested[transaction].flatMap { $0.isEmpty ? nil : $0 }
        return result
    }

    /// Adds a single request. Returns its first action with its transaction, which is nil if the
    /// request is known already.
    mutating func add(
        _ request: ActionRequest, settle: @escaping (ActionRequest, ActionOutcome) -> Void
    ) -> (CXTransaction?, CXAction) {
        performed.insert(request.id)
        if let known = actions[request.id] {
            for action in known { action.renew(deadlineMS: request.deadlineMS) }
            return (nil, known[0])
        }
        let transaction = add(request.transaction, [request], settle: settle)
        return (transaction, actions(for: request, settle)[0])
    }

    private mutating func actions(
        for request: ActionRequest, _ settle: @escaping (ActionRequest, ActionOutcome) -> Void
    ) -> [CXAction] {
        if let known = actions[request.id] { return known }
        let made = takeRequested(request).map { [$0] } ?? CXCallAction.make(request)
        for action in made {
            action.begin(deadlineMS: request.deadlineMS) { settle(request, $0) }
        }
        actions[request.id] = made
        return made
    }

    /// Makes the app the one that completes the actions of a request, in any order.
    mutating func take(_ request: ActionRequest) {
        performed.remove(request.id)
    }

    /// The state of a request, one of whose actions was completed.
    enum Progress {
        case isComplete
        /// The app completes the rest by itself.
        case waits
        /// The next action is to be passed to the delegate.
        case continues(CXAction)
    }

    /// Returns what follows an action that was completed. After a failure no key follows.
    func progress(of request: ActionRequest, _ outcome: ActionOutcome) -> Progress {
        let rest = actions[request.id]?.filter { !$0.isComplete } ?? []
        guard case .fulfilled = outcome, let next = rest.first else {
            for action in rest { action.end() }
            return .isComplete
        }
        return performed.contains(request.id) ? .continues(next) : .waits
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

    /// The actions of a request that are not complete.
    func open(_ id: ActionID) -> [CXAction] {
        actions[id]?.filter { !$0.isComplete } ?? []
    }

    /// Removes a request that has ended, and returns its actions.
    mutating func remove(_ id: ActionID) -> [CXAction] {
        actions.removeValue(forKey: id) ?? []
    }

    /// Removes everything, and returns the actions.
    mutating func removeAll() -> [CXAction] {
        defer { self = PendingTransactions() }
        return actions.values.flatMap { $0 }
    }
}

extension CXCallAction {
    /// Makes the actions for a request of the broker: one, but one for each key.
    fileprivate static func make(_ request: ActionRequest) -> [CXCallAction] {
        guard case .playDTMF(let digits, .single) = request.action, digits.count > 1 else {
            return [makeOne(request)]
        }
        return digits.map {
            CXPlayDTMFCallAction(
                call: request.call.uuid, digits: String($0), type: .singleTone)
        }
    }

    private static func makeOne(_ request: ActionRequest) -> CXCallAction {
        let call = request.call.uuid
        switch request.action {
        case .start(let start):
            let action = CXStartCallAction(call: call, handle: CXHandle(start.remote))
            action.contactIdentifier = start.contact.map { LongTexts.shared.whole($0) }
            action.isVideo = start.hasVideo
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
