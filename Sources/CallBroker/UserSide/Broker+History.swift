internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallProtocol
internal import CallStore
internal import Logging

/// Calls that are over: they are in the journal until the store has them.
extension Broker {
    /// How long until a store that fails is tried again.
    private static let pauseMS = 1_000
    private static let dayMS: Int64 = 86_400_000

    /// The effect: a call is over.
    func record(_ entry: HistoryEntry) {
        decisions.add(entry, seq: feed.seq, atMS: unixMS)
        noteTried(entry)
        noteEnd(ofEmergency: entry)
        if !entry.missed.isEmpty, entry.isRecent { carryOut(missed: missed + 1) }
        guard store != nil || isRecovering else { return }
        let name =
            arbiter.configuration(of: entry.provider)?.displayName
            ?? sessions[entry.provider]?.displayName
        history.append(HistoryRecord(entry, providerName: name, unixMS: unixMS))
        // What a journal brings is bounded by the journal, and nothing of it is lost.
        if !isRecovering { giveUpHistory() }
        saveHistory()
    }

    private func giveUpHistory() {
        let lost = history.giveUpExcess()
        guard lost > 0 else { return }
        logger.error(
            "the store has failed for too long: entries of the history are lost",
            metadata: ["entries": "\(lost)"])
    }

    /// Brings the next part of what waits to the store, unless it is at work on one, or has just failed.
    func saveHistory() {
        guard let store, saveTimer == nil, !history.isBusy else { return }
        bringPart(to: store)
    }

    /// Brings all that waits: who asks for the history, or changes it, means what has ended by now.
    package func flushHistory() {
        guard let store, saveTimer == nil else { return }
        while bringPart(to: store) {}
    }

    /// The same entry twice is one.
    @discardableResult
    private func bringPart(to store: StoreThread) -> Bool {
        guard let part = history.beginPart() else { return false }
        store.submit(
            .write,
            { store throws(StoreError) in for entry in part.entries { try store.record(entry) } }
        ) { [weak self] result in self?.noteSaved(part.number, result) }
        let mustTrim = retention.note(
            entries: part.entries.count, keeping: choices.retention.entries, runningMS: runningMS)
        if mustTrim { trimHistory() }
        return true
    }

    /// Of what fails the user is told; it is tried again.
    private func noteSaved(_ part: Int, _ result: Result<Void, StoreError>) {
        let isSaved = if case .success = result { true } else { false }
        history.finish(part, isSaved: isSaved)
        for peer in history.takeResumable() { enqueue(peer) }
        if case .failure(let error) = result { noteStoreFault(error) }
        if isSaved {
            if storeHealth.isOpen { noteStoreWorks() }
            saveHistory()
        } else if saveTimer == nil {
            saveTimer = startTimer(afterMS: Self.pauseMS, .history)
        }
    }

    func saveHistoryAgain() {
        saveTimer = nil
        saveHistory()
    }

    /// Entries that are too old, or too many, go.
    /// - Parameter isChosen: The user has just said how much is to be kept.
    func trimHistory(isChosen: Bool = false) {
        guard let store else { return }
        if isChosen { flushHistory() }
        let age = retention.trim(
            isChosen: isChosen, isSynchronised: clock.isSynchronised, runningMS: runningMS)
        let oldestMS = unixMS - Int64(choices.retention.days) * Self.dayMS
        let countMax = choices.retention.entries
        store.submit(
            .write,
            { store throws(StoreError) in
                let count = try store.trimHistory(
                    beforeMS: age == .nothing ? nil : oldestMS, atOnce: age == .all,
                    countMax: countMax)
                return count > 0 ? try store.missedUnseen() : nil
            }
        ) { [weak self] (result: Result<Int?, StoreError>) in
            if case .success(let missed?) = result { self?.noteMissed(missed) }
        }
    }

    /// The journal still needs what the store does not have yet.
    var isHistorySaved: Bool {
        store == nil || history.isEmpty
    }

    /// Brings what an earlier broker left to the store, before there is a journal to tell of it.
    func bringHistory(to store: StoreThread) {
        while let part = history.beginPart() {
            store.submit(
                .write,
                { store throws(StoreError) in
                    for entry in part.entries { try store.record(entry) }
                }
            ) { [weak self] result in
                let isSaved = if case .success = result { true } else { false }
                self?.history.finish(part.number, isSaved: isSaved)
            }
        }
    }

    /// Whether the store has to catch up first with what this peer brought.
    func outrunsStore(_ peer: Peer) -> Bool {
        guard let provider = peer.session?.provider else { return false }
        return history.isOutrun(by: provider)
    }

    /// The store counts otherwise: the user has looked at some, or they are gone. It has not counted
    /// those that ended since it was asked.
    func noteMissed(_ stored: Int) {
        let missed = stored + history.newMissed
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
        flushHistory()
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
        flushHistory()
        try ask(
            .write, target,
            { store throws(StoreError) in
                HistoryChange(count: try work(store), missed: try store.missedUnseen())
            }, then: { [weak self] in self?.noteMissed($0.missed) },
            reply: { answer, writer in writer.member(name, answer.count) })
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
        if let failure = entry.failure {
            member(
                "failure",
                ActionFailure(
                    code: Int(failure.code), reason: failure.reason, message: failure.message))
        }
        member("missed", entry.isMissed)
        if !entry.missedReasons.isEmpty { member("missed_reasons", entry.missedReasons) }
        member("filtered_by", ifSet: entry.filteredBy)
        member("seen", entry.isSeen)
    }
}
