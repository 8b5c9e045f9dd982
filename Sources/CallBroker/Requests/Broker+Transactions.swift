internal import BrokerJSON
internal import BrokerRPC
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallProtocol

/// What controllers ask for.
extension Broker {
    /// For whom a connection speaks: on that of a provider it is the app, any other is the user.
    func requester(_ peer: Peer) -> Requester {
        peer.session.map { .app($0.provider) } ?? .user
    }

    /// `transaction.request`.
    func requestTransaction(_ params: JSONValue?, _ target: ReplyTarget) throws(RPCError) {
        var actions: [RequestedAction] = []
        var unnamed: [Int] = []
        for element in params?["actions"]?.elements.compactMap({ $0 }) ?? [] {
            if element["call"] == nil { unnamed.append(actions.count) }
            actions.append(try requestedAction(element, at: actions.count, target.peer))
        }
        try request(actions, unnamed: unnamed, params, target)
    }

    private func requestedAction(
        _ element: JSONValue, at index: Int, _ peer: Peer
    ) throws(RPCError) -> RequestedAction {
        guard let kind = element["kind"]?.utf8, let known = ActionKind(utf8: kind) else {
            var refusal = Refusal(.invalidAction)
            refusal.actionIndex = index
            throw RPCError(refusal, .requestTransaction)
        }
        do throws(SchemaFault) {
            try ActionSchemas.check(element["arguments"], of: known)
        } catch {
            throw RPCError(error.inside("arguments").inside("\(index)").inside("actions"))
        }
        guard let action = CallAction(kind: kind, arguments: element["arguments"]),
            let call = CallID(element["call"]) ?? (known == .start ? newCall() : nil)
        else {
            throw RPCError(
                SchemaFault(reason: "missing_member", message: "is required")
                    .inside("call").inside("\(index)").inside("actions"))
        }
        return RequestedAction(
            call: call,
            provider: try chooseProvider(for: action, element, peer),
            action: action, choice: AnswerChoice(element["choice"]))
    }

    /// One of the methods that stand for a single action.
    func request(
        _ kind: ActionKind, _ params: JSONValue?, _ target: ReplyTarget
    ) throws(RPCError) {
        guard let call = CallID(params?["call"]) ?? (kind == .start ? newCall() : nil),
            let action = CallAction(kind, arguments: params)
        else { preconditionFailure("params were checked against the method's row") }
        try request(
            [
                RequestedAction(
                    call: call, provider: try chooseProvider(for: action, params, target.peer),
                    action: action,
                    choice: AnswerChoice(params?["choice"]))
            ], unnamed: params?["call"] == nil ? [0] : [], params, target)
    }

    func dial(_ params: JSONValue?, _ target: ReplyTarget) throws(RPCError) {
        let address: DialledAddress
        do throws(DialledAddress.Fault) {
            address = try DialledAddress(params?["uri"]?.string ?? "")
        } catch {
            throw RPCError(error)
        }
        let start = StartArguments(
            remote: remote(of: address), hasVideo: params?["has_video"]?.boolean ?? false)
        let provider = try chooseProvider(for: start, DialledKind(address), params, target.peer)
        let call = CallID(params?["call"]) ?? newCall()
        var target = target
        target.link = DialledLink(
            scheme: address.scheme, requester: requester(target.peer))
        try request(
            [RequestedAction(call: call, provider: provider, action: .start(start))],
            unnamed: params?["call"] == nil ? [0] : [], params, target)
    }

    /// The number of an emergency service is dialled as it stands, whatever context a link gives it.
    private func remote(of address: DialledAddress) -> Handle {
        guard let number = address.number else { return address.handle }
        let local = Handle(kind: .phone, value: number)
        return isEmergency(number: local) ? local : address.handle
    }

    func newCall() -> CallID {
        CallID(UUIDBits.random())
    }

    /// - Parameter unnamed: those of the actions whose calls the client has not named.
    private func request(
        _ actions: [RequestedAction], unnamed: [Int], _ params: JSONValue?, _ target: ReplyTarget
    ) throws(RPCError) {
        var request = TransactionRequest(
            token: Self.noToken, requester: requester(target.peer), actions: actions,
            options: CallOptions(params))
        try checkAddresses(of: actions)
        try checkRoom(for: actions)
        // The broker names these calls, each time anew.
        var key = request
        for index in unnamed { key.actions[index].call = Self.noCall }
        let expected = try bringUp(for: actions, isDry: request.options.isDryRun)
        defer { forgetExpected(expected) }
        let claimed = claims(in: actions, of: request.requester)
        var isNew = false
        try ask(target, request.options, .transactionRequested(key)) { token in
            request.token = token
            request.actions = judged(actions, of: request.requester)
            isNew = !request.options.isDryRun
            if isNew { noteEmergencies(in: request.actions, of: request.requester) }
            return .transactionRequested(request)
        }
        forgetRefused(request.actions)
        guard isNew, case .app(let provider) = request.requester else { return }
        for call in claimed { tellClaim(of: call, by: provider) }
    }

    /// An app may hand an address on to a control line, where a line feed begins another command.
    private func checkAddresses(of actions: [RequestedAction]) throws(RPCError) {
        for action in actions {
            guard case .start(let start) = action.action, start.remote.value.hasControlCharacter
            else { continue }
            throw RPCError(
                .invalidParams, reason: "wrong_form", "the address has a control character in it"
            ).with { $0.field = "/remote/value" }
        }
    }

