internal import BrokerJSON
internal import BrokerSocket
public import CallModel
internal import CallProtocol
internal import Synchronization

/// The registration of an app that has calls: the app reports what happens to them, and its
/// delegate performs the requested actions.
///
/// As a `CallRequesting` it acts for the app: it can change its own calls, and calls of other apps
/// can be held for it but not ended. Use its methods for actions of the user in the app itself,
/// such as `end` to hang up or decline.
///
/// A lost connection is opened again, and the calls continue: the provider keeps track of them by
/// its reports and actions, and lists them when it registers again. If the broker does not accept
/// one, the delegate receives `didDrop`.
public final class CallProvider: CallRequesting {
    /// The presentation of an incoming call.
    public struct Presentation: Hashable, Sendable {
        /// The state of the call: ringing, or waiting behind another one.
        public let state: CallState
        /// The sound that the app may play.
        public let sound: Sound

        /// A sound for an incoming call. Raw values are the words of the wire.
        public enum Sound: String, Sendable {
            /// The ringtone.
            case ring
            /// A short tone at most, because the user is in a call.
            case tone
            /// No sound.
            case silent
        }

        /// True if the app plays its ringtone.
        public var isAudible: Bool {
            sound == .ring
        }
    }

    /// The user's decision whether an app may have calls.
    public enum Authorization: String, Sendable {
        /// The user has not decided yet; reports and starts of calls fail.
        case notDetermined = "not_determined"
        /// The app may have calls.
        case authorized
        /// Reports and starts of calls fail, and the app's calls have ended.
        case denied
    }

    private let link: ProviderLink
    /// Returns the delegate, which is held weakly.
    private let delegate: @Sendable () -> (any CallProviderDelegate)?
    /// The actions in progress; nil for one whose task is just being created.
    private let tasks = Mutex<[ActionID: Task<Void, Never>?]>([:])

    /// Opens a session and registers the app.
    ///
    /// - Parameters:
    ///   - identity: a stable reverse-domain name such as `org.example.phone`.
    ///   - configuration: the name, the limits and the abilities of the app.
    ///   - delegate: performs actions; held weakly.
    ///   - options: the broker's socket, and how lost sessions are opened again.
    /// - Throws: `CallError` if no broker answers or the broker refuses the session:
    ///   `alreadyExists` while another process has the identity.
    public init(
        identity: String, _ configuration: ProviderConfiguration,
        delegate: any CallProviderDelegate, _ options: ClientOptions = ClientOptions()
    ) async throws(CallError) {
        var configuration = configuration
        configuration.takesTransactions = false
        let opening = Opening()
        let (events, queue) = AsyncStream.makeStream(of: ProviderEvent.self)
        self.delegate = { [weak delegate] in delegate }
        link = try ProviderLink(options, identity: identity, configuration) { event in
            opening.settle(event)
            queue.yield(event)
            if case .ended = event { queue.finish() }
        }
        Task { [weak self] in
            for await event in events { await self?.receive(event) }
        }
        try await opening.value().get()
    }

    deinit {
        link.link.close()
    }

    /// Unregisters the app and ends the session. Its remaining calls end as failed.
    public func close() {
        link.unregister()
    }

    // MARK: - Requests

    /// Has the user asked whether the app may have calls, where the host's policy asks about new
    /// apps. Until the user allows it, reports and starts of calls fail.
    ///
    /// - Returns: true if the user is being asked; false if that is decided, or was put off less than
    ///   ten minutes ago.
    /// - Throws: `CallError`, if there is no broker.
    public func requestAuthorization() async throws(CallError) -> Bool {
        try await link.link.request(.requestAuthorization) { $0["asked"]?.boolean }
    }

