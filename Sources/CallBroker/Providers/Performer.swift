internal import BrokerJSON
internal import BrokerRPC
internal import CallArbitration
internal import CallModel
internal import CallProtocol

/// What a request of ours to a provider was for.
enum OutgoingPurpose {
    case perform(ActionID)
    case execute(TransactionID)
    /// A screener says what it thinks of a call, a directory who it is: with whom it was then.
    case check(CallID, Handle?)
    case lookUp(CallID, Handle)
    /// A screen shows a call.
    case present(CallID)
    /// Somebody has been silent; any answer will do.
    case ping
}

/// What providers are asked to do, and what they answer.
final class Performer {
    private unowned let broker: Broker

    /// Actions that providers work on, or were offered.
    private var dispatched: [ActionID: Dispatch] = [:]
    private var settledActions = SettledActions()

    init(_ broker: Broker) {
        self.broker = broker
    }

    /// Whether no provider works on anything.
    var isIdle: Bool {
        dispatched.isEmpty
    }

    subscript(action: ActionID) -> Dispatch? {
        dispatched[action]
    }

    var stored: [Dispatch] {
        Array(dispatched.values)
    }

    func restore(_ dispatches: [Dispatch]) {
        for dispatch in dispatches { dispatched[dispatch.action] = dispatch }
    }

    func perform(_ dispatch: Dispatch) {
        dispatched[dispatch.action] = dispatch
        guard let peer = broker.sessions[dispatch.provider]?.peer else { return }
        let id = peer.outgoing.open(.perform(dispatch.action))
        peer.actionRequests[dispatch.action] = id
        broker.outbox.request(peer, id, "provider.perform") { writer in
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
            // One that is taken is never performed: then this is its first attempt.
            action.attempt = max(1, action.attempt)
            dispatched[action.action] = action
        }
        guard let peer = broker.sessions[provider]?.peer else { return }
        let id = peer.outgoing.open(.execute(transaction))
        peer.actionRequests[offer: transaction] = id
        for action in actions { peer.actionRequests[action.action] = id }
        broker.outbox.request(peer, id, "provider.execute") { writer in
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

    /// Takes an action back. The provider still owes the answer.
    func cancel(_ action: ActionID, at provider: ProviderID) {
        guard let peer = broker.sessions[provider]?.peer, let id = peer.actionRequests[action]
        else {
            return
        }
        broker.outbox.notify(peer, "broker.cancel") { writer in
            writer.member("request", id)
            writer.member("action", action)
        }
    }

    /// Takes back the question whether a provider takes a transaction over.
    func withdrawOffer(_ transaction: TransactionID, from provider: ProviderID) {
        guard let peer = broker.sessions[provider]?.peer,
            let id = peer.actionRequests[offer: transaction]
        else {
            return
        }
        broker.outbox.notify(peer, "broker.cancel") { $0.member("request", id) }
        broker.heartbeats.askForSign(of: provider)
    }

    func tellTimedOut(
        _ action: ActionID, _ kind: ActionKind, _ call: CallID, _ provider: ProviderID
    ) {
        guard let peer = broker.sessions[provider]?.peer else { return }
        broker.outbox.notify(peer, "provider.timed_out") { writer in
            writer.member("action", action)
            writer.member("kind", kind.word)
            writer.member("call", call)
        }
        broker.heartbeats.askForSign(of: provider)
    }

    func tellAudio(
        _ method: StaticString, _ provider: ProviderID, _ group: CallID, _ calls: [CallID]
    ) {
        guard let peer = broker.sessions[provider]?.peer else { return }
        broker.outbox.notify(peer, method) { writer in
            writer.member("group", group)
            writer.member("calls", calls)
        }
    }

    /// It is to drop all its calls.
    func reset(_ provider: ProviderID, _ reason: ResetReason) {
        guard let peer = broker.sessions[provider]?.peer else { return }
        broker.outbox.notify(peer, "provider.reset") { $0.member("reason", reason.rawValue) }
    }

    // MARK: - Answers

    /// A client has answered one of our requests.
    func settle(_ response: Message.Response, from peer: Peer) {
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
        // Whatever somebody says is his sign of life.
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
            broker.decide(.actionFulfilled(action, by: provider, at: instant(saidIn: result)))
        case .error(let error):
            broker.decide(.actionFailed(action, by: provider, ActionFailure(error)))
        }
    }

    /// When an action was done, if its result says so; nobody has checked what it is.
    private func instant(saidIn result: JSONValue) -> Instant? {
        guard let atMS = result["at_ms"]?.integer, atMS >= 0 else { return nil }
        return broker.clock.instant(atUnixMS: atMS)
    }

    /// A provider needs more time, or gives a sign of life.
    func extend(_ params: ProgressParams, from peer: Peer) {
        guard let id = params.request, let provider = peer.session?.provider,
            case .perform(let action) = peer.outgoing.purpose(of: id)
        else { return }
        broker.decide(
            .actionExtended(action, by: provider, byMS: params.extensionMS ?? 0))
    }
}

extension ActionFailure {
    /// Bytes of its own words that are passed on.
    private static let wordBytesMax = 128
    private static let messageBytesMax = 256

