internal import CallModel

/// The calls that can be seen, in the order in which they came, for reading page by page: a page may
/// end at a call that is gone when the next one is asked for.
struct CallList {
    private struct Entry {
        let serial: Int64
        /// Nil once the call is over.
        var call: CallID?
    }

    private var entries: [Entry] = []
    private var serials: [CallID: Int64] = [:]
    private var last: Int64 = 0

    var count: Int {
        serials.count
    }

    mutating func add(_ call: CallID) {
        guard serials[call] == nil else { return }
        last += 1
        serials[call] = last
        entries.append(Entry(serial: last, call: call))
    }

    mutating func remove(_ call: CallID) {
        guard let serial = serials.removeValue(forKey: call) else { return }
        entries[index(after: serial - 1)].call = nil
        if entries.count > 64, entries.count > 2 * serials.count {
            entries.removeAll { $0.call == nil }
        }
    }

    /// Hands out the calls behind `serial`, oldest first, until `take` has enough.
    func forEach(after serial: Int64, _ take: (CallID, Int64) -> Bool) {
        for entry in entries[index(after: serial)...] {
            guard let call = entry.call else { continue }
            guard take(call, entry.serial) else { return }
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