    /// Requests 1 to 8 actions, which are performed in order or refused as a whole.
    ///
    /// - Throws: `CallError`, as of `CallRequesting.request(_:_:)`.
    public func request(
        _ actions: [RequestedAction], _ options: RequestOptions = RequestOptions()
    ) async throws(CallError) -> TransactionOutcome {
        try await link.link.request(.request, { $0.members(actions, options) }) {
            TransactionOutcome($0)
        }
    }

    // MARK: - Reports

    /// Fulfills an action before the delegate's method returns, or with another time than now. The
    /// outcome of the method has no effect then.
    ///
    /// - Parameters:
    ///   - request: the action, as the delegate received it.
    ///   - atMS: Unix time in milliseconds; nil stands for now. It is the time from which both
    ///     sides could talk for an answer, and the time of the end for an end; other actions ignore
    ///     it. A time before the call came or in the future counts as now.
    public func fulfill(_ request: ActionRequest, atMS: Int64? = nil) {
        link.settle(request.id, .fulfilled(atMS: atMS))
    }

    /// The former name of `fulfill(_:atMS:)`.
    @available(*, deprecated, renamed: "fulfill(_:atMS:)")
    public func fulfil(_ request: ActionRequest, atMS: Int64? = nil) {
        fulfill(request, atMS: atMS)
    }

    /// Asks for more time for an action, which may take twice its deadline in all.
    ///
    /// - Parameters:
    ///   - request: the action, as the delegate received it.
    ///   - milliseconds: the further time, 1 to 600,000.
    public func extend(_ request: ActionRequest, byMS milliseconds: Int) {
        link.extend(request.id, byMS: milliseconds)
    }

    /// Reports an incoming call. The broker decides how it is presented.
    ///
    /// - Parameters:
    ///   - call: an id that the app chooses, such as `CallID.random()`.
    ///   - update: the properties of the call; `remote` is required.
    /// - Throws: `CallError`; `filtered`, `limitReached` or `invalidState` if the call must not
    ///   ring. The app then ends it.
    @discardableResult
    public func reportIncoming(
        _ call: CallID, _ update: CallUpdate
    ) async throws(CallError) -> Presentation {
        try await report {
            link.reportIncoming(call, update, then: $0)
        } read: {
            Presentation(reply: $0)
        }
    }

    /// Returns how an incoming call would be presented now. The filters that run are asked, and
    /// nothing is recorded, shown or started.
    ///
    /// - Parameter update: the properties of the call; `remote` is required.
    /// - Throws: `CallError`; `filtered`, `limitReached` or `invalidState` if the call would not
    ///   ring, and `invalidParams` if the broker is older than this request.
    public func mayRing(_ update: CallUpdate) async throws(CallError) -> Presentation {
        try await report {
            link.mayRing(update, then: $0)
        } read: {
            Presentation(reply: $0)
        }
    }

    /// Reports a call that is live on another device of the same account, or changed properties of it.
    ///
    /// - Parameters:
    ///   - call: an id that the app chooses, as for an incoming call.
    ///   - direction: the direction of the call there.
    ///   - update: the properties of the call, such as `elsewhere`, the name of that device. With
    ///     `supportsPull` the user may pull the call here, which the delegate gets as an answer.
    public func reportExternal(
        _ call: CallID, _ direction: Direction = .incoming, _ update: CallUpdate
    ) async throws(CallError) {
        try await report { link.reportExternal(call, direction, update, then: $0) }
    }

    /// Reports changed properties of a call. Properties that are not set stay as they are.
    public func reportUpdate(_ call: CallID, _ update: CallUpdate) async throws(CallError) {
        try await report { link.reportUpdate(call, update, then: $0) }
    }

    /// Reports that the other side rings. May be repeated, as sound may begin later.
    ///
    /// - Parameters:
    ///   - call: the outgoing call.
    ///   - hasEarlyMedia: whether the other side sends sound before its answer; nil leaves it
    ///     unchanged.
    ///   - atMS: Unix time in milliseconds; nil stands for now.
    public func reportAlerting(
        _ call: CallID, hasEarlyMedia: Bool? = nil, atMS: Int64? = nil
    ) async throws(CallError) {
        try await report {
            link.reportAlerting(call, hasEarlyMedia: hasEarlyMedia, atMS: atMS, then: $0)
        }
    }

