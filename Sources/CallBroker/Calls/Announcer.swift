internal import BrokerJSON
internal import BrokerRPC
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallProtocol

/// The publisher of the arbiter's announcements, as numbered events. Also writes calls and
/// providers as the protocol shows them.
struct Announcer {
    let broker: Broker

    func announce(_ announcement: Announcement, _ ended: RecordedEnds) {
        switch announcement {
        case .callAdded(let call, let cause): add(call, cause, ended)
        case .callChanged(let call, let changes, let cause): change(call, changes, cause, ended)
        case .callRemoved(let call, let cause): remove(call, cause, ended[call])
        case .callRefused(let call, let provider, let reason, let rule):
            publishRefused(call, provider, reason, rule)
        case .resumeOffered(let call, let other): publishResumeOffered(call, becauseOf: other)
        case .hostChanged(let facts):
            broker.events.publish(.hostChanged) { $0.members(of: facts) }
            broker.presence.markChanged()
            broker.screens.updatePresentations(inCall: facts.liveGroup != nil)
        case .transactionAccepted(let report, let cause):
            publish(report, .transactionAccepted, cause)
            broker.transactionLog.begin(report, cause)
        case .transactionCompleted(let report, let cause):
            publish(report, .transactionCompleted, cause)
            broker.transactionLog.complete(report)
            broker.events.record(
                CompletedTransaction(
                    transaction: report.transaction, cause: cause, seq: broker.events.seq))
        case .actionChanged(let action, _, _, let state, let failure):
            broker.performer.publishAction(action, state, failure)
        case .actionLate(let action, let provider): broker.performer.publishLate(action, provider)
        case .providerAdded(let provider): publishProvider(.providerAdded, provider)
        case .providerChanged(let provider): publishProvider(.providerChanged, provider)
        case .providerResumed(let provider): publishProvider(.providerResumed, provider)
        case .providerLost(let provider, let graceMS): publishLost(provider, graceMS)
        case .providerRemoved(let provider, let reason): publishRemoved(provider, reason)
        case .audioChanged(let from, let to, let cause): publishAudio(from, to, cause)
        case .anomaly(let anomaly, let call, let provider): publish(anomaly, call, provider)
        }
    }

    private func publish(_ report: TransactionReport, _ topic: Topic, _ cause: Cause) {
        broker.events.publish(topic, to: broker.calls.audience(of: report.entries)) {
            $0.members(of: report, cause)
        }
    }

    // MARK: - Calls

    private func add(_ call: CallID, _ cause: Cause, _ ended: RecordedEnds) {
        broker.calls.add(call)
        let isHere = !broker.calls.isExternal(call)
        if isHere { broker.screener.recordAdded(call) }
        broker.plugins.markCallsChanged()
        publishAdded(call, cause, ended, to: broker.calls.audience(of: call))
        broker.trace.record(change: nil, of: call, cause)
        if let provider = broker.outline(of: call)?.provider {
            broker.heartbeats.update(provider)
        }
        if isHere { broker.screens.present(call) }
    }

    private func publishAdded(
        _ call: CallID, _ cause: Cause, _ ended: RecordedEnds, to audience: EventFeed.Audience
    ) {
        broker.events.publish(
            .callAdded, call, of: owner(of: call, ended), feature(of: call), to: audience
        ) {
            writeCall(call, nil, cause, ended, to: &$0)
        }
    }

    private func change(
        _ call: CallID, _ changes: ChangedProperties, _ cause: Cause, _ ended: RecordedEnds
    ) {
        let audience = broker.calls.audience(of: call)
        broker.events.publish(
            .callChanged, call, of: owner(of: call, ended), feature(of: call), to: audience
        ) {
            writeCall(call, changes, cause, ended, to: &$0)
        }
        if broker.calls.recordPull(of: call) { introduce(call, cause, ended) }
        broker.trace.record(change: changes, of: call, cause)
        handle(changes, of: call)
    }

    /// Publishes a call that was on another device to those that did not know of it, as a new one.
    private func introduce(_ call: CallID, _ cause: Cause, _ ended: RecordedEnds) {
        broker.screener.recordAdded(call)
        publishAdded(call, cause, ended, to: .notKnowing(.externalCalls))
        broker.screens.present(call)
    }

