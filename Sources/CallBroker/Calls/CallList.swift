internal import BrokerSocket
internal import CallArbitration
internal import CallModel

/// The visible calls in order of arrival, to be read in pages: a page may end at a call that is
/// gone when the next one is requested. Calls that have ended are kept for a while in their final
/// state.
struct CallList {
    enum Item {
        case open(CallID)
        case ended(HistoryEntry)
    }

    private struct Entry {
        let serial: Int64
        /// The call's id; nil once the call has ended.
        var call: CallID?
        /// The place of the call in the counts; nil once the call has ended.
        var place: CallCounts.Place?
    }

    private static let endedLifetimeMS = 600_000
    private static let endedMax = 1_024

    private var entries: [Entry] = []
    private var serials: [CallID: Int64] = [:]
    private var last: Int64 = 0
    /// The calls that have ended, by their serials.
    private var ended: [Int64: HistoryEntry] = [:]
    /// The serials of `ended`, in the order in which the calls ended.
    private var endedOrder = FIFO<(serial: Int64, expiry: MonotonicTime)>()
    /// The calls that have not ended, by provider and state.
    private(set) var counts = CallCounts()

    /// The number of calls that have not ended.
    var count: Int {
        serials.count
    }

    /// The calls that have not ended, oldest first.
    var open: [CallID] {
        entries.compactMap(\.call)
    }

    /// - Parameter outline: the provider and state under which the call is counted.
    mutating func add(_ call: CallID, _ outline: CallOutline? = nil) {
        guard serials[call] == nil else { return }
        last += 1
        serials[call] = last
        let place = outline.map { counts.add($0.provider, $0.state) }
        entries.append(Entry(serial: last, call: call, place: place))
    }

    /// Counts a call in another state.
    mutating func count(_ call: CallID, in state: CallState) {
        guard let serial = serials[call] else { return }
        let index = index(after: serial - 1)
        guard let place = entries[index].place else { return }
        entries[index].place = counts.move(place, to: state)
    }

    /// Marks a call as ended.
    ///
    /// - Parameter entry: the final state of the call.
    mutating func end(_ call: CallID, _ entry: HistoryEntry?, at now: MonotonicTime) {
        guard let serial = serials.removeValue(forKey: call) else { return }
        let index = index(after: serial - 1)
        if let place = entries[index].place { counts.remove(place) }
        (entries[index].call, entries[index].place) = (nil, nil)
        if let entry {
            ended[serial] = entry
            endedOrder.append((serial, now.advanced(milliseconds: Self.endedLifetimeMS)))
        }
        removeExpired(at: now)
        if entries.count > 64, entries.count > 2 * (serials.count + ended.count) {
            entries.removeAll { $0.call == nil && ended[$0.serial] == nil }
        }
    }

    /// Removes ended calls that have been kept for long enough.
    mutating func removeExpired(at now: MonotonicTime) {
        while let oldest = endedOrder.first,
            endedOrder.count > Self.endedMax || oldest.expiry <= now
        {
            ended[oldest.serial] = nil
            _ = endedOrder.popFirst()
        }
    }

    /// Calls `body` with each call after `serial` and its serial, oldest first, until `body`
    /// returns false.
    func forEach(after serial: Int64, includesEnded: Bool, _ body: (Item, Int64) -> Bool) {
        for entry in entries[index(after: serial)...] {
            let end = includesEnded ? ended[entry.serial].map { Item.ended($0) } : nil
            guard let item = entry.call.map({ .open($0) }) ?? end else { continue }
            guard body(item, entry.serial) else { return }
        }
    }

    private func index(after serial: Int64) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].serial <= serial { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
