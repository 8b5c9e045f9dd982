internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallProtocol

/// The requests that wait for the arbiter, and their replies.
final class PendingRequests: BrokerPart {
    private let clock: TurnClock
    private let outbox: Outbox
    private let events: EventPublisher
    /// Requests that are not answered or not completed, by their tokens.
    private var waiting: [RequestToken: WaitingRequest] = [:]
    private var lastToken: UInt64 = 0
    /// The token of a dry run, whose reply comes at once.
    private static let dryRun = RequestToken(.max)
    /// The tokens of requests whose replies are deferred.
    private var tokens: [RequestKey: RequestToken] = [:]
    private var idempotency = IdempotencyCache()
    /// The refused requests since the start, by the rule that refused them.
    private(set) var refusals = CaseCounts<Rule>()
    /// The requests that were refused since the start without a rule, such as for an unknown call.
    private(set) var otherRefusals = 0
    /// The transactions that were carried out since the start, by their outcome.
    private(set) var outcomes = CaseCounts<TransactionState>()
    /// The times from a request to the end of its transaction.
    private(set) var durations = LatencyHistogram()

    init(_ clock: TurnClock, _ outbox: Outbox, _ events: EventPublisher) {
        self.clock = clock
        self.outbox = outbox
        self.events = events
    }

    /// The requests that are not answered or not completed, the oldest first.
    var open: [WaitingRequest] {
        waiting.sorted { $0.key.number < $1.key.number }.map(\.value)
    }

    /// The number of requests that are not answered or not completed.
    var count: Int {
        waiting.count
    }

    /// Sends the one reply to a request.
    private func answer(
        _ token: RequestToken, _ result: (inout JSONWriter, WaitingRequest) -> Void
    ) {
        settle(token) { request, target in outbox.reply(target) { result(&$0, request) } }
    }

    private func answer(_ token: RequestToken, _ error: RPCError) {
        settle(token) { _, target in
            outbox.reply(to: target.id, of: target.peer, batch: target.batch, error)
        }
    }

    private func settle(_ token: RequestToken, _ reply: (WaitingRequest, ReplyTarget) -> Void) {
        guard let request = waiting.removeValue(forKey: token), let target = request.target
        else { return }
        events.bringUpToDate(target.peer)
        guard request.isPostponed else { return reply(request, target) }
        tokens[RequestKey(target)] = nil
        outbox.settle(target) { reply(request, target) }
    }

    func acknowledge(_ token: RequestToken) {
        answer(token) { writer, request in
            if case .transaction = request.form {
                writer.member("actions", [] as [TransactionReport.Entry])
            }
            writer.member("seq", events.seq)
        }
    }

    func refuse(_ token: RequestToken, _ refusal: Refusal) {
        guard let request = waiting[token] else { return }
        count(refusal, of: request)
        let error = RPCError(refusal, request.form.errorDomain)
        broker.refusedDials.record(request, error, refusal.rule)
        answer(token, error)
        if case .transaction(let options) = request.form, let chosen = options.kept {
            idempotency.forget(chosen)
        }
    }

    func confirm(
        _ token: RequestToken, _ call: CallID, _ state: CallState, _ presentation: Presentation
    ) {
        answer(token) { writer, request in
            let told = request.target.map {
                broker.screens.presentation(of: call, at: $0.peer, presentation)
            }
            writer.member("call", call)
            writer.member("state", state.word)
            writer.member(
                "presentation", (told ?? presentation).known(to: request.target?.peer).rawValue)
            writer.member("seq", events.seq)
        }
    }

    func confirm(
        _ token: RequestToken, _ provider: ProviderID, calls: [CallID], dropped: [CallID]
    ) {
        answer(token) { writer, request in
            writer.member("provider", provider)
            writer.member(
                "authorization", broker.policy.choices.authorization(of: provider).rawValue)
            writer.name("limits")
            writer.object { writer in
                if let own = broker.configuration(of: provider) {
                    writer.limits(of: own, broker.arbiter.policy)
                }
            }
            // `call.list` returns all of them.
            writer.member("calls", Array(calls.prefix(Arbiter.callsConfirmed)))
            if calls.count > Arbiter.callsConfirmed { writer.member("more", true) }
            writer.member("dropped", dropped + request.form.dropped)
            writer.member("seq", events.seq)
        }
        if let peer = broker.sessions[provider]?.peer {
            broker.screens.sendPresentations(of: calls, at: peer)
        }
    }

    // MARK: - Transactions

    func accept(_ token: RequestToken, _ report: TransactionReport) {
        guard let request = waiting[token], case .transaction(let options) = request.form
        else { return }
        let isOver = options.isDryRun || report.transaction == nil
        answer(token) { writer, request in
            options.isDryRun
                ? writer.plan(report, starting: request.wouldStart)
                : writer.members(of: report, seq: events.seq)
            writeFallback(of: report, request, to: &writer)
        }
        if let chosen = options.kept { keep(report, for: chosen) }
        guard !isOver else { return }
        var rest = request
        rest.isAccepted = true
        rest.isPostponed = false
        waiting[token] = rest
        if let target = request.target { target.peer.accepted[target.id] = token }
    }

