internal import AVFoundation
internal import BrokerJSON
internal import CallClient
internal import CallModel
internal import CallProtocol

/// The app's registration as an owner of calls: it reports what happens to them, and its delegate
/// performs the actions on them. Make one, keep it alive, and set its delegate.
///
/// The provider is registered with the broker when `init` returns, if a broker answers. Otherwise
/// it keeps trying; meanwhile reports fail, and the log states the reason. A lost connection is
/// opened again with all calls; the delegate receives `providerDidReset` only if the broker has
/// lost them.
///
/// The identity of the app for the broker is `CALLBROKER_IDENTITY`, or the bundle's identifier, or
/// `local.` and the name of the process, whichever is set first. If a process has several
/// providers, `.2` is appended to the identity of the second, and so on.
///
/// All members may be used from any thread. As in CallKit the class is not `Sendable`, because a
/// subclass may add state that is not.
open class CXProvider: NSObject {
    // The lock guards all mutable state, so every member may be used from any thread.
    private let lock = NSLock()
    private weak var delegate: (any CXProviderDelegate)?
    private var queue: DispatchQueue?
    /// Deliveries that wait for a delegate: the broker may request actions as soon as `init` has
    /// registered. Nil once a delegate was set.
    private var early: [Delivery]? = []
    private var settings: CXProviderConfiguration
    private var transactions = PendingTransactions()
    private var startIntents = PendingStartIntents()
    private var calls: Set<UUID> = []
    private var isRegistered = false
    private var hasSentBegin = false
    private var isOver = false
    private var link: ProviderLink?

    let identity: String
    private let log: OutageLog
    /// Opens when the first attempt to register has succeeded or failed.
    private let registering = Gate()
    private let ended = Gate()
    private let fallbackQueue = DispatchQueue(label: "callkit.provider")

    /// Registers the app, and waits up to 5 s for the broker's answer. Never fails: without a
    /// broker the provider keeps trying in the background.
    public init(configuration: CXProviderConfiguration) {
        settings = configuration.copy() as? CXProviderConfiguration ?? configuration
        identity = ProviderRegistry.shared.reserveIdentity()
        log = OutageLog(identity)
        super.init()
        ProviderRegistry.shared.add(self)
        let weakSelf = WeakProvider(self)
        let (registering, ended, identity) = (registering, ended, identity)
        do throws(CallError) {
            let registration = settings.registration(of: identity)
            let link = try AppSession.shared.open(identity: identity, registration) {
                weakSelf.provider?.receive($0)
                switch $0 {
                case .registered: registering.open()
                case .unavailable(let error) where error.code != .alreadyExists:
                    registering.open()
                case .ended:
                    ProviderRegistry.shared.releaseIdentity(identity)
                    registering.open()
                    ended.open()
                default: break
                }
            }
            lock.withLock { self.link = link }
            registering.wait(seconds: ProviderRegistry.shared.patience)
        } catch {
            log.unavailable(error)
        }
    }

    deinit {
        AVAudioSession.sharedInstance().setGranted(false, to: self)
        link?.link.close()
    }

    /// The connection; nil only if the system had no thread or descriptor left.
    var port: ProviderLink? {
        lock.withLock { link }
    }

    /// Sets the delegate that performs actions. Events from before the first delegate was set are
    /// delivered to it then.
    ///
    /// - Parameters:
    ///   - delegate: held weakly.
    ///   - queue: the serial queue on which the delegate is called; nil stands for the main queue,
    ///     which must be running.
    open func setDelegate(_ delegate: (any CXProviderDelegate)?, queue: DispatchQueue?) {
        lock.withLock {
            self.delegate = delegate
            self.queue = queue
            if delegate != nil { sendEarly() }
        }
        sendBegin()
    }

    /// Sends `providerDidBegin` once, when there are a delegate and a registration.
    private func sendBegin() {
        let isDue = lock.withLock {
            guard isRegistered, delegate != nil, !hasSentBegin else { return false }
            hasSentBegin = true
            return true
        }
        if isDue { deliver { $0.providerDidBegin($1) } }
    }

    /// A copy of the provider's configuration. Setting it sends the new one to the broker.
    open var configuration: CXProviderConfiguration {
        get {
            lock.withLock { settings.copy() as? CXProviderConfiguration ?? settings }
        }
        set {
            let copy = newValue.copy() as? CXProviderConfiguration ?? newValue
            lock.withLock { settings = copy }
            if let port { AppSession.shared.update(port, copy.registration(of: identity)) }
        }
    }

