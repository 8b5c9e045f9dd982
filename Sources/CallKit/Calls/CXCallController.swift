/// Asks for actions on the calls of this app's provider: what the user does in the app.
///
/// As in CallKit it is not `Sendable`: what a subclass adds is its own to guard.
open class CXCallController: NSObject {
    private let queue: DispatchQueue
    open var callObserver: CXCallObserver { observer }
    private let observer = CXCallObserver()

    /// Completions are called on a private queue.
    public convenience override init() {
        self.init(queue: DispatchQueue(label: "callkit.controller"))
    }

    /// Completions are called on `queue`.
    public init(queue: DispatchQueue) {
        self.queue = queue
    }

    /// Asks for a transaction. No error means that it was checked and will be handed to the provider,
    /// not that it was performed.
    open func request(
        _ transaction: CXTransaction, completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let queue = queue
        Self.request(transaction) { error in queue.async { completion(error) } }
    }

    /// The same.
    ///
    /// - Throws: `CXErrorCodeRequestTransactionError`.
    nonisolated(nonsending) open func request(_ transaction: CXTransaction) async throws {
        try await waitForCompletion { done in
            request(transaction, completion: done)
        }
    }

    open func requestTransaction(
        with actions: [CXAction], completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        request(CXTransaction(actions: actions), completion: completion)
    }

    nonisolated(nonsending) open func requestTransaction(with actions: [CXAction]) async throws {
        try await request(CXTransaction(actions: actions))
    }

    open func requestTransaction(
        with action: CXAction, completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        request(CXTransaction(action: action), completion: completion)
    }

    nonisolated(nonsending) open func requestTransaction(with action: CXAction) async throws {
        try await request(CXTransaction(action: action))
    }

    /// First what can be told without the broker, in CallKit's order.
    private static func request(
        _ transaction: CXTransaction, completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        typealias Refusal = CXErrorCodeRequestTransactionError
        let actions = transaction.actions.compactMap { $0 as? CXCallAction }
        guard !transaction.actions.isEmpty else {
            return completion(Refusal.refused(.emptyTransaction, "the transaction has no actions"))
        }
        guard let provider = ProviderRegistry.shared.provider(for: actions.map(\.callUUID)) else {
            return completion(
                Refusal.refused(
                    .unknownCallProvider,
                    "this app has no CXProvider: make one first, and keep it"))
        }
        guard actions.count == transaction.actions.count,
            actions.allSatisfy({ $0.action != nil })
        else {
            return completion(
                Refusal.refused(
                    .invalidAction,
                    "the transaction has an action that the broker cannot ask for: calls can be "
                        + "started, answered, ended, held, muted, grouped and sent tones"))
        }
        guard provider.allowsCalls || !actions.contains(where: { $0 is CXStartCallAction }) else {
            return completion(
                Refusal.refused(
                    .maximumCallGroupsReached,
                    "the provider's configuration has maximumCallGroups 0: no call can be started"
                ))
        }
        provider.request(actions, completion: completion)
    }
}
