internal import BrokerJSON
internal import BrokerRPC
internal import CallArbitration
internal import CallModel
internal import CallProtocol

/// Why: the decisions about one call, or of one transaction.
final class DecisionTrace {
    private unowned let broker: Broker

    private var decisions = DecisionLog()
    /// Gets a line about every decision.
    var tellDecision: ((String) -> Void)?

    init(_ broker: Broker) {
        self.broker = broker
    }

    func explain(_ params: JSONValue?, _ target: ReplyTarget) throws(RPCError) {
        let call = CallID(params?["call"])
        let transaction = TransactionID(params?["transaction"])
        guard (call == nil) != (transaction == nil) else {
            throw RPCError(
                .invalidParams, reason: "call_or_transaction",
                "params must have either call or transaction"
            ).with { $0.field = "" }
        }
        let steps = decisions.steps { decision in
            call.map { decision.isAbout($0) } ?? (decision.cause.transaction == transaction)
        }
        if steps.isEmpty, let call, broker.arbiter.outline(of: call) == nil {
            throw RPCError(broker.arbiter.whyNotFound(call), .requestTransaction)
        }
        broker.events.bringUpToDate(target.peer)
        broker.outbox.reply(target) { writer in
            writer.name("steps")
            writer.array { writer in
                for step in fitting(steps) { writer.object { $0.members(of: step) } }
            }
            writer.member("seq", broker.events.seq)
        }
    }

    /// Adds the end of a call.
    func add(_ entry: HistoryEntry) {
        decisions.add(entry, seq: broker.events.seq, atMS: broker.clock.unixMS)
    }

    /// A request is refused before the arbiter hears of it.
    func note(
        refused method: Method, _ params: JSONValue?, _ target: ReplyTarget, _ error: RPCError
    ) {
        guard method.roles == .asking, error.code != .alreadyExists,
            let transaction = TransactionID(params?["transaction"]),
            params?["dry_run"]?.boolean != true
        else { return }
        let origin = broker.requester(target.peer).origin
        decisions.add(
            DecisionLog.Step(
                decision: Decision(
                    nil, .refused, call: CallID(params?["call"]),
                    cause: Cause(origin, transaction: transaction)),
                reason: error.reason, seq: broker.events.seq, atMS: broker.clock.unixMS))
    }

    /// The latest steps, as many as surely fit.
    private func fitting(_ steps: [DecisionLog.Step]) -> some Sequence<DecisionLog.Step> {
        var room = broker.limits.frame.frameOutBytes - 2 * DecisionLog.Step.bytes
        var count = 0
        for step in steps.reversed() {
            room -= step.bytesMax
            guard room >= 0 || count == 0 else { break }
            count += 1
        }
        return steps.suffix(count)
    }
}

extension DecisionLog.Step {
    /// Room in a frame for one that quotes nobody.
    fileprivate static let bytes = 512

    /// A byte that is quoted may need six.
    fileprivate var bytesMax: Int {
        let quoted = [filteredBy, explanation?.by, explanation?.text, failure?.message]
        return Self.bytes
            + quoted.reduce(failure == nil ? 0 : 256) { $0 + 6 * ($1?.utf8.count ?? 0) }
    }
}

extension Decision {
    fileprivate func isAbout(_ call: CallID) -> Bool {
        self.call == call || cause.becauseOf == call || blocking.contains { $0.call == call }
    }
}

extension JSONWriter {
    fileprivate mutating func members(of step: DecisionLog.Step) {
        member("seq", step.seq)
        member("at_ms", step.atMS)
        if let rule = step.decision.rule { member("rule", rule.word) }
        member("decision", step.decision.verdict.rawValue)
        member("reason", ifSet: step.reason ?? step.decision.reason?.rawValue)
        if let call = step.decision.call { member("call", call) }
        if let reason = step.endReason { member("end_reason", reason.word) }
        if let failure = step.failure { member("failure", failure) }
        member("filtered_by", ifSet: step.filteredBy)
        if let explanation = step.explanation {
            name("explanation")
            object { writer in
                writer.member("by", explanation.by)
                writer.member("text", explanation.text)
            }
        }
        member("cause", step.decision.cause)
        if !step.decision.blocking.isEmpty {
            member("blocking", blocking: Array(step.decision.blocking.prefix(8)))
        }
    }
}

extension DecisionTrace {
    /// What somebody did, or did not do, for `call.explain`.
    func note(
        _ decision: Decision, filteredBy: String? = nil, explanation: Explanation? = nil,
        failure: ActionFailure? = nil
    ) {
        decisions.add(
            DecisionLog.Step(
                decision: decision, failure: failure, filteredBy: filteredBy,
                explanation: explanation, seq: broker.events.seq, atMS: broker.clock.unixMS))
        if let tellDecision { tellDecision(DecisionText(decision, broker).description) }
    }
}