    /// Reports that the other side asks for video, or no longer does. The user is asked, and the reply
    /// is the action `setVideo`; without one the request is over after a time of the host's policy.
    ///
    /// - Parameters:
    ///   - call: the active or held call.
    ///   - video: the direction that this side would have; nil withdraws the request.
    ///   - atMS: Unix time in milliseconds; nil stands for now.
    public func reportVideoRequest(
        _ call: CallID, _ video: VideoDirection?, atMS: Int64? = nil
    ) async throws(CallError) {
        try await report { link.reportVideoRequest(call, video, atMS: atMS, then: $0) }
    }

    /// Reports that the other side asks for real-time text, or no longer does. The user is asked, and the
    /// reply is the action `setText`; without one the request is over after a time of the host's policy.
    ///
    /// - Parameters:
    ///   - call: the active or held call.
    ///   - isRequested: false withdraws the request.
    ///   - atMS: Unix time in milliseconds; nil stands for now.
    public func reportTextRequest(
        _ call: CallID, _ isRequested: Bool = true, atMS: Int64? = nil
    ) async throws(CallError) {
        try await report { link.reportTextRequest(call, isRequested, atMS: atMS, then: $0) }
    }

    /// Reports what the other side has typed, of a call that has text.
    ///
    /// - Parameters:
    ///   - call: the call.
    ///   - characters: what has come within 300 ms or less (RFC 4103), 1 to 1,024 bytes of UTF-8; U+0008
    ///     erases a character, U+2028 begins a line.
    public func reportText(_ call: CallID, _ characters: String) async throws(CallError) {
        try await report { link.reportText(call, characters, then: $0) }
    }

    /// Reports how well the sound of a call is transmitted, for screens and the call's time line.
    ///
    /// - Parameters:
    ///   - call: the call.
    ///   - quality: what the app knows, such as from RTCP. Every few seconds is enough: of several
    ///     reports within a second the first counts.
    public func reportQuality(_ call: CallID, _ quality: CallQuality) async throws(CallError) {
        try await report { link.reportQuality(call, quality, then: $0) }
    }

    /// Reports who takes part in a conference that the far end runs, such as a meeting.
    ///
    /// - Parameters:
    ///   - call: the call by which the host takes part.
    ///   - change: what has changed since the report before; after a reconnection all participants,
    ///     with `replacesAll`.
    public func reportParticipants(
        _ call: CallID, _ change: ParticipantsChange
    ) async throws(CallError) {
        try await report { link.reportParticipants(call, change, then: $0) }
    }

    /// Reports that an outgoing call is connecting.
    ///
    /// - Parameters:
    ///   - call: the outgoing call.
    ///   - atMS: Unix time in milliseconds; nil stands for now.
    public func reportConnecting(_ call: CallID, atMS: Int64? = nil) async throws(CallError) {
        try await report { link.reportConnecting(call, atMS: atMS, then: $0) }
    }

    /// Reports that the other side answered, or that the user answered in the app itself.
    ///
    /// - Parameters:
    ///   - call: the call that was answered.
    ///   - atMS: the time from which both sides could talk: Unix time in milliseconds; nil stands
    ///     for now.
    public func reportConnected(_ call: CallID, atMS: Int64? = nil) async throws(CallError) {
        try await report { link.reportConnected(call, atMS: atMS, then: $0) }
    }

    /// Reports that the app held or resumed a call without a request of the broker.
    public func reportHeld(
        _ call: CallID, _ isHeld: Bool, atMS: Int64? = nil
    ) async throws(CallError) {
        try await report { link.reportHeld(call, isHeld, atMS: atMS, then: $0) }
    }

