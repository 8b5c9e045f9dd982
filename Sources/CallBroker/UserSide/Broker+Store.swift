internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallProtocol
package import CallStore
internal import Logging

/// What is kept on disk beside the journal: it is asked and told on a thread of its own, and answers in
/// a later turn.
extension Broker {
    /// From now on there is a store. What an earlier broker did not bring to it is brought now.
    package func attach(_ store: StoreThread) {
        self.store = store
        knowsPeople = true
        readStore()
    }

    /// What of it is kept in memory is read: it is there, or works again. What waits is brought to it.
    func readStore() {
        guard let store else { return }
        setStoreRegion()
        readScreeningFacts()
        store.submit(
            .read,
            { store throws(StoreError) in
                StoreSummary(missed: try store.missedUnseen(), knowsPeople: try store.knowsPeople())
            }
        ) { [weak self] result in
            guard let self, case .success(let summary) = result else { return }
            knowsPeople = summary.knowsPeople
            noteMissed(summary.missed)
        }
        saveHistory()
    }

    /// The country of numbers without a country code. One that the store has no numbering plan of
    /// leaves such numbers as they are. Whose app a number is depends on it, too.
    func setStoreRegion() {
        let region = choices.screening.region
        store?.submit(
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
    package func settleStore() {
        guard let store else { return }
        // How it is with the file explains what came of the work.
        for notice in store.takeNotices() { note(notice) }
        store.settle()
    }

    /// Nothing is under way there, nor on the disk.
    package var isStoreIdle: Bool {
        store?.isIdle ?? true && disk?.isIdle ?? true
    }

    /// The user is told, as far as somebody listens; the calls go on.
    private func note(_ notice: StoreNotice) {
        if case .closed(let why) = notice { return noteStoreFault(why, isOpen: false) }
        if case .open = notice { return noteStoreWorks() }
        logger.error("the store: \(notice)")
        // A store that begins anew knows nothing of the country, nor of anybody's app.
        if case .damaged = notice { setStoreRegion() }
        for case let peer? in peers where peer.stage == .ready {
            notify(peer, "broker.warning") { writer in
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
        let store = try attachedStore()
        postpone(target)
        consult(store, use, target, work) { [weak self] value in
            then(value)
            self?.answer(target) { reply(value, &$0) }
        }
    }

    /// Asks the store on behalf of a postponed request, which an error answers.
    func consult<Answer: Sendable>(
        _ store: StoreThread, _ use: StoreThread.Use, _ target: ReplyTarget,
        _ work: @escaping @Sendable (CallStore) throws(StoreError) -> Answer,
        then: @escaping (Answer) -> Void
    ) {
        store.submit(use, work) { [weak self] result in
            switch result {
            case .success(let value): then(value)
            case .failure(let error): self?.answer(target, RPCError(error))
            }
        }
    }

    /// Asks who somebody is that a call is with; false if there is nothing to ask, or nobody.
    @discardableResult
    func askStore(about call: CallID, _ remote: Handle?) -> Bool {
        guard let store, storeHealth.isOpen, knowsPeople, let remote else { return false }
        store.submit(.read, { store throws(StoreError) in try store.whoIs(remote) }) {
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
        guard isWith(remote, call) else { return }
        if screenings[call]?.awaits(.store) ?? false {
            settle(.store, answer, of: call)
        } else {
            improve(call, answer.callers)
        }
    }

    func attachedStore() throws(RPCError) -> StoreThread {
        guard let store else {
            throw RPCError(
                .invalidState, reason: "no_store", "this broker keeps no contacts and no history")
        }
        return store
    }
}

private struct StoreSummary: Sendable {
    var missed: Int
    var knowsPeople: Bool
}

extension CallStore {
    /// Whether there is anybody to look up.
    fileprivate func knowsPeople() throws(StoreError) -> Bool {
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
