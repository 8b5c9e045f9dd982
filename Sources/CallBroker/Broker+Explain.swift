internal import BrokerJSON
internal import BrokerRPC
internal import CallArbitration
internal import CallModel
internal import CallProtocol

/// Why: the decisions about one call, or of one transaction.
extension Broker {
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
        if steps.isEmpty, let call, arbiter.view(of: call) == nil {
            throw RPCError(arbiter.whyNotFound(call), .requestTransaction)
        }
        bringUpToDate(target.peer)
        reply(target) { writer in
            writer.name("steps")
            writer.array { writer in
                for step in fitting(steps) { writer.object { $0.members(of: step) } }
            }
            writer.member("seq", feed.seq)
        }
    }

    /// Room for one step in a frame.
    private static let stepBytes = 512

    /// Room for the one step of a call that names its filter, and has the text of a screener. Both may
    /// need six bytes for each of theirs.
    private static let filterSteps = 20

    /// The latest steps, as many as surely fit.
    private func fitting(_ steps: [DecisionLog.Step]) -> some Sequence<DecisionLog.Step> {
        steps.suffix(max(1, limits.frame.frameOutBytes / Self.stepBytes - 2 - Self.filterSteps))
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
        member("rule", step.decision.rule.word)
        member("decision", step.decision.verdict.rawValue)
        if let call = step.decision.call { member("call", call) }
        if let reason = step.endReason { member("end_reason", reason.word) }
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
            member("blocking", blocking: Array(step.decision.blocking.prefix(4)))
        }
    }
}
