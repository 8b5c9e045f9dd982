internal import AVFoundation
internal import BrokerJSON
internal import CallClient
internal import CallModel
internal import CallProtocol

/// An app that has calls. Make one, keep it, and set its delegate.
///
/// It is registered with the broker when `init` returns, if a broker answers; otherwise it goes on
/// trying, reports fail, and the log says why. A lost connection is opened again with all calls; the
/// delegate hears `providerDidReset` only if the broker has lost them.
///
/// Who the app is to the broker: `CALLBROKER_IDENTITY`, else the bundle's identifier, else
/// `local.` and the program's name. Of several providers in one process the second has `.2` behind
/// it, and so on.
///
/// As in CallKit it is not `Sendable`: what a subclass adds is its own to guard.
open class CXProvider: NSObject {
    // The lock guards all that changes: whatever is done here may be done from any thread.
    private let lock = NSLock()
    private weak var delegate: (any CXProviderDelegate)?
    private var queue: DispatchQueue?
    /// What came before there was a delegate: the broker may ask as soon as `init` has registered.
    /// Nil from the first delegate on.
    private var early: [Delivery]? = []
    private var settings: CXProviderConfiguration
    private var performance = Performance()
    private var wishes = StartWishes()
    private var calls: Set<UUID> = []
    private var isRegistered = false
    private var hasToldBegin = false
    private var isOver = false
    private var link: ProviderLink?

    let identity: String
    /// Opens when the first try to register has come to something.
    private let registering = Gate()
    private let ended = Gate()
    private let fallbackQueue = DispatchQueue(label: "callkit.provider")

    public init(configuration: CXProviderConfiguration) {
        settings = configuration.copy() as? CXProviderConfiguration ?? configuration
        identity = ProviderRegistry.shared.takeIdentity()
        super.init()
        ProviderRegistry.shared.add(self)
        let tell = WeakProvider(self)
        let (registering, ended, identity) = (registering, ended, identity)
        do throws(CallError) {
            let options = ProviderRegistry.shared.options
            let link = try ProviderLink(options, identity: identity, settings.registration) {
                tell.provider?.take($0)
                switch $0 {
                case .registered: registering.open()
                case .unavailable(let error) where error.code != .alreadyExists:
                    registering.open()
                case .ended:
                    ProviderRegistry.shared.giveBack(identity)
                    registering.open()
                    ended.open()
                default: break
                }
            }
            lock.withLock { self.link = link }
            registering.wait(seconds: ProviderRegistry.shared.patience)
        } catch {
            report(error)
        }
    }

    deinit {
        AVAudioSession.sharedInstance().setGranted(false, to: self)
        link?.link.close()
    }

    /// Nil only if the system has no thread or descriptor left.
    private var port: ProviderLink? {
        lock.withLock { link }
    }

    /// Sets who does the work.
    ///
    /// - Parameters:
    ///   - delegate: held weakly.
    ///   - queue: where it is called; nil is the main queue, which must be running.
    open func setDelegate(_ delegate: (any CXProviderDelegate)?, queue: DispatchQueue?) {
        lock.withLock {
            self.delegate = delegate
            self.queue = queue
            if delegate != nil { sendEarly() }
        }
        tellBegin()
    }

    /// Once, when there is a delegate and a registration.
    private func tellBegin() {
        let isDue = lock.withLock {
            guard isRegistered, delegate != nil, !hasToldBegin else { return false }
            hasToldBegin = true
            return true
        }
        if isDue { deliver { $0.providerDidBegin($1) } }
    }

    /// What the app says of itself: a copy. Setting it tells the broker.
    open var configuration: CXProviderConfiguration {
        get {
            lock.withLock { settings.copy() as? CXProviderConfiguration ?? settings }
        }
        set {
            let copy = newValue.copy() as? CXProviderConfiguration ?? newValue
            lock.withLock { settings = copy }
            port?.update(copy.registration)
        }
    }

    /// Takes the provider away: calls that it still has end as failed, and the delegate hears nothing
    /// more. Waits until the broker knows.
    open func invalidate() {
        let (open, wasOver) = lock.withLock {
            defer { isOver = true }
            return (performance.removeAll(), isOver)
        }
        guard !wasOver else { return }
        ProviderRegistry.shared.remove(self)
        for action in open { action.end() }
        AVAudioSession.sharedInstance().setGranted(false, to: self)
        port?.unregister()
        ended.wait(seconds: ProviderRegistry.shared.patience)
    }

    /// All transactions that are not complete.
    open var pendingTransactions: [CXTransaction] {
        lock.withLock { performance.pending() }
    }

    /// The actions of a class, on a call, that are not complete.
    open func pendingCallActions(
        of callActionClass: AnyClass, withCall callUUID: UUID
    ) -> [CXCallAction] {
        lock.withLock { performance.pendingCallActions() }.filter { action in
            action.callUUID == callUUID
                && (callActionClass == CXCallAction.self || callActionClass == CXAction.self
                    || type(of: action) == callActionClass)
        }
    }

