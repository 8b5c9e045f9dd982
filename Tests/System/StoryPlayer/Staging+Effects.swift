internal import CallArbitration
internal import CallModel
internal import CallTranscript

/// Each effect as the frames that must come out.
extension Staging {
    mutating func expect(
        _ effect: ArbiterEffect, _ step: Transcript.Step, in act: inout Act
    ) {
        switch effect {
        case .acknowledge(let token): acknowledge(token, in: &act)
        case .refuse(let token, let refusal): refuse(token, refusal, in: &act)
        case .confirmIncoming(let token, let call, let state, let presentation):
            reply(
                token,
                [
                    "call": .call(call), "state": .string(state.rawValue),
                    "presentation": .string(presentation.rawValue), "seq": .int(seq),
                ], in: &act)
        case .confirmRegistration(let token, let provider, let calls, let dropped):
            confirm(token, provider, calls, dropped, step, in: &act)
        case .accept(let token, let report): accept(token, report, step, in: &act)
        case .complete(let token, let report, _): complete(token, report, step, in: &act)
        case .offer(let transaction, let provider, let actions):
            offer(transaction, to: provider, actions, in: &act)
        case .perform(let dispatch): perform(dispatch, in: &act)
        case .cancelPerform(let action, let provider):
            guard let id = lines[provider]?.requests[action] else { return }
            notify(
                provider, "broker.cancel",
                ["request": .int(id), "action": .string(action.description)], in: &act)
        case .tellTimedOut(let action, let kind, let call, let provider):
            notify(
                provider, "provider.timed_out",
                [
                    "action": .string(action.description), "kind": .string(kind.rawValue),
                    "call": .call(call),
                ], in: &act)
        case .activateAudio(let provider, let group, let calls):
            tellAudio(provider, "audio.activated", group, calls, in: &act)
        case .deactivateAudio(let provider, let group, let calls):
            tellAudio(provider, "audio.deactivated", group, calls, in: &act)
        case .resetProvider(let provider, let reason):
            notify(provider, "provider.reset", ["reason": .string(reason.rawValue)], in: &act)
        case .startTimer(let timer, let deadline): timers.start(timer, at: deadline)
        case .stopTimer(let timer): timers.stop(timer)
        case .announce(let announcement): announce(announcement, step, in: &act)
        case .note(let decision): note(decision)
        case .record(let entry):
            let end = Decision(
                entry.cause.rule ?? .history, .ended, call: entry.call, cause: entry.cause)
            notes.append(
                Note(
                    decision: end, endReason: entry.reason, endDetail: entry.detail,
                    failure: entry.failure, seq: seq, at: now))
            guard !entry.missed.isEmpty, entry.isRecent else { return }
            missed += 1
            tell("history.changed", ["missed": .int(missed)], in: &act)
        case .screen(let call):
            examined.insert(call)
            askFilters(about: call, step.arbiter, in: &act)
        }
    }

    /// A decision of filters says whose it is, and why.
    private mutating func note(_ decision: Decision) {
        var note = Note(decision: decision, seq: seq, at: now)
        if decision.rule == .filters {
            (note.filter, note.explanation) = (credit.filter, credit.explanation)
        }
        notes.append(note)
    }

    // MARK: - Replies

    /// The one who asked, if a reply reaches it.
    private mutating func requester(_ token: RequestToken, isLast: Bool = true) -> Asked? {
        guard let request = asked[token.number] else { return nil }
        if isLast { asked[token.number] = nil }
        if case .provider(let provider, _) = request.client {
            lines[provider]?.waiting.remove(token.number)
        }
        let isReport = if case .incoming = request.form { true } else { false }
        let isReached = isOpen(request.client) || isReport && request.client == leaving
        return isReached ? request : nil
    }

    private mutating func reply(_ token: RequestToken, _ result: Wire, in act: inout Act) {
        guard let request = requester(token) else { return }
        act.expectReply(to: token.number, result, at: request.client)
    }

    private mutating func acknowledge(_ token: RequestToken, in act: inout Act) {
        guard let request = requester(token) else { return }
        let isPlan = if case .transaction = request.form { true } else { false }
        let result = Wire.members(["actions": isPlan ? [] : nil, "seq": .int(seq)])
        act.expectReply(to: token.number, result, at: request.client)
    }

    private mutating func refuse(
        _ token: RequestToken, _ refusal: Refusal, in act: inout Act
    ) {
        noteRefusedDial(token, refusal)
        guard let request = requester(token) else { return }
        let isIncoming = if case .incoming = request.form { true } else { false }
        act.expectError(
            to: token.number, .error(refusal, isIncoming ? .incomingCall : .requestTransaction),
            at: request.client)
    }

    private mutating func confirm(
        _ token: RequestToken, _ provider: ProviderID, _ calls: [CallID], _ dropped: [CallID],
        _ step: Transcript.Step, in act: inout Act
    ) {
        let limits = step.arbiter.configuration(of: provider).map { Wire.limits(of: $0, policy) }
        reply(
            token,
            [
                "provider": .provider(provider), "authorization": "authorized",
                "limits": limits ?? [:], "calls": .calls(calls), "dropped": .calls(dropped),
                "seq": .int(seq),
            ], in: &act)
    }

