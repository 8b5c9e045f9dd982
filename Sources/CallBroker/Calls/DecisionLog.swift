internal import CallArbitration
internal import CallModel

/// Why things went as they did: the latest decisions, for `call.explain`.
struct DecisionLog {
    struct Step {
        let decision: Decision
        /// Of a request that was refused before a rule had to decide; else the decision has it.
        var reason: String?
        /// Of the decision that a call is over.
        var endReason: EndReason?
        /// Of an action that was not done, or of the end that this has led to: why, as the app says.
        var failure: ActionFailure?
        /// Of the decision that a call does not ring, or not aloud.
        var filteredBy: String?
        /// Of the decision of a screener.
        var explanation: Explanation?
        /// The number of the latest event before it.
        let seq: Int64
        let atMS: Int64
    }

    private static let countMax = 16_384
    /// So many texts of screeners are kept: a MiB of the longest.
    private static let explanationsMax = 1_024

    private var steps: [Step] = []
    /// Where those are that have one, in the order in which they came.
    private var explained: [Int] = []
    /// Where the oldest stands, once the room is full.
    private var oldest = 0

    /// A call is over: the last thing that is known of it.
    mutating func add(_ entry: HistoryEntry, seq: Int64, atMS: Int64) {
        let end = Decision(
            entry.cause.rule ?? .history, .ended, call: entry.call, cause: entry.cause)
        add(
            Step(
                decision: end, endReason: entry.reason, failure: entry.failure, seq: seq,
                atMS: atMS))
    }

    mutating func add(_ step: Step) {
        if steps.count < Self.countMax {
            steps.append(step)
            noteExplained(steps.count - 1)
        } else {
            if explained.first == oldest { explained.removeFirst() }
            steps[oldest] = step
            noteExplained(oldest)
            oldest = (oldest + 1) % Self.countMax
        }
    }

    private mutating func noteExplained(_ index: Int) {
        guard steps[index].explanation != nil else { return }
        explained.append(index)
        guard explained.count > Self.explanationsMax else { return }
        steps[explained.removeFirst()].explanation = nil
    }

    /// All that is known of one call or transaction, oldest first. Nobody asks often: it is looked for
    /// in all steps.
    func steps(where isMeant: (Decision) -> Bool) -> [Step] {
        (steps[oldest...] + steps[..<oldest]).filter { isMeant($0.decision) }
    }
}
