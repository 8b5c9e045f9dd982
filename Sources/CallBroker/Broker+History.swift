internal import BrokerJSON
internal import BrokerRPC
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallProtocol
internal import CallStore
internal import Logging

/// Calls that are over: they are in the journal until the store has them.
extension Broker {
    /// Entries that wait for a store that fails; what is more is lost, the oldest first.
    private static let unsavedMax = 65_536
    /// How long until it is tried again.
    private static let pauseMS = 1_000
    /// After so many entries, or a day, those that are too old, or too many, go.
    private static let trimInterval = 256
    private static let dayMS: Int64 = 86_400_000

    /// The effect: a call is over.
    func record(_ entry: HistoryEntry) {
        decisions.add(entry, seq: feed.seq, atMS: unixMS)
        noteTried(entry)
        if !entry.missed.isEmpty, entry.isRecent { carryOut(missed: missed + 1) }
        guard store != nil || isRecovering else { return }
        let name =
            arbiter.configuration(of: entry.provider)?.displayName
            ?? sessions[entry.provider]?.displayName
        unsaved.append(HistoryRecord(entry, providerName: name, unixMS: unixMS))
        if unsaved.count > Self.unsavedMax { unsaved.removeFirst() }
        if saveTimer == nil { saveHistory() }
    }

    /// Brings what waits to the store. The same entry twice is one.
    func saveHistory() {
        saveTimer = nil
        guard let store, !unsaved.isEmpty else { return }
        let entries = unsaved
        unsaved = []
        saving += entries
        recorded += entries.count
        store.submit(
            .write,
            { store throws(StoreError) in for entry in entries { _ = try store.record(entry) } }
        ) { [weak self] result in self?.noteSaved(entries, result) }
        // A few too many are none, unless few are wanted.
        let interval = min(Self.trimInterval, max(1, choices.retention.entries / 8))
        if recorded >= interval || unixMS - trimmedAtMS >= Self.dayMS { trimHistory() }
    }

    /// Entries that are too old, or too many, go.
    func trimHistory() {
        guard let store else { return }
        (recorded, trimmedAtMS) = (0, unixMS)
        let oldestMS = unixMS - Int64(choices.retention.days) * Self.dayMS
        let countMax = choices.retention.entries
        store.submit(
            .write,
            { store throws(StoreError) in
                let count = try store.trimHistory(beforeMS: oldestMS, countMax: countMax)
                return count > 0 ? try store.missedUnseen() : nil
            }
        ) { [weak self] (result: Result<Int?, StoreError>) in
            if case .success(let missed?) = result { self?.noteMissed(missed) }
        }
    }

    private func noteSaved(_ entries: [HistoryRecord], _ result: Result<Void, StoreError>) {
        saving.removeFirst(entries.count)
        guard case .failure = result else { return }
        // Of what failed the user has been told; it is tried again.
        unsaved = entries + unsaved
        if saveTimer == nil { saveTimer = startTimer(afterMS: Self.pauseMS, .history) }
    }

    /// The journal still needs what the store does not have yet.
    var isHistorySaved: Bool {
        store == nil || unsaved.isEmpty && saving.isEmpty
    }

    /// Brings what an earlier broker left to the store, before there is a journal to tell of it.
    func bringHistory(to store: StoreThread) {
        let entries = unsaved
        unsaved = []
        guard !entries.isEmpty else { return }
        store.submit(
            .write,
            { store throws(StoreError) in for entry in entries { _ = try store.record(entry) } }
        ) { [weak self] result in
            if case .failure = result { self?.unsaved = entries }
        }
    }

    /// The store counts otherwise: the user has looked at some, or they are gone. It has not counted
    /// those that ended since it was asked.
    func noteMissed(_ stored: Int) {
        let missed =
            stored + saving.count(where: \.isNewMissed) + unsaved.count(where: \.isNewMissed)
        guard missed != self.missed else { return }
        journal?.append(JournalEntry(.missed(missed), at: instant))
        carryOut(missed: missed)
    }

    func carryOut(missed: Int) {
        self.missed = missed
        tell(.historyChanged) { $0.member("missed", missed) }
    }

    // MARK: - Requests

