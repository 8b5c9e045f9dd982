internal import BrokerJSON
internal import BrokerRPC
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallProtocol

/// Calls, providers and transactions as the protocol shows them.
extension Broker {
    func write(_ view: CallView, to writer: inout JSONWriter) {
        writeState(view, to: &writer)
        writer.member("rev", Int64(clamping: view.revision))
    }

    /// A call that is over.
    func write(_ entry: HistoryEntry, to writer: inout JSONWriter) {
        writeState(entry.last, to: &writer)
        writer.member("ended_at_ms", unixMS(entry.endedAt))
        writer.member("end_reason", entry.reason.word)
        writer.member("end_cause", entry.cause)
        if let failure = entry.failure { writer.member("failure", failure) }
        if !entry.missed.isEmpty { writer.member("missed_reasons", entry.missed) }
        writer.member("rev", Int64(clamping: entry.last.revision))
    }

    private func writeState(_ view: CallView, to writer: inout JSONWriter) {
        writer.member("call", view.call)
        writer.member("provider", view.provider)
        writer.member("direction", view.direction.word)
        writer.member("state", view.state.word)
        if let pending = view.pending { writer.member("pending_action", pending.word) }
        writer.member("can_hold_now", view.canHoldNow)
        if let because = view.heldBecauseOf { writer.member("held_because_of", because) }
        if view.isResumeOffered { writer.member("resume_offered", true) }
        writer.member("muted", view.isMuted)
        writer.member("silenced", view.isSilenced)
        writer.member("group", view.group)
        writer.members(of: view.properties)
        if let caller = view.caller, caller.isKnown { writer.member("caller", caller) }
        writer.member("provider_connected", view.isProviderConnected)
        writer.member("allowed", words: view.allowed)
        if !view.mergeWith.isEmpty { writer.member("merge_with", view.mergeWith) }
        writer.member("created_at_ms", unixMS(view.createdAt))
        if let instant = view.connectingAt { writer.member("connecting_at_ms", unixMS(instant)) }
        if let instant = view.connectedAt { writer.member("connected_at_ms", unixMS(instant)) }
    }

    func write(_ provider: ProviderID, to writer: inout JSONWriter) {
        writer.member("provider", provider)
        guard let configuration = arbiter.configuration(of: provider) else { return }
        writer.members(of: configuration)
        writer.member("authorization", choices.authorization(of: provider).rawValue)
        writer.member("connected", arbiter.isConnected(provider))
        writer.member("calls", arbiter.calls(of: provider).count)
    }
}

extension RPCError {
    /// Why a transaction has failed: the error of its first action that did, with the words of its app.
    init?(outcome report: TransactionReport) {
        self.init(failed: report, withActions: false)
    }

    /// The same as the reply to whoever waited for it, with what became of the others.
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

    /// The reply to a transaction.
    mutating func members(of report: TransactionReport, seq: Int64) {
        members(of: report)
        if report.isJoined { member("joined", true) }
        member("seq", seq)
    }

    /// The data of an event about a transaction.
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

    /// What a dry run says.
    mutating func plan(_ report: TransactionReport) {
        member("dry_run", true)
        member("actions", report.entries)
        member("would_hold", report.wouldHold)
        member("would_end", report.wouldEnd)
        member("would_activate", report.wouldActivate)
        name("refusal")
        if let refusal = report.refusal {
            value(RPCError(refusal, .requestTransaction))
        } else {
            null()
        }
    }

    /// A group may have many members, and a frame has an end.
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

    /// An action as a provider gets it.
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

    /// What a provider may do, as it is held to it.
    mutating func limits(of own: ProviderConfiguration, _ policy: ArbitrationPolicy) {
        member("max_call_groups", own.maxCallGroups)
        member("max_calls_per_group", own.maxCallsPerGroup)
        let usual = own.appIsSeparate ? policy.separateAppGraceMS : policy.graceMS
        member("grace_ms", own.graceMS ?? usual)
        member("ring_timeout_ms", own.ringTimeoutMS ?? policy.ringTimeoutMS)
        name("action_deadlines")
        object { writer in
            for kind in ActionKind.allCases {
                writer.member(kind.word, own.actionDeadlinesMS[kind] ?? policy.deadlines[kind])
            }
        }
    }
}
