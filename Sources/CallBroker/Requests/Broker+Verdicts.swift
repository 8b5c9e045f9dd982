internal import BrokerJSON
internal import BrokerRPC
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallProtocol

/// What the arbiter answers to requests.
extension Broker {
    /// Sends the one reply to a request.
    private func answer(
        _ token: RequestToken, _ result: (inout JSONWriter, WaitingRequest) -> Void
    ) {
        settle(token) { request, target in reply(target) { result(&$0, request) } }
    }

    private func answer(_ token: RequestToken, _ error: RPCError) {
        settle(token) { _, target in
            reply(to: target.id, of: target.peer, batch: target.batch, error)
        }
    }

    private func settle(_ token: RequestToken, _ reply: (WaitingRequest, ReplyTarget) -> Void) {
        guard let request = waiting.removeValue(forKey: token.number), let target = request.target
        else { return }
        bringUpToDate(target.peer)
        guard request.isPostponed else { return reply(request, target) }
        tokens[RequestKey(target)] = nil
        settle(target) { reply(request, target) }
    }

    func acknowledge(_ token: RequestToken) {
        answer(token) { writer, request in
            if case .transaction = request.form {
                writer.member("actions", [] as [TransactionReport.Entry])
            }
            writer.member("seq", feed.seq)
        }
    }

    func refuse(_ token: RequestToken, _ refusal: Refusal) {
        guard let request = waiting[token.number] else { return }
        let error = RPCError(refusal, request.form.errorDomain)
        noteRefusedDial(request, error, refusal.rule)
        answer(token, error)
        if case .transaction(let options) = request.form, let chosen = options.kept {
            asked.forget(chosen)
        }
    }

    func confirm(
        _ token: RequestToken, _ call: CallID, _ state: CallState, _ presentation: Presentation
    ) {
        answer(token) { writer, request in
            let told = request.target.map { self.presentation(of: call, at: $0.peer, presentation) }
            writer.member("call", call)
            writer.member("state", state.word)
            writer.member("presentation", (told ?? presentation).rawValue)
            writer.member("seq", feed.seq)
        }
    }

    func confirm(
        _ token: RequestToken, _ provider: ProviderID, calls: [CallID], dropped: [CallID]
    ) {
        sessions[provider]?.displayName = arbiter.configuration(of: provider)?.displayName
        answer(token) { writer, request in
            writer.member("provider", provider)
            writer.member("authorization", choices.authorization(of: provider).rawValue)
            writer.name("limits")
            writer.object { writer in
                if let own = arbiter.configuration(of: provider) {
                    writer.limits(of: own, arbiter.policy)
                }
            }
            // `call.list` has all.
            writer.member("calls", Array(calls.prefix(Arbiter.callsConfirmed)))
            if calls.count > Arbiter.callsConfirmed { writer.member("more", true) }
            writer.member("dropped", dropped + request.form.dropped)
            writer.member("seq", feed.seq)
        }
        if let peer = sessions[provider]?.peer { tellPresentations(of: calls, at: peer) }
    }

    // MARK: - Transactions

    func accept(_ token: RequestToken, _ report: TransactionReport) {
        guard let request = waiting[token.number], case .transaction(let options) = request.form
        else { return }
        let isOver = options.isDryRun || report.transaction == nil
        answer(token) { writer, _ in
            options.isDryRun ? writer.plan(report) : writer.members(of: report, seq: feed.seq)
        }
        if let chosen = options.kept { keep(report, for: chosen) }
        guard !isOver else { return }
        var rest = request
        rest.isAccepted = true
        rest.isPostponed = false
        waiting[token.number] = rest
        if let target = request.target { target.peer.accepted[target.id] = token.number }
    }

    /// Every action is settled: the reply, or, where that was sent before, an event for the one who
    /// asked.
    func complete(_ token: RequestToken, _ report: TransactionReport) {
        guard let request = waiting[token.number], case .transaction(let options) = request.form
        else { return }
        let error = RPCError(failed: report)
        if let error {
            noteRefusedDial(request, error, report.refusal?.rule, report.transaction)
        }
        guard !request.isAccepted else { return finish(token, request.target, report) }
        if error != nil, letWait(token, request, report) { return }
        if let error {
            answer(token, error)
        } else {
            answer(token) { writer, _ in writer.members(of: report, seq: feed.seq) }
        }
        if let chosen = options.kept { keep(report, for: chosen) }
    }

    private func finish(
        _ token: RequestToken, _ target: ReplyTarget?, _ report: TransactionReport
    ) {
        waiting[token.number] = nil
        guard let target else { return }
        if target.peer.accepted[target.id] == token.number { target.peer.accepted[target.id] = nil }
        tellCompletion(of: report, to: target.peer)
    }
}

extension WaitingRequest.Form {
    fileprivate var dropped: [CallID] {
        if case .registration(let dropped) = self { dropped } else { [] }
    }

    /// Which of CallKit's domains its errors belong to.
    var errorDomain: CallKitCode.Domain {
        switch self {
        case .incomingCall: .incomingCall
        case .plain, .registration, .transaction: .requestTransaction
        }
    }
}
