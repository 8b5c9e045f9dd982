internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallJournal
internal import CallModel
internal import CallProtocol
internal import CallStore
internal import Logging

/// The user's store on disk: contacts, blocks, history and caller directories. It works on a thread
/// of its own and replies in a later turn. This class also reports a failing store, uses a copy of
/// its blocks meanwhile, and retries it.
final class UserStore: BrokerPart {
    /// The thread of the store; nil if the broker has none.
    private var thread: StoreThread?
    private var health = StoreHealth()
    /// True if the store has any contact, block or directory entry.
    private(set) var hasCallerData = false
    /// The copy of blocks that applies while the store cannot be read.
    private var rememberedBlocks = RememberedBlocks()
    /// The preferred app for each of the user's contacts.
    private(set) var preferredApps = PreferredApps()

    // MARK: - State

    var isAttached: Bool {
        thread != nil
    }

    /// The fault of the store in words; nil if it works.
    var fault: String? {
        health.fault
    }

    /// True if the store has no work under way.
    var isIdle: Bool {
        thread?.isIdle ?? true
    }

    var copyOfBlocks: ScreeningCopy {
        rememberedBlocks.copy
    }

    func restore(_ change: ScreeningCopy.Change) {
        rememberedBlocks.apply(change)
    }

    func inherit(from former: UserStore) {
        rememberedBlocks = former.rememberedBlocks
    }

    // MARK: - The thread

    /// Attaches the store, reads it, and writes pending history entries.
    func attach(_ store: StoreThread) {
        thread = store
        hasCallerData = true
        readStore()
    }

    /// Reads the facts that are kept in memory, and writes pending history entries.
    func readStore() {
        guard let thread else { return }
        setRegion()
        readScreeningFacts()
        thread.submit(
            .read,
            { store throws(StoreError) in
                StoreSummary(
                    missed: try store.missedUnseen(), hasCallerData: try store.hasCallerData())
            }
        ) { [weak self] result in
            guard let self, case .success(let summary) = result else { return }
            hasCallerData = summary.hasCallerData
            broker.history.updateMissed(summary.missed)
        }
        broker.history.save()
    }

    /// Sets the country of numbers without a country code. For a country without a known numbering
    /// plan such numbers stay as they are. The preferred app of a number depends on it, too.
    func setRegion() {
        let region = broker.policy.choices.screening.region
        thread?.submit(
            .write,
            { store throws(StoreError) in
                try store.setRegion(PhoneNumber.isKnown(region: region) ? region : nil)
                return try store.preferredApps()
            }
        ) { [weak self] result in
            if case .success(let apps) = result { self?.preferredApps = apps }
        }
    }

    /// Completes the work that the store has finished.
    func drain() {
        guard let thread else { return }
        // The state of the file explains the results of the work.
        for notice in thread.takeNotices() { report(notice) }
        thread.settle()
    }

    /// Submits work for the store, with an optional completion.
    func submit<Answer: Sendable>(
        _ use: StoreThread.Use,
        _ work: @escaping @Sendable (CallStore) throws(StoreError) -> Answer,
        then: @escaping (Result<Answer, StoreError>) -> Void = { _ in }
    ) {
        thread?.submit(use, work, then: then)
    }

    /// Reports a notice of the store to the log and to clients.
    private func report(_ notice: StoreNotice) {
        if case .closed(let why) = notice { return reportFault(why, isOpen: false) }
        if case .open = notice { return reportRecovery() }
        broker.logger.error("the store: \(notice)")
        // A new store has neither the country nor any preferred app.
        if case .damaged = notice { setRegion() }
        for peer in broker.peers.ready {
            broker.outbox.notify(peer, "broker.warning") { writer in
                writer.member("reason", "store_failed" as StaticString)
                writer.member("message", "\(notice)")
            }
        }
    }

