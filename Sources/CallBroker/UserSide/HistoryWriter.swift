internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallProtocol
internal import CallStore
internal import Logging

/// The writer of the call history: ended calls stay in the journal until the store has them. Also
/// owns the number of missed calls, and serves the `history` methods.
final class HistoryWriter: BrokerPart {
    private let clock: TurnClock
    /// The entries that the store does not have yet.
    private var queue = HistoryQueue()
    private var retention = RetentionClock()
    /// The timer until a failed write is retried.
    private var saveTimer: BrokerTimers.Handle?
    /// The number of missed calls that are new to the user.
    private(set) var missed = 0

    init(_ clock: TurnClock) {
        self.clock = clock
    }

    func recordClock() {
        retention.record(wallMS: clock.loopClock.unixMS, runningMS: clock.runningMS)
    }

    func restore(missed: Int) {
        self.missed = missed
    }

    func inherit(from former: HistoryWriter) {
        queue = former.queue
    }

    // MARK: - Saving

    /// The time until a failed write is retried.
    private static let pauseMS = 1_000
    private static let dayMS: Int64 = 86_400_000

    /// Carries out the effect `record`: adds a call that has ended to the history.
    func record(_ entry: HistoryEntry) {
        broker.trace.add(entry)
        broker.quality.remove(entry.call)
        broker.participants.remove(entry.call)
        guard !entry.isExternal else { return }
        broker.screener.recordMissedAttempt(entry)
        broker.emergencies.recordEnd(entry)
        if !entry.missed.isEmpty, entry.isRecent { setMissed(missed + 1) }
        guard broker.store.isAttached || broker.isReplaying else { return }
        queue.append(historyRecord(of: entry))
        // The entries of a journal are bounded by its size, and none of them is dropped.
        if !broker.isReplaying { dropExcess() }
        save()
    }

    private func historyRecord(of entry: HistoryEntry) -> HistoryRecord {
        let configuration =
            broker.configuration(of: entry.provider)
            ?? broker.sessions[entry.provider]?.configuration
        var record = HistoryRecord(
            entry, providerName: configuration?.displayName, unixMS: clock.unixMS)
        record.lineLabel = record.line.flatMap { configuration?.line($0)?.label }
        return record
    }

    private func dropExcess() {
        let lost = queue.dropExcess()
        guard lost > 0 else { return }
        broker.logger.error(
            "the store has failed for too long; history entries are lost",
            metadata: ["entries": "\(lost)"])
    }

    /// Writes the next part to the store, unless a write is under way or has just failed.
    func save() {
        guard broker.store.isAttached, saveTimer == nil, !queue.isBusy else { return }
        writePart()
    }

    /// Writes all parts, because a request about the history must see every call that has ended.
    func flush() {
        guard broker.store.isAttached, saveTimer == nil else { return }
        while writePart() {}
    }

    /// Writes one part. An entry that is written twice is stored once.
    @discardableResult
    private func writePart() -> Bool {
        guard let part = queue.beginPart() else { return false }
        broker.store.submit(
            .write,
            { store throws(StoreError) in for entry in part.entries { try store.record(entry) } }
        ) { [weak self] result in self?.completeWrite(part.number, result) }
        let mustTrim = retention.record(
            entries: part.entries.count, keeping: broker.policy.choices.retention.entries,
            runningMS: clock.runningMS)
        if mustTrim { trim() }
        return true
    }

    /// Completes a write. A failure is reported to clients, and retried.
    private func completeWrite(_ part: Int, _ result: Result<Void, StoreError>) {
        let isSaved = if case .success = result { true } else { false }
        queue.finish(part, isSaved: isSaved)
        for peer in queue.takeResumable() { broker.turn.enqueue(peer) }
        if case .failure(let error) = result { broker.store.reportFault(error) }
        if isSaved {
            broker.store.recordSuccess()
            save()
        } else if saveTimer == nil {
            saveTimer = broker.timers.start(afterMS: Self.pauseMS, .history)
        }
    }

