internal import BrokerJSON
internal import BrokerSocket
public import CallModel
internal import CallProtocol
internal import Synchronization

/// An app that owns calls: it reports what happens to them, and its delegate does what is asked for.
///
/// As a `CallRequesting` it speaks for the app: it reaches its own calls, and others can be held for
/// it, never ended. What the user does in the app itself is asked for with these verbs: `end` to
/// hang up or decline.
///
/// A lost connection is opened again, and the calls go on: the provider knows from its reports and
/// actions which it has, and names them. Where the broker has no place for one, the delegate hears.
public final class CallProvider: CallRequesting {
    /// How an incoming call is presented.
    public struct Presentation: Hashable, Sendable {
        /// Ringing, or waiting behind another call.
        public let state: CallState
        /// What the app may sound.
        public let sound: Sound

        public enum Sound: String, Sendable {
            /// It rings.
            case ring
            /// Somebody talks already: a short tone at most.
            case tone
            case silent
        }

        /// It rings aloud.
        public var isAudible: Bool {
            sound == .ring
        }
    }

    private let port: ProviderLink
    private let delegate: WeakDelegate
    /// What is under way; nil for what has only just begun.
    private let tasks = Mutex<[ActionID: Task<Void, Never>?]>([:])

    /// Opens a session and registers.
    ///
    /// - Parameters:
    ///   - identity: a stable reverse-domain name such as `org.example.phone`.
    ///   - delegate: held weakly.
    /// - Throws: `CallError` if no broker answers, or it refuses: `alreadyExists` while another
    ///   process has the identity.
    public init(
        identity: String, _ configuration: ProviderConfiguration,
        delegate: any CallProviderDelegate, _ options: ClientOptions = ClientOptions()
    ) async throws(CallError) {
        var configuration = configuration
        configuration.takesTransactions = false
        let opening = Opening()
        let (events, queue) = AsyncStream.makeStream(of: ProviderEvent.self)
        self.delegate = WeakDelegate(delegate)
        port = try ProviderLink(options, identity: identity, configuration) { event in
            opening.settle(event)
            queue.yield(event)
            if case .ended = event { queue.finish() }
        }
        Task { [weak self] in
            for await event in events { await self?.take(event) }
        }
        try await opening.value().get()
    }

    deinit {
        port.link.close()
    }

    /// Takes the provider away: calls that it still has end as failed.
    public func close() {
        port.unregister()
    }

    // MARK: - Asking

    public func request(
        _ actions: [RequestedAction], _ options: RequestOptions = RequestOptions()
    ) async throws(CallError) -> TransactionOutcome {
        try await port.link.request(.request, { $0.members(actions, options) }) {
            TransactionOutcome($0)
        }
    }

    // MARK: - Reporting

    /// Fulfils an action before its delegate's method returns, or as done at another time than now.
    /// What the method does afterwards, and whether it throws, changes nothing.
    ///
    /// - Parameter atMS: Unix time in milliseconds; nil is now. Of an answer it is when both sides
    ///   could talk, of an end when it was over; of other actions nobody keeps it. One that cannot
    ///   be, before the call came or in the future, counts as now.
    public func fulfil(_ request: ActionRequest, atMS: Int64? = nil) {
        port.settle(request.id, .fulfilled(atMS: atMS))
    }

    /// Somebody calls. The update says who, in `remote`.
    ///
    /// - Throws: `CallError`: `filtered`, `limitReached` or `invalidState` if it is not to ring;
    ///   then end it.
    @discardableResult
    public func reportIncoming(
        _ call: CallID, _ update: CallUpdate
    ) async throws(CallError) -> Presentation {
        try await answer {
            port.reportIncoming(call, update, then: $0)
        } read: { result in
            CallState(result["state"]).map { state in
                let sound = Presentation.Sound(rawValue: result["presentation"]?.string ?? "")
                return Presentation(state: state, sound: sound ?? .silent)
            }
        }
    }

    /// Something about the call changed.
    public func reportUpdate(_ call: CallID, _ update: CallUpdate) async throws(CallError) {
        try await answer { port.reportUpdate(call, update, then: $0) }
    }

    /// The call is being connected, now or at this Unix time in milliseconds.
    public func reportConnecting(_ call: CallID, atMS: Int64? = nil) async throws(CallError) {
        try await answer { port.reportConnecting(call, atMS: atMS, then: $0) }
    }

    /// The far end answered; or the user did, in the app itself.
    public func reportConnected(_ call: CallID, atMS: Int64? = nil) async throws(CallError) {
        try await answer { port.reportConnected(call, atMS: atMS, then: $0) }
    }

    /// The app held or resumed by itself.
    public func reportHeld(
        _ call: CallID, _ isHeld: Bool, atMS: Int64? = nil
    ) async throws(CallError) {
        try await answer { port.reportHeld(call, isHeld, atMS: atMS, then: $0) }
    }

