internal import BrokerJSON
internal import BrokerSocket
public import CallModel
internal import CallProtocol

/// A client that can request actions on calls: on behalf of the user (`CallController`), or of an
/// app on its own calls (`CallProvider`). Methods may be called from any task; cancelling the task
/// cancels the request.
public protocol CallRequesting: Sendable {
    /// Requests 1 to 8 actions, which are performed in order or refused as a whole.
    ///
    /// - Throws: `CallError`: `invalidState` (busy, cannot_hold, hold_failed, already_dialing,
    ///   emergency), `limitReached`, `notFound` or `permissionDenied`; with `waitsForCompletion`
    ///   also `providerFailed`, `providerGone` and `deadlineExceeded`.
    func request(
        _ actions: [RequestedAction], _ options: RequestOptions
    ) async throws(CallError) -> TransactionOutcome
}

extension CallRequesting {
    /// Starts a call.
    ///
    /// - Parameters:
    ///   - remote: the address to call.
    ///   - call: an id for the new call; nil lets the broker choose one.
    ///   - provider: the app to call with; nil lets the broker choose one.
    ///   - line: the id of the app's line to call with; nil lets the broker or the app choose one.
    ///   - hasVideo: whether the call starts with video.
    ///   - hasText: whether the call starts with real-time text.
    ///   - isEmergency: whether it is an emergency, whatever its number. An app's mark counts only if
    ///     the host allows it.
    ///   - isBackground: whether it makes way for all other calls.
    ///   - options: the options of the request.
    @discardableResult
    public func start(
        _ remote: Handle, call: CallID? = nil, provider: ProviderID? = nil, line: String? = nil,
        hasVideo: Bool = false, hasText: Bool = false, isEmergency: Bool = false,
        isBackground: Bool = false, _ options: RequestOptions = RequestOptions()
    ) async throws(CallError) -> TransactionOutcome {
        let start = StartArguments(
            remote: remote, hasVideo: hasVideo, hasText: hasText, line: line,
            isEmergency: isEmergency, isBackground: isBackground)
        return try await request(
            [RequestedAction(.start(start), call: call, provider: provider)], options)
    }

    /// Answers a ringing call.
    ///
    /// - Parameters:
    ///   - call: the call to answer.
    ///   - choice: what to do with the active call; nil stands for `answer`.
    ///   - video: the video to answer with, which the app sets up before; nil for what the call has.
    ///   - text: whether to answer with real-time text, likewise.
    ///   - options: the options of the request.
    @discardableResult
    public func answer(
        _ call: CallID, _ choice: AnswerChoice? = nil, video: VideoDirection? = nil,
        text: Bool? = nil,
        _ options: RequestOptions = RequestOptions()
    ) async throws(CallError) -> TransactionOutcome {
        let actions = [
            video.map { RequestedAction(.setVideo($0), call: call) },
            text.map { RequestedAction(.setText($0), call: call) },
            RequestedAction(.answer, call: call, choice: choice),
        ]
        return try await request(actions.compactMap { $0 }, options)
    }

    /// Pulls a call here from the other device that has it.
    ///
    /// - Parameters:
    ///   - call: a call in the state `external` whose app supports it.
    ///   - choice: what to do with the active call; nil holds it.
    ///   - options: the options of the request.
    @discardableResult
    public func pull(
        _ call: CallID, _ choice: AnswerChoice? = nil, _ options: RequestOptions = RequestOptions()
    ) async throws(CallError) -> TransactionOutcome {
        try await answer(call, choice, options)
    }

    /// Ends a call: hangs up, declines or cancels, whatever its state requires.
    @discardableResult
    public func end(
        _ call: CallID, _ options: RequestOptions = RequestOptions()
    ) async throws(CallError) -> TransactionOutcome {
        try await request([RequestedAction(.end, call: call)], options)
    }

    /// Holds or resumes a call and its group.
    @discardableResult
    public func setHeld(
        _ call: CallID, _ isHeld: Bool, _ options: RequestOptions = RequestOptions()
    ) async throws(CallError) -> TransactionOutcome {
        try await request([RequestedAction(.setHeld(isHeld), call: call)], options)
    }