    /// A call can be started and ended at any time; everything else waits in line at its provider, and a
    /// line has an end.
    private func checkRoom(for actions: [RequestedAction]) throws(RPCError) {
        for action in actions where action.action.kind != .start && action.action.kind != .end {
            guard arbiter.waitingActions(beside: action.call) >= limits.queuedActions else {
                continue
            }
            throw RPCError(
                .overloaded, reason: "pending", "too many actions wait for the app of this call"
            ).with {
                $0.retryable = true
                $0.retryAfterMS = 100
                $0.limit = RPCError.Limit(name: "queued_actions", value: limits.queuedActions)
            }
        }
    }

    /// Nobody waits for a reply.
    static let noToken = RequestToken(0)
    private static let noCall = CallID(UUIDBits(high: 0, low: 0))

    /// - Parameter key: what is the same when the client asks for the same again.
    private func ask(
        _ target: ReplyTarget, _ options: CallOptions, _ key: ArbiterEvent,
        _ event: (RequestToken) -> ArbiterEvent
    ) throws(RPCError) {
        if let chosen = options.transaction, try answerAgain(chosen, key, options, target) {
            return
        }
        ask(target, .transaction(options), event)
    }

    // MARK: - Asking twice

    /// Whether the same was asked for before: then there is its reply, or there will be.
    private func answerAgain(
        _ chosen: TransactionID, _ key: ArbiterEvent, _ options: CallOptions,
        _ target: ReplyTarget
    ) throws(RPCError) -> Bool {
        switch asked.former(chosen, key, at: now) {
        case .nothing:
            guard !options.isDryRun else { return false }
            journal?.append(JournalEntry(.asked(AskedRequest(id: chosen, key: key)), at: instant))
            asked.begin(chosen, key, at: now)
            return false
        case .answered(let reply):
            self.reply(target, replaying: reply)
            return true
        case .underWay:
            guard asked.wait(for: chosen, target) else { throw .tooManyAskAgain }
            postpone(target)
            return true
        case .different:
            throw RPCError(
                .alreadyExists, reason: "transaction", "the id stands for another request"
            ).with { $0.field = "/transaction" }
        }
    }

    private func reply(_ target: ReplyTarget, replaying former: AskedTransactions.Reply) {
        if let error = RPCError(failed: former.report) {
            reply(to: target.id, of: target.peer, batch: target.batch, error)
        } else {
            reply(target) { writer in
                writer.members(of: former.report, seq: former.seq)
                writer.member("replayed", true)
            }
        }
    }

    /// Keeps the reply to a transaction whose id its client chose, and gives it to those who asked
    /// for the same meanwhile.
    func keep(_ report: TransactionReport, for chosen: TransactionID) {
        let reply = AskedTransactions.Reply(report: report, seq: feed.seq)
        for target in asked.settle(chosen, reply) {
            guard release(target) else { continue }
            self.reply(target, replaying: reply)
            finishReply(target)
        }
    }

    // MARK: - Without actions of their own

    func swap(_ params: JSONValue?, _ target: ReplyTarget) throws(RPCError) {
        try askForPlan(params, target) { token, options in
            .swapRequested(token, requester(target.peer), call: CallID(params?["call"]), options)
        }
    }

    func merge(_ params: JSONValue?, _ target: ReplyTarget) throws(RPCError) {
        guard let call = CallID(params?["call"]), let other = CallID(params?["with"]) else {
            return
        }
        try askForPlan(params, target) { token, options in
            .mergeRequested(token, requester(target.peer), call: call, with: other, options)
        }
    }

    func split(_ params: JSONValue?, _ target: ReplyTarget) throws(RPCError) {
        guard let call = CallID(params?["call"]) else { return }
        try askForPlan(params, target) { token, options in
            .splitRequested(token, requester(target.peer), call: call, options)
        }
    }

    private func askForPlan(
        _ params: JSONValue?, _ target: ReplyTarget,
        _ event: (RequestToken, CallOptions) -> ArbiterEvent
    ) throws(RPCError) {
        let options = CallOptions(params)
        try ask(target, options, event(Self.noToken, options)) { event($0, options) }
    }

    /// The button is the user's; an app has its own calls only.
    func pressButton(_ params: JSONValue?, _ target: ReplyTarget) throws(RPCError) {
        guard target.peer.session == nil else {
            throw RPCError(Refusal(.notYourCall, rule: .rights), .requestTransaction)
        }
        let press: ButtonPress = params?["press"]?.utf8?.reads("long") ?? false ? .long : .short
        ask(target, .transaction(CallOptions())) { .buttonPressed($0, press) }
    }

    func silence(_ params: JSONValue?, _ target: ReplyTarget) {
        guard let call = CallID(params?["call"]) else { return }
        ask(target, .plain) { .silenceRequested($0, requester(target.peer), call: call) }
    }
}

extension CallOptions {
    fileprivate init(_ params: JSONValue?) {
        self.init()
        if params?["on_conflict"]?.utf8?.reads("end") ?? false { onConflict = .end }
        if params?["wait"]?.utf8?.reads("completed") ?? false { wait = .completed }
        isDryRun = params?["dry_run"]?.boolean ?? false
        deadlineMS = params?["deadline_ms"]?.integer.map { Int($0) }
        transaction = TransactionID(params?["transaction"])
    }
}

extension AnswerChoice {
    fileprivate init(_ value: JSONValue?) {
        self = value?.string.flatMap(AnswerChoice.init(rawValue:)) ?? .plain
    }
}

extension RPCError {
    /// The reply that many wait for already is there in a moment.
    fileprivate static var tooManyAskAgain: RPCError {
        RPCError(
            .overloaded, reason: "pending", "too many wait for the reply to this transaction"
        ).with {
            $0.retryable = true
            $0.retryAfterMS = 100
            $0.limit = RPCError.Limit(name: "asked_again", value: AskedTransactions.waitingMax)
        }
    }
}
