internal import CallArbitration
internal import CallModel
internal import CallTranscript

/// Each announcement as the event that observers get.
extension Staging {
    /// A numbered event.
    mutating func tell(
        _ topic: String, _ data: [String: Wire?], call: CallID? = nil, provider: ProviderID? = nil,
        in act: inout Act
    ) {
        seq += 1
        defer { sentSeq = seq }
        let params = Wire.members([
            "subscription": 1, "epoch": .string(epoch), "seq": .int(seq), "prev": .int(sentSeq),
            "at_ms": clock.unixMS(now), "topic": .string(topic), "call": call.map { .call($0) },
            "provider": provider.map { .provider($0) }, "data": .members(data),
        ])
        act.expectNotice("event", params, at: .observer)
    }

    /// A call that was on another device is new to those who know no such calls: an event that this
    /// observer is not sent.
    private mutating func skipIntroduction(of call: CallID, _ step: Transcript.Step) {
        guard externals.contains(call), let outline = step.arbiter.outline(of: call),
            outline.state != .external
        else { return }
        externals.remove(call)
        seq += 1
    }

    mutating func announce(
        _ announcement: Announcement, _ step: Transcript.Step, in act: inout Act
    ) {
        switch announcement {
        case .callAdded(let call, let cause):
            if step.arbiter.outline(of: call)?.state == .external { externals.insert(call) }
            published.removeAll { $0 == call }
            published.append(call)
            tellCall("call.added", call, ["cause": .cause(cause)], step, in: &act)
            askDirectories(about: call, step, in: &act)
        case .callChanged(let call, let changes, let cause):
            tellCall(
                "call.changed", call,
                ["changed": .words(changes.names), "cause": .cause(cause)], step, in: &act)
            skipIntroduction(of: call, step)
        case .callRemoved(let call, let cause):
            remotes[call] = nil
            externals.remove(call)
            tell(
                "call.removed", ["call": .call(call), "cause": .cause(cause)], call: call, in: &act)
        case .callRefused(let call, let provider, let reason, let rule):
            tell(
                "call.refused",
                [
                    "call": .call(call), "reason": .string(reason.rawValue),
                    "rule": .string(rule.rawValue), "cause": .cause(Cause(.policy, rule: rule)),
                ], call: call, provider: provider, in: &act)
        case .resumeOffered(let call, let other): tellOffered(call, because: other, in: &act)
        case .hostChanged(let facts):
            self.facts = facts
            guard case .object(let members) = Wire.facts(facts) else { return }
            tell("host.changed", members, in: &act)
        case .transactionAccepted(let report, let cause):
            tell("transaction.accepted", members(of: report, cause), in: &act)
        case .transactionCompleted(let report, let cause):
            tellCompleted(report, cause, in: &act)
        case .actionChanged(let action, _, _, let state, let failure):
            tellAction(action, state, failure, in: &act)
        case .audioChanged(let from, let to, let cause):
            audio = to
            tell(
                "audio.changed",
                [
                    "from": from.map { .call($0) } ?? .null, "to": to.map { .call($0) } ?? .null,
                    "cause": .cause(cause),
                ], in: &act)
        case .anomaly(let anomaly, let call, let provider):
            tell(
                "broker.anomaly",
                [
                    "anomaly": .string(anomaly.rawValue), "call": call.map { .call($0) },
                    "provider": provider.map { .provider($0) },
                ], call: call, provider: provider, in: &act)
        default: announceProvider(announcement, step, in: &act)
        }
    }

    private mutating func announceProvider(
        _ announcement: Announcement, _ step: Transcript.Step, in act: inout Act
    ) {
        switch announcement {
        case .actionLate(let action, let provider):
            let settled = settledActions[action].flatMap { $0.provider == provider ? $0 : nil }
            tell(
                "action.late",
                [
                    "action": .string(action.description), "provider": .provider(provider),
                    "kind": settled.map { .string($0.kind.kind.rawValue) },
                    "call": settled.map { .call($0.call) },
                    "transaction": settled.map { .string($0.transaction.description) },
                ], provider: provider, in: &act)
        case .providerAdded(let provider): tellProvider("added", provider, step, in: &act)
        case .providerChanged(let provider): tellProvider("changed", provider, step, in: &act)
        case .providerResumed(let provider): tellProvider("resumed", provider, step, in: &act)
        case .providerLost(let provider, let graceMS):
            tell(
                "provider.lost",
                [
                    "provider": .provider(provider), "grace_ms": .number(graceMS),
                    "calls": .calls(
                        step.arbiter.calls(of: provider).filter { !externals.contains($0) }),
                ], provider: provider, in: &act)
        case .providerRemoved(let provider, let reason):
            lines[provider]?.isRegistered = false
            lines[provider]?.isWatched = false
            tell(
                "provider.removed",
                ["provider": .provider(provider), "reason": .string(reason.rawValue)],
                provider: provider, in: &act)
        default: preconditionFailure("the others are told elsewhere")
        }
    }

    private mutating func tellProvider(
        _ topic: String, _ provider: ProviderID, _ step: Transcript.Step, in act: inout Act
    ) {
        guard case .object(let members) = Wire.provider(provider, of: step.arbiter) else { return }
        tell("provider." + topic, members, provider: provider, in: &act)
    }