    // MARK: - Reports

    /// Somebody calls. An error means: not allowed, do not go on.
    open func reportNewIncomingCall(
        with uuid: UUID, update: CXCallUpdate,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let queue = lock.withLock { delegate == nil ? fallbackQueue : self.queue ?? .main }
        var report = update.update
        if update.remoteHandle == nil { report.remote = .set(.nobody) }
        guard let port, !lock.withLock({ isOver }) else {
            return queue.async { completion(CallError.invalidated.incomingCall) }
        }
        let isNew = lock.withLock { calls.insert(uuid).inserted }
        let handed = Handed(self)
        port.reportIncoming(CallID(uuid), report) { result in
            switch result {
            case .success: queue.async { completion(nil) }
            case .failure(let error):
                if isNew { handed.value.forget(uuid) }
                queue.async { completion(error.incomingCall) }
            }
        }
    }

    private func forget(_ call: UUID) {
        lock.withLock { _ = calls.remove(call) }
    }

    /// Somebody calls.
    ///
    /// - Throws: `CXErrorCodeIncomingCallError`: not allowed, do not go on.
    nonisolated(nonsending) open func reportNewIncomingCall(with uuid: UUID, update: CXCallUpdate)
        async throws
    {
        try await waitForCompletion { done in
            reportNewIncomingCall(with: uuid, update: update, completion: done)
        }
    }

    /// Something about the call changed.
    open func reportCall(with uuid: UUID, updated update: CXCallUpdate) {
        port?.reportUpdate(CallID(uuid), update.update)
    }

    /// The call is over, now or since then.
    open func reportCall(
        with uuid: UUID, endedAt dateEnded: Date?, reason endedReason: CXCallEndedReason
    ) {
        let reason = EndReason.allCases.first { $0.callKitNumber == endedReason.rawValue }
        forget(uuid)
        port?.reportEnded(CallID(uuid), reason ?? .failed, atMS: dateEnded?.unixMS)
    }

    /// The far end is being reached.
    open func reportOutgoingCall(with uuid: UUID, startedConnectingAt dateStartedConnecting: Date?)
    {
        port?.reportConnecting(CallID(uuid), atMS: dateStartedConnecting?.unixMS)
    }

    /// The far end answered.
    open func reportOutgoingCall(with uuid: UUID, connectedAt dateConnected: Date?) {
        port?.reportConnected(CallID(uuid), atMS: dateConnected?.unixMS)
    }

    /// For notification service extensions, which do not exist here: always refused.
    open class func reportNewIncomingVoIPPushPayload(
        _ dictionaryPayload: [AnyHashable: Any],
        completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        let error = CXErrorCodeNotificationServiceExtensionError(
            .invalidClientProcess,
            userInfo: [
                NSLocalizedDescriptionKey:
                    "there are no notification service extensions on this host: report the call "
                    + "with reportNewIncomingCall(with:update:completion:)"
            ])
        DispatchQueue.global().async { completion?(error) }
    }

    /// The same; always throws.
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