    /// Serves a request from the store.
    ///
    /// - Parameter then: carries out further consequences, before the reply.
    func ask<Answer: Sendable>(
        _ use: StoreThread.Use, _ target: ReplyTarget,
        _ work: @escaping @Sendable (CallStore) throws(StoreError) -> Answer,
        then: @escaping (Answer) -> Void = { _ in },
        reply: @escaping (Answer, inout JSONWriter) -> Void
    ) throws(RPCError) {
        try checkAttached()
        broker.outbox.postpone(target)
        consult(use, target, work) { [weak self] value in
            then(value)
            self?.broker.outbox.answer(target) { reply(value, &$0) }
        }
    }

    /// Submits work on behalf of a deferred request, to which an error replies.
    func consult<Answer: Sendable>(
        _ use: StoreThread.Use, _ target: ReplyTarget,
        _ work: @escaping @Sendable (CallStore) throws(StoreError) -> Answer,
        then: @escaping (Answer) -> Void
    ) {
        submit(use, work) { [weak self] result in
            switch result {
            case .success(let value): then(value)
            case .failure(let error): self?.broker.outbox.answer(target, RPCError(error))
            }
        }
    }

    /// Looks up the remote side of a call; false if the store is not available or has no data.
    @discardableResult
    func askStore(about call: CallID, _ remote: Handle?) -> Bool {
        guard let thread, health.isOpen, hasCallerData, let remote else { return false }
        thread.submit(.lookUp, { store throws(StoreError) in try store.whoIs(remote) }) {
            [weak self] result in
            self?.completeLookUp(result, remote, of: call)
        }
        return true
    }

    /// Applies the result of a look-up; for a failing store, that of the copy of its blocks.
    private func completeLookUp(
        _ result: Result<CallerFacts, StoreError>, _ remote: Handle, of call: CallID
    ) {
        let response: Screening.Response =
            switch result {
            case .success(let facts): Screening.Response(facts)
            case .failure(let error): responseWithoutStore(about: remote, error.description)
            }
        guard broker.screener.isWith(remote, call) else { return }
        if broker.screener.awaits(.store, of: call) {
            broker.screener.apply(response, of: .store, to: call)
        } else {
            broker.screener.refineCaller(of: call, response.callers)
            if response.isPriority { broker.screener.prioritize(call) }
        }
    }

    func checkAttached() throws(RPCError) {
        guard isAttached else {
            throw RPCError(
                .invalidState, reason: .noStore,
                "this broker has no store of contacts and history")
        }
    }

    // MARK: - Changes

    /// Records that the store has caller data now.
    func recordCallerData() {
        hasCallerData = true
    }

    func recordStored(_ contact: Contact) {
        hasCallerData = true
        preferredApps.put(contact)
        recordContact(breaksThrough: contact.breaksThrough)
    }

    func recordRemoved(contact id: String) {
        preferredApps.remove(id)
        recordContact(breaksThrough: false)
    }

    func recordStored(_ block: Block) {
        hasCallerData = true
        remember(.block(ScreeningCopy.Pattern(block.pattern)))
    }

    // MARK: - Health

    /// Reports that the store cannot be opened or written.
    func reportFault(_ error: StoreError) {
        guard error.code != .stopping, error.code != .overloaded else { return }
        reportFault(error.description, isOpen: health.isOpen)
    }

    func reportFault(_ why: String, isOpen: Bool) {
        guard health.fail(why, isOpen: isOpen) else { return }
        broker.logger.error("\(StoreWarning(why, isOpen: isOpen, rememberedBlocks.copy).message)")
        for peer in broker.peers.ready { warn(peer, of: why) }
        if !isOpen { scheduleRetry() }
    }

    func warn(_ peer: Peer, of why: String) {
        let warning = StoreWarning(why, isOpen: health.isOpen, rememberedBlocks.copy)
        broker.outbox.notify(peer, "broker.warning") { writer in
            writer.member("reason", "store_failed" as StaticString)
            writer.member("message", warning.message)
        }
    }

