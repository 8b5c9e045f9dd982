internal import BrokerJSON
internal import CallJournal
internal import CallModel
internal import CallProtocol
internal import CallStore
internal import Logging

/// A store that does not work: that is told, what calls must not pass without counts from memory, and it
/// is tried again.
extension Broker {
    /// It cannot be opened, or what is to be kept cannot be.
    func noteStoreFault(_ error: StoreError) {
        guard error.code != .stopping, error.code != .overloaded else { return }
        noteStoreFault(error.description, isOpen: storeHealth.isOpen)
    }

    func noteStoreFault(_ why: String, isOpen: Bool) {
        guard storeHealth.fail(why, isOpen: isOpen) else { return }
        logger.error("\(StoreWarning(why, isOpen: isOpen, rememberedBlocks.copy).message)")
        for case let peer? in peers where peer.stage == .ready { warn(peer, ofStore: why) }
        if !isOpen { tryStoreLater() }
    }

    func warn(_ peer: Peer, ofStore why: String) {
        let warning = StoreWarning(why, isOpen: storeHealth.isOpen, rememberedBlocks.copy)
        notify(peer, "broker.warning") { writer in
            writer.member("reason", "store_failed" as StaticString)
            writer.member("message", warning.message)
        }
    }

    func noteStoreWorks() {
        guard storeHealth.recover() else { return }
        logger.notice("the store works again; all is as before")
        for case let peer? in peers where peer.stage == .ready {
            notify(peer, "broker.warning") { writer in
                writer.member("reason", "store_recovered" as StaticString)
                writer.member(
                    "message", "the store works again; all is as before" as StaticString)
            }
        }
        readStore()
    }

    private func tryStoreLater() {
        guard storeHealth.timer == nil else { return }
        storeHealth.timer = startTimer(afterMS: storeHealth.nextPauseMS(), .store)
    }

    /// If it can be opened there is a notice of that.
    func tryStoreAgain() {
        storeHealth.timer = nil
        guard let store, !storeHealth.isOpen else { return }
        store.submit(.read, { store throws(StoreError) in try store.open() }) { [weak self] _ in
            guard let self, !storeHealth.isOpen else { return }
            tryStoreLater()
        }
    }

    /// How it is with the store, as `broker.info` says it.
    func writeStore(to writer: inout JSONWriter) {
        let state: StaticString =
            store == nil ? "off" : storeHealth.fault == nil ? "kept" : "failing"
        writer.member("state", state)
        writer.member("message", ifSet: storeHealth.fault.map { $0.prefix(utf8: 4_096) })
    }

    // MARK: - What counts without it

    /// From now on that counts while the store cannot be asked.
    func remember(_ change: ScreeningCopy.Change) {
        if case .all(let copy) = change, copy == rememberedBlocks.copy { return }
        rememberedBlocks.apply(change)
        journal?.append(JournalEntry(.screeningCopy(change), at: instant))
    }

    /// The user has taken back a block, however that is written.
    func noteUnblocked(_ pattern: Block.Pattern) {
        for same in rememberedBlocks.patterns(sameAs: pattern, region: choices.screening.region) {
            remember(.unblock(same))
        }
        if !rememberedBlocks.copy.isWhole { readScreeningFacts() }
    }

    func noteContact(breaksThrough: Bool) {
        guard breaksThrough || !rememberedBlocks.copy.breakingThrough.isEmpty else { return }
        readScreeningFacts()
    }

    /// Makes the copy anew. What changes while that is under way is read once more behind it.
    func readScreeningFacts() {
        guard let store, rememberedBlocks.beginReading() else { return }
        store.submit(
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
        var answer = rememberedBlocks.answer(about: remote, region: choices.screening.region)
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