    /// Returns the provider of a call, also of one that is over.
    private func owner(of call: CallID, _ ended: RecordedEnds) -> ProviderID? {
        broker.outline(of: call)?.provider ?? ended[call]?.provider
    }

    /// Returns the feature that a client has to know to read the present state of a call.
    private func feature(of call: CallID) -> HelloParams.Feature? {
        broker.outline(of: call)?.state == .alerting ? .alerting : nil
    }

    private func handle(_ changes: ChangedProperties, of call: CallID) {
        if changes.contains(.remote) { broker.screener.recordRenamed(call) }
        if changes.contains(.state) {
            broker.calls.recordState(of: call)
            broker.emergencies.recordProgress(of: call)
            broker.handover.noteChange(of: call)
            broker.tones.noteChange(of: call)
        }
        if !changes.isDisjoint(with: [.state, .silenced, .priority]) {
            broker.screens.updatePresentation(of: call)
        }
    }

    private func remove(_ call: CallID, _ cause: Cause, _ entry: HistoryEntry?) {
        let audience = broker.calls.audience(of: call)
        broker.calls.end(call, entry)
        broker.plugins.markCallsChanged()
        broker.events.publish(.callRemoved, call, of: entry?.provider, to: audience) { writer in
            writer.member("call", call)
            writer.member("cause", cause)
        }
        broker.screens.dismiss(call)
        broker.screens.forgetPresentation(of: call)
        broker.tones.drop(call)
        broker.allowed.remove(call)
        if let entry { broker.heartbeats.update(entry.provider) }
    }

    /// Writes the current state of a call. A call that is over has left the arbiter: its history
    /// entry has it.
    private func writeCall(
        _ call: CallID, _ changes: ChangedProperties?, _ cause: Cause,
        _ ended: RecordedEnds,
        to writer: inout JSONWriter
    ) {
        if let view = broker.view(of: call) {
            broker.allowed.record(view)
            write(view, view.state, to: &writer)
        } else if let entry = ended[call] {
            write(entry, to: &writer)
        } else {
            writer.member("call", call)
        }
        if let changes { writer.member("changed", changes) }
        writer.member("cause", cause)
    }

    private func publishRefused(
        _ call: CallID, _ provider: ProviderID, _ reason: RefusalReason, _ rule: Rule
    ) {
        broker.events.publish(.callRefused, call, provider) { writer in
            writer.member("call", call)
            writer.member("reason", reason.rawValue)
            writer.member("rule", rule.word)
            writer.member("cause", Cause(.policy, rule: rule))
        }
    }

    private func publishResumeOffered(_ call: CallID, becauseOf other: CallID) {
        let owner = broker.outline(of: call)?.provider
        broker.events.publish(.resumeOffered, call, of: owner) { writer in
            writer.member("call", call)
            writer.member("rule", Rule.resumeOffered.word)
            writer.member(
                "cause", Cause(.arbitration, rule: .resumeOffered, becauseOf: other))
            writer.member("because_of", other)
        }
    }

    // MARK: - Providers

    private func publishProvider(_ topic: Topic, _ provider: ProviderID) {
        broker.sessions[provider]?.configuration = broker.configuration(of: provider)
        broker.startable.record(provider)
        broker.events.publish(topic, nil, provider) { write(provider, to: &$0) }
    }

    private func publishLost(_ provider: ProviderID, _ graceMS: Int) {
        broker.events.publish(.providerLost, nil, provider) { writer in
            writer.member("provider", provider)
            writer.member("grace_ms", graceMS)
            writer.member(
                "calls", broker.arbiter.calls(of: provider).filter { !broker.calls.isExternal($0) })
        }
    }

    private func publishRemoved(_ provider: ProviderID, _ reason: RemovalReason) {
        broker.events.publish(.providerRemoved, nil, provider) { writer in
            writer.member("provider", provider)
            writer.member("reason", reason.rawValue)
        }
        broker.sessions.remove(provider, reason)
        broker.questions.withdraw(about: provider)
        broker.pushes.handleExit(of: provider)
    }

