internal import CallModel
internal import CallStore

/// The queue of history entries on their way to the store. They are written in parts of bounded
/// size, each of which stays in the queue until the store has it; an entry costs the same, whatever
/// the length of the queue.
struct HistoryQueue {
    /// The maximum number of entries in one write.
    static let partMax = 256
    /// The maximum number of entries that wait for a failing store; beyond it the oldest are
    /// dropped.
    static let countMax = 65_536
    /// The maximum for a working store, which is reached only if more calls than that end at once.
    private static let burstMax = 262_144
    /// The number of entries that may wait for a working store, shared between apps.
    private static let backlogMax = 4_096
    /// The minimum share of an app.
    private static let shareMin = 64

    /// The entries of one write.
    struct Part {
        let number: Int
        fileprivate(set) var entries: [HistoryRecord] = []
        fileprivate var isBeingWritten = false
    }

    private var parts: [Part] = []
    private var lastNumber = 0
    private var countByProvider: [ProviderID: Int] = [:]
    /// True if the latest write failed: peers must not wait for the store then.
    private var isFailing = false
    /// Peers whose frames wait until the store has caught up with their entries.
    private var paused: [(peer: Peer, provider: ProviderID)] = []
    private(set) var count = 0
    /// The number of entries that count as missed and are new to the user.
    private(set) var newMissed = 0

    var isEmpty: Bool {
        parts.isEmpty
    }

    // MARK: - Entries

    mutating func append(_ entry: HistoryRecord) {
        if parts.last.map({ $0.isBeingWritten || $0.entries.count >= Self.partMax }) ?? true {
            lastNumber += 1
            parts.append(Part(number: lastNumber))
        }
        parts[parts.count - 1].entries.append(entry)
        count += 1
        countByProvider[entry.provider, default: 0] += 1
        if entry.isNewMissed { newMissed += 1 }
    }

    /// Drops the oldest entries if there are too many.
    ///
    /// - Returns: the number of entries that were dropped.
    mutating func dropExcess() -> Int {
        let countMax = isFailing ? Self.countMax : Self.burstMax
        guard count > countMax, let index = parts.firstIndex(where: { !$0.isBeingWritten })
        else { return 0 }
        return remove(at: index)
    }

    /// True if a write is under way.
    var isBusy: Bool {
        parts.first?.isBeingWritten ?? false
    }

    /// Begins the write of the oldest part that is not being written already; nil if there is none.
    mutating func beginPart() -> Part? {
        guard let index = parts.firstIndex(where: { !$0.isBeingWritten }) else { return nil }
        parts[index].isBeingWritten = true
        return parts[index]
    }

    /// Ends the write of a part: removes it, or keeps it if the store has failed.
    mutating func finish(_ number: Int, isSaved: Bool) {
        isFailing = !isSaved
        guard let index = parts.firstIndex(where: { $0.number == number }) else { return }
        if isSaved {
            _ = remove(at: index)
        } else {
            parts[index].isBeingWritten = false
        }
    }

    private mutating func remove(at index: Int) -> Int {
        let part = parts.remove(at: index)
        for entry in part.entries {
            let rest = (countByProvider[entry.provider] ?? 1) - 1
            countByProvider[entry.provider] = rest > 0 ? rest : nil
            if entry.isNewMissed { newMissed -= 1 }
        }
        count -= part.entries.count
        return part.entries.count
    }

    // MARK: - Back pressure

    /// Returns true if an app ends calls faster than the store can write them. Always false for a
    /// failing store, for which waiting would be pointless.
    func isOutrun(by provider: ProviderID) -> Bool {
        !isFailing && countByProvider[provider] ?? 0 > share
    }

    private var share: Int {
        max(Self.shareMin, Self.backlogMax / max(1, countByProvider.count))
    }

    /// Adds a peer whose frames have to wait, because its app ends calls too fast.
    mutating func pause(_ peer: Peer, for provider: ProviderID) {
        paused.append((peer, provider))
    }

    /// Removes and returns the peers whose frames need not wait any more.
    mutating func takeResumable() -> [Peer] {
        guard !paused.isEmpty else { return [] }
        let (ready, waiting) = paused.reduce(
            into: ([Peer](), [(peer: Peer, provider: ProviderID)]())
        ) { lists, entry in
            let isBehind = !isFailing && countByProvider[entry.provider] ?? 0 > share / 2
            if isBehind { lists.1.append(entry) } else { lists.0.append(entry.peer) }
        }
        paused = waiting
        return ready
    }
}

extension HistoryRecord {
    /// True if the entry is counted by `CallStore.missedUnseen`.
    fileprivate var isNewMissed: Bool {
        isMissed && isRecent && !isSeen
    }
}