    /// Records that a write has succeeded.
    func recordSuccess() {
        if health.isOpen { reportRecovery() }
    }

    private func reportRecovery() {
        guard health.recover() else { return }
        broker.logger.notice("the store works again; nothing was lost")
        for peer in broker.peers.ready {
            broker.outbox.notify(peer, "broker.warning") { writer in
                writer.member("reason", "store_recovered" as StaticString)
                writer.member(
                    "message", "the store works again; nothing was lost" as StaticString)
            }
        }
        readStore()
    }

    private func scheduleRetry() {
        guard health.timer == nil else { return }
        health.timer = broker.timers.start(afterMS: health.nextPauseMS(), .store)
    }

    /// Tries to open the store; a success is reported by a notice.
    func retry() {
        health.timer = nil
        guard let thread, !health.isOpen else { return }
        thread.submit(.read, { store throws(StoreError) in try store.open() }) { [weak self] _ in
            guard let self, !health.isOpen else { return }
            scheduleRetry()
        }
    }

    /// Writes the state of the store for `broker.info`.
    func write(to writer: inout JSONWriter) {
        let state: StaticString =
            thread == nil ? "off" : health.fault == nil ? "kept" : "failing"
        writer.member("state", state)
        writer.member("message", ifSet: health.fault.map { $0.prefix(utf8: 4_096) })
    }

    /// Writes the figures of the store for `broker.metrics`.
    func writeFigures(to writer: inout JSONWriter) {
        writer.member("is_kept", thread != nil && health.fault == nil)
        writer.member("waiting", thread?.waitingCount ?? 0)
        writer.member("latency", thread?.durations ?? LatencyHistogram())
    }

    // MARK: - The copy of blocks

    /// Applies a change to the copy of blocks, and journals it.
    private func remember(_ change: ScreeningCopy.Change) {
        if case .all(let copy) = change, copy == rememberedBlocks.copy { return }
        rememberedBlocks.apply(change)
        broker.journal.append(.screeningCopy(change))
    }

    /// Removes a block from the copy, whatever its spelling.
    func recordUnblocked(_ pattern: Block.Pattern) {
        for same in rememberedBlocks.patterns(
            sameAs: pattern, region: broker.policy.choices.screening.region)
        {
            remember(.unblock(same))
        }
        if !rememberedBlocks.copy.isWhole { readScreeningFacts() }
    }

    private func recordContact(breaksThrough: Bool) {
        guard breaksThrough || !rememberedBlocks.copy.breakingThrough.isEmpty else { return }
        readScreeningFacts()
    }

    /// Reads the copy from the store again, and once more if the store changes meanwhile.
    private func readScreeningFacts() {
        guard let thread, rememberedBlocks.beginReading() else { return }
        thread.submit(
            .read,
            { store throws(StoreError) in
                try store.screeningFacts(limit: ScreeningCopy.countMax + 1)
            }
        ) { [weak self] result in
            guard let self else { return }
            let mustReadAgain = rememberedBlocks.endReading()
            if mustReadAgain { return readScreeningFacts() }
            if case .success(let facts) = result { remember(.all(ScreeningCopy(facts))) }
        }
    }

    /// Returns the response about a caller from the copy of blocks, with the reason why the store
    /// is not used.
    func responseWithoutStore(about remote: Handle, _ why: String) -> Screening.Response {
        var response = rememberedBlocks.response(
            about: remote, region: broker.policy.choices.screening.region)
        response.storeFault = Explanation(
            by: "store", text: StoreWarning.words(why, rememberedBlocks.copy))
        return response
    }
}

private struct StoreSummary: Sendable {
    var missed: Int
    var hasCallerData: Bool
}

extension CallStore {
    /// Returns true if the store has any contact, block or directory entry.
    fileprivate func hasCallerData() throws(StoreError) -> Bool {
        if try !contacts(limit: 1).items.isEmpty { return true }
        if try !blocks(limit: 1).items.isEmpty { return true }
        return try directorySources().contains { $0.entries > 0 }
    }
}