    /// Mutes or unmutes a call and its group.
    @discardableResult
    public func setMuted(
        _ call: CallID, _ isMuted: Bool, _ options: RequestOptions = RequestOptions()
    ) async throws(CallError) -> TransactionOutcome {
        try await request([RequestedAction(.setMuted(isMuted), call: call)], options)
    }

    /// Puts a call into the group of another call, or with nil takes it out of its group.
    @discardableResult
    public func setGroup(
        _ call: CallID, with other: CallID?, _ options: RequestOptions = RequestOptions()
    ) async throws(CallError) -> TransactionOutcome {
        try await request([RequestedAction(.setGroup(with: other), call: call)], options)
    }

    /// Plays tones to the other side.
    ///
    /// - Parameters:
    ///   - call: an active call.
    ///   - digits: 1 to 64 of `0`-`9`, `A`-`D`, `*`, `#` and the pauses `,`, `;`, `p` and `w`.
    ///   - style: whether the digits are a key press, or follow a pause.
    ///   - options: the options of the request.
    @discardableResult
    public func playDTMF(
        _ call: CallID, digits: String, style: DTMFStyle = .single,
        _ options: RequestOptions = RequestOptions()
    ) async throws(CallError) -> TransactionOutcome {
        try await request(
            [RequestedAction(.playDTMF(digits: digits, style), call: call)], options)
    }

    /// Moves the sound of a call to another of the endpoints that its app has reported
    /// (`CallProperties.endpoints`).
    @discardableResult
    public func setEndpoint(
        _ call: CallID, to endpoint: String, _ options: RequestOptions = RequestOptions()
    ) async throws(CallError) -> TransactionOutcome {
        try await request([RequestedAction(.setEndpoint(endpoint), call: call)], options)
    }

    /// Adds video to a call, changes its direction or takes it away, and replies to the remote side's
    /// request for it (`CallProperties.videoRequest`).
    @discardableResult
    public func setVideo(
        _ call: CallID, to video: VideoDirection, _ options: RequestOptions = RequestOptions()
    ) async throws(CallError) -> TransactionOutcome {
        try await request([RequestedAction(.setVideo(video), call: call)], options)
    }

    /// Adds real-time text to a call or takes it away, and replies to the remote side's request for it
    /// (`CallProperties.textRequest`).
    @discardableResult
    public func setText(
        _ call: CallID, to hasText: Bool, _ options: RequestOptions = RequestOptions()
    ) async throws(CallError) -> TransactionOutcome {
        try await request([RequestedAction(.setText(hasText), call: call)], options)
    }

    /// Transfers an active or held call to an address, which ends it here.
    @discardableResult
    public func transfer(
        _ call: CallID, to address: Handle, _ options: RequestOptions = RequestOptions()
    ) async throws(CallError) -> TransactionOutcome {
        try await request([RequestedAction(.transfer(to: address), call: call)], options)
    }

    /// Joins the remote parties of two calls of an app with each other, which ends both here.
    @discardableResult
    public func attendedTransfer(
        _ call: CallID, with other: CallID, _ options: RequestOptions = RequestOptions()
    ) async throws(CallError) -> TransactionOutcome {
        try await request([RequestedAction(.attendedTransfer(with: other), call: call)], options)
    }

    /// Sends an incoming call to another address, which ends it here.
    @discardableResult
    public func deflect(
        _ call: CallID, to address: Handle, _ options: RequestOptions = RequestOptions()
    ) async throws(CallError) -> TransactionOutcome {
        try await request([RequestedAction(.deflect(to: address), call: call)], options)
    }
}

/// The duration of a press of a headset's button. Raw values are those of the wire.
public enum ButtonPress: String, CaseIterable, Sendable {
    /// A brief press.
    case short
    /// A long press; the client decides what counts as long.
    case long
}

