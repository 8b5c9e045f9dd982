internal import BrokerJSON
public import CallModel
internal import CallProtocol

/// One decision of the broker, told by `CallController.explain`.
public struct DecisionStep: Hashable, Sendable {
    /// The number of the event that it came with.
    public let seq: Int64
    /// Unix time in milliseconds.
    public let atMS: Int64
    /// Nil where none had to decide, and for one that this release does not know.
    public let rule: Rule?
    /// A stable word in snake_case, such as `holds_first`.
    public let decision: String
    /// Why it was refused, or has failed: a stable word.
    public let reason: String?
    /// The call that it was about.
    public let call: CallID?
    /// Of a decision that ended its call.
    public let endReason: EndReason?
    /// Why an app would not do it.
    public let failure: ReportedFailure?
    /// Who blocked or silenced the call: an app, a directory, `block_list`, `do_not_disturb` or
    /// `unknown_callers`.
    public let filteredBy: String?
    /// Why, in the words of the screener that decided.
    public let explanation: Explanation?
    /// Who made it necessary.
    public let cause: Cause?
    /// The calls in the way.
    public let blocking: [Refusal.Blocker]

    /// What a screener says about its verdict.
    public struct Explanation: Hashable, Sendable {
        /// The screener's identity.
        public let by: String
        public let text: String
    }
}

extension CallController {
    /// Why a call went as it did, the oldest decision first. Old decisions are forgotten.
    ///
    /// - Throws: `CallError.Code.notFound` with the reason `unknown_call` or `call_ended`.
    public func explain(_ call: CallID) async throws(CallError) -> [DecisionStep] {
        try await link.request(.explain, { $0.member("call", call) }) { DecisionStep.list($0) }
    }

    /// Why a request went as it did; empty for one that nothing is known of.
    public func explain(_ transaction: TransactionID) async throws(CallError) -> [DecisionStep] {
        try await link.request(.explain, { $0.member("transaction", transaction) }) {
            DecisionStep.list($0)
        }
    }
}

extension DecisionStep {
    fileprivate static func list(_ result: JSONValue) -> [DecisionStep]? {
        result["steps"].map { $0.elements.compactMap(DecisionStep.init) }
    }

    private init?(_ value: JSONValue) {
        guard let seq = value["seq"]?.integer, let atMS = value["at_ms"]?.integer,
            let decision = value["decision"]?.string
        else { return nil }
        (self.seq, self.atMS, self.decision) = (seq, atMS, decision)
        rule = Rule(value["rule"])
        reason = value["reason"]?.string
        call = CallID(value["call"])
        endReason = EndReason(value["end_reason"])
        failure = ReportedFailure(value["failure"])
        filteredBy = value["filtered_by"]?.string
        explanation = value["explanation"].flatMap(Explanation.init)
        cause = Cause(value["cause"])
        blocking = value["blocking"].map { $0.elements.compactMap(Refusal.Blocker.init) } ?? []
    }
}

extension DecisionStep.Explanation {
    fileprivate init?(_ value: JSONValue) {
        guard let by = value["by"]?.string, let text = value["text"]?.string else { return nil }
        (self.by, self.text) = (by, text)
    }
}