    private func publishAudio(_ from: CallID?, _ to: CallID?, _ cause: Cause) {
        broker.events.publish(.audioChanged) { writer in
            writer.member("from", from)
            writer.member("to", to)
            writer.member("cause", cause)
        }
    }

    func publish(_ anomaly: Anomaly, _ call: CallID?, _ provider: ProviderID?) {
        broker.trace.count(anomaly)
        let audience = call.map { broker.calls.audience(of: $0) } ?? .everybody
        broker.events.publish(.anomaly, call, provider, to: audience) { writer in
            writer.member("anomaly", anomaly.rawValue)
            if let call { writer.member("call", call) }
            if let provider { writer.member("provider", provider) }
        }
        if let call { broker.trace.record(.anomaly(anomaly), of: call) }
    }

    // MARK: - Writing

    /// Writes a call outside of its events.
    ///
    /// - Parameter peer: the reader, for whom a state that it does not know is written as an older
    ///   one.
    func write(_ view: CallView, for peer: Peer, to writer: inout JSONWriter) {
        broker.events.recordShown(view.call)
        write(view, view.state.known(to: peer), to: &writer)
    }

    private func write(_ view: CallView, _ state: CallState, to writer: inout JSONWriter) {
        writeState(view, state, to: &writer)
        writer.member("rev", Int64(clamping: view.revision))
    }

    /// Writes a call that is over.
    func write(_ entry: HistoryEntry, to writer: inout JSONWriter) {
        writeState(entry.last, entry.last.state, to: &writer)
        writer.member("ended_at_ms", broker.clock.unixMS(entry.endedAt))
        writer.member("end_reason", entry.reason.word)
        writer.member("end_cause", entry.cause)
        if let detail = entry.detail { writer.member("end_detail", detail) }
        if let failure = entry.failure { writer.member("failure", failure) }
        if !entry.missed.isEmpty { writer.member("missed_reasons", entry.missed) }
        writer.member("rev", Int64(clamping: entry.last.revision))
    }

    private func writeState(
        _ view: CallView, _ state: CallState, to writer: inout JSONWriter
    ) {
        writer.member("call", view.call)
        writer.member("provider", view.provider)
        writer.member("direction", view.direction.word)
        writer.member("state", state.word)
        if let pending = view.pending { writer.member("pending_action", pending.word) }
        writer.member("can_hold_now", view.canHoldNow)
        if let because = view.heldBecauseOf { writer.member("held_because_of", because) }
        if view.isResumeOffered { writer.member("resume_offered", true) }
        writer.member("muted", view.isMuted)
        writer.member("silenced", view.isSilenced)
        writer.member("group", view.group)
        broker.written.write(view.properties, of: view.call, to: &writer)
        if let caller = view.caller, caller.isKnown { writer.member("caller", caller) }
        writer.member("provider_connected", view.isProviderConnected)
        writer.member("allowed", words: view.allowed)
        if !view.mergeWith.isEmpty { writer.member("merge_with", view.mergeWith) }
        if let tones = broker.tones[view.call] { writer.member("paused_tones", tones) }
        writer.member("created_at_ms", broker.clock.unixMS(view.createdAt))
        if let instant = view.alertingAt {
            writer.member("alerting_at_ms", broker.clock.unixMS(instant))
        }
        if let instant = view.connectingAt {
            writer.member("connecting_at_ms", broker.clock.unixMS(instant))
        }
        if let instant = view.connectedAt {
            writer.member("connected_at_ms", broker.clock.unixMS(instant))
        }
    }

    func write(_ provider: ProviderID, to writer: inout JSONWriter) {
        writer.member("provider", provider)
        guard let configuration = broker.configuration(of: provider) else { return }
        writer.members(of: configuration)
        writer.member("authorization", broker.policy.choices.authorization(of: provider).rawValue)
        writer.member("connected", broker.arbiter.isConnected(provider))
        writer.member("calls", broker.arbiter.countOfCalls(at: provider))
    }
}

/// The calls that a decision has ended, by their ids: found among its effects, not copied.
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

extension RPCError {
    /// Creates the error of a failed transaction: that of the first action that failed, with its
    /// app's message.
    init?(outcome report: TransactionReport) {
        self.init(failed: report, withActions: false)
    }

