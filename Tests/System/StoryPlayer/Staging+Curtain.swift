internal import CallArbitration
internal import CallModel
package import CallTranscript

/// What can be read when a section is over.
extension Staging {
    /// The calls as they are, and every decision that led there.
    package mutating func curtain(after step: Transcript.Step?) -> Act {
        var act = Act(line: step?.line ?? 0)
        let arbiter = step?.arbiter
        let calls = arbiter.map { arbiter in
            let visible = arbiter.visibleCalls
            // Calls from before a restart are listed first.
            let ordered =
                visible.filter { !published.contains($0) } + published.filter(visible.contains)
            return ordered.compactMap { arbiter.view(of: $0) }.map { Wire.call($0, clock) }
        }
        ask("call.list", [:], ["calls": .array(calls ?? []), "seq": .int(seq)], in: &act)
        explain(in: &act)
        return act
    }

    /// What the observer heard last of the host is what the host is. Nil if so.
    package func difference(from step: Transcript.Step?) -> String? {
        guard let arbiter = step?.arbiter else { return nil }
        if facts != arbiter.hostFacts { return "host.changed said \(facts)" }
        // A group may have got another name since.
        if (audio == nil) != (arbiter.audioGroup == nil) {
            return "audio.changed said \(audio as Any)"
        }
        return nil
    }

    private mutating func explain(in act: inout Act) {
        var calls: [CallID] = []
        var transactions: [TransactionID] = []
        for note in notes {
            for call in note.decision.calls where !calls.contains(call) { calls.append(call) }
            if let transaction = note.decision.cause.transaction,
                !transactions.contains(transaction)
            {
                transactions.append(transaction)
            }
        }
        for call in calls {
            let steps = notes.filter { $0.decision.calls.contains(call) }
            explain(["call": .call(call)], steps, in: &act)
        }
        for transaction in transactions {
            let steps = notes.filter { $0.decision.cause.transaction == transaction }
            explain(["transaction": .string(transaction.description)], steps, in: &act)
        }
    }

    private mutating func explain(_ params: Wire, _ notes: [Note], in act: inout Act) {
        let steps = notes.map { note in
            Wire.members([
                "seq": .int(note.seq), "at_ms": clock.unixMS(note.at),
                "rule": note.decision.rule.map { .string($0.rawValue) },
                "decision": .string(note.decision.verdict.rawValue),
                "call": note.decision.call.map { .call($0) },
                "reason": note.decision.reason.map { .string($0.rawValue) },
                "failure": note.failure.map { .failure($0) },
                "end_detail": note.endDetail.map { .detail($0) },
                "end_reason": note.endReason.map { .string($0.rawValue) },
                "filtered_by": note.filter.map { .string($0) }, "explanation": note.explanation,
                "cause": .cause(note.decision.cause),
                "blocking": .blocking(note.decision.blocking),
            ])
        }
        ask("call.explain", params, ["steps": .array(steps), "seq": .int(seq)], in: &act)
    }

    private mutating func ask(
        _ method: String, _ params: Wire, _ result: Wire, in act: inout Act
    ) {
        let id = ownID()
        act.moves.append(.send(.user, .request(id, method, params)))
        act.expectReply(to: id, result, at: .user)
    }
}

extension Decision {
    /// Every call that it says something about.
    fileprivate var calls: Set<CallID> {
        Set([call, cause.becauseOf].compactMap { $0 } + blocking.map(\.call))
    }
}