/// A client that acts for the user: it requests actions on calls of any app, and reads and changes
/// what the host keeps. An action that was accepted is performed even if the controller is closed.
public final class CallController: CallRequesting {
    let link: Link

    /// Opens a session. A lost session is opened again automatically; requests meanwhile fail with
    /// `CallError.Code.disconnected`.
    ///
    /// - Parameters:
    ///   - options: the broker's socket, and how lost sessions are opened again.
    ///   - onConnection: called with true whenever a session is open, and with false when it is lost.
    /// - Throws: `CallError` if no broker answers or the broker refuses the session.
    public init(
        _ options: ClientOptions = ClientOptions(),
        onConnection: @escaping @Sendable (_ isConnected: Bool) -> Void = { _ in }
    ) async throws(CallError) {
        let opening = Opening()
        var roles: RoleSet = [.controller, .observer]
        if options.administers { roles.insert(.admin) }
        link = try Link(options, roles: roles) { ControllerRole(opening, onConnection) }
        try await opening.value().get()
    }

    deinit {
        link.close()
    }

    /// Ends the session. Open requests fail with `CallError.Code.closed`.
    public func close() {
        link.close()
    }

    /// Requests 1 to 8 actions, which are performed in order or refused as a whole.
    ///
    /// - Throws: `CallError`, as of `CallRequesting.request(_:_:)`.
    public func request(
        _ actions: [RequestedAction], _ options: RequestOptions = RequestOptions()
    ) async throws(CallError) -> TransactionOutcome {
        try await send(.request) { $0.members(actions, options) }
    }

    private func send(
        _ method: MethodName, _ members: (inout JSONWriter) -> Void
    ) async throws(CallError) -> TransactionOutcome {
        try await link.request(method, members) { TransactionOutcome($0) }
    }

    // MARK: - Requests of several actions

    /// Calls a URI. Its scheme selects the app: `tel`, `sip`, `sips`, `mailto`, or one that an app
    /// has registered.
    ///
    /// - Parameters:
    ///   - uri: the address with its scheme, such as `tel:+15550100`.
    ///   - provider: the app to call with, if several can.
    ///   - line: the line of the app to call with; its default line if nil.
    ///   - hasVideo: whether the call starts with video.
    ///   - hasText: whether the call starts with real-time text.
    ///   - options: the options of the request.
    /// - Throws: `CallError`; with the reason `ambiguous_provider` if several apps can call the URI
    ///   and the policy names no default.
    @discardableResult
    public func dial(
        _ uri: String, provider: ProviderID? = nil, line: String? = nil, hasVideo: Bool = false,
        hasText: Bool = false, _ options: RequestOptions = RequestOptions()
    ) async throws(CallError) -> TransactionOutcome {
        try await send(.dial) { writer in
            writer.member("uri", uri)
            if let provider { writer.member("provider", provider) }
            writer.member("line", ifSet: line)
            if hasVideo { writer.member("has_video", true) }
            if hasText { writer.member("has_text", true) }
            writer.members(of: options)
        }
    }

    /// Holds the active call and resumes a held one.
    ///
    /// - Parameters:
    ///   - call: the call to resume; required if several are held.
    ///   - options: the options of the request.
    @discardableResult
    public func swap(
        _ call: CallID? = nil, _ options: RequestOptions = RequestOptions()
    ) async throws(CallError) -> TransactionOutcome {
        try await send(.swap) { writer in
            if let call { writer.member("call", call) }
            writer.members(of: options)
        }
    }

    /// Merges the groups of two calls of the same app.
    @discardableResult
    public func merge(
        _ call: CallID, with other: CallID, _ options: RequestOptions = RequestOptions()
    ) async throws(CallError) -> TransactionOutcome {
        try await send(.merge) { writer in
            writer.member("call", call)
            writer.member("with", other)
            writer.members(of: options)
        }
    }

    /// Takes a call out of its group. The rest of the group is held.
    @discardableResult
    public func split(
        _ call: CallID, _ options: RequestOptions = RequestOptions()
    ) async throws(CallError) -> TransactionOutcome {
        try await send(.split) { writer in
            writer.member("call", call)
            writer.members(of: options)
        }
    }