    /// Reports that the app muted or unmuted a call without a request of the broker.
    public func reportMuted(
        _ call: CallID, _ isMuted: Bool, atMS: Int64? = nil
    ) async throws(CallError) {
        try await report { link.reportMuted(call, isMuted, atMS: atMS, then: $0) }
    }

    /// Reports that the app put a call into the group of another one without a request of the
    /// broker, or with nil took it out of its group.
    public func reportGroup(
        _ call: CallID, with other: CallID?, atMS: Int64? = nil
    ) async throws(CallError) {
        try await report { link.reportGroup(call, with: other, atMS: atMS, then: $0) }
    }

    /// Reports that a call ended without a request of this host's user. Its pending actions are
    /// cancelled.
    ///
    /// - Parameters:
    ///   - call: the call that ended.
    ///   - reason: a reason that apps may report, such as `remoteEnded`.
    ///   - detail: the app's own words for it, such as `EndDetail(.busy)` or
    ///     `EndDetail(code: "SIP 486")`.
    ///   - elsewhere: the name of the device that has answered or declined the call instead.
    ///   - atMS: the time of the end: Unix time in milliseconds; nil stands for now.
    public func reportEnded(
        _ call: CallID, _ reason: EndReason, _ detail: EndDetail? = nil, elsewhere: String? = nil,
        atMS: Int64? = nil
    ) async throws(CallError) {
        try await report {
            link.reportEnded(call, reason, detail, elsewhere: elsewhere, atMS: atMS, then: $0)
        }
    }

    /// Reports a call that was over before it could ring, for the history only.
    ///
    /// - Parameters:
    ///   - call: a new id for the call.
    ///   - update: what is known of the call; it must set `remote`.
    ///   - reason: the one reason why it was missed, such as `callerGaveUp`.
    ///   - atMS: the time at which the call came in: Unix time in milliseconds.
    public func reportMissed(
        _ call: CallID, _ update: CallUpdate, _ reason: MissedReasons, atMS: Int64
    ) async throws(CallError) {
        try await report { link.reportMissed(call, update, reason, atMS: atMS, then: $0) }
    }

    /// Reports that a call ended without a request of this host's user, for a reason that the detail
    /// implies: see `EndDetail.Reason.endReason`.
    public func reportEnded(
        _ call: CallID, _ detail: EndDetail, atMS: Int64? = nil
    ) async throws(CallError) {
        try await reportEnded(
            call, detail.reason?.endReason ?? .failed, detail, atMS: atMS)
    }

    /// Replaces the app's configuration.
    public func update(_ configuration: ProviderConfiguration) async throws(CallError) {
        var configuration = configuration
        configuration.takesTransactions = false
        try await report { link.update(configuration, then: $0) }
    }

    private func report(
        _ send: (@escaping Link.Completion) -> Void
    ) async throws(CallError) {
        try await report(send) { _ in () }
    }

    /// Sends a report, and waits for the reply.
    private func report<Value: Sendable>(
        _ send: (@escaping Link.Completion) -> Void, read: @escaping @Sendable (JSONValue) -> Value?
    ) async throws(CallError) -> Value {
        let reply = Promise<Result<Value, CallError>>()
        send { reply.settle($0.read(as: "a report", read)) }
        return try await reply.value().get()
    }

    // MARK: - Events

