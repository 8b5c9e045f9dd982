internal import CallModel

/// The ids of calls that are over: they are told apart from unknown ones, and are not taken again.
struct EndedCalls: Equatable, Sendable {
    private struct Entry: Equatable, Sendable {
        let call: CallID
        let at: Instant
    }

    private struct End: Equatable, Sendable {
        let at: Instant
        /// By the loss of its provider: it may be adopted again (rule 26).
        let isLoss: Bool
    }

    private var ends = IDTable<CallID, End>()
    private var order: [Entry] = []
    private var oldest = 0

    func contains(_ call: CallID, _ now: Instant, _ policy: ArbitrationPolicy) -> Bool {
        ends[call].map { now < $0.at.advanced(byMS: policy.endedCallsMS) } ?? false
    }

    func endedByLoss(_ call: CallID) -> Bool {
        ends[call]?.isLoss == true
    }

    mutating func insert(_ call: CallID, at now: Instant, isLoss: Bool, _ policy: ArbitrationPolicy)
    {
        ends[call] = End(at: now, isLoss: isLoss)
        order.append(Entry(call: call, at: now))
        let horizon = now.advanced(byMS: 0 &- policy.endedCallsMS)
        while oldest < order.count,
            order.count - oldest > policy.endedCallsMax || order[oldest].at < horizon
        {
            forget(order[oldest])
            oldest += 1
        }
        if oldest > 1_024, oldest > order.count / 2 {
            order.removeFirst(oldest)
            oldest = 0
        }
    }

    /// An id that was adopted and ended again has a younger entry, which stays.
    private mutating func forget(_ entry: Entry) {
        if ends[entry.call]?.at == entry.at { ends[entry.call] = nil }
    }

    mutating func remove(_ call: CallID) {
        ends[call] = nil
    }
}