    /// Unregisters the provider: its remaining calls end as failed, and the delegate is not called
    /// again. Waits up to 5 s for the broker to confirm. An invalidated provider cannot be used
    /// again.
    open func invalidate() {
        let (open, wasOver) = lock.withLock {
            defer { isOver = true }
            return (transactions.removeAll(), isOver)
        }
        guard !wasOver else { return }
        ProviderRegistry.shared.remove(self)
        for action in open { action.end() }
        AVAudioSession.sharedInstance().setGranted(false, to: self)
        port?.unregister()
        ended.wait(seconds: ProviderRegistry.shared.patience)
    }

    /// The transactions that the delegate received and that are not complete, oldest first.
    open var pendingTransactions: [CXTransaction] {
        lock.withLock { transactions.pending() }
    }

    /// Returns the actions on a call that are not complete.
    ///
    /// - Parameters:
    ///   - callActionClass: the exact class of the actions; `CXCallAction` and `CXAction` stand for
    ///     all.
    ///   - callUUID: the id of the call.
    open func pendingCallActions(
        of callActionClass: AnyClass, withCall callUUID: UUID
    ) -> [CXCallAction] {
        lock.withLock { transactions.pendingCallActions() }.filter { action in
            action.callUUID == callUUID
                && (callActionClass == CXCallAction.self || callActionClass == CXAction.self
                    || type(of: action) == callActionClass)
        }
    }

    // MARK: - Reports

    /// Reports an incoming call. The broker decides whether it rings; an error means that it must
    /// not, and that the app drops the call.
    ///
    /// - Parameters:
    ///   - uuid: an id that the app chooses for the call.
    ///   - update: the caller and the properties of the call. Without a caller it is shown as
    ///     unknown.
    ///   - completion: called with nil or a `CXErrorCodeIncomingCallError`, on the delegate's queue
    ///     if there is a delegate, otherwise on a private one.
    open func reportNewIncomingCall(
        with uuid: UUID, update: CXCallUpdate,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let queue = lock.withLock { delegate == nil ? fallbackQueue : self.queue ?? .main }
        var report = update.update
        if update.remoteHandle == nil { report.remote = .set(.unknownCaller) }
        guard let port, !lock.withLock({ isOver }) else {
            return queue.async { completion(CallError.invalidated.incomingCall) }
        }
        let isNew = lock.withLock { calls.insert(uuid).inserted }
        let transferred = Transferred(self)
        port.reportIncoming(CallID(uuid), report) { result in
            switch result {
            case .success: queue.async { completion(nil) }
            case .failure(let error):
                if isNew { transferred.value.forget(uuid) }
                queue.async { completion(error.incomingCall) }
            }
        }
    }

    private func forget(_ call: UUID) {
        lock.withLock { _ = calls.remove(call) }
    }

    /// Reports an incoming call, and returns when it may ring.
    ///
    /// - Throws: `CXErrorCodeIncomingCallError` if it must not; then drop the call.
    nonisolated(nonsending) open func reportNewIncomingCall(with uuid: UUID, update: CXCallUpdate)
        async throws
    {
        try await waitForCompletion { done in
            reportNewIncomingCall(with: uuid, update: update, completion: done)
        }
    }

    /// Reports changed properties of a call. A call that is not this provider's is ignored.
    open func reportCall(with uuid: UUID, updated update: CXCallUpdate) {
        port?.reportUpdate(CallID(uuid), update.update)
    }

    /// Reports that a call ended without an action of the user on this host. Its pending actions
    /// complete, and no end action follows. A call that is not this provider's is ignored.
    ///
    /// - Parameters:
    ///   - uuid: the call.
    ///   - dateEnded: the time of the end; nil, or an impossible time, stands for now.
    ///   - endedReason: the reason, which the history shows.
    open func reportCall(
        with uuid: UUID, endedAt dateEnded: Date?, reason endedReason: CXCallEndedReason
    ) {
        let reason = EndReason.allCases.first { $0.callKitNumber == endedReason.rawValue }
        forget(uuid)
        port?.reportEnded(CallID(uuid), reason ?? .failed, atMS: dateEnded?.unixMS)
    }

    /// Reports that an outgoing call is connecting. A call that is not this provider's is ignored.
    ///
    /// - Parameters:
    ///   - uuid: the call.
    ///   - dateStartedConnecting: nil, or an impossible time, stands for now.
    open func reportOutgoingCall(with uuid: UUID, startedConnectingAt dateStartedConnecting: Date?)
    {
        port?.reportConnecting(CallID(uuid), atMS: dateStartedConnecting?.unixMS)
    }