    private func receive(_ event: ProviderEvent) async {
        let delegate = delegate()
        switch event {
        case .registered(let dropped):
            await delegate?.provider(self, isConnected: true)
            if !dropped.isEmpty { await delegate?.provider(self, didDrop: dropped) }
        case .lost: await delegate?.provider(self, isConnected: false)
        case .offered(let transaction, _): link.decide(transaction, isTaken: false)
        case .requested(let request): begin(request)
        case .withdrawn(let action), .timedOut(let action): task(of: action)?.cancel()
        case .audioActivated(let group, let calls):
            await delegate?.provider(self, didActivateAudioFor: group, calls: calls)
        case .audioDeactivated(let group, let calls):
            await delegate?.provider(self, didDeactivateAudioFor: group, calls: calls)
        case .presentationChanged(let call, let word):
            let sound = Presentation.Sound(rawValue: word) ?? .silent
            await delegate?.provider(self, call: call, didChangeSoundTo: sound)
        case .authorizationChanged(let word):
            guard let authorization = Authorization(rawValue: word) else { return }
            await delegate?.provider(self, didChangeAuthorizationTo: authorization)
        case .pushTokenChanged(let type, let token):
            await delegate?.provider(self, didChangePushTokenTo: token, of: type)
        case .requestedOfApp(let request): perform(request)
        case .reset: await delegate?.providerDidReset(self)
        case .unavailable, .ended, .pushUnreported: break
        }
    }

    private func task(of action: ActionID) -> Task<Void, Never>? {
        tasks.withLock { $0[action] ?? nil }
    }

    /// Starts an action at once, on this thread, so that actions start in their order.
    private func begin(_ request: ActionRequest) {
        tasks.withLock { $0[request.id] = .some(nil) }
        let task = Task.immediate { [self] in
            let outcome = await ActionOutcome { try await perform(request) }
            link.settle(request.id, outcome)
            tasks.withLock { _ = $0.removeValue(forKey: request.id) }
        }
        tasks.withLock { tasks in
            // Unless the action has completed already.
            if tasks.keys.contains(request.id) { tasks[request.id] = .some(task) }
        }
    }

    /// Performs a request that is no action. Networks take their time, so nothing waits for it.
    private func perform(_ request: AppRequest) {
        Task.immediate { [self] in
            let outcome = await ActionOutcome { try await perform(request.work) }
            link.settle(request: request.number, outcome)
        }
    }

    private func perform(_ work: AppRequest.Work) async throws {
        guard let delegate = delegate() else { throw ActionFailure.unsupported }
        switch work {
        case .change(let setting, let line):
            try await delegate.provider(self, change: setting, of: line)
        case .send(let text, let call): try await delegate.provider(self, send: text, on: call)
        case .changeParticipant(let id, let member, let value, let call):
            try await delegate.provider(self, change: member, to: value, of: id, in: call)
        case .receivePush(let payload, let type):
            try await delegate.provider(self, receivePush: payload, of: type)
        }
    }

    private func perform(_ request: ActionRequest) async throws {
        guard let delegate = delegate() else { throw ActionFailure.unsupported }
        switch request.action {
        case .start(let start): try await delegate.provider(self, start: start, request)
        case .answer: try await delegate.provider(self, answer: request)
        case .end: try await delegate.provider(self, end: request)
        case .setHeld(let isHeld): try await delegate.provider(self, setHeld: isHeld, request)
        case .setMuted(let isMuted): try await delegate.provider(self, setMuted: isMuted, request)
        case .setGroup(let other): try await delegate.provider(self, setGroup: other, request)
        case .playDTMF(let digits, let style):
            try await delegate.provider(self, playDTMF: digits, style, request)
        case .setEndpoint(let endpoint):
            try await delegate.provider(self, setEndpoint: endpoint, request)
        case .setVideo(let video): try await delegate.provider(self, setVideo: video, request)
        case .setText(let hasText): try await delegate.provider(self, setText: hasText, request)
        case .transfer(let to): try await delegate.provider(self, transfer: to, request)
        case .attendedTransfer(let other):
            try await delegate.provider(self, attendedTransfer: other, request)
        case .deflect(let to): try await delegate.provider(self, deflect: to, request)
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

extension CallProvider.Presentation {
    /// Reads the reply to the report of an incoming call; nil if it has no state.
    init?(reply: JSONValue) {
        guard let state = CallState(reply["state"]) else { return nil }
        let sound = Sound(rawValue: reply["presentation"]?.string ?? "")
        self.init(state: state, sound: sound ?? .silent)
    }
}