    /// The app muted or unmuted by itself.
    public func reportMuted(
        _ call: CallID, _ isMuted: Bool, atMS: Int64? = nil
    ) async throws(CallError) {
        try await answer { port.reportMuted(call, isMuted, atMS: atMS, then: $0) }
    }

    /// The app grouped by itself, or with nil split.
    public func reportGroup(
        _ call: CallID, with other: CallID?, atMS: Int64? = nil
    ) async throws(CallError) {
        try await answer { port.reportGroup(call, with: other, atMS: atMS, then: $0) }
    }

    /// The call is over, and not because anybody here wanted it: one of the reasons that are
    /// reportable.
    public func reportEnded(
        _ call: CallID, _ reason: EndReason, atMS: Int64? = nil
    ) async throws(CallError) {
        try await answer { port.reportEnded(call, reason, atMS: atMS, then: $0) }
    }

    /// Changes what the provider said of itself.
    public func update(_ configuration: ProviderConfiguration) async throws(CallError) {
        var configuration = configuration
        configuration.takesTransactions = false
        try await answer { port.update(configuration, then: $0) }
    }

    private func answer(_ ask: (@escaping Link.Then) -> Void) async throws(CallError) {
        try await answer(ask) { _ in () }
    }

    private func answer<Value: Sendable>(
        _ ask: (@escaping Link.Then) -> Void, read: @escaping @Sendable (JSONValue) -> Value?
    ) async throws(CallError) -> Value {
        let reply = Promise<Result<Value, CallError>>()
        ask { reply.settle($0.read(as: "a report", read)) }
        return try await reply.value().get()
    }

    // MARK: - What happens

    private func take(_ event: ProviderEvent) async {
        let delegate = delegate.value
        switch event {
        case .registered(let dropped):
            await delegate?.provider(self, isConnected: true)
            if !dropped.isEmpty { await delegate?.provider(self, didDrop: dropped) }
        case .lost: await delegate?.provider(self, isConnected: false)
        case .offered(let transaction, _): port.decide(transaction, isTaken: false)
        case .asked(let request): begin(request)
        case .withdrawn(let action), .timedOut(let action): task(of: action)?.cancel()
        case .audioActivated(let group, let calls):
            await delegate?.provider(self, didActivateAudioFor: group, calls: calls)
        case .audioDeactivated(let group, let calls):
            await delegate?.provider(self, didDeactivateAudioFor: group, calls: calls)
        case .presentationChanged(let call, let word):
            let sound = Presentation.Sound(rawValue: word) ?? .silent
            await delegate?.provider(self, call: call, didChangeSoundTo: sound)
        case .reset: await delegate?.providerDidReset(self)
        case .unavailable, .ended: break
        }
    }

    private func task(of action: ActionID) -> Task<Void, Never>? {
        tasks.withLock { $0[action] ?? nil }
    }

    /// Begins at once, on this thread, so that actions begin in their order.
    private func begin(_ request: ActionRequest) {
        tasks.withLock { $0[request.id] = .some(nil) }
        let task = Task.immediate { [self] in
            let outcome = await outcome(of: request)
            port.settle(request.id, outcome)
            tasks.withLock { _ = $0.removeValue(forKey: request.id) }
        }
        tasks.withLock { tasks in
            // Unless it is done already.
            if tasks.keys.contains(request.id) { tasks[request.id] = .some(task) }
        }
    }

    private func outcome(of request: ActionRequest) async -> ActionOutcome {
        do {
            try await perform(request)
            return .fulfilled(atMS: nil)
        } catch ActionFailure.unsupported {
            return .unsupported
        } catch ActionFailure.refused(let reason) {
            return .failed(reason: reason)
        } catch is CancellationError {
            return .failed(reason: "cancelled")
        } catch {
            return .failed(reason: "internal")
        }
    }

    private func perform(_ request: ActionRequest) async throws {
        guard let delegate = delegate.value else { throw ActionFailure.unsupported }
        switch request.action {
        case .start(let start): try await delegate.provider(self, start: start, request)
        case .answer: try await delegate.provider(self, answer: request)
        case .end: try await delegate.provider(self, end: request)
        case .setHeld(let isHeld): try await delegate.provider(self, setHeld: isHeld, request)
        case .setMuted(let isMuted): try await delegate.provider(self, setMuted: isMuted, request)
        case .setGroup(let other): try await delegate.provider(self, setGroup: other, request)
        case .playDTMF(let digits, let style):
            try await delegate.provider(self, playDTMF: digits, style, request)
        }
    }
}

extension Opening {
    fileprivate func settle(_ event: ProviderEvent) {
        switch event {
        case .registered: settle(.success(()))
        case .unavailable(let error): settle(.failure(error))
        case .ended(let error): settle(.failure(error ?? .closed))
        default: break
        }
    }
}

private final class WeakDelegate: Sendable {
    private struct Box {
        weak var value: (any CallProviderDelegate)?
    }

    private let box: Mutex<Box>

    init(_ value: any CallProviderDelegate) {
        box = Mutex(Box(value: value))
    }

    var value: (any CallProviderDelegate)? {
        box.withLock { $0.value }
    }
}
