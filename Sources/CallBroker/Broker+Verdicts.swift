internal import BrokerJSON
internal import BrokerRPC
internal import CallArbitration
internal import CallModel
internal import CallProtocol

/// What the arbiter answers to requests.
extension Broker {
    /// Sends the one reply to a request.
    private func answer(
        _ token: RequestToken, _ result: (inout JSONWriter, WaitingRequest) -> Void
    ) {
        guard let request = take(token) else { return }
        bringUpToDate(request.target.peer)
        if request.isPostponed {
            answer(request.target) { result(&$0, request) }
        } else {
            reply(request.target) { result(&$0, request) }
        }
    }

    private func answer(_ token: RequestToken, _ error: RPCError) {
        guard let request = take(token) else { return }
        bringUpToDate(request.target.peer)
        if request.isPostponed {
            answer(request.target, error)
        } else {
            reply(
                to: request.target.id, of: request.target.peer, batch: request.target.batch, error)
        }
    }

    private func take(_ token: RequestToken) -> WaitingRequest? {
        guard let request = waiting.removeValue(forKey: token.number) else { return nil }
        if request.isPostponed { tokens[RequestKey(request.target)] = nil }
        return request
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
        answer(token, error)
        if case .transaction(let form) = request.form, let chosen = form.chosen {
            keep(.refusal(refusal), for: chosen)
            _ = asked.forget(chosen)
        }
    }

    func confirm(_ token: RequestToken, _ call: CallID, _ state: CallState, isSilent: Bool) {
        answer(token) { writer, _ in
            writer.member("call", call)
            writer.member("state", state.word)
            writer.member("presentation", (isSilent ? "silent" : "ring") as StaticString)
            writer.member("seq", feed.seq)
        }
    }

    /// As many calls as surely fit into the reply to a registration; `call.list` has all.
    private static let callsListed = 1_024

    func confirm(
        _ token: RequestToken, _ provider: ProviderID, calls: [CallID], dropped: [CallID]
    ) {
        answer(token) { writer, _ in
            writer.member("provider", provider)
            writer.member("authorization", "authorized" as StaticString)
            writer.name("limits")
            writer.object { writer in
                if let own = arbiter.configuration(of: provider) {
                    writer.limits(of: own, arbiter.policy)
                }
            }
            writer.member("calls", Array(calls.prefix(Self.callsListed)))
            if calls.count > Self.callsListed { writer.member("more", true) }
            writer.member("dropped", dropped)
            writer.member("seq", feed.seq)
        }
    }

    // MARK: - Transactions

    func accept(_ token: RequestToken, _ report: TransactionReport) {
        guard let request = waiting[token.number], case .transaction(let form) = request.form else {
            return
        }
        let isOver = form.isDryRun || report.transaction == nil
        answer(token) { writer, _ in
            form.isDryRun ? writer.plan(report) : writer.members(of: report, seq: feed.seq)
        }
        if let chosen = form.chosen { keep(.report(report, seq: feed.seq), for: chosen) }
        guard !isOver else { return }
        var rest = request
        rest.isAccepted = true
        rest.isPostponed = false
        waiting[token.number] = rest
    }

    /// Every action is settled: the reply, or, where that was sent before, an event for the one who
    /// asked.
    func complete(_ token: RequestToken, _ report: TransactionReport) {
        guard let request = waiting[token.number], case .transaction(let form) = request.form else {
            return
        }
        guard !request.isAccepted else {
            waiting[token.number] = nil
            return tellCompletion(of: report, to: request.target.peer)
        }
        if let error = failure(of: report) {
            answer(token, error)
        } else {
            answer(token) { writer, _ in writer.members(of: report, seq: feed.seq) }
        }
        if let chosen = form.chosen { keep(.report(report, seq: feed.seq), for: chosen) }
    }

    /// The error of the first action that failed, and what became of the others.
    func failure(of report: TransactionReport) -> RPCError? {
        guard report.state == .failed else { return nil }
        let refusal = report.refusal ?? Refusal(.providerFailed)
        return RPCError(refusal, .requestTransaction).with { error in
            var writer = JSONWriter(error.extra)
            if let transaction = report.transaction { writer.member("transaction", transaction) }
            writer.member("actions", report.entries)
            if let failed = report.transaction.flatMap({ providerErrors[$0] }) {
                writer.member("provider_error", failed)
            }
            error.extra = writer.bytes
        }
    }
}

extension WaitingRequest.Form {
    /// Which of CallKit's domains its errors belong to.
    var errorDomain: CallKitCode.Domain {
        switch self {
        case .incomingCall: .incomingCall
        case .plain, .registration, .transaction: .requestTransaction
        }
    }
}