    /// Completes a transaction whose actions are all settled: sends the reply, or the event for the
    /// requesting client if the reply was sent before.
    func complete(_ token: RequestToken, _ report: TransactionReport) {
        guard let request = waiting[token], case .transaction(let options) = request.form
        else { return }
        count(report, of: request)
        broker.tones.keep(request.tones, of: report)
        let error = RPCError(failed: report)
        let isTriedAgain =
            error != nil && broker.emergencies.letWait(token, request, report)
        if let error, !isTriedAgain {
            broker.refusedDials.record(request, error, report.refusal?.rule, report.transaction)
        }
        guard !request.isAccepted else { return finish(token, request.target, report) }
        if isTriedAgain { return }
        if let error {
            answer(token, error)
        } else {
            answer(token) { writer, request in
                writer.members(of: report, seq: events.seq)
                writeFallback(of: report, request, to: &writer)
            }
        }
        if let chosen = options.kept { keep(report, for: chosen) }
    }

    /// Writes that calls are started without their video: their apps have none (rule 21).
    private func writeFallback(
        of report: TransactionReport, _ request: WaitingRequest, to writer: inout JSONWriter
    ) {
        let fallsBack = report.entries.contains { entry in
            entry.kind == .start && request.videoStarts.contains(entry.call)
                && broker.demand.configuration(of: entry.provider)?.supportsVideo == false
        }
        if fallsBack { writer.member("video_fallback", "audio" as StaticString) }
    }

    private func count(_ refusal: Refusal, of request: WaitingRequest) {
        guard !request.form.isDryRun, !broker.isReplaying else { return }
        guard let rule = refusal.rule else { return otherRefusals += 1 }
        refusals.add(rule)
    }

    private func count(_ report: TransactionReport, of request: WaitingRequest) {
        guard !broker.isReplaying else { return }
        outcomes.add(report.state)
        durations.record(from: request.since, to: clock.now)
    }

    private func finish(
        _ token: RequestToken, _ target: ReplyTarget?, _ report: TransactionReport
    ) {
        waiting[token] = nil
        guard let target else { return }
        if target.peer.accepted[target.id] == token { target.peer.accepted[target.id] = nil }
        events.sendCompletion(of: report, to: target.peer)
    }
}

extension WaitingRequest.Form {
    fileprivate var isDryRun: Bool {
        if case .transaction(let options) = self { options.isDryRun } else { false }
    }

    fileprivate var dropped: [CallID] {
        if case .registration(let dropped) = self { dropped } else { [] }
    }

    /// The CallKit domain of its errors.
    var errorDomain: CallKitCode.Domain {
        switch self {
        case .incomingCall: .incomingCall
        case .plain, .registration, .transaction: .requestTransaction
        }
    }
}

extension PendingRequests {
    /// Lets the arbiter decide about a request; its reply comes as an effect, now or later.
    ///
    /// - Parameters:
    ///   - target: the destination of the reply.
    ///   - form: the form of the reply.
    ///   - absent: the providers that a dry run takes for started.
    ///   - videoStarts: the calls that it starts with video.
    ///   - tones: what follows the tones that it plays, after a pause.
    ///   - event: returns the event of the request.
    func ask(
        _ target: ReplyTarget, _ form: WaitingRequest.Form,
        starting absent: [ProviderDemand.AbsentProvider] = [],
        withVideo videoStarts: Set<CallID> = [], before tones: [CallID: PausedTones] = [:],
        _ event: (RequestToken) -> ArbiterEvent
    ) {
        if case .transaction(let options) = form, options.isDryRun {
            waiting[Self.dryRun] = WaitingRequest(
                target: target, form: form, since: clock.now, wouldStart: absent.map(\.provider),
                videoStarts: videoStarts)
            return broker.preview(event(Self.dryRun), after: absent.map(\.starting))
        }
        let token = nextToken()
        waiting[token] = WaitingRequest(
            target: target, form: form, since: clock.now, videoStarts: videoStarts, tones: tones)
        broker.decide(event(token))
        guard let request = waiting[token], !request.isAccepted else { return }
        waiting[token]?.isPostponed = true
        tokens[RequestKey(target)] = token
        outbox.postpone(target)
    }

    /// Lets the arbiter decide about a request of the broker's own, to which no client expects a reply.
    func ask(before tones: [CallID: PausedTones], _ event: (RequestToken) -> ArbiterEvent) {
        let token = nextToken()
        waiting[token] = WaitingRequest(
            form: .transaction(CallOptions()), since: clock.now, isAccepted: true, tones: tones)
        broker.decide(event(token))
    }