    func retry() {
        saveTimer = nil
        save()
    }

    /// Removes entries that are too old, or too many.
    ///
    /// - Parameter isChosen: True if the user has just changed how much is kept.
    func trim(isChosen: Bool = false) {
        guard broker.store.isAttached else { return }
        if isChosen { flush() }
        let age = retention.trim(
            isChosen: isChosen, isSynchronised: clock.loopClock.isSynchronised,
            runningMS: clock.runningMS)
        let oldestMS =
            clock.unixMS - Int64(broker.policy.choices.retention.days) * Self.dayMS
        let countMax = broker.policy.choices.retention.entries
        broker.store.submit(
            .write,
            { store throws(StoreError) in
                let count = try store.trimHistory(
                    beforeMS: age == .nothing ? nil : oldestMS, atOnce: age == .all,
                    countMax: countMax)
                return count > 0 ? try store.missedUnseen() : nil
            }
        ) { [weak self] (result: Result<Int?, StoreError>) in
            if case .success(let missed?) = result { self?.updateMissed(missed) }
        }
    }

    /// True if the store has every entry, so that the journal need not keep them.
    var isSaved: Bool {
        !broker.store.isAttached || queue.isEmpty
    }

    /// Writes the entries of an earlier broker to the store, before this broker has a journal.
    func write(to store: StoreThread) {
        while let part = queue.beginPart() {
            store.submit(
                .write,
                { store throws(StoreError) in
                    for entry in part.entries { try store.record(entry) }
                }
            ) { [weak self] result in
                let isSaved = if case .success = result { true } else { false }
                self?.queue.finish(part.number, isSaved: isSaved)
            }
        }
    }

    func isOutrun(by provider: ProviderID) -> Bool {
        queue.isOutrun(by: provider)
    }

    /// Delays the frames of a peer until the store has caught up with its provider.
    func pause(_ peer: Peer, for provider: ProviderID) {
        queue.pause(peer, for: provider)
    }

    /// Returns true if the store has to catch up with the provider of a peer.
    func outrunsStore(_ peer: Peer) -> Bool {
        guard let provider = peer.session?.provider else { return false }
        return queue.isOutrun(by: provider)
    }

    /// Updates the number of missed calls to the one in the store, plus those that have ended since
    /// the store was read.
    func updateMissed(_ stored: Int) {
        let missed = stored + queue.newMissed
        guard missed != self.missed else { return }
        broker.journal.append(.missed(missed))
        setMissed(missed)
    }

    func setMissed(_ missed: Int) {
        self.missed = missed
        broker.events.publish(.historyChanged) { $0.member("missed", missed) }
    }

    // MARK: - Requests

    func perform(_ request: HistoryRequest, _ target: ReplyTarget) throws(RPCError) {
        switch request {
        case .list(let params): try listHistory(params, target)
        case .sum(let params): try sumHistory(params, target)
        case .remove(let params): try removeHistory(params, target)
        case .clear(let params): try clearHistory(params, target)
        case .markSeen(let params): try markHistorySeen(params, target)
        case .import(let params): try importHistory(params, target)
        }
    }

