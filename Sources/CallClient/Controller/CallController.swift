internal import BrokerJSON
internal import BrokerSocket
public import CallModel
internal import CallProtocol

/// Somebody who can ask for things to be done to calls: the user (`CallController`), or an app, to
/// its own calls (`CallProvider`).
public protocol CallRequesting: Sendable {
    /// Asks for 1 to 8 actions, done in order or refused as a whole.
    ///
    /// - Throws: `CallError`: `invalidState` (busy, cannot_hold, hold_failed, already_dialing,
    ///   emergency), `limitReached`, `notFound`, `permissionDenied`; where the completion is waited
    ///   for also `providerFailed`, `providerGone` and `deadlineExceeded`.
    func request(
        _ actions: [RequestedAction], _ options: RequestOptions
    ) async throws(CallError) -> TransactionOutcome
}

extension CallRequesting {
    /// Calls somebody. The id of the call is chosen by the broker if there is none.
    @discardableResult
    public func start(
        _ remote: Handle, call: CallID? = nil, provider: ProviderID? = nil, hasVideo: Bool = false,
        _ options: RequestOptions = RequestOptions()
    ) async throws(CallError) -> TransactionOutcome {
        let start = StartArguments(remote: remote, hasVideo: hasVideo)
        return try await request(
            [RequestedAction(.start(start), call: call, provider: provider)], options)
    }

    /// Answers a call that rings.
    @discardableResult
    public func answer(
        _ call: CallID, _ choice: AnswerChoice? = nil, _ options: RequestOptions = RequestOptions()
    ) async throws(CallError) -> TransactionOutcome {
        try await request([RequestedAction(.answer, call: call, choice: choice)], options)
    }

    /// Hangs up, declines or cancels.
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

    /// Joins the group of another call, or with nil leaves its own.
    @discardableResult
    public func setGroup(
        _ call: CallID, with other: CallID?, _ options: RequestOptions = RequestOptions()
    ) async throws(CallError) -> TransactionOutcome {
        try await request([RequestedAction(.setGroup(with: other), call: call)], options)
    }

    /// Plays tones to the other side: 1 to 64 of 0-9 A-D * # and the pauses , ; p w.
    @discardableResult
    public func playDTMF(
        _ call: CallID, digits: String, style: DTMFStyle = .single,
        _ options: RequestOptions = RequestOptions()
    ) async throws(CallError) -> TransactionOutcome {
        try await request(
            [RequestedAction(.playDTMF(digits: digits, style), call: call)], options)
    }
}

/// How long a button is pressed.
public enum ButtonPress: String, CaseIterable, Sendable {
    case short
    case long
}

/// Asks for things to be done to calls, in the name of the user, and looks at them. What it does is
/// done even if it goes away.
public final class CallController: CallRequesting {
    let link: Link

    /// Opens a session. It is opened again by itself when it is lost; requests meanwhile fail with
    /// `CallError.Code.disconnected`.
    ///
    /// - Throws: `CallError` if no broker answers, or it refuses.
    public init(_ options: ClientOptions = ClientOptions()) async throws(CallError) {
        let opening = Opening()
        link = try Link(options, roles: [.controller, .observer]) { AskingRole(opening) }
        try await opening.value().get()
    }

    deinit {
        link.close()
    }

    /// Ends the session; requests that are open fail.
    public func close() {
        link.close()
    }

    public func request(
        _ actions: [RequestedAction], _ options: RequestOptions = RequestOptions()
    ) async throws(CallError) -> TransactionOutcome {
        try await ask(.request) { $0.members(actions, options) }
    }

    private func ask(
        _ method: MethodName, _ members: (inout JSONWriter) -> Void
    ) async throws(CallError) -> TransactionOutcome {
        try await link.request(method, members) { TransactionOutcome($0) }
    }

    // MARK: - More than one action

    /// Calls a `tel:`, `sip:`, `sips:`, `mailto:` or registered URI; its scheme picks the provider.
    ///
    /// - Throws: `CallError` with the reason `ambiguous_provider` where several would do.
    @discardableResult
    public func dial(
        _ uri: String, provider: ProviderID? = nil, hasVideo: Bool = false,
        _ options: RequestOptions = RequestOptions()
    ) async throws(CallError) -> TransactionOutcome {
        try await ask(.dial) { writer in
            writer.member("uri", uri)
            if let provider { writer.member("provider", provider) }
            if hasVideo { writer.member("has_video", true) }
            writer.members(of: options)
        }
    }

    /// Holds the call that speaks and resumes the held one: `call`, where there are several.
    @discardableResult
    public func swap(
        _ call: CallID? = nil, _ options: RequestOptions = RequestOptions()
    ) async throws(CallError) -> TransactionOutcome {
        try await ask(.swap) { writer in
            if let call { writer.member("call", call) }
            writer.members(of: options)
        }
    }

    /// Makes one group of two calls of the same provider.
    @discardableResult
    public func merge(
        _ call: CallID, with other: CallID, _ options: RequestOptions = RequestOptions()
    ) async throws(CallError) -> TransactionOutcome {
        try await ask(.merge) { writer in
            writer.member("call", call)
            writer.member("with", other)
            writer.members(of: options)
        }
    }

    /// Takes a call out of its group; the rest is held.
    @discardableResult
    public func split(
        _ call: CallID, _ options: RequestOptions = RequestOptions()
    ) async throws(CallError) -> TransactionOutcome {
        try await ask(.split) { writer in
            writer.member("call", call)
            writer.members(of: options)
        }
    }

    /// Presses the button of a headset: briefly it answers, swaps, ends or resumes, whatever comes
    /// first; long it declines, ends the active one of two, or mutes. With nothing to do there are no
    /// actions.
    @discardableResult
    public func pressButton(_ press: ButtonPress) async throws(CallError) -> TransactionOutcome {
        try await ask(.pressButton) { $0.member("press", press.rawValue) }
    }

    /// Lets a call ring on without sound.
    public func silence(_ call: CallID) async throws(CallError) {
        try await link.request(.silence, { $0.member("call", call) }) { _ in () }
    }

    // MARK: - Looking

    /// The calls of the host, ended ones left out, oldest first.
    public func calls() async throws(CallError) -> [Call] {
        try await all(.listCalls, "calls") { Call($0) }
    }

    /// One call as it is now.
    ///
    /// - Throws: `CallError.Code.notFound` with the reason `unknown_call` or `call_ended`.
    public func call(_ id: CallID) async throws(CallError) -> Call {
        try await link.request(.getCall, { $0.member("call", id) }) { Call($0) }
    }
}

/// Whoever only asks has nothing to do in its session.
private final class AskingRole: LinkRole {
    private let opening: Opening

    init(_ opening: Opening) {
        self.opening = opening
    }

    func open(_ loop: LinkLoop) {
        loop.opened()
    }

    func receive(_ method: String, id: Int64, _ params: JSONValue?, _ loop: LinkLoop) {
        loop.answer(
            id, error: .methodNotFound, reason: "not_supported", "a controller does nothing")
    }

    func receive(notification method: String, _ params: JSONValue?, _ loop: LinkLoop) {}

    func opened(_ loop: LinkLoop) {
        opening.settle(.success(()))
    }

    func failedToOpen(_ error: CallError, _ loop: LinkLoop) {
        opening.settle(.failure(error))
    }

    func lost(_ loop: LinkLoop) {}

    func ended(_ error: CallError?) {
        opening.settle(.failure(error ?? .closed))
    }
}

/// What came of the first try to open a session.
typealias Opening = Promise<Result<Void, CallError>>
