internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallProtocol
internal import CallStore
internal import Logging

/// What is kept on disk beside the journal: it is asked and told on a thread of its own, and answers in
/// a later turn.
final class UserStore {
    private unowned let broker: Broker

    /// Nil if nothing is kept on disk beside the journal.
    private var thread: StoreThread?
    private var health = StoreHealth()
    /// Whether the store holds any contact, block or directory entry.
    private(set) var hasCallerData = false
    /// The blocks that count while the store cannot be asked.
    private var rememberedBlocks = RememberedBlocks()
    /// With which app the user calls whom.
    private(set) var preferredApps = PreferredApps()

    init(_ broker: Broker) {
        self.broker = broker
    }

    // MARK: - State

    var isAttached: Bool {
        thread != nil
    }

    /// Why the store does not work; nil if it does.
    var fault: String? {
        health.fault
    }

    /// Nothing is under way in it.
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

    /// From now on there is a store. What an earlier broker did not bring to it is brought now.
    func attach(_ store: StoreThread) {
        thread = store
        hasCallerData = true
        readStore()
    }

    /// What of it is kept in memory is read: it is there, or works again. What waits is brought to it.
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
            broker.history.noteMissed(summary.missed)
        }
        broker.history.save()
    }

    /// The country of numbers without a country code. One that the store has no numbering plan of
    /// leaves such numbers as they are. Whose app a number is depends on it, too.
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

    /// The store has done something.
    func settle() {
        guard let thread else { return }
        // How it is with the file explains what came of the work.
        for notice in thread.takeNotices() { note(notice) }
        thread.settle()
    }

    /// Submits work whose result nobody waits for, or with a completion of its own.
    func submit<Answer: Sendable>(
        _ use: StoreThread.Use,
        _ work: @escaping @Sendable (CallStore) throws(StoreError) -> Answer,
        then: @escaping (Result<Answer, StoreError>) -> Void = { _ in }
    ) {
        thread?.submit(use, work, then: then)
    }

    /// The user is told, as far as somebody listens; the calls go on.
    private func note(_ notice: StoreNotice) {
        if case .closed(let why) = notice { return noteStoreFault(why, isOpen: false) }
        if case .open = notice { return noteStoreWorks() }
        broker.logger.error("the store: \(notice)")
        // A store that begins anew knows nothing of the country, nor of anybody's app.
        if case .damaged = notice { setRegion() }
        for peer in broker.peers.ready {
            broker.outbox.notify(peer, "broker.warning") { writer in
                writer.member("reason", "store_failed" as StaticString)
                writer.member("message", "\(notice)")
            }
        }
    }

    /// Answers a request with what the store says.
    /// - Parameter then: What else follows from it, before the reply.
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

    /// Asks the store on behalf of a postponed request, which an error answers.
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

    /// Asks who somebody is that a call is with; false if there is nothing to ask, or nobody.
    @discardableResult
    func askStore(about call: CallID, _ remote: Handle?) -> Bool {
        guard let thread, health.isOpen, hasCallerData, let remote else { return false }
        thread.submit(.read, { store throws(StoreError) in try store.whoIs(remote) }) {
            [weak self] result in
            self?.settle(result, remote, of: call)
        }
        return true
    }

    /// For a store that fails the copy of its blocks speaks.
    private func settle(
        _ result: Result<CallerFacts, StoreError>, _ remote: Handle, of call: CallID
    ) {
        let answer: Screening.Answer =
            switch result {
            case .success(let facts): Screening.Answer(facts)
            case .failure(let error): answerWithoutStore(about: remote, error.description)
            }
        guard broker.screener.isWith(remote, call) else { return }
        if broker.screener.awaits(.store, of: call) {
            broker.screener.settle(.store, answer, of: call)
        } else {
            broker.screener.improve(call, answer.callers)
        }
    }

    func checkAttached() throws(RPCError) {
        guard isAttached else {
            throw RPCError(
                .invalidState, reason: "no_store", "this broker keeps no contacts and no history")
        }
    }

    // MARK: - What has changed

    /// Notes that somebody can be looked up now.
    func noteCallerData() {
        hasCallerData = true
    }

    func noteStored(_ contact: Contact) {
        hasCallerData = true
        preferredApps.put(contact)
        noteContact(breaksThrough: contact.breaksThrough)
    }

    func noteRemoved(contact id: String) {
        preferredApps.remove(id)
        noteContact(breaksThrough: false)
    }

    func noteStored(_ block: Block) {
        hasCallerData = true
        remember(.block(ScreeningCopy.Pattern(block.pattern)))
    }
}

