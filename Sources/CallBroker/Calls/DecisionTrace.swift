internal import BrokerJSON
internal import BrokerRPC
internal import CallArbitration
internal import CallModel
internal import CallProtocol

/// The record of decisions and of what has happened to calls, with the replies to `call.explain` and
/// `call.timeline`.
final class DecisionTrace: BrokerPart {
    private let clock: TurnClock
    private let publisher: EventPublisher
    private(set) var decisions = DecisionLog()
    private(set) var events = CallEventLog(countMax: 8_192)
    /// The reports of quality, which come as long as calls do, and must not push out other events.
    private(set) var qualities = CallEventLog(countMax: 4_096)
    /// The number of the latest decision or event.
    private var number: Int64 = 0
    /// The anomalies since the start.
    private(set) var anomalies = CaseCounts<Anomaly>()
    /// A function that receives a line of text about every decision.
    var onDecision: ((String) -> Void)?

    init(_ clock: TurnClock, _ publisher: EventPublisher) {
        self.clock = clock
        self.publisher = publisher
    }

    func count(_ anomaly: Anomaly) {
        if !broker.isReplaying { anomalies.add(anomaly) }
    }

    func explain(_ params: ExplainParams, _ target: ReplyTarget) throws(RPCError) {
        let (call, transaction) = (params.call, params.transaction)
        guard (call == nil) != (transaction == nil) else {
            throw RPCError(
                .invalidParams, reason: .callOrTransaction,
                "params must have either call or transaction"
            ).with { $0.field = "" }
        }
        try checkThat(target.peer, sees: call)
        var steps = decisions.steps { decision in
            call.map { decision.isAbout($0) } ?? (decision.cause.transaction == transaction)
        }
        if call == nil { steps.removeAll { isHidden($0.decision.call, from: target.peer) } }
        if steps.isEmpty, let call, broker.outline(of: call) == nil {
            throw broker.notFound(call)
        }
        publisher.bringUpToDate(target.peer)
        broker.outbox.reply(target) { writer in
            writer.name("steps")
            writer.array { writer in
                for step in fitting(steps) {
                    writer.object { writer in
                        writer.members(of: step.stamp)
                        writer.members(of: step)
                    }
                }
            }
            writer.member("seq", publisher.seq)
        }
    }

    /// Checks that a client may see a call; nil stands for those of a transaction.
    func checkThat(_ peer: Peer, sees call: CallID?) throws(RPCError) {
        if let call, isHidden(call, from: peer) { throw broker.notFound(call) }
        guard peer.rights.isForOwnCalls else { return }
        guard let call else { throw .limitedView }
        let provider = broker.outline(of: call)?.provider ?? events.provider(of: call)
        guard peer.sees(callsOf: provider) else {
            throw broker.notFound(call)
        }
    }

    /// Returns whether a client does not know of a call, which is or was on another device.
    private func isHidden(_ call: CallID?, from peer: Peer) -> Bool {
        guard let call, !peer.knows(.externalCalls) else { return false }
        return broker.calls.isExternal(call)
            || broker.outline(of: call) == nil && events.wasExternal(call)
    }

    /// Records a decision, and passes a line about it to `onDecision`.
    func record(
        _ decision: Decision, filteredBy: String? = nil, explanation: Explanation? = nil,
        failure: ActionFailure? = nil
    ) {
        decisions.add(
            DecisionLog.Step(
                decision: decision, failure: failure, filteredBy: filteredBy,
                explanation: explanation, stamp: nextStamp()))
        if let onDecision { onDecision(DecisionText(decision, broker).description) }
    }

    /// Adds the end of a call.
    func add(_ entry: HistoryEntry) {
        decisions.add(entry, at: nextStamp())
        let change = CallEventLog.Change(
            provider: entry.provider, direction: entry.last.direction, state: .ended,
            properties: [.state], cause: entry.cause)
        record(.change(change), of: entry.call)
    }

    /// Records what has happened to a call.
    func record(_ event: CallEventLog.Event, of call: CallID) {
        events.add(event, of: call, at: nextStamp())
    }

    /// Records what an app has reported about the quality of a call.
    func record(_ quality: CallQuality, of call: CallID) {
        qualities.add(.quality(quality), of: call, at: nextStamp())
    }

    /// Records that a call was added or has changed; its end is recorded with the history entry.
    func record(change properties: ChangedProperties?, of call: CallID, _ cause: Cause) {
        guard let view = broker.outline(of: call) else { return }
        var change = CallEventLog.Change(
            provider: view.provider, direction: view.direction, state: view.state,
            properties: properties, cause: cause)
        if let properties, !properties.isDisjoint(with: [.muted, .group, .heldBecauseOf]) {
            change.values = CallEventLog.Values(properties, of: broker.summary(of: call))
        }
        record(.change(change), of: call)
    }

    private func nextStamp() -> Stamp {
        number += 1
        return Stamp(number: number, seq: publisher.seq, atMS: clock.unixMS)
    }

    /// Records a request that was refused before the arbiter received it.
    func record(_ refused: RefusedParams, _ target: ReplyTarget, _ error: RPCError) {
        guard error.code != .alreadyExists, let transaction = refused.transaction,
            !refused.isDryRun
        else { return }
        let origin = broker.requester(target.peer).origin
        decisions.add(
            DecisionLog.Step(
                decision: Decision(
                    nil, .refused, call: refused.call,
                    cause: Cause(origin, transaction: transaction)),
                reason: error.reason.rawValue, stamp: nextStamp()))
    }

    /// Records that an action was refused before the arbiter received it, and that its transaction
    /// went out without it, because of an emergency (rule 20).
    func record(
        leftOut error: RPCError, beside emergency: CallID, _ options: ActionOptions,
        _ target: ReplyTarget
    ) {
        let cause = Cause(
            broker.requester(target.peer).origin, rule: .emergency,
            transaction: options.transaction)
        decisions.add(
            DecisionLog.Step(
                decision: Decision(.emergency, .partLeftOut, call: emergency, cause: cause),
                reason: error.reason.rawValue, stamp: nextStamp()))
    }

    /// Returns the latest steps, as many as are certain to fit into a frame.
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
    /// The room in a frame for a step without quoted text.
    fileprivate static let bytes = 512

    /// The room in a frame for this step; a quoted byte may need six.
    fileprivate var bytesMax: Int {
        let quoted = [
            filteredBy, explanation?.by, explanation?.text, failure?.message, failure?.appCode,
            endDetail?.text, endDetail?.code, elsewhere,
        ]
        return Self.bytes
            + quoted.reduce(failure == nil ? 0 : 256) { $0 + 6 * ($1?.utf8.count ?? 0) }
    }
}

extension Decision {
    func isAbout(_ call: CallID) -> Bool {
        self.call == call || cause.becauseOf == call || blocking.contains { $0.call == call }
    }
}

extension JSONWriter {
    mutating func members(of stamp: Stamp) {
        member("seq", stamp.seq)
        member("at_ms", stamp.atMS)
    }

    mutating func members(of step: DecisionLog.Step) {
        if let rule = step.decision.rule { member("rule", rule.word) }
        member("decision", step.decision.verdict.rawValue)
        member("reason", ifSet: step.reason ?? step.decision.reason?.rawValue)
        if let call = step.decision.call { member("call", call) }
        if let reason = step.endReason { member("end_reason", reason.word) }
        if let detail = step.endDetail { member("end_detail", detail) }
        member("elsewhere", ifSet: step.elsewhere)
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
