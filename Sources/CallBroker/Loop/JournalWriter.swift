internal import BrokerJSON
internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallProtocol
internal import Logging

/// The writer of the journal: commits the decisions of a turn before their consequences are sent.
/// If the journal cannot be written, calls continue, clients and the log are warned, and the write
/// is retried.
final class JournalWriter: BrokerPart {
    private let clock: TurnClock
    private let history: HistoryWriter
    /// The journal; nil if none is kept.
    private var file: Journal?
    /// The folder of the journal; nil if it is not in a folder.
    var stateFolder: String?
    /// The thread for disk operations; nil if they are done at once.
    private var disk: DiskThread?

    /// The time until a journal that cannot be written is retried.
    private static let pauseMS = 1_000
    /// The durations of the writes since the start.
    private var durations = LatencyHistogram()

    init(_ clock: TurnClock, _ history: HistoryWriter) {
        self.clock = clock
        self.history = history
    }

    var isKept: Bool {
        file != nil
    }

    /// The error due to which the journal cannot be written; nil if it can.
    var fault: SocketError? {
        file?.fault
    }

    // MARK: - Writing

    func append(_ matter: JournalEntry.Matter, isSynced: Bool = false) {
        guard let file else { return }
        file.append(JournalEntry(matter, at: clock.instant), isSynced: isSynced)
    }

    func append(_ event: ArbiterEvent) {
        file?.append(event, at: clock.instant)
    }

    func recordClock() {
        file?.wallOffsetMS = clock.unixOffsetMS
    }

    /// Attaches a journal, which begins with a snapshot of the current state.
    func begin(_ journal: Journal) {
        file = journal
        recordClock()
        journal.beginAnew(broker.snapshot())
    }

    /// Attaches a journal that continues the one which was read.
    func begin(_ journal: Journal, after reader: JournalReader) {
        file = journal
        recordClock()
        journal.goOn(after: reader) { broker.snapshot() }
    }

    /// True if decisions of this turn are not written yet.
    var hasEntries: Bool {
        file?.hasEntries ?? false
    }

    /// Writes the decisions of the turn.
    func commit() {
        guard let file else { return }
        let (former, start) = (file.fault, MonotonicTime.now())
        file.commit(mayBeginAnew: history.isSaved) { broker.snapshot() }
        durations.record(from: start, to: .now())
        report(since: former)
    }

    /// Retries a journal that could not be written.
    func retry() {
        guard let file, let former = file.fault else { return }
        file.beginAnew(broker.snapshot())
        guard file.fault != nil else { return report(since: former) }
        _ = broker.timers.start(afterMS: Self.pauseMS, .journal)
    }

    // MARK: - Faults

    /// Reports a change of the journal's fault to the log and to clients.
    ///
    /// - Parameter former: the fault before.
    private func report(since former: SocketError?) {
        if let fault, former == nil { report(fault) }
        guard former != nil, fault == nil else { return }
        broker.logger.notice("the journal can be written again; it is complete")
    }

    private func report(_ fault: SocketError) {
        broker.logger.error(
            "cannot write the journal; calls would be lost on restart: \(fault)")
        for peer in broker.peers.ready { warn(peer, of: fault) }
        _ = broker.timers.start(afterMS: Self.pauseMS, .journal)
    }

    func warn(_ peer: Peer, of fault: SocketError) {
        broker.outbox.notify(peer, "broker.warning") { writer in
            writer.member("reason", "journal_failed" as StaticString)
            writer.member(
                "message",
                "cannot write the journal; calls would be lost on restart: \(fault)"
            )
        }
    }

    /// Writes the state of the journal for `broker.info`, to admins with its folder.
    func write(to writer: inout JSONWriter, for peer: Peer) {
        let state: StaticString = file == nil ? "off" : fault == nil ? "kept" : "failing"
        writer.member("state", state)
        writer.member("bytes", file?.bytes ?? 0)
        writer.member("message", ifSet: fault.map { "\($0)" })
        if peer.roles.contains(RoleSet(.admin)) { writer.member("folder", ifSet: stateFolder) }
    }

    /// Writes the figures of the journal for `broker.metrics`.
    func writeFigures(to writer: inout JSONWriter) {
        writer.member("is_kept", file != nil && fault == nil)
        writer.member("bytes", file?.bytes ?? 0)
        writer.member("written_bytes", file?.writtenBytes ?? 0)
        writer.member("snapshots", file?.snapshots ?? 0)
        writer.member("latency", durations)
    }

    // MARK: - The disk

    func attach(_ disk: DiskThread) {
        self.disk = disk
        file?.disk = disk
    }

    var isDiskIdle: Bool {
        disk?.isIdle ?? true
    }

    /// Completes the disk operations that have finished.
    func drainDisk() {
        let former = fault
        disk?.settle()
        report(since: former)
    }

    /// Replies when the latest change of the policy is on the disk.
    func whenSynced(_ target: ReplyTarget, _ reply: @escaping () -> Void) {
        guard let file, file.mustAwaitSync else { return reply() }
        broker.outbox.postpone(target)
        file.afterSync { [weak broker] in broker?.outbox.settle(target, reply) }
    }

    /// Replies when every disk operation submitted so far has finished.
    func whenWritten(_ target: ReplyTarget, _ reply: @escaping () -> Void) {
        guard let disk, !disk.isIdle else { return reply() }
        broker.outbox.postpone(target)
        disk.submit({}) { [weak broker] _ in broker?.outbox.settle(target, reply) }
    }
}