    /// Reports that the other side answered an outgoing call, whose duration counts from then. A
    /// call that is not this provider's is ignored.
    ///
    /// - Parameters:
    ///   - uuid: the call.
    ///   - dateConnected: nil, or an impossible time, stands for now.
    open func reportOutgoingCall(with uuid: UUID, connectedAt dateConnected: Date?) {
        port?.reportConnected(CallID(uuid), atMS: dateConnected?.unixMS)
    }

    /// Always refused, because this host has no notification service extensions.
    ///
    /// - Parameters:
    ///   - dictionaryPayload: ignored.
    ///   - completion: called with `CXErrorCodeNotificationServiceExtensionError` and the code
    ///     `invalidClientProcess`, on a global queue.
    open class func reportNewIncomingVoIPPushPayload(
        _ dictionaryPayload: [AnyHashable: Any],
        completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        let error = CXErrorCodeNotificationServiceExtensionError(
            .invalidClientProcess,
            userInfo: [
                NSLocalizedDescriptionKey:
                    "this host has no notification service extensions: report the call with "
                    + "reportNewIncomingCall(with:update:completion:)"
            ])
        DispatchQueue.global().async { completion?(error) }
    }

    /// Always refused, because this host has no notification service extensions.
    ///
    /// - Throws: `CXErrorCodeNotificationServiceExtensionError` with the code
    ///   `invalidClientProcess`.
    open class func reportNewIncomingVoIPPushPayload(
        _ dictionaryPayload: [AnyHashable: Any]
    ) async throws {
        try await waitForCompletion { done in
            reportNewIncomingVoIPPushPayload(dictionaryPayload, completion: done)
        }
    }

    // MARK: - For the controller

    func hasCall(_ call: UUID) -> Bool {
        lock.withLock { calls.contains(call) }
    }

    var allowsCalls: Bool {
        lock.withLock { settings.maximumCallGroups > 0 }
    }

    /// Requests actions on calls of this provider. A start may adopt a call that the user requested
    /// outside the app.
    func request(
        _ actions: [CXCallAction], completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        if !adoptsStartIntent(actions, completion: completion) {
            send(actions, completion: completion)
        }
    }

    /// Sends a transaction to the broker.
    func send(
        _ actions: [CXCallAction], completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        guard let port, !lock.withLock({ isOver }) else {
            return completion(CallError.invalidated.requestTransaction)
        }
        var options = RequestOptions()
        let transaction = TransactionID(.random())
        options.transaction = transaction
        let identity = ProviderID(identity)
        let requested = actions.compactMap { action in
            action.action.map {
                RequestedAction(
                    $0, call: CallID(action.callUUID), provider: $0.kind == .start ? identity : nil)
            }
        }
        let starts = actions.filter { $0 is CXStartCallAction }.map(\.callUUID)
        let new = lock.withLock {
            transactions.willRequest(actions, as: transaction)
            return starts.filter { calls.insert($0).inserted }
        }
        let transferred = Transferred(self)
        port.link.request(.request, { $0.members(requested, options) }) { result in
            guard case .failure(let error) = result else { return completion(nil) }
            transferred.value.requestFailed(transaction)
            for call in new { transferred.value.forget(call) }
            completion(error.requestTransaction)
        }
    }

    /// Makes the app's own action the one that is performed for a request of the broker.
    func willPerform(_ start: CXStartCallAction, for request: ActionRequest) {
        lock.withLock { transactions.willRequest([start], as: request.transaction) }
    }

    func withTransactions<Result>(_ body: (inout PendingTransactions) -> Result) -> Result {
        lock.withLock { body(&transactions) }
    }

    func withStartIntents<Result>(_ body: (inout PendingStartIntents) -> Result) -> Result {
        lock.withLock { body(&startIntents) }
    }

    /// Sends the outcome of an action, or passes the next one of its request to the delegate. A
    /// start or an answer that fails ends its call.
    func settle(_ request: ActionRequest, _ outcome: ActionOutcome) {
        switch withTransactions({ $0.progress(of: request, outcome) }) {
        case .isComplete: break
        case .waits: return
        case .continues(let next):
            next.renew(deadlineMS: request.deadlineMS)
            port?.extend(request.id, byMS: request.deadlineMS)
            return perform(next)
        }
        let kind = request.action.kind
        if case .failed = outcome, kind == .start || kind == .answer { forget(request.call.uuid) }
        port?.settle(request.id, outcome)
    }