    /// Creates the error reply to the request for a failed transaction, which includes all of its
    /// actions.
    init?(failed report: TransactionReport) {
        self.init(failed: report, withActions: true)
    }

    private init?(failed report: TransactionReport, withActions: Bool) {
        guard report.state == .failed else { return nil }
        self.init(report.refusal ?? Refusal(.providerFailed), .requestTransaction)
        var writer = JSONWriter(extra)
        if withActions {
            if let transaction = report.transaction { writer.member("transaction", transaction) }
            writer.member("actions", report.entries)
        }
        let failure = report.entries.lazy.compactMap(\.failure).first
        if let failure { writer.member("provider_error", failure) }
        extra = writer.bytes
    }
}

extension JSONWriter {
    mutating func members(of facts: HostFacts) {
        if let group = facts.liveGroup { member("live_group", group) }
        member("held_groups", facts.heldGroups)
        member("ringing", facts.ringing)
        member("busy", facts.isBusy)
        member("emergency", facts.hasEmergency)
    }

    // MARK: - Transactions

    /// Writes the reply to a transaction.
    mutating func members(of report: TransactionReport, seq: Int64) {
        members(of: report)
        if report.isJoined { member("joined", true) }
        member("seq", seq)
    }

    /// Writes the data of an event about a transaction.
    mutating func members(of report: TransactionReport, _ cause: Cause) {
        members(of: report)
        if let error = RPCError(outcome: report) {
            name("refusal")
            value(error)
        }
        member("cause", cause)
    }

    private mutating func members(of report: TransactionReport) {
        if let transaction = report.transaction { member("transaction", transaction) }
        member("state", report.state.word)
        member("actions", report.entries)
    }

    /// Writes the result of a dry run.
    mutating func plan(_ report: TransactionReport, starting providers: [ProviderID]) {
        member("dry_run", true)
        member("actions", report.entries)
        member("would_hold", report.wouldHold)
        member("would_end", report.wouldEnd)
        member("would_activate", report.wouldActivate)
        if !providers.isEmpty { member("would_start", words: providers.map(\.name)) }
        name("refusal")
        if let refusal = report.refusal {
            value(RPCError(refusal, .requestTransaction))
        } else {
            null()
        }
    }

    /// The number of failures that are written: a group may have many members, and a frame is
    /// limited.
    private static let failuresMax = 8

    mutating func member(_ name: StaticString, _ entries: [TransactionReport.Entry]) {
        self.name(name)
        var failuresLeft = Self.failuresMax
        array { writer in
            for entry in entries {
                writer.object { writer in
                    if let action = entry.action { writer.member("action", action) }
                    writer.member("kind", entry.kind.word)
                    writer.member("call", entry.call)
                    writer.member("provider", entry.provider)
                    writer.member("implied", entry.isImplied)
                    writer.member("state", entry.state.word)
                    guard let failure = entry.failure, failuresLeft > 0 else { return }
                    failuresLeft -= 1
                    writer.member("failure", failure)
                }
            }
        }
    }

    /// Writes an action as it is sent to a provider.
    mutating func members(of dispatch: Dispatch) {
        member("action", dispatch.action)
        member("kind", dispatch.kind.kind.word)
        member("call", dispatch.call)
        member(arguments: dispatch.kind)
    }

    mutating func member(_ name: StaticString, _ call: CallID?) {
        self.name(name)
        if let call { value(call) } else { null() }
    }

    // MARK: - Providers

    /// Writes the limits that are enforced for a provider.
    mutating func limits(of own: ProviderConfiguration, _ policy: ArbitrationPolicy) {
        member("max_call_groups", own.maxCallGroups)
        member("max_calls_per_group", own.maxCallsPerGroup)
        let defaultMS = own.appIsSeparate ? policy.separateAppGraceMS : policy.graceMS
        member("grace_ms", own.graceMS ?? defaultMS)
        member("ring_timeout_ms", own.ringTimeoutMS ?? policy.ringTimeoutMS)
        name("action_deadlines")
        object { writer in
            for kind in ActionKind.allCases {
                writer.member(kind.word, own.actionDeadlinesMS[kind] ?? policy.deadlines[kind])
            }
        }
    }
}
