internal import BrokerJSON
internal import BrokerRPC
internal import CallArbitration
internal import CallModel
internal import CallProtocol

/// The methods that request actions.
struct TransactionMethods {
    let broker: Broker

    func perform(_ request: ControllerRequest, _ target: ReplyTarget) throws(RPCError) {
        switch request {
        case .request(let params): try requestTransaction(params, target)
        case .action(let params): try requestAction(params, target)
        case .dial(let params): try dial(params, target)
        case .swap(let params): try swap(params, target)
        case .merge(let params): try merge(params, target)
        case .split(let params): try split(params, target)
        case .pressButton(let params): try pressButton(params, target)
        case .silence(let params): silence(params, target)
        case .prioritize(let params): prioritize(params, target)
        case .mayRing(let params): try ProviderMethods(broker: broker).tryIncoming(params, target)
        case .continueTones(let params): try continueTones(params, target)
        }
    }

    /// `transaction.request`.
    private func requestTransaction(
        _ params: TransactionParams, _ target: ReplyTarget
    ) throws(RPCError) {
        var named = NamedActions()
        var refusals: [RPCError] = []
        for (index, element) in params.actions.elements.enumerated() {
            let wanted = RequestedActionParams(checked: element)
            do throws(RPCError) {
                named.append(try namedAction(wanted, at: index), isNamed: wanted.call != nil)
            } catch {
                refusals.append(error)
            }
        }
        let key = key(named, params.options, target)
        if try answerAgain(key, target) { return }
        let tones = try named.cutTones(of: key.requester)
        let actions = chosen(named, &refusals, target.peer)
        // Beside an emergency, what is refused is left out: nothing keeps it from going out.
        let urgent = refusals.isEmpty ? nil : firstEmergency(in: actions, target.peer)
        if let refusal = refusals.first, urgent == nil { throw refusal }
        try request(actions, key, target, before: tones)
        guard let urgent, !params.options.isDryRun else { return }
        for refusal in refusals {
            broker.trace.record(leftOut: refusal, beside: urgent.call, params.options, target)
        }
    }

    /// Returns the actions with the providers and lines that their starts are for.
    private func chosen(
        _ named: NamedActions, _ refusals: inout [RPCError], _ peer: Peer
    ) -> [RequestedAction] {
        var actions: [RequestedAction] = []
        for action in named.actions {
            do throws(RPCError) {
                actions.append(try chosen(action, peer))
            } catch {
                refusals.append(error)
            }
        }
        return actions
    }

    private func firstEmergency(in actions: [RequestedAction], _ peer: Peer) -> RequestedAction? {
        broker.emergencies.emergencies(in: actions, of: broker.requester(peer)).first
    }

    private func namedAction(
        _ params: RequestedActionParams, at index: Int
    ) throws(RPCError) -> RequestedAction {
        guard let kind = params.kind else {
            var refusal = Refusal(.invalidAction)
            refusal.actionIndex = index
            throw RPCError(refusal, .requestTransaction)
        }
        let action: CallAction
        do throws(SchemaFault) {
            action = try params.action(kind)
        } catch {
            throw RPCError(error.inside("\(index)").inside("actions"))
        }
        guard let call = params.call ?? (kind == .start ? broker.newCall() : nil) else {
            throw RPCError(
                SchemaFault(reason: .missingMember, message: "is required")
                    .inside("call").inside("\(index)").inside("actions"))
        }
        return RequestedAction(
            call: call, provider: params.provider, action: action,
            choice: AnswerChoice(word: params.choice))
    }

    /// Returns an action, with the provider and the line that a start is for.
    private func chosen(_ named: RequestedAction, _ peer: Peer) throws(RPCError) -> RequestedAction
    {
        try checkAddress(of: named.action)
        var action = named
        action.provider = try broker.providerChoice.chooseProvider(
            for: named.action, named: named.provider, peer)
        return try placed(action)
    }

    /// Returns an action, with the line that a start is for.
    private func placed(_ named: RequestedAction) throws(RPCError) -> RequestedAction {
        guard case .start(let start) = named.action, let provider = named.provider else {
            return named
        }
        var action = named
        action.action = .start(try broker.lineChoice.place(start, at: provider))
        return action
    }

    /// Handles a method for a single action.
    private func requestAction(_ params: ActionParams, _ target: ReplyTarget) throws(RPCError) {
        let call = params.call ?? broker.newCall()
        var named = NamedActions()
        if let video = params.answerVideo {
            named.append(RequestedAction(call: call, action: .setVideo(video)), isNamed: true)
        }
        if let hasText = params.answerText {
            named.append(RequestedAction(call: call, action: .setText(hasText)), isNamed: true)
        }
        let action = RequestedAction(
            call: call, provider: params.provider, action: params.action,
            choice: AnswerChoice(word: params.choice))
        named.append(action, isNamed: params.call != nil)
        let key = key(named, params.options, target)
        if try answerAgain(key, target) { return }
        let tones = try named.cutTones(of: key.requester)
        try request(
            try named.actions.map { named throws(RPCError) in try chosen(named, target.peer) }, key,
            target, before: tones)
    }