    /// The call as it is after the event; one that is over as its history has it.
    private mutating func tellCall(
        _ topic: String, _ call: CallID, _ more: [String: Wire?], _ step: Transcript.Step,
        in act: inout Act
    ) {
        var data: Wire = ["call": .call(call)]
        if let view = step.arbiter.view(of: call) {
            data = .call(view, clock)
            remotes[call] = view.properties.remote
        } else {
            for case .record(let entry) in step.effects where entry.call == call {
                data = .call(entry, clock)
            }
        }
        guard case .object(let members) = data.with(more) else { return }
        tell(topic, members, call: call, in: &act)
    }

    private mutating func tellOffered(
        _ call: CallID, because other: CallID, in act: inout Act
    ) {
        let cause = Cause(.arbitration, rule: .resumeOffered, becauseOf: other)
        tell(
            "call.resume_offered",
            [
                "call": .call(call), "rule": .string(Rule.resumeOffered.rawValue),
                "cause": .cause(cause), "because_of": .call(other),
            ], call: call, in: &act)
    }

    // MARK: - Addresses that are not called

    /// What somebody took back is no news to him.
    mutating func noteRefusedDial(
        _ token: RequestToken, _ refusal: Refusal, _ transaction: TransactionID? = nil
    ) {
        guard let request = asked[token.number], request.isDial, refusal.reason != .cancelled,
            case .transaction(isDryRun: false) = request.form
        else { return }
        refusedDials.append((request.client, refusal, transaction))
    }

    /// Behind all that the same event has brought.
    mutating func tellRefusedDials(in act: inout Act) {
        for (client, refusal, transaction) in refusedDials {
            var app: ProviderID?
            if case .provider(let provider, _) = client { app = provider }
            let data: [String: Wire?] = [
                "reason": .string(refusal.reason.rawValue), "message": .anything,
                "hint": .anything, "scheme": "tel",
                "transaction": transaction.map { .string($0.description) },
                "cause": .cause(Cause(app == nil ? .user : .app, rule: refusal.rule)),
            ]
            tell("call.dial_refused", data, provider: app, in: &act)
        }
        refusedDials = []
    }

    /// What `call.explain` says of it.
    private mutating func noteFailure(
        of dispatch: Dispatch, _ state: ActionState, _ failure: ActionFailure?
    ) {
        guard failure != nil || state == .timedOut else { return }
        let decision = Decision(
            dispatch.cause.rule, .failed, call: dispatch.call, cause: dispatch.cause,
            reason: state == .timedOut ? .deadlineExceeded : .providerFailed)
        notes.append(Note(decision: decision, failure: failure, seq: seq, at: now))
    }

    // MARK: - Transactions

    private func members(of report: TransactionReport, _ cause: Cause) -> [String: Wire?] {
        guard case .object(let members) = Wire.report(report) else { return [:] }
        var more: [String: Wire] = ["cause": .cause(cause)]
        if report.state == .failed {
            more["refusal"] = Wire.error(
                report.refusal ?? Refusal(.providerFailed), .requestTransaction,
                ["provider_error": Wire.providerError(in: report)])
        }
        return members.merging(more) { $1 }
    }

    /// The one who asked for it may get the same event.
    private mutating func tellCompleted(
        _ report: TransactionReport, _ cause: Cause, in act: inout Act
    ) {
        let data = members(of: report, cause)
        tell("transaction.completed", data, in: &act)
        completion = Completion(transaction: report.transaction, event: completed(data))
    }

    /// As one hears of it who has not subscribed.
    private func completed(_ data: [String: Wire?]) -> Wire {
        [
            "epoch": .string(epoch), "seq": .int(seq), "at_ms": clock.unixMS(now),
            "topic": "transaction.completed", "data": .members(data),
        ]
    }

    /// Tells the one who asked for a transaction how it went: once, however often it was asked for.
    mutating func tellCompletion(
        of report: TransactionReport, to client: Client, in act: inout Act
    ) {
        if let completion, completion.transaction == report.transaction {
            guard self.completion?.told.insert(client).inserted == true else { return }
            return act.expectNotice("event", completion.event, at: client)
        }
        // It goes on for others.
        let origin: Origin = if case .user = client { .user } else { .app }
        let cause = Cause(origin, transaction: report.transaction)
        act.expectNotice("event", completed(members(of: report, cause)), at: client)
    }

    /// Only what a provider was sent has events.
    private mutating func tellAction(
        _ action: ActionID, _ state: ActionState, _ failure: ActionFailure?, in act: inout Act
    ) {
        guard let dispatch = dispatched[action] else { return }
        if state != .dispatched {
            dispatched[action] = nil
            settledActions[action] = dispatch
            noteFailure(of: dispatch, state, failure)
        }
        guard [.dispatched, .fulfilled, .failed, .timedOut].contains(state) else { return }
        tell(
            "action." + state.rawValue,
            [
                "action": .string(action.description),
                "kind": .string(dispatch.kind.kind.rawValue), "call": .call(dispatch.call),
                "provider": .provider(dispatch.provider),
                "transaction": .string(dispatch.transaction.description),
                "state": .string(state.rawValue), "attempt": .number(max(1, dispatch.attempt)),
                "failure": failure.map { .failure($0) },
                "arguments": state == .dispatched ? .arguments(dispatch.kind) : nil,
            ], call: dispatch.call, provider: dispatch.provider, in: &act)
    }
}
