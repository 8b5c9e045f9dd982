internal import BrokerSocket
internal import CallArbitration
internal import CallModel

/// The calls that can be seen, in the order in which they came, for reading page by page: a page may
/// end at a call that is gone when the next one is asked for. Those that are over are kept for a
/// while, as they were last.
struct CallList {
    enum Item {
        case open(CallID)
        case ended(HistoryEntry)
    }

    private struct Entry {
        let serial: Int64
        /// Nil once the call is over.
        var call: CallID?
    }

    private static let endedKeptMS = 600_000
    private static let endedMax = 1_024

    private var entries: [Entry] = []
    private var serials: [CallID: Int64] = [:]
    private var last: Int64 = 0
    /// By their serials.
    private var ended: [Int64: HistoryEntry] = [:]
    /// In the order in which they ended.
    private var endedOrder = FIFO<(serial: Int64, expiry: MonotonicTime)>()

    /// How many are not over.
    var count: Int {
        serials.count
    }

    /// Those that are not over, oldest first.
    var open: [CallID] {
        entries.compactMap(\.call)
    }

    mutating func add(_ call: CallID) {
        guard serials[call] == nil else { return }
        last += 1
        serials[call] = last
        entries.append(Entry(serial: last, call: call))
    }

    /// - Parameter entry: how it was last.
    mutating func end(_ call: CallID, _ entry: HistoryEntry?, at now: MonotonicTime) {
        guard let serial = serials.removeValue(forKey: call) else { return }
        entries[index(after: serial - 1)].call = nil
        if let entry {
            ended[serial] = entry
            endedOrder.append((serial, now.advanced(milliseconds: Self.endedKeptMS)))
        }
        forgetOld(at: now)
        if entries.count > 64, entries.count > 2 * (serials.count + ended.count) {
            entries.removeAll { $0.call == nil && ended[$0.serial] == nil }
        }
    }

    mutating func forgetOld(at now: MonotonicTime) {
        while let oldest = endedOrder.first,
            endedOrder.count > Self.endedMax || oldest.expiry <= now
        {
            ended[oldest.serial] = nil
            _ = endedOrder.popFirst()
        }
    }

    /// Hands out the calls behind `serial`, oldest first, until `take` has enough.
    func forEach(after serial: Int64, includesEnded: Bool, _ take: (Item, Int64) -> Bool) {
        for entry in entries[index(after: serial)...] {
            let end = includesEnded ? ended[entry.serial].map { Item.ended($0) } : nil
            guard let item = entry.call.map({ .open($0) }) ?? end else { continue }
            guard take(item, entry.serial) else { return }
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