    /// Reads the error of a reply; it may be anything.
    init(_ error: JSONValue) {
        let word = error["data"]?["reason"]?.utf8
        self.init(
            code: error["code"]?.integer.map { Int($0) } ?? ErrorCode.brokerError.rawValue,
            reason: word.flatMap(Self.word) ?? "unspecified",
            message: Self.message(error["message"]?.string))
    }

    /// What is said of an action of a transaction that was taken over.
    init(settledFor reason: String?, _ message: String?) {
        self.init(
            code: ErrorCode.brokerError.rawValue,
            reason: reason ?? "unspecified", message: Self.message(message))
    }

    private static func message(_ text: String?) -> String? {
        let line = text?.line(bytesMax: messageBytesMax) ?? ""
        return line.isEmpty ? nil : line
    }

    /// A reason is a word; whatever else stands there is not passed on.
    private static func word(_ utf8: UnsafeBufferPointer<UInt8>) -> String? {
        let isWord = utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: "_")
        }
        guard isWord, (1...wordBytesMax).contains(utf8.count) else { return nil }
        return String(decoding: utf8, as: UTF8.self)
    }
}

extension Message.Outcome {
    /// Whether a provider takes a whole transaction over; an error is a no.
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
        }
    }
}

extension Performer {
    func tellAction(
        _ action: ActionID, _ state: ActionState, _ failure: ActionFailure?
    ) {
        guard let dispatch = dispatched[action] else { return }
        if state != .dispatched {
            dispatched[action] = nil
            settledActions.insert(dispatch)
            broker.sessions[dispatch.provider]?.peer?.actionRequests[action] = nil
            noteFailure(of: dispatch, state, failure)
        }
        guard let topic = Topic(state) else { return }
        broker.events.publish(topic, dispatch.call, dispatch.provider) { writer in
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

    /// An app has said no, or nothing in time.
    private func noteFailure(
        of dispatch: Dispatch, _ state: ActionState, _ failure: ActionFailure?
    ) {
        guard failure != nil || state == .timedOut else { return }
        broker.trace.note(
            Decision(
                dispatch.cause.rule, .failed, call: dispatch.call, cause: dispatch.cause,
                reason: failure == nil ? .deadlineExceeded : .providerFailed),
            failure: failure)
    }

    func tellLate(_ action: ActionID, _ provider: ProviderID) {
        let settled = settledActions[action]
        broker.events.publish(.actionLate, nil, provider) { writer in
            writer.member("action", action)
            writer.member("provider", provider)
            guard let settled, settled.provider == provider else { return }
            writer.member("kind", settled.kind.kind.word)
            writer.member("call", settled.call)
            writer.member("transaction", settled.transaction)
        }
    }
}

extension Topic {
    /// The topic of an action that came into a state; not every state is told.
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