    /// Asks the broker for actions on calls of this provider.
    func request(
        _ actions: [CXCallAction], completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        if !answersWish(actions, completion: completion) { send(actions, completion: completion) }
    }

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
            performance.willRequest(actions, as: transaction)
            return starts.filter { calls.insert($0).inserted }
        }
        let handed = Handed(self)
        port.link.request(.request, { $0.members(requested, options) }) { result in
            guard case .failure(let error) = result else { return completion(nil) }
            handed.value.didNotRequest(transaction)
            for call in new { handed.value.forget(call) }
            completion(error.requestTransaction)
        }
    }

    /// The app's own action is what the broker asks for.
    func willPerform(_ start: CXStartCallAction, for request: ActionRequest) {
        lock.withLock { performance.willRequest([start], as: request.transaction) }
    }

    func withWishes<Result>(_ body: (inout StartWishes) -> Result) -> Result {
        lock.withLock { body(&wishes) }
    }

    /// A start or an answer that fails ends its call.
    func settle(_ request: ActionRequest, _ outcome: ActionOutcome) {
        let kind = request.action.kind
        if case .failed = outcome, kind == .start || kind == .answer { forget(request.call.uuid) }
        port?.settle(request.id, outcome)
    }

    func reportUpdate(of call: CallID, _ update: CallUpdate) {
        port?.reportUpdate(call, update)
    }

    private func didNotRequest(_ transaction: TransactionID) {
        lock.withLock { performance.didNotRequest(transaction) }
    }

    // MARK: - What happens; on the link's thread

    private func take(_ event: ProviderEvent) {
        switch event {
        case .registered(let dropped): registered(dropped)
        case .unavailable(let error): if !lock.withLock({ isRegistered }) { report(error) }
        case .ended(let error): over(error)
        case .lost, .presentationChanged: break
        case .offered(let transaction, let requests):
            if hasWishes(requests) {
                port?.decide(transaction, isTaken: false)
            } else {
                execute(transaction, requests)
            }
        case .asked(let request): if !takesAsWish(request) { perform(request) }
        case .withdrawn(let id): withdrawn(id)
        case .timedOut(let id): timedOut(id)
        case .audioActivated: audio(true)
        case .audioDeactivated: audio(false)
        case .reset: reset()
        }
    }

    private func registered(_ dropped: [CallID]) {
        lock.withLock {
            isRegistered = true
            for call in dropped { calls.remove(call.uuid) }
        }
        tellBegin()
        // The broker has no place for them: they end like any other.
        for call in dropped where !withWishes({ $0.forget(call) }) {
            perform(CXEndCallAction(call: call.uuid))
        }
    }

    private func withdrawn(_ id: ActionID) {
        lock.withLock {
            wishes.drop(id)
            return performance.action(id)
        }?.end()
    }

    private func perform(_ local: CXEndCallAction) {
        local.begin(deadlineMS: 5_000) { _ in }
        let handed = Handed(local)
        deliver { $0.perform(handed.value, for: $1) }
    }

    private func execute(_ id: TransactionID, _ requests: [ActionRequest]) {
        note(requests)
        let (port, here) = (port, WeakProvider(self))
        let handed = Handed(
            lock.withLock { performance.add(id, requests) { here.provider?.settle($0, $1) } })
        deliver { delegate, provider in
            port?.decide(id, isTaken: delegate.provider(provider, execute: handed.value))
        } otherwise: {
            port?.decide(id, isTaken: false)
        }
    }

    func perform(_ request: ActionRequest) {
        note([request])
        let here = WeakProvider(self)
        let (transaction, action) = lock.withLock {
            performance.add(request) { here.provider?.settle($0, $1) }
        }
        let handed = Handed((transaction, action))
        deliver { delegate, provider in
            let (transaction, action) = handed.value
            // It was not offered: a single action, or one that is asked for again.
            if let transaction, delegate.provider(provider, execute: transaction) { return }
            if !action.isComplete { delegate.perform(action, for: provider) }
        } otherwise: {
            handed.value.1.fail()
        }
    }

    /// Which calls are ours: those that are to be started, until they are to be ended.
    private func note(_ requests: [ActionRequest]) {
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

    private func timedOut(_ id: ActionID) {
        let late = lock.withLock {
            wishes.drop(id)
            return performance.remove(id)
        }
        guard let action = late, action.end() else { return }
        let handed = Handed(action)
        deliver { $0.provider($1, timedOutPerforming: handed.value) }
    }

    private func audio(_ isActive: Bool) {
        let here = WeakProvider(self)
        deliver { delegate, provider in
            let session = AVAudioSession.sharedInstance()
            provider.setGranted(isActive)
            if isActive {
                delegate.provider(provider, didActivate: session)
            } else {
                delegate.provider(provider, didDeactivate: session)
            }
        } otherwise: {
            here.provider?.setGranted(isActive)
        }
    }

    /// A provider that is over has no audio, whatever was on its way to its delegate.
    private func setGranted(_ isActive: Bool) {
        let isGranted = isActive && !lock.withLock { isOver }
        AVAudioSession.sharedInstance().setGranted(isGranted, to: self)
    }

    private func reset() {
        let open = lock.withLock {
            (calls, wishes) = ([], StartWishes())
            return performance.removeAll()
        }
        for action in open { action.end() }
        deliver { $0.providerDidReset($1) }
    }

    /// The broker has closed the session for good.
    private func over(_ error: CallError?) {
        guard !lock.withLock({ isOver }) else { return }
        ProviderRegistry.shared.remove(self)
        if let error {
            NSLog("CXProvider %@ is over: %@. Make another one.", identity, error.message)
        }
        reset()
    }

    /// Calls the delegate on its queue, unless the provider is over or has none.
    private func deliver(
        _ body: @escaping @Sendable (any CXProviderDelegate, CXProvider) -> Void,
        otherwise: @escaping @Sendable () -> Void = {}
    ) {
        let delivery = Delivery(body: body, otherwise: otherwise)
        lock.withLock {
            if early == nil { send(delivery) } else { early?.append(delivery) }
        }
    }

    /// With the lock, so that nothing that comes later is earlier on the queue.
    private func send(_ delivery: Delivery) {
        let queue = queue ?? (delegate == nil ? fallbackQueue : .main)
        let here = WeakProvider(self)
        queue.async {
            guard let provider = here.provider, let delegate = provider.listener else {
                return delivery.otherwise()
            }
            delivery.body(delegate, provider)
        }
    }

    /// Who hears of things, as long as the provider is not over.
    private var listener: (any CXProviderDelegate)? {
        lock.withLock { isOver ? nil : delegate }
    }

    /// With the lock.
    private func sendEarly() {
        let waiting = early ?? []
        early = nil
        for delivery in waiting { send(delivery) }
    }

    private func report(_ error: CallError) {
        NSLog(
            "CXProvider %@ is not registered: %@. %@", identity, error.message,
            error.hint ?? "It tries again by itself; start a broker with: callbroker serve")
    }
}