    /// Performs the action of a headset's button. A short press answers, swaps, ends or resumes a
    /// call, the first of these that is possible; a long one declines, ends the active one of two
    /// calls, or mutes. If nothing is possible the outcome has no actions.
    @discardableResult
    public func pressButton(_ press: ButtonPress) async throws(CallError) -> TransactionOutcome {
        try await send(.pressButton) { $0.member("press", press.rawValue) }
    }

    /// Silences a ringing call, which keeps ringing without sound.
    public func silence(_ call: CallID) async throws(CallError) {
        try await link.request(.silence, { $0.member("call", call) }) { _ in () }
    }

    /// Marks a call that rings or waits as one of a priority caller (rule 43).
    public func prioritize(_ call: CallID) async throws(CallError) {
        try await link.request(.prioritize, { $0.member("call", call) }) { _ in () }
    }

    /// Returns how a call at an app would be presented now, for a program beside the app, such as the
    /// dial plan of a PBX. The filters that run are asked, and nothing is recorded, shown or started.
    ///
    /// - Parameters:
    ///   - update: the properties of the call; `remote` is required.
    ///   - provider: the app that would report the call.
    /// - Throws: `CallError`, as of `CallProvider.mayRing(_:)`.
    public func mayRing(
        _ update: CallUpdate, at provider: ProviderID
    ) async throws(CallError) -> CallProvider.Presentation {
        try await link.request(
            .mayRing,
            { writer in
                writer.member("provider", provider)
                writer.members(of: update)
            }
        ) { CallProvider.Presentation(reply: $0) }
    }

    /// Sends the tones of a call that wait behind a pause (`Call.pausedTones`).
    @discardableResult
    public func continueTones(_ call: CallID) async throws(CallError) -> TransactionOutcome {
        try await send(.continueTones) { $0.member("call", call) }
    }

    /// Drops the tones of a call that wait behind a pause.
    public func dropTones(_ call: CallID) async throws(CallError) {
        _ = try await send(.continueTones) { writer in
            writer.member("call", call)
            writer.member("send", false)
        }
    }

    // MARK: - Reading

    /// Returns the calls of the host that have not ended, oldest first.
    public func calls() async throws(CallError) -> [Call] {
        try await all(.listCalls, "calls") { Call($0) }
    }

    /// Returns the current snapshot of a call.
    ///
    /// - Throws: `CallError`; `CallError.Code.notFound` with the reason `unknown_call` or
    ///   `call_ended`.
    public func call(_ id: CallID) async throws(CallError) -> Call {
        try await link.request(.getCall, { $0.member("call", id) }) { Call($0) }
    }
}

/// The role of a client that only makes requests.
private final class ControllerRole: LinkRole {
    private let opening: Opening
    private let onConnection: @Sendable (Bool) -> Void

    init(_ opening: Opening, _ onConnection: @escaping @Sendable (Bool) -> Void) {
        (self.opening, self.onConnection) = (opening, onConnection)
    }

    func open(_ loop: LinkLoop) {
        loop.opened()
    }

    func receive(_ method: String, id: Int64, _ params: JSONValue?, _ loop: LinkLoop) {
        loop.answer(
            id, error: .methodNotFound, reason: "not_supported", "a controller performs no requests"
        )
    }

    func receive(notification method: String, _ params: JSONValue?, _ loop: LinkLoop) {}

    func opened(_ loop: LinkLoop) {
        opening.settle(.success(()))
        onConnection(true)
    }

    func failedToOpen(_ error: CallError, _ loop: LinkLoop) {
        opening.settle(.failure(error))
    }

    func lost(_ loop: LinkLoop) {
        onConnection(false)
    }

    func ended(_ error: CallError?) {
        opening.settle(.failure(error ?? .closed))
    }
}

/// The outcome of the first attempt to open a session.
typealias Opening = Promise<Result<Void, CallError>>
