/// Requests actions on the calls of this app's providers, for what the user does in the app. Calls
/// of other apps are out of reach: a request for one is refused as `unentitled`.
///
/// All members may be used from any thread. As in CallKit the class is not `Sendable`, because a
/// subclass may add state that is not.
open class CXCallController: NSObject {
    private let queue: DispatchQueue
    /// An observer of all calls of the host; the same one each time.
    open var callObserver: CXCallObserver { observer }
    private let observer = CXCallObserver()

    /// Makes a controller whose completions are called on a private queue.
    public convenience override init() {
        self.init(queue: DispatchQueue(label: "callkit.controller"))
    }

    /// Makes a controller whose completions are called on `queue`.
    public init(queue: DispatchQueue) {
        self.queue = queue
    }

    /// Requests a transaction of 1 to 8 actions. It is refused or accepted as a whole, before a
    /// provider receives it.
    ///
    /// - Parameters:
    ///   - transaction: the actions.
    ///   - completion: called on the controller's queue with nil or a
    ///     `CXErrorCodeRequestTransactionError`. Nil means that the transaction was accepted and
    ///     will be passed to the provider, not that it was performed.
    open func request(
        _ transaction: CXTransaction, completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let queue = queue
        Self.request(transaction) { error in queue.async { completion(error) } }
    }

    /// Requests a transaction, and returns when it was accepted.
    ///
    /// - Throws: `CXErrorCodeRequestTransactionError`.
    nonisolated(nonsending) open func request(_ transaction: CXTransaction) async throws {
        try await waitForCompletion { done in
            request(transaction, completion: done)
        }
    }

    /// Requests a transaction of several actions.
    ///
    /// - Parameters:
    ///   - actions: 1 to 8 actions, in their order.
    ///   - completion: as of `request(_:completion:)`.
    open func requestTransaction(
        with actions: [CXAction], completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        request(CXTransaction(actions: actions), completion: completion)
    }

    /// Requests a transaction of several actions, and returns when it was accepted.
    ///
    /// - Throws: `CXErrorCodeRequestTransactionError`.
    nonisolated(nonsending) open func requestTransaction(with actions: [CXAction]) async throws {
        try await request(CXTransaction(actions: actions))
    }

    /// Requests a transaction of one action.
    ///
    /// - Parameters:
    ///   - action: the action.
    ///   - completion: as of `request(_:completion:)`.
    open func requestTransaction(
        with action: CXAction, completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        request(CXTransaction(action: action), completion: completion)
    }

    /// Requests a transaction of one action, and returns when it was accepted.
    ///
    /// - Throws: `CXErrorCodeRequestTransactionError`.
    nonisolated(nonsending) open func requestTransaction(with action: CXAction) async throws {
        try await request(CXTransaction(action: action))
    }

    /// Checks what needs no broker, in CallKit's order, and passes the actions to their provider.
    ///
    /// - Parameter own: the provider; nil for the one that has the calls.
    static func request(
        _ transaction: CXTransaction, of own: CXProvider? = nil,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        typealias Refusal = CXErrorCodeRequestTransactionError
        let actions = transaction.actions.compactMap { $0 as? CXCallAction }
        guard !transaction.actions.isEmpty else {
            return completion(Refusal.refused(.emptyTransaction, "the transaction has no actions"))
        }
        let found = own ?? ProviderRegistry.shared.provider(for: actions.map(\.callUUID))
        guard let provider = found else {
            return completion(
                Refusal.refused(
                    .unknownCallProvider,
                    "this app has no CXProvider: make one first, and keep it alive"))
        }
        guard actions.count == transaction.actions.count,
            actions.allSatisfy({ $0.action != nil })
        else {
            return completion(
                Refusal.refused(
                    .invalidAction,
                    "the transaction has an action that the broker does not support: calls can be "
                        + "started, answered, ended, held, muted, grouped and sent tones"))
        }
        guard actions.count <= CXTransaction.actionsMax else {
            return completion(
                Refusal.refused(
                    .invalidAction,
                    "the transaction has more than \(CXTransaction.actionsMax) actions: request "
                        + "the others when it is accepted"))
        }
        guard provider.allowsCalls || !actions.contains(where: { $0 is CXStartCallAction }) else {
            return completion(
                Refusal.refused(
                    .maximumCallGroupsReached,
                    "the provider's configuration has maximumCallGroups 0: raise it to start calls"
                ))
        }
        provider.request(actions, completion: completion)
    }
}