    func listHistory(_ params: JSONValue?, _ target: ReplyTarget) throws(RPCError) {
        let filter = HistoryFilter(checked: params)
        let after = params?["after"]?.string
        let limit = Self.pageLimit(params)
        try ask(
            .read, target,
            { store throws(StoreError) in
                HistoryPage(
                    page: try store.history(filter, after: after, limit: limit),
                    missed: try store.missedUnseen())
            },
            reply: { answer, writer in
                writer.name("entries")
                writer.array { writer in
                    for entry in answer.page.items { writer.object { $0.members(of: entry) } }
                }
                writer.member("next", ifSet: answer.page.next)
                writer.member("missed", answer.missed)
            })
    }

    /// Entries of a page at most: the longest ones still fit into a frame.
    static let pageMax = 32

    static func pageLimit(_ params: JSONValue?) -> Int {
        min(pageMax, params?["limit"]?.integer.map { Int($0) } ?? pageMax)
    }

    func removeHistory(_ params: JSONValue?, _ target: ReplyTarget) throws(RPCError) {
        let entries = params?["entries"]?.elements.compactMap(\.integer) ?? []
        try change(target, "removed") { store throws(StoreError) in
            try store.removeHistory(entries)
        }
    }

    func clearHistory(_ params: JSONValue?, _ target: ReplyTarget) throws(RPCError) {
        let filter = HistoryFilter(checked: params)
        try change(target, "removed") { store throws(StoreError) in
            try store.clearHistory(filter)
        }
    }

    func markHistorySeen(_ params: JSONValue?, _ target: ReplyTarget) throws(RPCError) {
        let untilMS = params?["until_at_ms"]?.integer ?? .max
        try change(target, "marked") { store throws(StoreError) in
            try store.markSeen(untilMS: untilMS)
        }
    }

    /// Whatever changes the history may change how many missed calls are new.
    private func change(
        _ target: ReplyTarget, _ name: StaticString,
        _ work: @escaping @Sendable (CallStore) throws(StoreError) -> Int
    ) throws(RPCError) {
        try ask(
            .write, target,
            { store throws(StoreError) in
                HistoryChange(count: try work(store), missed: try store.missedUnseen())
            }, then: { [weak self] in self?.noteMissed($0.missed) },
            reply: { answer, writer in writer.member(name, answer.count) })
    }
}

extension HistoryRecord {
    /// Whether it counts as `CallStore.missedUnseen` counts.
    fileprivate var isNewMissed: Bool {
        isMissed && isRecent && !isSeen
    }
}

private struct HistoryPage: Sendable {
    var page: Page<HistoryRecord>
    var missed: Int
}

private struct HistoryChange: Sendable {
    var count: Int
    var missed: Int
}

extension HistoryFilter {
    fileprivate init(checked params: JSONValue?) {
        let filter = params?["filter"]
        self.init(
            id: filter?["entry"]?.integer, missed: filter?["missed"]?.boolean ?? false,
            provider: ProviderID(filter?["provider"]),
            handle: filter?["handle"].map { Handle(checked: $0) },
            sinceMS: filter?["since_at_ms"]?.integer,
            includesHidden: filter?["hidden"]?.boolean ?? false)
    }
}

extension JSONWriter {
    fileprivate mutating func members(of entry: HistoryRecord) {
        member("entry", entry.id)
        member("call", entry.call)
        member("provider", entry.provider)
        member("provider_name", entry.providerName)
        member("direction", entry.direction.word)
        if let remote = entry.remote { member("remote", remote) }
        member("name", ifSet: entry.name)
        member("label", ifSet: entry.label)
        member("label_source", ifSet: entry.labelSource)
        member("has_video", entry.hasVideo)
        member("started_at_ms", entry.startedAtMS)
        if let connected = entry.connectedAtMS { member("connected_at_ms", connected) }
        member("ended_at_ms", entry.endedAtMS)
        member("duration_ms", entry.talkedMS)
        member("end_reason", entry.reason.word)
        member("end_cause", Cause(entry.origin, rule: entry.rule))
        if !entry.missedReasons.isEmpty { member("missed_reasons", entry.missedReasons) }
        member("filtered_by", ifSet: entry.filteredBy)
        member("seen", entry.isSeen)
    }
}