    private mutating func accept(
        _ token: RequestToken, _ report: TransactionReport, _ step: Transcript.Step,
        in act: inout Act
    ) {
        guard case .transaction(let isDryRun) = asked[token.number]?.form else { return }
        let isOver = isDryRun || report.transaction == nil
        let result = isDryRun ? Wire.plan(report) : outcome(of: report)
        asked[token.number]?.isAccepted = true
        guard let request = requester(token, isLast: isOver) else { return }
        let fallback = fallback(of: report, request, step)
        act.expectReply(to: token.number, result.with(fallback), at: request.client)
    }

    /// What is said of calls that are started without their video, as their apps have none.
    private func fallback(
        of report: TransactionReport, _ request: Asked, _ step: Transcript.Step
    ) -> [String: Wire?] {
        let isWithout = report.entries.contains {
            $0.kind == .start && request.videoStarts.contains($0.call)
                && step.arbiter.configuration(of: $0.provider)?.supportsVideo == false
        }
        return ["video_fallback": isWithout ? "audio" : nil]
    }

    private func outcome(of report: TransactionReport) -> Wire {
        .report(report).with(["joined": report.isJoined ? true : nil, "seq": .int(seq)])
    }

    /// The reply, or what the one who asked hears after it.
    private mutating func complete(
        _ token: RequestToken, _ report: TransactionReport, _ step: Transcript.Step,
        in act: inout Act
    ) {
        if report.state == .failed {
            noteRefusedDial(
                token, report.refusal ?? Refusal(.providerFailed), report.transaction)
        }
        guard let request = requester(token) else { return }
        if request.isAccepted {
            tellCompletion(of: report, to: request.client, in: &act)
        } else if report.state == .failed {
            let refusal = report.refusal ?? Refusal(.providerFailed)
            let error = Wire.error(
                refusal, .requestTransaction,
                [
                    "transaction": report.transaction.map { .string($0.description) },
                    "actions": Wire.entries(report),
                    "provider_error": Wire.providerError(in: report),
                ])
            act.expectError(to: token.number, error, at: request.client)
        } else {
            let outcome = outcome(of: report).with(fallback(of: report, request, step))
            act.expectReply(to: token.number, outcome, at: request.client)
        }
    }

    // MARK: - Providers

    private mutating func nextID(_ provider: ProviderID) -> Int64 {
        lines[provider]?.lastID += 1
        return lines[provider]?.lastID ?? 0
    }

    private mutating func perform(_ dispatch: Dispatch, in act: inout Act) {
        dispatched[dispatch.action] = dispatch
        guard let client = client(of: dispatch.provider) else { return }
        let id = nextID(dispatch.provider)
        lines[dispatch.provider]?.performs[dispatch.action] = id
        lines[dispatch.provider]?.requests[dispatch.action] = id
        lines[dispatch.provider]?.formerPerforms[dispatch.action] = id
        act.expect(.request(UInt64(id), "provider.perform", .perform(dispatch)), at: client)
    }

    private mutating func offer(
        _ transaction: TransactionID, to provider: ProviderID, _ actions: [Dispatch],
        in act: inout Act
    ) {
        for action in actions { dispatched[action.action] = action }
        guard let client = client(of: provider) else { return }
        let id = nextID(provider)
        lines[provider]?.offers[transaction] = id
        for action in actions { lines[provider]?.requests[action.action] = id }
        lines[provider]?.formerOffers[transaction] = id
        let params: Wire = [
            "transaction": .string(transaction.description),
            "actions": .array(
                actions.map {
                    .action($0).with([
                        "cause": .cause($0.cause), "age_ms": .number($0.ageMS),
                    ])
                }),
            "deadline_ms": .number(policy.offerMS),
        ]
        act.expect(.request(UInt64(id), "provider.execute", params), at: client)
    }

    /// It has not answered in time.
    mutating func withdrawOffer(
        _ transaction: TransactionID, from provider: ProviderID, in act: inout Act
    ) {
        guard let id = lines[provider]?.offers[transaction] else { return }
        notify(provider, "broker.cancel", ["request": .int(id)], in: &act)
    }

    private func notify(
        _ provider: ProviderID, _ method: String, _ params: Wire, in act: inout Act
    ) {
        guard let client = client(of: provider) else { return }
        act.expectNotice(method, params, at: client)
    }

    private func tellAudio(
        _ provider: ProviderID, _ method: String, _ group: CallID, _ calls: [CallID],
        in act: inout Act
    ) {
        notify(provider, method, ["group": .call(group), "calls": .calls(calls)], in: &act)
    }
}

extension Wire {
    static func failure(_ failure: ActionFailure) -> Wire {
        .members([
            "code": .number(failure.code), "reason": .string(failure.reason),
            "message": failure.message.map { .string($0) },
            "app_code": failure.appCode.map { .string($0) },
        ])
    }

    static func detail(_ detail: EndDetail) -> Wire {
        .members([
            "reason": detail.reason.map { .string($0.rawValue) },
            "text": detail.text.map { .string($0) }, "code": detail.code.map { .string($0) },
        ])
    }

    /// What the app of the first action says that has failed.
    static func providerError(in report: TransactionReport) -> Wire? {
        report.entries.compactMap(\.failure).first.map { .failure($0) }
    }
}