    /// Returns true if the request repeats an earlier one, whose reply is sent now or later.
    func answerAgain(
        _ options: CallOptions, _ key: ArbiterEvent, _ target: ReplyTarget
    ) throws(RPCError) -> Bool {
        guard let chosen = options.transaction else { return false }
        switch idempotency.former(chosen, key, at: clock.now) {
        case .nothing: return false
        case .answered(let reply):
            self.reply(target, replaying: reply)
            return true
        case .underWay:
            guard idempotency.wait(for: chosen, target) else { throw .tooManyAskAgain }
            outbox.postpone(target)
            return true
        case .different:
            throw RPCError(
                .alreadyExists, reason: .transaction, "the id stands for another request"
            ).with { $0.field = "/transaction" }
        }
    }

    /// Records a request whose client chose its id.
    func begin(_ options: CallOptions, _ key: ArbiterEvent) {
        guard let chosen = options.transaction, !options.isDryRun else { return }
        broker.journal.append(.asked(AskedRequest(id: chosen, key: key)))
        idempotency.begin(chosen, key, at: clock.now)
    }

    private func reply(_ target: ReplyTarget, replaying former: IdempotencyCache.Reply) {
        if let error = RPCError(failed: former.report) {
            outbox.reply(to: target.id, of: target.peer, batch: target.batch, error)
        } else {
            outbox.reply(target) { writer in
                writer.members(of: former.report, seq: former.seq)
                writer.member("replayed", true)
            }
        }
    }

    /// Stores the reply to a transaction whose id its client chose, and sends it to the repeated
    /// requests that wait for it.
    func keep(_ report: TransactionReport, for chosen: TransactionID) {
        let reply = IdempotencyCache.Reply(report: report, seq: events.seq)
        for target in idempotency.settle(chosen, reply) {
            guard outbox.release(target) else { continue }
            self.reply(target, replaying: reply)
            outbox.finishReply(target)
        }
    }

    /// Cancels the pending requests of a closed connection, except those with an id that the client
    /// chose: it may repeat them.
    func cancelRequests(of peer: Peer) {
        let open = peer.requests.ids.compactMap { tokens[RequestKey(peer, $0)] }
            .filter { token in
                guard case .transaction(let options) = waiting[token]?.form else { return false }
                return options.kept == nil
            }
        for token in inOrder(open) { broker.decide(.cancelRequested(token)) }
    }

    private func inOrder(_ tokens: some Sequence<RequestToken>) -> [RequestToken] {
        tokens.sorted { $0.number < $1.number }
    }

    /// Cancels a request for its client.
    func cancel(_ id: RequestID, of peer: Peer) {
        guard let token = tokens[RequestKey(peer, id)] ?? peer.accepted[id] else { return }
        broker.decide(.cancelRequested(token))
    }

    /// Returns a token for a request without a reply.
    func nextToken() -> RequestToken {
        lastToken += 1
        return RequestToken(lastToken)
    }

    /// Removes a request that waits for something other than the arbiter.
    func suspend(_ token: RequestToken) {
        waiting[token] = nil
    }

    /// Adds a suspended request again, under the same token.
    func resume(_ request: WaitingRequest, _ token: RequestToken) {
        waiting[token] = request
    }
}

// Storing and restoring.
extension PendingRequests {
    func store(in snapshot: inout JournalSnapshot) {
        snapshot.lastToken = lastToken
        snapshot.asked = idempotency.stored
        snapshot.waiting = waiting.compactMap { token, request in
            guard case .transaction(let options) = request.form, !options.isDryRun else {
                return nil
            }
            return WaitingTransaction(
                token: token, options: options, isAccepted: request.isAccepted)
        }
    }

    func restore(_ snapshot: JournalSnapshot) {
        lastToken = snapshot.lastToken
        for transaction in snapshot.asked { idempotency.takeOver(transaction) }
        for transaction in snapshot.waiting {
            var request = WaitingRequest(
                form: .transaction(transaction.options), since: clock.now)
            request.isAccepted = transaction.isAccepted
            waiting[transaction.token] = request
        }
    }

    /// Restores the request that an event of the journal answers to.
    func restore(_ event: ArbiterEvent) {
        if let token = event.token { lastToken = max(lastToken, token.number) }
        guard let (token, options) = event.transaction, !options.isDryRun,
            token != Broker.noToken
        else { return }
        waiting[token] = WaitingRequest(
            form: .transaction(options), since: clock.now)
    }

    func restore(_ request: AskedRequest) {
        idempotency.begin(request.id, request.key, at: clock.now)
    }

    /// Cancels requests whose clients cannot return for their replies.
    func cancelAbandoned() {
        let abandoned = waiting.filter { _, request in
            guard case .transaction(let options) = request.form else { return false }
            return options.kept == nil && !request.isAccepted
        }
        for token in inOrder(abandoned.keys) { broker.decide(.cancelRequested(token)) }
    }
}