    private func listHistory(_ params: ListHistoryParams, _ target: ReplyTarget) throws(RPCError) {
        let filter = HistoryFilter(params.filter)
        let after = params.page.after
        let limit = Self.limit(of: params.page)
        flush()
        try broker.store.ask(
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

    private func sumHistory(_ params: SumHistoryParams, _ target: ReplyTarget) throws(RPCError) {
        let filter = HistoryFilter(params.filter)
        let grouping = HistorySum.Grouping(rawValue: params.by) ?? .provider
        let limit = params.limit ?? Self.sumsMax
        flush()
        try broker.store.ask(
            .read, target,
            { store throws(StoreError) in
                try store.historySums(filter, by: grouping, limit: limit)
            },
            reply: { answer, writer in
                writer.name("sums")
                writer.array { writer in
                    for sum in answer.sums { writer.object { $0.members(of: sum) } }
                }
                if answer.hasMore { writer.member("more", true) }
                writer.name("total")
                writer.object { $0.numbers(of: answer.total) }
            })
    }

    /// The maximum number of sums in a reply: the longest ones still fit into a frame.
    private static let sumsMax = 100

    /// The maximum number of entries in a page: the longest ones still fit into a frame.
    static let pageMax = 32

    static func limit(of page: PageParams) -> Int {
        min(pageMax, page.limit ?? pageMax)
    }

    private func removeHistory(
        _ params: RemoveHistoryParams, _ target: ReplyTarget
    ) throws(RPCError) {
        let entries = params.entries
        try change(target, "removed") { store throws(StoreError) in
            try store.removeHistory(entries)
        }
    }

    private func clearHistory(
        _ params: HistoryFilterParams, _ target: ReplyTarget
    ) throws(RPCError) {
        let filter = HistoryFilter(params)
        try change(target, "removed") { store throws(StoreError) in
            try store.clearHistory(filter)
        }
    }

    private func markHistorySeen(_ params: MarkSeenParams, _ target: ReplyTarget) throws(RPCError) {
        let untilMS = params.untilMS ?? .max
        try change(target, "marked") { store throws(StoreError) in
            try store.markSeen(untilMS: untilMS)
        }
    }

    private func importHistory(
        _ params: ImportHistoryParams, _ target: ReplyTarget
    ) throws(RPCError) {
        let records = params.entries.map { HistoryRecord($0) }
        try change(target, "imported") { store throws(StoreError) in
            var count = 0
            for record in records where try store.record(record) { count += 1 }
            return count
        }
    }

    /// Changes the history, and updates the number of missed calls.
    private func change(
        _ target: ReplyTarget, _ name: StaticString,
        _ work: @escaping @Sendable (CallStore) throws(StoreError) -> Int
    ) throws(RPCError) {
        flush()
        try broker.store.ask(
            .write, target,
            { store throws(StoreError) in
                HistoryChange(count: try work(store), missed: try store.missedUnseen())
            }, then: { [weak self] in self?.updateMissed($0.missed) },
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
    fileprivate init(_ params: HistoryFilterParams) {
        self.init(
            id: params.entry, missed: params.missedOnly, provider: params.provider,
            handle: params.handle, sinceMS: params.sinceMS, includesHidden: params.includesHidden)
    }
}

extension JSONWriter {
    fileprivate mutating func members(of sum: HistorySum) {
        if let provider = sum.provider { member("provider", provider) }
        member("provider_name", ifSet: sum.providerName)
        if let remote = sum.remote { member("remote", remote) }
        member("name", ifSet: sum.name)
        numbers(of: sum)
    }

    fileprivate mutating func numbers(of sum: HistorySum) {
        member("calls", sum.calls)
        member("incoming", sum.incoming)
        member("missed", sum.missed)
        member("talked_ms", sum.talkedMS)
        member("last_ended_at_ms", sum.lastEndedAtMS)
    }

    fileprivate mutating func members(of entry: HistoryRecord) {
        member("entry", entry.id)
        member("call", entry.call)
        member("provider", entry.provider)
        member("provider_name", entry.providerName)
        member("line", ifSet: entry.line)
        member("line_label", ifSet: entry.lineLabel)
        member("direction", entry.direction.word)
        if let remote = entry.remote { member("remote", remote) }
        if let party = entry.forwardedFrom { member("forwarded_from", party) }
        if entry.verification != .unverified {
            member("verification", entry.verification.rawValue)
        }
        member("external_id", ifSet: entry.externalID)
        member("elsewhere", ifSet: entry.elsewhere)
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
                    code: Int(failure.code), reason: failure.reason, message: failure.message,
                    appCode: entry.detail?.code))
        }
        if let detail = entry.detail { member("end_detail", detail) }
        member("missed", entry.isMissed)
        if !entry.missedReasons.isEmpty { member("missed_reasons", entry.missedReasons) }
        member("filtered_by", ifSet: entry.filteredBy)
        member("seen", entry.isSeen)
    }
}