    private func dial(_ params: DialParams, _ target: ReplyTarget) throws(RPCError) {
        let address: DialledAddress
        do throws(DialledAddress.Fault) {
            address = try DialledAddress(params.uri)
        } catch {
            throw RPCError(error)
        }
        var start = StartArguments(
            remote: address.handle, hasVideo: params.hasVideo, hasText: params.hasText,
            line: params.line)
        let named = RequestedAction(
            call: params.call ?? broker.newCall(), provider: params.provider, action: .start(start))
        let key = key(NamedActions(named, isNamed: params.call != nil), params.options, target)
        if try answerAgain(key, target) { return }
        start.remote = remote(of: address)
        var action = named
        action.action = .start(start)
        let tones = try action.cutTones(of: key.requester)
        if case .start(let cut) = action.action { start = cut }
        action.provider = try broker.providerChoice.chooseProvider(
            for: start, DialledKind(address), named: params.provider, target.peer)
        var target = target
        target.link = DialledLink(
            scheme: address.scheme, requester: broker.requester(target.peer))
        try request(
            [try placed(action)], key, target, before: tones.map { [action.call: $0] } ?? [:])
    }

    /// Returns the remote side of a link. An emergency number is dialed without the context in the link.
    private func remote(of address: DialledAddress) -> Handle {
        guard let number = address.number else { return address.handle }
        let local = Handle(kind: .phone, value: number)
        return broker.emergencies.isEmergency(number: local) ? local : address.handle
    }

    /// The actions of a request, as their client named them.
    private struct NamedActions {
        private(set) var actions: [RequestedAction] = []
        /// The indices of the actions whose calls the broker has named.
        private var unnamed: [Int] = []

        init() {}

        init(_ action: RequestedAction, isNamed: Bool) {
            append(action, isNamed: isNamed)
        }

        mutating func append(_ action: RequestedAction, isNamed: Bool) {
            if !isNamed { unnamed.append(actions.count) }
            actions.append(action)
        }

        /// Takes the tones after the first pause out of the actions of a user, and returns them. An app
        /// gets the strings that it requests for its own calls back whole.
        mutating func cutTones(of requester: Requester) throws(RPCError) -> [CallID: PausedTones] {
            var rests: [CallID: PausedTones] = [:]
            for index in actions.indices {
                rests[actions[index].call] = try actions[index].cutTones(of: requester)
            }
            return rests
        }

        /// The actions without the calls that the broker has named: their names differ in every
        /// repetition.
        var repeatable: [RequestedAction] {
            var actions = actions
            for index in unnamed { actions[index].call = CallID(UUIDBits(high: 0, low: 0)) }
            return actions
        }
    }

    /// Returns the request by which a repeated one is recognized: as it was sent, because the
    /// default app and its lines may have changed since.
    private func key(
        _ named: NamedActions, _ options: ActionOptions, _ target: ReplyTarget
    ) -> TransactionRequest {
        TransactionRequest(
            token: Broker.noToken, requester: broker.requester(target.peer),
            actions: named.repeatable, options: CallOptions(options))
    }

    func request(
        _ actions: [RequestedAction], _ key: TransactionRequest, _ target: ReplyTarget,
        before tones: [CallID: PausedTones] = [:]
    ) throws(RPCError) {
        var request = key
        request.actions = actions
        let urgent = broker.emergencies.emergencies(in: actions, of: request.requester)
        if urgent.isEmpty { try checkRoom(for: actions) }
        let absent = try broker.demand.absentProviders(for: urgent.isEmpty ? actions : urgent)
        let claimed = broker.emergencies.claims(in: actions, of: request.requester)
        var isNew = false
        ask(
            target, request.options, .transactionRequested(key), starting: absent,
            withVideo: Self.videoStarts(in: actions), before: tones
        ) { token in
            request.token = token
            request.actions = broker.emergencies.judged(actions, of: request.requester)
            isNew = !request.options.isDryRun
            if isNew {
                broker.demand.start(absent)
                broker.emergencies.recordDials(in: request.actions, of: request.requester)
            }
            return .transactionRequested(request)
        }
        broker.emergencies.forgetRefused(request.actions)
        guard isNew, case .app(let provider) = request.requester else { return }
        for call in claimed {
            broker.emergencies.reportClaim(of: call, by: provider, .outgoing)
        }
    }

    private static func videoStarts(in actions: [RequestedAction]) -> Set<CallID> {
        var calls: Set<CallID> = []
        for action in actions {
            if case .start(let start) = action.action, start.hasVideo { calls.insert(action.call) }
        }
        return calls
    }

