internal import CallArbitration
internal import CallModel

/// Why things went as they did: the latest decisions, for `call.explain`.
struct DecisionLog {
    struct Step {
        let decision: Decision
        /// Of the decision that a call is over.
        let endReason: EndReason?
        /// Of the decision that a call does not ring, or not aloud.
        let filteredBy: String?
        /// The number of the latest event before it.
        let seq: Int64
        let atMS: Int64
    }

    private static let countMax = 16_384

    private var steps: [Step] = []
    /// Where the oldest stands, once the room is full.
    private var oldest = 0

    /// A call is over: the last thing that is known of it.
    mutating func add(_ entry: HistoryEntry, seq: Int64, atMS: Int64) {
        let end = Decision(
            entry.cause.rule ?? .history, .ended, call: entry.call, cause: entry.cause)
        add(
            Step(
                decision: end, endReason: entry.reason, filteredBy: nil, seq: seq, atMS: atMS))
    }

    mutating func add(_ step: Step) {
        if steps.count < Self.countMax {
            steps.append(step)
        } else {
            steps[oldest] = step
            oldest = (oldest + 1) % Self.countMax
        }
    }

    /// All that is known of one call or transaction, oldest first. Nobody asks often: it is looked for
    /// in all steps.
    func steps(where isMeant: (Decision) -> Bool) -> [Step] {
        (steps[oldest...] + steps[..<oldest]).filter { isMeant($0.decision) }
    }
}
