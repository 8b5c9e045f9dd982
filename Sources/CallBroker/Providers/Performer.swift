internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallModel
internal import CallProtocol

/// The purpose of a request to a client.
enum OutgoingPurpose {
    case perform(ActionID)
    case execute(TransactionID)
    /// The check of a call by a screener, with the remote side in the request.
    case check(CallID, Handle?)
    /// The look-up of a call's remote side in a directory.
    case lookUp(CallID, Handle)
    /// The presentation of a call by a screen.
    case present(CallID)
    /// The use of another audio endpoint of the host.
    case useEndpoint
    /// The readiness for the audio of a call.
    case handover
    /// The request of a client with this number.
    case forwarded(Int, MethodName)
    /// The push with this number.
    case push(Int)
    /// The question to the user with this number.
    case ask(Int)
    /// A ping, which any frame answers.
    case ping
}

/// The sender of actions to providers, and the receiver of their replies.
final class Performer: BrokerPart {
    /// An action that was sent or offered, and is not settled.
    struct Sent {
        var dispatch: Dispatch
        /// The time at which it was sent, or restored after a restart.
        let since: MonotonicTime
    }

    private let clock: TurnClock
    private let outbox: Outbox
    private let events: EventPublisher
    /// The actions that were sent or offered, and are not settled.
    private var dispatched: [ActionID: Sent] = [:]
    /// The results and durations of the actions since the start.
    private(set) var figures = ActionFigures()
    private var settledActions = SettledActions()

    init(_ clock: TurnClock, _ outbox: Outbox, _ events: EventPublisher) {
        self.clock = clock
        self.outbox = outbox
        self.events = events
    }

    /// True if no action is pending at a provider.
    var isIdle: Bool {
        dispatched.isEmpty
    }

    subscript(action: ActionID) -> Dispatch? {
        dispatched[action]?.dispatch
    }

    var stored: [Dispatch] {
        dispatched.values.map(\.dispatch)
    }

    func restore(_ dispatches: [Dispatch]) {
        for dispatch in dispatches { record(dispatch) }
    }

    /// The actions that are not settled, the oldest first.
    var sent: [Sent] {
        dispatched.values.sorted { $0.since < $1.since }
    }

    private func record(_ dispatch: Dispatch) {
        dispatched[dispatch.action] = Sent(dispatch: dispatch, since: clock.now)
    }

    func perform(_ dispatch: Dispatch) {
        record(dispatch)
        guard let peer = broker.sessions[dispatch.provider]?.peer else { return }
        let id = peer.outgoing.open(.perform(dispatch.action))
        peer.actionRequests[dispatch.action] = id
        outbox.request(peer, id, "provider.perform") { writer in
            writer.members(of: dispatch)
            writer.member("transaction", dispatch.transaction)
            writer.member("cause", dispatch.cause)
            writer.member("deadline_ms", dispatch.deadlineMS)
            writer.member("attempt", dispatch.attempt)
            writer.member("age_ms", dispatch.ageMS)
        }
    }

    func offer(_ transaction: TransactionID, to provider: ProviderID, _ actions: [Dispatch]) {
        for var action in actions {
            // An action of an accepted offer is not performed: the offer is its first attempt.
            action.attempt = max(1, action.attempt)
            record(action)
        }
        guard let peer = broker.sessions[provider]?.peer else { return }
        let id = peer.outgoing.open(.execute(transaction))
        peer.actionRequests[offer: transaction] = id
        for action in actions { peer.actionRequests[action.action] = id }
        outbox.request(peer, id, "provider.execute") { writer in
            writer.member("transaction", transaction)
            writer.name("actions")
            writer.array { writer in
                for action in actions {
                    writer.object { writer in
                        writer.members(of: action)
                        writer.member("cause", action.cause)
                        writer.member("age_ms", action.ageMS)
                    }
                }
            }
            writer.member("deadline_ms", max(1, broker.arbiter.policy.offerMS))
        }
    }

    /// Cancels an action. The provider still has to reply.
    func cancel(_ action: ActionID, at provider: ProviderID) {
        guard let peer = broker.sessions[provider]?.peer, let id = peer.actionRequests[action]
        else {
            return
        }
        outbox.notify(peer, "broker.cancel") { writer in
            writer.member("request", id)
            writer.member("action", action)
        }
    }

    /// Withdraws the offer of a transaction.
    func withdrawOffer(_ transaction: TransactionID, from provider: ProviderID) {
        guard let peer = broker.sessions[provider]?.peer,
            let id = peer.actionRequests[offer: transaction]
        else {
            return
        }
        outbox.notify(peer, "broker.cancel") { $0.member("request", id) }
        broker.heartbeats.askForSign(of: provider)
    }