    /// Refuses control characters: an app may pass an address to a control line, where a line feed begins
    /// another command.
    private func checkAddress(of action: CallAction) throws(RPCError) {
        guard let address = action.address, address.value.hasControlCharacter else { return }
        throw RPCError(
            .invalidParams, reason: .wrongForm, "the address has a control character in it"
        ).with { $0.field = action.kind == .start ? "/remote/value" : "/to/value" }
    }

    /// Refuses actions that would wait behind too many others of their provider. Calls can always be
    /// started and ended.
    func checkRoom(for actions: [RequestedAction]) throws(RPCError) {
        for action in actions where action.action.kind != .start && action.action.kind != .end {
            guard isQueueFull(beside: action.call) else { continue }
            throw RPCError(
                .overloaded, reason: .pending, "too many actions wait for the app of this call"
            ).with {
                $0.retryable = true
                $0.retryAfterMS = 100
                $0.limit = RPCError.Limit(
                    name: "queued_actions", value: broker.limits.queuedActions)
            }
        }
    }

    private func isQueueFull(beside call: CallID) -> Bool {
        broker.readArbiter { $0.waitingActions(beside: call) } >= broker.limits.queuedActions
    }

    private func answerAgain(
        _ key: TransactionRequest, _ target: ReplyTarget
    ) throws(RPCError) -> Bool {
        try broker.requests.answerAgain(key.options, .transactionRequested(key), target)
    }

    /// - Parameter key: the event by which a repeated request is recognized.
    private func ask(
        _ target: ReplyTarget, _ options: CallOptions, _ key: ArbiterEvent,
        starting absent: [ProviderDemand.AbsentProvider] = [],
        withVideo videoStarts: Set<CallID> = [], before tones: [CallID: PausedTones] = [:],
        _ event: (RequestToken) -> ArbiterEvent
    ) {
        broker.requests.begin(options, key)
        broker.requests.ask(
            target, .transaction(options), starting: absent, withVideo: videoStarts, before: tones,
            event)
    }

    // MARK: - Plans of the arbiter

    private func swap(_ params: SwapParams, _ target: ReplyTarget) throws(RPCError) {
        try askForPlan(params.options, target) { token, options in
            .swapRequested(
                token, broker.requester(target.peer), call: params.call, options)
        }
    }

    private func merge(_ params: MergeParams, _ target: ReplyTarget) throws(RPCError) {
        try askForPlan(params.options, target) { token, options in
            .mergeRequested(
                token, broker.requester(target.peer), call: params.call, with: params.with, options)
        }
    }

    private func split(_ params: SplitParams, _ target: ReplyTarget) throws(RPCError) {
        try askForPlan(params.options, target) { token, options in
            .splitRequested(token, broker.requester(target.peer), call: params.call, options)
        }
    }

    private func askForPlan(
        _ options: ActionOptions, _ target: ReplyTarget,
        _ event: (RequestToken, CallOptions) -> ArbiterEvent
    ) throws(RPCError) {
        let options = CallOptions(options)
        let key = event(Broker.noToken, options)
        if try broker.requests.answerAgain(options, key, target) { return }
        ask(target, options, key) { event($0, options) }
    }

    /// Handles the headset button, which belongs to the user: an app may control its own calls only.
    private func pressButton(_ params: PressButtonParams, _ target: ReplyTarget) throws(RPCError) {
        guard target.peer.session == nil else {
            throw RPCError(Refusal(.notYourCall, rule: .rights), .requestTransaction)
        }
        let press: ButtonPress = params.isLong ? .long : .short
        broker.requests.ask(target, .transaction(CallOptions())) { .buttonPressed($0, press) }
    }

    private func silence(_ params: NamedCall, _ target: ReplyTarget) {
        broker.requests.ask(target, .plain) {
            .silenceRequested($0, broker.requester(target.peer), call: params.call)
        }
    }

    private func prioritize(_ params: NamedCall, _ target: ReplyTarget) {
        broker.requests.ask(target, .plain) {
            .prioritizeRequested($0, broker.requester(target.peer), call: params.call)
        }
    }
}

extension CallOptions {
    fileprivate init(_ options: ActionOptions) {
        self.init()
        if options.endsOnConflict { onConflict = .end }
        if options.waitsForCompletion { wait = .completed }
        isDryRun = options.isDryRun
        endsGroup = options.endsGroup
        deadlineMS = options.deadlineMS
        transaction = options.transaction
    }
}

extension AnswerChoice {
    fileprivate init(word: String?) {
        self = word.flatMap(AnswerChoice.init(rawValue:)) ?? .plain
    }
}

extension RPCError {
    /// The error if too many repeated requests wait for the same reply.
    static var tooManyAskAgain: RPCError {
        RPCError(
            .overloaded, reason: .pending, "too many wait for the reply to this transaction"
        ).with {
            $0.retryable = true
            $0.retryAfterMS = 100
            $0.limit = RPCError.Limit(name: "asked_again", value: IdempotencyCache.waitingMax)
        }
    }
}