    func reportUpdate(of call: CallID, _ update: CallUpdate) {
        port?.reportUpdate(call, update)
    }

    private func requestFailed(_ transaction: TransactionID) {
        lock.withLock { transactions.requestFailed(transaction) }
    }

    // MARK: - Events, on the link's thread

    private func receive(_ event: ProviderEvent) {
        switch event {
        case .registered(let dropped): registered(dropped)
        case .unavailable(let error): log.unavailable(error)
        case .lost: if !lock.withLock({ isOver }) { log.lost() }
        case .ended(let error): sessionEnded(error)
        // CallKit's apps learn that they are denied from their requests, which fail.
        case .presentationChanged, .authorizationChanged: break
        case .pushTokenChanged, .pushUnreported: break
        case .offered(let transaction, let requests):
            if includesStartIntent(requests) {
                port?.decide(transaction, isTaken: false)
            } else {
                execute(transaction, requests)
            }
        case .requested(let request): if !handlesAsStartIntent(request) { perform(request) }
        case .withdrawn(let id): withdrawn(id)
        case .timedOut(let id): timedOut(id)
        case .audioActivated: audioChanged(true)
        case .audioDeactivated: audioChanged(false)
        // CallKit has no lines, no text and no participants; pushes are the app session's.
        case .requestedOfApp(let request):
            port?.settle(request: request.number, .unsupported)
        case .reset: reset()
        }
    }

    private func registered(_ dropped: [CallID]) {
        log.registered()
        lock.withLock {
            isRegistered = true
            for call in dropped { calls.remove(call.uuid) }
        }
        sendBegin()
        // The broker did not accept these calls back: they end like any other.
        for call in dropped where !withStartIntents({ $0.forget(call) }) {
            perform(CXEndCallAction(call: call.uuid))
        }
    }

    /// Updates the set of this provider's calls: a call belongs to it from the request to start it
    /// until the request to end it.
    func updateCalls(for requests: [ActionRequest]) {
        lock.withLock {
            for request in requests {
                if request.action == .end {
                    calls.remove(request.call.uuid)
                } else {
                    calls.insert(request.call.uuid)
                }
            }
        }
    }

    /// Records the audio grant. An invalidated provider gets none, also if an activation was still
    /// on its way to the delegate.
    func setGranted(_ isActive: Bool) {
        let isGranted = isActive && !lock.withLock { isOver }
        AVAudioSession.sharedInstance().setGranted(isGranted, to: self)
    }

    private func reset() {
        let open = lock.withLock {
            (calls, startIntents) = ([], PendingStartIntents())
            return transactions.removeAll()
        }
        for action in open { action.end() }
        deliver { $0.providerDidReset($1) }
    }

    /// Resets the provider, because the broker has closed its session for good.
    private func sessionEnded(_ error: CallError?) {
        guard !lock.withLock({ isOver }) else { return }
        ProviderRegistry.shared.remove(self)
        if let error {
            NSLog(
                "CXProvider %@ has ended: %@. Make a new provider to report calls again.", identity,
                error.message)
        }
        reset()
    }

    /// Calls the delegate on its queue, or `otherwise` if the provider is invalidated or has no
    /// delegate.
    func deliver(
        _ body: @escaping @Sendable (any CXProviderDelegate, CXProvider) -> Void,
        otherwise: @escaping @Sendable () -> Void = {}
    ) {
        let delivery = Delivery(body: body, otherwise: otherwise)
        lock.withLock {
            if early == nil { send(delivery) } else { early?.append(delivery) }
        }
    }

    /// Puts a delivery on the queue. Call it with the lock held, so that deliveries keep their
    /// order.
    private func send(_ delivery: Delivery) {
        let queue = queue ?? (delegate == nil ? fallbackQueue : .main)
        let weakSelf = WeakProvider(self)
        queue.async {
            guard let provider = weakSelf.provider, let delegate = provider.activeDelegate else {
                return delivery.otherwise()
            }
            delivery.body(delegate, provider)
        }
    }

    /// The delegate, unless the provider was invalidated.
    private var activeDelegate: (any CXProviderDelegate)? {
        lock.withLock { isOver ? nil : delegate }
    }

    /// Delivers what waited for a delegate. Call it with the lock held.
    private func sendEarly() {
        let waiting = early ?? []
        early = nil
        for delivery in waiting { send(delivery) }
    }
}