private struct StoreSummary: Sendable {
    var missed: Int
    var hasCallerData: Bool
}

extension CallStore {
    /// Whether there is anybody to look up.
    fileprivate func hasCallerData() throws(StoreError) -> Bool {
        if try !contacts(limit: 1).items.isEmpty { return true }
        if try !blocks(limit: 1).items.isEmpty { return true }
        return try directorySources().contains { $0.entries > 0 }
    }
}

extension Screening.Answer {
    /// The user's own block list goes before the directories.
    fileprivate init(_ facts: CallerFacts) {
        if facts.contact?.breaksThrough ?? false { verdict = .allow }
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
            self.init(.internal, reason: "store_failed", "\(error)")
            retryable = true
        case .invalid: self.init(.invalidParams, reason: "invalid_value", "\(error)")
        case .staleGeneration:
            self.init(.invalidState, reason: "stale_generation", "\(error)")
            field = "/generation"
        case .notFound: self.init(.notFound, reason: "not_found", "\(error)")
        case .overloaded:
            self.init(.overloaded, reason: "pending", "\(error)")
            retryable = true
        case .stopping: self.init(.stopping, reason: "stopping", "\(error)")
        case .directory(let fault): self.init(fault, "\(error)")
        }
    }

    /// With CallKit's number (`CXErrorCodeCallDirectoryManagerError`).
    private init(_ fault: DirectoryFault, _ message: String) {
        let (code, reason, name) = fault.words
        self.init(code, reason: reason, message)
        var writer = JSONWriter()
        writer.member("callkit", .directoryManager(fault.rawValue, name))
        extra = writer.bytes
    }
}

extension DirectoryFault {
    fileprivate var words: (code: ErrorCode, reason: String, callKit: String) {
        switch self {
        case .unknown: (.brokerError, "unknown", "unknown")
        case .noExtensionFound: (.notFound, "no_directory", "noExtensionFound")
        case .loadingInterrupted: (.providerGone, "loading_interrupted", "loadingInterrupted")
        case .entriesOutOfOrder: (.invalidParams, "entries_out_of_order", "entriesOutOfOrder")
        case .duplicateEntries: (.invalidParams, "duplicate_entries", "duplicateEntries")
        case .maximumEntriesExceeded: (.limitReached, "max_entries", "maximumEntriesExceeded")
        case .extensionDisabled: (.permissionDenied, "disabled", "extensionDisabled")
        case .currentlyLoading: (.invalidState, "currently_loading", "currentlyLoading")
        case .unexpectedIncrementalRemoval:
            (.invalidState, "unexpected_removal", "unexpectedIncrementalRemoval")
        }
    }
}

/// A store that does not work: that is told, what calls must not pass without counts from memory, and it
/// is tried again.
extension UserStore {
    /// It cannot be opened, or what is to be kept cannot be.
    func noteStoreFault(_ error: StoreError) {
        guard error.code != .stopping, error.code != .overloaded else { return }
        noteStoreFault(error.description, isOpen: health.isOpen)
    }

    func noteStoreFault(_ why: String, isOpen: Bool) {
        guard health.fail(why, isOpen: isOpen) else { return }
        broker.logger.error("\(StoreWarning(why, isOpen: isOpen, rememberedBlocks.copy).message)")
        for peer in broker.peers.ready { warn(peer, of: why) }
        if !isOpen { tryStoreLater() }
    }

