internal import BrokerJSON
internal import CallArbitration
internal import CallModel
internal import CallProtocol

/// What the arbiter tells everybody, as numbered events.
extension Broker {
    func announce(_ announcement: Announcement, _ ended: RecordedEnds) {
        switch announcement {
        case .callAdded(let call, let cause):
            calls.add(call)
            if !isRecovering { newcomers.append(call) }
            plugins.callsHaveChanged = true
            tell(.callAdded, call) { writeCall(call, nil, cause, ended, to: &$0) }
            if let provider = arbiter.outline(of: call)?.provider { settleHeartbeat(of: provider) }
            present(call)
        case .callChanged(let call, let changes, let cause):
            tell(.callChanged, call) { writeCall(call, changes, cause, ended, to: &$0) }
            note(changes, of: call)
        case .callRemoved(let call, let cause): remove(call, cause, ended[call])
        case .callRefused(let call, let provider, let reason, let rule):
            tellRefused(call, provider, reason, rule)
        case .resumeOffered(let call, let other): tellResumeOffered(call, becauseOf: other)
        case .hostChanged(let facts):
            tell(.hostChanged) { $0.members(of: facts) }
            settlePresentations(inCall: facts.liveGroup != nil)
        case .transactionAccepted(let report, let cause):
            tell(.transactionAccepted) { $0.members(of: report, cause) }
        case .transactionCompleted(let report, let cause):
            tell(.transactionCompleted) { $0.members(of: report, cause) }
            completion = Completion(
                transaction: report.transaction, cause: cause, seq: feed.seq)
        case .actionChanged(let action, _, _, let state, let failure):
            tellAction(action, state, failure)
        case .actionLate(let action, let provider): tellLate(action, provider)
        case .providerAdded(let provider): tellProvider(.providerAdded, provider)
        case .providerChanged(let provider): tellProvider(.providerChanged, provider)
        case .providerResumed(let provider): tellProvider(.providerResumed, provider)
        case .providerLost(let provider, let graceMS): tellLost(provider, graceMS)
        case .providerRemoved(let provider, let reason): tellRemoved(provider, reason)
        case .audioChanged(let from, let to, let cause): tellAudio(from, to, cause)
        case .anomaly(let anomaly, let call, let provider): tell(anomaly, call, provider)
        }
    }

    // MARK: - Calls

    private func note(_ changes: ChangedProperties, of call: CallID) {
        if changes.contains(.remote), !isRecovering { renamed.append(call) }
        if changes.contains(.state), !emergencyDials.isEmpty { noteProgress(ofEmergency: call) }
        if !changes.isDisjoint(with: [.state, .silenced, .priority]) {
            settlePresentation(of: call)
        }
    }

    private func remove(_ call: CallID, _ cause: Cause, _ entry: HistoryEntry?) {
        calls.end(call, entry, at: now)
        plugins.callsHaveChanged = true
        tell(.callRemoved, call) { writer in
            writer.member("call", call)
            writer.member("cause", cause)
        }
        takeBack(call)
        presentations.told[call] = nil
        allowed.forget(call)
        if let entry { settleHeartbeat(of: entry.provider) }
    }

    /// The call as it is now. One that is over has left the arbiter: then its history knows it.
    private func writeCall(
        _ call: CallID, _ changes: ChangedProperties?, _ cause: Cause,
        _ ended: RecordedEnds,
        to writer: inout JSONWriter
    ) {
        if let view = arbiter.view(of: call) {
            allowed.note(view)
            write(view, to: &writer)
        } else if let entry = ended[call] {
            write(entry, to: &writer)
        } else {
            writer.member("call", call)
        }
        if let changes { writer.member("changed", changes) }
        writer.member("cause", cause)
    }

    private func tellRefused(
        _ call: CallID, _ provider: ProviderID, _ reason: RefusalReason, _ rule: Rule
    ) {
        tell(.callRefused, call, provider) { writer in
            writer.member("call", call)
            writer.member("reason", reason.rawValue)
            writer.member("rule", rule.word)
            writer.member("cause", Cause(.policy, rule: rule))
        }
    }

    private func tellResumeOffered(_ call: CallID, becauseOf other: CallID) {
        tell(.resumeOffered, call) { writer in
            writer.member("call", call)
            writer.member("rule", Rule.resumeOffered.word)
            writer.member(
                "cause", Cause(.arbitration, rule: .resumeOffered, becauseOf: other))
            writer.member("because_of", other)
        }
    }

    // MARK: - Actions

    private func tellAction(
        _ action: ActionID, _ state: ActionState, _ failure: ActionFailure?
    ) {
        guard let dispatch = dispatched[action] else { return }
        if state != .dispatched {
            dispatched[action] = nil
            settledActions.insert(dispatch)
            sessions[dispatch.provider]?.peer?.performs[action] = nil
            noteFailure(of: dispatch, state, failure)
        }
        guard let topic = Topic(state) else { return }
        tell(topic, dispatch.call, dispatch.provider) { writer in
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
        note(
            Decision(
                dispatch.cause.rule, .failed, call: dispatch.call, cause: dispatch.cause,
                reason: failure == nil ? .deadlineExceeded : .providerFailed),
            failure: failure)
    }

    private func tellLate(_ action: ActionID, _ provider: ProviderID) {
        let settled = settledActions[action]
        tell(.actionLate, nil, provider) { writer in
            writer.member("action", action)
            writer.member("provider", provider)
            guard let settled, settled.provider == provider else { return }
            writer.member("kind", settled.kind.kind.word)
            writer.member("call", settled.call)
            writer.member("transaction", settled.transaction)
        }
    }

    // MARK: - Providers

    private func tellProvider(_ topic: Topic, _ provider: ProviderID) {
        tell(topic, nil, provider) { write(provider, to: &$0) }
    }

    private func tellLost(_ provider: ProviderID, _ graceMS: Int) {
        tell(.providerLost, nil, provider) { writer in
            writer.member("provider", provider)
            writer.member("grace_ms", graceMS)
            writer.member("calls", arbiter.calls(of: provider))
        }
    }

    private func tellRemoved(_ provider: ProviderID, _ reason: RemovalReason) {
        tell(.providerRemoved, nil, provider) { writer in
            writer.member("provider", provider)
            writer.member("reason", reason.rawValue)
        }
        forget(provider, reason)
    }

    private func tellAudio(_ from: CallID?, _ to: CallID?, _ cause: Cause) {
        tell(.audioChanged) { writer in
            writer.member("from", from)
            writer.member("to", to)
            writer.member("cause", cause)
        }
    }

    func tell(_ anomaly: Anomaly, _ call: CallID?, _ provider: ProviderID?) {
        tell(.anomaly, call, provider) { writer in
            writer.member("anomaly", anomaly.rawValue)
            if let call { writer.member("call", call) }
            if let provider { writer.member("provider", provider) }
        }
    }
}

/// The calls that are over after a decision, by their ids: found among its effects, not copied.
struct RecordedEnds {
    private let effects: [ArbiterEffect]
    private var places: [CallID: Int] = [:]

    init(in effects: [ArbiterEffect]) {
        self.effects = effects
        for (place, effect) in effects.enumerated() {
            if case .record(let entry) = effect { places[entry.call] = place }
        }
    }

    subscript(call: CallID) -> HistoryEntry? {
        guard let place = places[call], case .record(let entry) = effects[place] else {
            return nil
        }
        return entry
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