    func sendTimedOut(
        _ action: ActionID, _ kind: ActionKind, _ call: CallID, _ provider: ProviderID
    ) {
        guard let peer = broker.sessions[provider]?.peer else { return }
        outbox.notify(peer, "provider.timed_out") { writer in
            writer.member("action", action)
            writer.member("kind", kind.word)
            writer.member("call", call)
        }
        broker.heartbeats.askForSign(of: provider)
    }

    func sendAudio(_ method: StaticString, _ grant: AudioGrant) {
        guard let peer = broker.sessions[grant.provider]?.peer else { return }
        outbox.notify(peer, method) { writer in
            writer.member("group", grant.group)
            writer.member("calls", grant.calls)
        }
    }

    /// Tells a provider to drop all its calls.
    func reset(_ provider: ProviderID, _ reason: ResetReason) {
        guard let peer = broker.sessions[provider]?.peer else { return }
        outbox.notify(peer, "provider.reset") { $0.member("reason", reason.rawValue) }
    }

    // MARK: - Replies

    /// Receives the reply of a client to a request of the broker.
    func receive(_ response: Message.Response, from peer: Peer) {
        guard let id = response.id, let purpose = peer.outgoing.settle(id) else {
            broker.stats.responsesIgnored += 1
            return
        }
        switch purpose {
        case .perform(let action):
            if peer.actionRequests[action] == id { peer.actionRequests[action] = nil }
            guard let provider = peer.session?.provider else { return }
            settle(action, by: provider, response.outcome)
        case .execute(let transaction): settle(transaction, id, response.outcome, by: peer)
        case .check(let call, let remote):
            broker.screener.settle(check: call, with: remote, response.outcome, by: peer)
        case .lookUp(let call, let remote):
            broker.screener.settle(lookUp: call, with: remote, response.outcome, by: peer)
        case .present(let call):
            broker.screens.complete(presenting: call, id, response.outcome, by: peer)
        case .useEndpoint: broker.endpoints.complete(id, response.outcome)
        case .handover: broker.handover.complete(id, response.outcome, by: peer)
        case .forwarded(let number, _): broker.forwarded.complete(number, response.outcome)
        case .push(let number): broker.pushes.complete(number, response.outcome)
        case .ask(let number):
            broker.questionPresenter.complete(number, id, response.outcome, by: peer)
        // Every frame was recorded as activity already.
        case .ping: break
        }
    }

    private func settle(
        _ transaction: TransactionID, _ id: Int64, _ outcome: Message.Outcome, by peer: Peer
    ) {
        guard let provider = peer.session?.provider else { return }
        peer.actionRequests[offer: transaction] = nil
        let isTaken = outcome.isTaken
        if !isTaken { peer.actionRequests.removeActions(of: id) }
        broker.decide(.offerSettled(transaction, by: provider, isTaken: isTaken))
    }

    private func settle(
        _ action: ActionID, by provider: ProviderID, _ outcome: Message.Outcome
    ) {
        switch outcome {
        case .result(let result):
            broker.decide(.actionFulfilled(action, by: provider, at: instant(in: result)))
        case .error(let error):
            broker.decide(.actionFailed(action, by: provider, ActionFailure(error)))
        }
    }

    /// Returns the time at which an action was done, if its result has one. Results are not checked
    /// against a schema.
    private func instant(in result: JSONValue) -> Instant? {
        guard let atMS = result["at_ms"]?.integer, atMS >= 0 else { return nil }
        return clock.instant(atUnixMS: atMS)
    }

    /// Handles `broker.progress`: a provider needs more time, or reports that it is alive.
    func extend(_ params: ProgressParams, from peer: Peer) {
        guard let id = params.request, let provider = peer.session?.provider,
            case .perform(let action) = peer.outgoing.purpose(of: id)
        else { return }
        broker.decide(
            .actionExtended(action, by: provider, byMS: params.extensionMS ?? 0))
    }
}

extension ActionFailure {
    /// The length in bytes of the reason that is passed on.
    private static let wordBytesMax = 128

    /// Reads the error of a reply, which is not checked against a schema.
    init(_ error: JSONValue) {
        let word = error["data"]?["reason"]?.utf8
        self.init(
            error["code"]?.integer.map { Int($0) } ?? ErrorCode.brokerError.rawValue,
            word.flatMap(Self.word), error["message"]?.string, error["data"]?["app_code"]?.string)
    }

