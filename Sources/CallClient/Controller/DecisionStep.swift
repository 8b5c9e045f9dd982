internal import BrokerJSON
public import CallModel
internal import CallProtocol

/// A decision of the broker about a call or a request, as `CallController.explain` returns it.
public struct DecisionStep: Hashable, Sendable {
    /// The number of the event that was published with the decision.
    public let seq: Int64
    /// The time of the decision: Unix time in milliseconds.
    public let atMS: Int64
    /// The rule that decided; nil if none had to, or for one unknown to this release.
    public let rule: Rule?
    /// The decision: a stable word in snake_case, such as `holds_first`.
    public let decision: String
    /// The reason of a refusal or a failure: a stable word in snake_case.
    public let reason: String?
    /// The call that the decision was about.
    public let call: CallID?
    /// The end reason, of a decision that ended its call.
    public let endReason: EndReason?
    /// The app's own words for the end, of a decision that ended its call.
    public let endDetail: EndDetail?
    /// The error of an app that failed the action.
    public let failure: ReportedFailure?
    /// The source of a block or of silence: the identity of an app or a directory, `block_list`,
    /// `do_not_disturb` or `unknown_callers`.
    public let filteredBy: String?
    /// The explanation of the screener that decided.
    public let explanation: Explanation?
    /// The origin of the event that made the decision necessary.
    public let cause: Cause?
    /// The calls that prevented a request.
    public let blocking: [Refusal.Blocker]

    /// A screener's explanation of its verdict.
    public struct Explanation: Hashable, Sendable {
        /// The screener's identity.
        public let by: String
        /// A sentence for the user, in the screener's language.
        public let text: String
    }
}

extension CallController {
    /// Returns the decisions about a call, oldest first. The broker keeps a limited number of
    /// decisions.
    ///
    /// - Throws: `CallError`; `CallError.Code.notFound` with the reason `unknown_call` or
    ///   `call_ended`.
    public func explain(_ call: CallID) async throws(CallError) -> [DecisionStep] {
        try await link.request(.explain, { $0.member("call", call) }) { DecisionStep.list($0) }
    }

    /// Returns the decisions about a request, oldest first; empty if the broker keeps none of it.
    public func explain(_ transaction: TransactionID) async throws(CallError) -> [DecisionStep] {
        try await link.request(.explain, { $0.member("transaction", transaction) }) {
            DecisionStep.list($0)
        }
    }
}

extension DecisionStep {
    fileprivate static func list(_ result: JSONValue) -> [DecisionStep]? {
        result["steps"].map { steps in
            steps.elements.compactMap { step in
                guard let seq = step["seq"]?.integer, let atMS = step["at_ms"]?.integer else {
                    return nil
                }
                return DecisionStep(step, seq: seq, atMS: atMS)
            }
        }
    }

    init?(_ value: JSONValue, seq: Int64, atMS: Int64) {
        guard let decision = value["decision"]?.string else { return nil }
        (self.seq, self.atMS, self.decision) = (seq, atMS, decision)
        rule = Rule(value["rule"])
        reason = value["reason"]?.string
        call = CallID(value["call"])
        endReason = EndReason(value["end_reason"])
        endDetail = EndDetail(value["end_detail"])
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
