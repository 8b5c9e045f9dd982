internal import CallModel
internal import CallStore

/// Entries of the history on their way to the store. They wait in parts of bounded size, each of which
/// stays here until the store has it; an entry costs the same however many wait.
struct HistoryQueue {
    /// Entries of one write at most.
    static let partMax = 256
    /// Entries that wait for a store that fails; what is more is lost, the oldest first.
    static let countMax = 65_536
    /// The same for one that works. So many come only from more calls than that which end at once.
    private static let burstMax = 262_144
    /// So many may wait for a store that works; each app has its share of them.
    private static let backlogMax = 4_096
    /// However many apps there are.
    private static let shareMin = 64

    /// What goes to the store with one write.
    struct Part {
        let number: Int
        fileprivate(set) var entries: [HistoryRecord] = []
        fileprivate var isUnderWay = false
    }

    private var parts: [Part] = []
    private var lastNumber = 0
    private var countByProvider: [ProviderID: Int] = [:]
    /// The latest write failed: nobody can wait for the store.
    private var isFailing = false
    /// Peers whose frames wait until the store has caught up with what they brought.
    private var paused: [(peer: Peer, provider: ProviderID)] = []
    private(set) var count = 0
    /// Those that count as missed and are new to the user.
    private(set) var newMissed = 0

    var isEmpty: Bool {
        parts.isEmpty
    }

    // MARK: - The way of an entry

    mutating func append(_ entry: HistoryRecord) {
        if parts.last.map({ $0.isUnderWay || $0.entries.count >= Self.partMax }) ?? true {
            lastNumber += 1
            parts.append(Part(number: lastNumber))
        }
        parts[parts.count - 1].entries.append(entry)
        count += 1
        countByProvider[entry.provider, default: 0] += 1
        if entry.isNewMissed { newMissed += 1 }
    }

    /// Gives up the oldest ones that are too many. How many those were.
    mutating func giveUpExcess() -> Int {
        let countMax = isFailing ? Self.countMax : Self.burstMax
        guard count > countMax, let index = parts.firstIndex(where: { !$0.isUnderWay }) else {
            return 0
        }
        return remove(at: index)
    }

    /// Whether a write is under way.
    var isBusy: Bool {
        parts.first?.isUnderWay ?? false
    }

    /// The oldest part that is not on its way already; nil if there is none.
    mutating func beginPart() -> Part? {
        guard let index = parts.firstIndex(where: { !$0.isUnderWay }) else { return nil }
        parts[index].isUnderWay = true
        return parts[index]
    }

    /// The store has a part, or does not take it.
    mutating func finish(_ number: Int, isSaved: Bool) {
        isFailing = !isSaved
        guard let index = parts.firstIndex(where: { $0.number == number }) else { return }
        if isSaved {
            _ = remove(at: index)
        } else {
            parts[index].isUnderWay = false
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

    // MARK: - Who is too fast

    /// Whether an app brings entries faster than the store takes them. One that fails would be waited for
    /// in vain.
    func isOutrun(by provider: ProviderID) -> Bool {
        !isFailing && countByProvider[provider] ?? 0 > share
    }

    private var share: Int {
        max(Self.shareMin, Self.backlogMax / max(1, countByProvider.count))
    }

    /// Frames of `peer`, which speaks for an app that is too fast, wait.
    mutating func pause(_ peer: Peer, for provider: ProviderID) {
        paused.append((peer, provider))
    }

    /// The peers whose frames need not wait any more.
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
    /// Whether it counts as `CallStore.missedUnseen` counts.
    fileprivate var isNewMissed: Bool {
        isMissed && isRecent && !isSeen
    }
}
