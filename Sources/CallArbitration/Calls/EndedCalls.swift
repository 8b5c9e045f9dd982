internal import CallModel

/// The ids of calls that are over, which are distinguished from unknown ids and not accepted again.
struct EndedCalls: Equatable, Sendable {
    private struct Entry: Equatable, Sendable {
        let call: CallID
        let at: Instant
    }

    private struct End: Equatable, Sendable {
        let at: Instant
        /// True if the call ended by the loss of its provider, and may be adopted again (rule 26).
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

    /// Removes an entry, but not the younger one of an id that was adopted and ended again.
    private mutating func forget(_ entry: Entry) {
        if ends[entry.call]?.at == entry.at { ends[entry.call] = nil }
    }

    mutating func remove(_ call: CallID) {
        ends[call] = nil
    }
}

extension EndedCalls {
    /// Compares only the remembered calls, as forgotten calls are not stored either.
    static func == (left: EndedCalls, right: EndedCalls) -> Bool {
        left.order[left.oldest...] == right.order[right.oldest...] && left.ends == right.ends
    }
}

// MARK: - Stored

extension EndedCalls: Storable {
    package func store(in writer: inout StateWriter) {
        writer.put(number: UInt64(order.count - oldest))
        var former = Instant.zero
        for entry in order[oldest...] {
            // The entry of a call that ended again later, or was adopted, is in `order` only.
            let end = ends[entry.call].flatMap { $0.at == entry.at ? $0 : nil }
            writer.write(entry.call, end != nil, end?.isLoss == true)
            writer.put(signed: entry.at.nanoseconds &- former.nanoseconds)
            former = entry.at
        }
    }

    package init(from reader: inout StateReader) throws(StateError) {
        var former = Instant.zero
        for _ in 0..<(try reader.takeCount("the ended calls")) {
            let call: CallID = try reader.read()
            let (isRemembered, isLoss) = (try reader.takeFlag(), try reader.takeFlag())
            let since = try reader.takeSigned()
            former = Instant(nanoseconds: former.nanoseconds &+ since)
            order.append(Entry(call: call, at: former))
            if isRemembered { ends[call] = End(at: former, isLoss: isLoss) }
        }
    }
}
