internal import BrokerJSON
internal import BrokerSocket
package import CallJournal
internal import CallProtocol
internal import Logging

/// What was decided is kept before anybody hears of it. If it cannot be kept the calls go on: that is
/// told, and tried again.
extension Broker {
    /// How long until it is tried again.
    private static let pauseMS = 1_000

    /// From now on everything is kept.
    package func keep(in journal: Journal) {
        self.journal = journal
        journal.wallOffsetMS = wallOffsetMS
        journal.beginAnew(snapshot())
    }

    /// The same, behind what was read from a journal.
    package func keep(in journal: Journal, after reader: JournalReader) {
        self.journal = journal
        journal.wallOffsetMS = wallOffsetMS
        journal.goOn(after: reader) { snapshot() }
    }

    /// Everything of this turn is decided.
    package func commit() {
        guard let journal else { return }
        let former = journal.fault
        journal.commit(mayBeginAnew: isHistorySaved) { snapshot() }
        noteJournal(since: former)
    }

    /// - Parameter former: why nothing could be kept before.
    func noteJournal(since former: SocketError?) {
        let fault = journal?.fault
        if let fault, former == nil { noteJournalFault(fault) }
        guard former != nil, fault == nil else { return }
        logger.notice("the journal can be written again; nothing is missing in it")
    }

    private func noteJournalFault(_ fault: SocketError) {
        logger.error("the journal cannot be written; calls would not survive a restart: \(fault)")
        for case let peer? in peers where peer.stage == .ready { warn(peer, ofJournal: fault) }
        _ = startTimer(afterMS: Self.pauseMS, .journal)
    }

    func warn(_ peer: Peer, ofJournal fault: SocketError) {
        notify(peer, "broker.warning") { writer in
            writer.member("reason", "journal_failed" as StaticString)
            writer.member(
                "message",
                "the broker goes on, but a restart would lose calls now; the journal: \(fault)")
        }
    }

    /// How it is with the journal, as `broker.info` says it. Where it lies only administrators need
    /// to know.
    func writeJournal(to writer: inout JSONWriter, for peer: Peer) {
        let state: StaticString =
            journal == nil ? "off" : journal?.fault == nil ? "kept" : "failing"
        writer.member("state", state)
        writer.member("bytes", journal?.bytes ?? 0)
        writer.member("message", ifSet: journal?.fault.map { "\($0)" })
        if peer.roles.contains(RoleSet(.admin)) { writer.member("folder", ifSet: stateFolder) }
    }

    func beginJournalAnew() {
        guard let journal, let former = journal.fault else { return }
        journal.beginAnew(snapshot())
        guard journal.fault != nil else { return noteJournal(since: former) }
        _ = startTimer(afterMS: Self.pauseMS, .journal)
    }
}