    /// Creates the failure of an action in an accepted offer.
    init(settledFor reason: String?, _ message: String?, _ appCode: String?) {
        self.init(ErrorCode.brokerError.rawValue, reason, message, appCode)
    }

    private init(_ code: Int, _ reason: String?, _ message: String?, _ appCode: String?) {
        self.init(
            code: code, reason: reason ?? EndDetail.Reason.unspecified.rawValue,
            message: message?.line(bytesMax: EndDetail.textBytesMax),
            appCode: appCode?.line(bytesMax: EndDetail.codeBytesMax))
    }

    /// Returns the reason if it is a word; anything else is not passed on.
    private static func word(_ utf8: UnsafeBufferPointer<UInt8>) -> String? {
        guard utf8.isSnakeCase, (1...wordBytesMax).contains(utf8.count) else { return nil }
        return String(decoding: utf8, as: UTF8.self)
    }
}

extension Message.Outcome {
    /// True if a provider accepts an offer; an error counts as false.
    fileprivate var isTaken: Bool {
        if case .result(let result) = self { result["taken"]?.boolean ?? false } else { false }
    }
}

extension JSONWriter {
    mutating func member(_ name: StaticString, _ error: ActionFailure) {
        self.name(name)
        object { writer in
            writer.member("code", error.code)
            writer.member("reason", error.reason)
            writer.member("message", ifSet: error.message)
            writer.member("app_code", ifSet: error.appCode)
        }
    }
}

extension Performer {
    func publishAction(
        _ action: ActionID, _ state: ActionState, _ failure: ActionFailure?
    ) {
        let isSettled = state != .dispatched
        let sent = isSettled ? dispatched.removeValue(forKey: action) : dispatched[action]
        guard let sent else { return }
        let dispatch = sent.dispatch
        if isSettled {
            if !broker.isReplaying {
                figures.add(dispatch.kind.kind, state, from: sent.since, to: clock.now)
            }
            settledActions.insert(dispatch)
            broker.sessions[dispatch.provider]?.peer?.actionRequests[action] = nil
            traceFailure(of: dispatch, state, failure)
        }
        broker.trace.record(
            .action(CallEventLog.Action(dispatch, state.word, failure)), of: dispatch.call)
        if state == .dispatched { broker.transactionLog.recordDispatch(of: dispatch.transaction) }
        guard let topic = Topic(state) else { return }
        let audience = broker.calls.audience(of: dispatch.call)
        events.publish(topic, dispatch.call, dispatch.provider, to: audience) { writer in
            writer.member("action", action)
            writer.member("kind", dispatch.kind.kind.word)
            writer.member("call", dispatch.call)
            writer.member("provider", dispatch.provider)
            writer.member("transaction", dispatch.transaction)
            writer.member("state", state.word)
            writer.member("attempt", dispatch.attempt)
            if state == .dispatched { writer.member(arguments: dispatch.kind) }
            if let failure { writer.member("failure", failure) }
        }
    }

    /// Traces that an app has refused an action or missed its deadline.
    private func traceFailure(
        of dispatch: Dispatch, _ state: ActionState, _ failure: ActionFailure?
    ) {
        guard failure != nil || state == .timedOut else { return }
        broker.trace.record(
            Decision(
                dispatch.cause.rule, .failed, call: dispatch.call, cause: dispatch.cause,
                reason: failure == nil ? .deadlineExceeded : .providerFailed),
            failure: failure)
    }

    func publishLate(_ action: ActionID, _ provider: ProviderID) {
        let settled = settledActions[action]
        let audience = settled.map { broker.calls.audience(of: $0.call) } ?? .everybody
        events.publish(.actionLate, nil, provider, to: audience) { writer in
            writer.member("action", action)
            writer.member("provider", provider)
            guard let settled, settled.provider == provider else { return }
            writer.member("kind", settled.kind.kind.word)
            writer.member("call", settled.call)
            writer.member("transaction", settled.transaction)
        }
        guard let settled, settled.provider == provider else { return }
        broker.trace.record(.action(CallEventLog.Action(settled, "late")), of: settled.call)
    }
}

extension Topic {
    /// The topic of an action that enters a state; nil if the state is not published.
    fileprivate init?(_ state: ActionState) {
        switch state {
        case .dispatched: self = .actionDispatched
        case .fulfilled: self = .actionFulfilled
        case .failed: self = .actionFailed
        case .timedOut: self = .actionTimedOut
        case .planned, .queued, .skipped, .cancelled: return nil
        }
    }
}
