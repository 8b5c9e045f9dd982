internal import CallArbitration
internal import CallModel

/// The latest decisions with their reasons, for `call.explain`.
struct DecisionLog {
    struct Step {
        let decision: Decision
        /// The reason of a request that was refused before the arbiter received it; otherwise the
        /// decision has it.
        var reason: String?
        /// The reason why a call has ended.
        var endReason: EndReason?
        /// The app's own words for that end.
        var endDetail: EndDetail?
        /// The device that answered or declined the call instead.
        var elsewhere: String?
        /// The app's reason for an action that failed, or for the end that this has led to.
        var failure: ActionFailure?
        /// The filter that keeps a call from ringing, or from ringing aloud.
        var filteredBy: String?
        /// The explanation of a screener's verdict.
        var explanation: Explanation?
        let stamp: Stamp
    }

    /// The number of screeners' texts that are kept: a MiB of the longest.
    private static let explanationsMax = 1_024

    private var steps = Ring<Step>(countMax: 16_384)
    /// The places of steps with an explanation, in order of arrival.
    private var explained: [Int] = []

    /// Adds the end of a call.
    mutating func add(_ entry: HistoryEntry, at stamp: Stamp) {
        let end = Decision(
            entry.cause.rule ?? .history, .ended, call: entry.call, cause: entry.cause)
        add(
            Step(
                decision: end, endReason: entry.reason, endDetail: entry.detail,
                elsewhere: entry.reason.isElsewhere ? entry.last.properties.elsewhere : nil,
                failure: entry.failure, stamp: stamp))
    }

    mutating func add(_ step: Step) {
        let place = steps.append(step)
        if explained.first == place { explained.removeFirst() }
        guard step.explanation != nil else { return }
        explained.append(place)
        guard explained.count > Self.explanationsMax else { return }
        steps[explained.removeFirst()].explanation = nil
    }

    /// Returns the steps whose decision satisfies a condition, oldest first. Searches all steps:
    /// `call.explain` is rare.
    func steps(where isIncluded: (Decision) -> Bool) -> [Step] {
        steps.values { isIncluded($0.decision) }
    }
}