extension Screening.Response {
    /// Creates the response of the store. The user's own block list takes precedence over the
    /// directories.
    fileprivate init(_ facts: CallerFacts) {
        isPriority = facts.contact?.breaksThrough ?? false
        if isPriority { verdict = .allow }
        if let source = facts.blockingSources.first { verdict = .block(.blockList, by: source) }
        if facts.block != nil { verdict = .block(.blockList, by: "block_list") }
        isKnown = facts.contact != nil
        isFavorite = facts.contact?.isFavorite ?? false
        callers = facts.labels.map { Caller(label: $0.label, source: $0.source) }
        if let contact = facts.contact {
            callers.append(Caller(name: contact.name, source: Caller.contacts))
        }
    }
}

extension RPCError {
    init(_ error: StoreError) {
        switch error.code {
        case .diskFull, .readOnly, .unavailable, .damaged:
            self.init(.internal, reason: .storeFailed, "\(error)")
            retryable = true
        case .invalid: self.init(.invalidParams, reason: .invalidValue, "\(error)")
        case .staleGeneration:
            self.init(.invalidState, reason: .staleGeneration, "\(error)")
            field = "/generation"
        case .notFound: self.init(.notFound, reason: .notFound, "\(error)")
        case .overloaded:
            self.init(.overloaded, reason: .pending, "\(error)")
            retryable = true
        case .stopping: self.init(.stopping, reason: .stopping, "\(error)")
        case .directory(let fault): self.init(fault, "\(error)")
        }
    }

    /// Creates an error with CallKit's number (`CXErrorCodeCallDirectoryManagerError`).
    private init(_ fault: DirectoryFault, _ message: String) {
        let (code, reason, name) = fault.words
        self.init(code, reason: reason, message)
        var writer = JSONWriter()
        writer.member("callkit", .directoryManager(fault.rawValue, name))
        extra = writer.bytes
    }
}

extension DirectoryFault {
    fileprivate var words: (code: ErrorCode, reason: ErrorReason, callKit: String) {
        switch self {
        case .unknown: (.brokerError, .unknown, "unknown")
        case .noExtensionFound: (.notFound, .noDirectory, "noExtensionFound")
        case .loadingInterrupted: (.providerGone, .loadingInterrupted, "loadingInterrupted")
        case .entriesOutOfOrder: (.invalidParams, .entriesOutOfOrder, "entriesOutOfOrder")
        case .duplicateEntries: (.invalidParams, .duplicateEntries, "duplicateEntries")
        case .maximumEntriesExceeded: (.limitReached, .maxEntries, "maximumEntriesExceeded")
        case .extensionDisabled: (.permissionDenied, .disabled, "extensionDisabled")
        case .currentlyLoading: (.invalidState, .currentlyLoading, "currentlyLoading")
        case .unexpectedIncrementalRemoval:
            (.invalidState, .unexpectedRemoval, "unexpectedIncrementalRemoval")
        }
    }
}

/// The warning about a failing store.
private struct StoreWarning {
    let message: String

    init(_ why: String, isOpen: Bool, _ copy: ScreeningCopy) {
        message =
            isOpen
            ? "the store has failed and will be retried; history entries wait for it: "
                + why.prefix(utf8: 512)
            : Self.words(why, copy)
    }

    static func words(_ why: String, _ copy: ScreeningCopy) -> String {
        let extent = copy.isWhole ? "the \(copy.blocked.count)" : "only \(copy.blocked.count)"
        return "the store cannot be read and will be retried; meanwhile \(extent) blocks in the "
            + "journal apply, and no caller directory: \(why.prefix(utf8: 512))"
    }
}

extension ScreeningCopy {
    fileprivate init(_ facts: ScreeningFacts) {
        self.init()
        for pattern in facts.blocks { block(Pattern(pattern)) }
        for handle in facts.breakingThrough { letThrough(handle) }
    }
}
