internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallProtocol
internal import Logging

/// Keeps what was decided before its consequences leave. If it cannot be kept the calls go on: clients and
/// the log are warned, and it is tried again.
final class JournalWriter {
    private unowned let broker: Broker
    /// Nil if nothing is kept.
    private var file: Journal?
    /// The folder of the journal; nil if it is in none.
    var stateFolder: String?
    /// Does what waits for the disk; nil: that is done at once.
    private var disk: DiskThread?

    /// How long until a journal that cannot be written is tried again.
    private static let pauseMS = 1_000

    init(_ broker: Broker) {
        self.broker = broker
    }

    var isKept: Bool {
        file != nil
    }

    /// Why nothing can be kept; nil if it can.
    var fault: SocketError? {
        file?.fault
    }

    // MARK: - Writing

    func append(_ matter: JournalEntry.Matter, isSynced: Bool = false) {
        guard let file else { return }
        file.append(JournalEntry(matter, at: broker.clock.instant), isSynced: isSynced)
    }

    func append(_ event: ArbiterEvent) {
        file?.append(event, at: broker.clock.instant)
    }

    func noteClock() {
        file?.wallOffsetMS = broker.clock.unixOffsetMS
    }

    /// Keeps everything from now on.
    func begin(_ journal: Journal) {
        file = journal
        noteClock()
        journal.beginAnew(broker.snapshot())
    }

    /// Keeps everything from now on, behind what was read from a journal.
    func begin(_ journal: Journal, after reader: JournalReader) {
        file = journal
        noteClock()
        journal.goOn(after: reader) { broker.snapshot() }
    }

    /// Writes what the turn has decided.
    func commit() {
        guard let file else { return }
        let former = file.fault
        file.commit(mayBeginAnew: broker.history.isSaved) { broker.snapshot() }
        report(since: former)
    }

    /// Tries a journal again that could not be written.
    func retry() {
        guard let file, let former = file.fault else { return }
        file.beginAnew(broker.snapshot())
        guard file.fault != nil else { return report(since: former) }
        _ = broker.timers.start(afterMS: Self.pauseMS, .journal)
    }

    // MARK: - Faults

    /// - Parameter former: why nothing could be kept before.
    private func report(since former: SocketError?) {
        if let fault, former == nil { report(fault) }
        guard former != nil, fault == nil else { return }
        broker.logger.notice("the journal can be written again; nothing is missing in it")
    }

    private func report(_ fault: SocketError) {
        broker.logger.error(
            "the journal cannot be written; calls would not survive a restart: \(fault)")
        for peer in broker.peers.ready { warn(peer, of: fault) }
        _ = broker.timers.start(afterMS: Self.pauseMS, .journal)
    }

    func warn(_ peer: Peer, of fault: SocketError) {
        broker.outbox.notify(peer, "broker.warning") { writer in
            writer.member("reason", "journal_failed" as StaticString)
            writer.member(
                "message",
                "the broker keeps running, but calls would be lost on restart; the journal: \(fault)"
            )
        }
    }

    /// Writes the state of the journal, as `broker.info` has it. Only administrators need to know its
    /// folder.
    func write(to writer: inout JSONWriter, for peer: Peer) {
        let state: StaticString = file == nil ? "off" : fault == nil ? "kept" : "failing"
        writer.member("state", state)
        writer.member("bytes", file?.bytes ?? 0)
        writer.member("message", ifSet: fault.map { "\($0)" })
        if peer.roles.contains(RoleSet(.admin)) { writer.member("folder", ifSet: stateFolder) }
    }

    // MARK: - The disk

    func attach(_ disk: DiskThread) {
        self.disk = disk
        file?.disk = disk
    }

    var isDiskIdle: Bool {
        disk?.isIdle ?? true
    }

    /// Completes what the disk has done.
    func settleDisk() {
        let former = fault
        disk?.settle()
        report(since: former)
    }

    /// Replies when what was chosen last for the host is on the disk.
    func whenSynced(_ target: ReplyTarget, _ reply: @escaping () -> Void) {
        guard let file, file.mustAwaitSync else { return reply() }
        broker.outbox.postpone(target)
        file.afterSync { [weak broker] in broker?.outbox.settle(target, reply) }
    }

    /// Replies when everything that was given to the disk by now is on it.
    func whenWritten(_ target: ReplyTarget, _ reply: @escaping () -> Void) {
        guard let disk, !disk.isIdle else { return reply() }
        broker.outbox.postpone(target)
        disk.submit({}) { [weak broker] _ in broker?.outbox.settle(target, reply) }
    }
}