    func warn(_ peer: Peer, of why: String) {
        let warning = StoreWarning(why, isOpen: health.isOpen, rememberedBlocks.copy)
        broker.outbox.notify(peer, "broker.warning") { writer in
            writer.member("reason", "store_failed" as StaticString)
            writer.member("message", warning.message)
        }
    }

    /// Notes that a write has succeeded.
    func noteSuccess() {
        if health.isOpen { noteStoreWorks() }
    }

    private func noteStoreWorks() {
        guard health.recover() else { return }
        broker.logger.notice("the store works again; all is as before")
        for peer in broker.peers.ready {
            broker.outbox.notify(peer, "broker.warning") { writer in
                writer.member("reason", "store_recovered" as StaticString)
                writer.member(
                    "message", "the store works again; all is as before" as StaticString)
            }
        }
        readStore()
    }

    private func tryStoreLater() {
        guard health.timer == nil else { return }
        health.timer = broker.timers.start(afterMS: health.nextPauseMS(), .store)
    }

    /// If it can be opened there is a notice of that.
    func retry() {
        health.timer = nil
        guard let thread, !health.isOpen else { return }
        thread.submit(.read, { store throws(StoreError) in try store.open() }) { [weak self] _ in
            guard let self, !health.isOpen else { return }
            tryStoreLater()
        }
    }

    /// How it is with the store, as `broker.info` says it.
    func write(to writer: inout JSONWriter) {
        let state: StaticString =
            thread == nil ? "off" : health.fault == nil ? "kept" : "failing"
        writer.member("state", state)
        writer.member("message", ifSet: health.fault.map { $0.prefix(utf8: 4_096) })
    }

    // MARK: - What counts without it

    /// From now on that counts while the store cannot be asked.
    private func remember(_ change: ScreeningCopy.Change) {
        if case .all(let copy) = change, copy == rememberedBlocks.copy { return }
        rememberedBlocks.apply(change)
        broker.journal.append(.screeningCopy(change))
    }

    /// The user has taken back a block, however that is written.
    func noteUnblocked(_ pattern: Block.Pattern) {
        for same in rememberedBlocks.patterns(
            sameAs: pattern, region: broker.policy.choices.screening.region)
        {
            remember(.unblock(same))
        }
        if !rememberedBlocks.copy.isWhole { readScreeningFacts() }
    }

    private func noteContact(breaksThrough: Bool) {
        guard breaksThrough || !rememberedBlocks.copy.breakingThrough.isEmpty else { return }
        readScreeningFacts()
    }

    /// Makes the copy anew. What changes while that is under way is read once more behind it.
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

    /// What is known about who calls while the store says nothing, and why it does.
    func answerWithoutStore(about remote: Handle, _ why: String) -> Screening.Answer {
        var answer = rememberedBlocks.answer(
            about: remote, region: broker.policy.choices.screening.region)
        answer.storeFault = Explanation(
            by: "store", text: StoreWarning.words(why, rememberedBlocks.copy))
        return answer
    }
}

/// What is said of a store that fails.
private struct StoreWarning {
    let message: String

    init(_ why: String, isOpen: Bool, _ copy: ScreeningCopy) {
        message =
            isOpen
            ? "the store fails, and is tried again; what ends meanwhile waits for it: "
                + why.prefix(utf8: 512)
            : Self.words(why, copy)
    }

    static func words(_ why: String, _ copy: ScreeningCopy) -> String {
        let extent = copy.isWhole ? "the \(copy.blocked.count)" : "only \(copy.blocked.count)"
        return "the store could not be asked, so that \(extent) blocks which the journal holds "
            + "counted, and no caller directory; it is tried again: \(why.prefix(utf8: 512))"
    }
}

extension ScreeningCopy {
    fileprivate init(_ facts: ScreeningFacts) {
        self.init()
        for pattern in facts.blocks { block(Pattern(pattern)) }
        for handle in facts.breakingThrough { letThrough(handle) }
    }
}
