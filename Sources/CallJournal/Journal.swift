package import BrokerSocket
package import CallArbitration
package import CallModel

/// A journal of every decision that a broker needs to continue, so that a broker that is killed
/// resumes as if it had not been.
///
/// The decisions of a turn of the loop are appended first and committed with one write, before a
/// reply of that turn is sent: no confirmed change is lost. A journal that has grown too long is
/// restarted with a snapshot.
///
/// With a disk thread, the loop waits for no file. The thread writes the snapshot beside the journal
/// in use, to which turns are added meanwhile; those are added to the new one, and then each turn to
/// both, until the thread has renamed the new one: whenever the broker is killed, the journal has
/// everything.
///
/// If the medium fails, the broker continues without it; once a journal can be written again, it
/// begins with a snapshot, and nothing is missing.
package final class Journal {
    /// The growth after which a journal is restarted, unless half of its snapshot is more: reading
    /// a journal delays the start for every client.
    private static let growthBytesMin = 1 << 20
    /// The growth after which a journal is restarted in any case.
    static let growthBytesMax = 1 << 26
    /// The bytes of turns that the loop may add to a new journal at once; more are for the thread.
    private static let restBytesMax = 1 << 16

    private let medium: any JournalMedium
    /// The thread for slow disk operations; nil to run them at once.
    package var disk: DiskThread?
    /// The journal that will replace this one.
    private var successor: JournalSuccessor?
    private var turn = StateWriter()
    private var hasSomethingToSync = false
    /// Actions to run once the entries of this turn are on the disk.
    private var afterSyncActions: [() -> Void] = []
    private var snapshotBytes = 0
    private var growth = 0
    /// The bytes written since the start, snapshots included.
    package private(set) var writtenBytes = 0
    /// The snapshots written since the start.
    package private(set) var snapshots = 0
    /// Unix time minus monotonic time, in milliseconds.
    package var wallOffsetMS: Int64 = 0
    /// The error for which nothing is written at the moment.
    package private(set) var fault: SocketError?

    package init(_ medium: any JournalMedium) {
        self.medium = medium
    }

    /// The size in bytes.
    package var bytes: Int {
        snapshotBytes + growth
    }

    // MARK: - The beginning

    /// Continues the journal that was read. If that is damaged or in an older format, a new one is
    /// begun; if it is long, the first turn begins one, beside which the broker serves already.
    package func goOn(after reader: JournalReader, _ snapshot: () -> JournalSnapshot) {
        snapshotBytes = reader.snapshotBytes
        growth = reader.count - snapshotBytes
        guard reader.fault == nil, reader.isCurrent else { return beginAnew(snapshot()) }
        let room = max(Self.room(behind: snapshotBytes) - growth, Self.growthBytesMin)
        do throws(SocketError) {
            try medium.goOn(at: reader.count, room: room)
        } catch {
            fault = error
        }
    }

    /// Replaces the journal by a snapshot, at once or as soon as the disk has it. If that fails,
    /// the old one stays.
    ///
    /// - Parameter snapshot: Taken unless another one is being written: it costs something in every
    ///   turn.
    package func beginAnew(_ snapshot: @autoclosure () -> JournalSnapshot) {
        if let disk, let path = medium.successorPath {
            return beginSuccessor(snapshot, at: path, disk)
        }
        let bytes = Self.bytes(of: snapshot())
        do throws(SocketError) {
            try medium.replace(with: bytes, room: Self.room(behind: bytes.count))
            // The entries of this turn are part of the snapshot.
            turn.removeAll()
            didRestart(snapshotBytes: bytes.count, growth: 0)
        } catch {
            fault = error
        }
    }

    /// Returns a journal that has a snapshot only.
    package static func bytes(of snapshot: JournalSnapshot) -> [UInt8] {
        var writer = StateWriter()
        writer.write(snapshot)
        return JournalForm.firstLine + JournalForm.head(of: writer.bytes) + writer.bytes
    }

    private func didRestart(snapshotBytes: Int, growth: Int) {
        self.snapshotBytes = snapshotBytes
        self.growth = growth
        snapshots += 1
        writtenBytes += snapshotBytes + growth
        fault = nil
    }

    private var isLong: Bool {
        growth > Self.growthBytes(behind: snapshotBytes)
    }

    private static func growthBytes(behind snapshotBytes: Int) -> Int {
        max(growthBytesMin, snapshotBytes / 2)
    }

    /// Returns the room for turns, half of which is for those until another journal is complete.
    private static func room(behind snapshotBytes: Int) -> Int {
        2 * growthBytes(behind: snapshotBytes)
    }

    // MARK: - A turn

    /// Appends an event that the arbiter is about to process.
    package func append(_ event: ArbiterEvent, at instant: Instant) {
        beginTurn()
        turn.write(UInt8(0))
        turn.write(event, at: instant)
    }

    /// Appends an entry.
    ///
    /// - Parameter isSynced: The entry must survive a loss of power, too.
    package func append(_ entry: JournalEntry, isSynced: Bool = false) {
        beginTurn()
        turn.write(entry)
        if isSynced { hasSomethingToSync = true }
    }

    private func beginTurn() {
        if !hasEntries { turn.write(Int(wallOffsetMS)) }
    }

    /// True if entries have been appended since the last commit.
    package var hasEntries: Bool {
        !turn.bytes.isEmpty
    }

    /// Writes the entries appended since the last commit.
    ///
    /// - Parameter mayBeginAnew: Allows a restart with a snapshot, as no entry is needed beyond it.
    ///   A journal that has grown far too long is restarted regardless.
    package func commit(mayBeginAnew: Bool = true, _ snapshot: () -> JournalSnapshot) {
        guard hasEntries else { return }
        defer {
            turn.removeAll()
            hasSomethingToSync = false
            runSynced(by: nil)
        }
        let head = JournalForm.head(of: turn.bytes)
        successor?.add(head, turn.bytes, isSynced: hasSomethingToSync)
        do throws(SocketError) {
            if fault == nil { try write(head) }
            if hasSomethingToSync { try sync() }
        } catch {
            if fault == nil { fault = error }
        }
        guard fault == nil, isLong, mayBeginAnew || growth > Self.growthBytesMax else { return }
        beginAnew(snapshot())
    }

    private func write(_ head: [UInt8]) throws(SocketError) {
        try medium.append(head, turn.bytes)
        growth += head.count + turn.bytes.count
        writtenBytes += head.count + turn.bytes.count
    }

    // MARK: - The disk

    /// Indicates entries that must be on the disk, and are not yet when this turn's output is sent.
    package var mustAwaitSync: Bool {
        disk != nil && hasSomethingToSync
    }

    /// Calls `act` once these entries are on the disk; at once, if there are none.
    package func afterSync(_ act: @escaping () -> Void) {
        guard mustAwaitSync else { return act() }
        afterSyncActions.append(act)
    }

    /// Syncs the journal, and the new one if that may have the name by now.
    private func sync() throws(SocketError) {
        let other = try successor?.syncLater()
        let own = fault == nil ? try medium.syncLater() : nil
        guard disk != nil, own != nil || other != nil else {
            return fault == nil ? try medium.sync() : ()
        }
        runSynced { () throws(SocketError) in
            try own?()
            try other?()
        }
    }

    /// - Parameter work: The sync to wait for; nil if there is none.
    private func runSynced(by work: (@Sendable () throws(SocketError) -> Void)?) {
        guard work != nil || !afterSyncActions.isEmpty else { return }
        let acts = afterSyncActions
        afterSyncActions = []
        disk?.submit({ () throws(SocketError) in try work?() }) { [self] result in
            recordFault(of: result)
            for act in acts { act() }
        }
    }

    private func recordFault(of result: Result<Void, SocketError>) {
        if case .failure(let error) = result, fault == nil { fault = error }
    }

    // MARK: - A successor

    private func beginSuccessor(
        _ snapshot: () -> JournalSnapshot, at path: String, _ disk: DiskThread
    ) {
        guard successor == nil else { return }
        let snapshot = HandedOver(snapshot())
        successor = JournalSuccessor()
        turn.removeAll()
        disk.submit({ () throws(SocketError) in
            let file = try SnapshotFile(at: path).write(snapshot)
            let bytes = file.size
            file.makeRoom(Self.room(behind: bytes))
            try file.sync()
            return Written(snapshotBytes: bytes, file: file.handOver())
        }) { [self] in continueSuccessor(with: $0, disk) }
    }

    /// The progress of writing a successor.
    private struct Written {
        let snapshotBytes: Int
        let file: AppendFile.Handle
    }

    /// Adds the turns that came while the successor was written, and then renames it.
    private func continueSuccessor(
        with result: Result<Written, SocketError>, _ disk: DiskThread
    ) {
        guard let former = successor else { return }
        successor = nil
        do throws(SocketError) {
            let written = try result.get()
            let rest = try former.allEntries()
            if former.mustSync || rest.count > Self.restBytesMax {
                successor = JournalSuccessor()
                addLater(rest, isSynced: former.mustSync, to: written, disk)
            } else {
                let file = AppendFile(written.file)
                try file.append([], rest)
                successor = JournalSuccessor(file)
                disk.submit(medium.nameSuccessor()) { [self] in
                    adoptSuccessor($0, written.snapshotBytes, disk)
                }
            }
        } catch {
            fault = error
        }
    }

    private func addLater(
        _ rest: [UInt8], isSynced: Bool, to written: Written, _ disk: DiskThread
    ) {
        disk.submit({ () throws(SocketError) in
            let file = AppendFile(written.file)
            try file.append([], rest)
            if isSynced { try file.sync() }
            return Written(snapshotBytes: written.snapshotBytes, file: file.handOver())
        }) { [self] in continueSuccessor(with: $0, disk) }
    }

    /// Continues with the successor alone, which has the name now.
    private func adoptSuccessor(
        _ result: Result<Void, SocketError>, _ snapshotBytes: Int, _ disk: DiskThread
    ) {
        guard let successor else { return }
        self.successor = nil
        do throws(SocketError) {
            try result.get()
            let file = try successor.wholeFile()
            disk.submit(medium.adopt(file)) { _ in }
            didRestart(snapshotBytes: snapshotBytes, growth: file.size - snapshotBytes)
        } catch {
            fault = error
        }
    }
}

/// The storage of a journal.
package protocol JournalMedium: AnyObject {
    /// Appends all or nothing: after an error the bytes are as they were.
    func append(_ head: [UInt8], _ content: [UInt8]) throws(SocketError)
    /// Replaces the whole contents.
    ///
    /// - Parameter room: The bytes that will be appended.
    func replace(with bytes: [UInt8], room: Int) throws(SocketError)
    /// Continues with existing contents of that many bytes.
    ///
    /// - Parameter room: The bytes that will be appended.
    func goOn(at size: Int, room: Int) throws(SocketError)
    /// Waits until everything written is safe from a loss of power.
    func sync() throws(SocketError)

    /// The path for a successor beside the journal; nil if the medium does not support one.
    var successorPath: String? { get }
    /// Returns the renaming of the successor, which replaces the journal, for another thread.
    func nameSuccessor() -> @Sendable () throws(SocketError) -> Void
    /// Continues with a successor that has the name. Returns the closing of the journal before, for
    /// another thread.
    func adopt(_ successor: AppendFile) -> @Sendable () -> Void
    /// Returns a `sync` for another thread; nil if it takes no time.
    func syncLater() throws(SocketError) -> (@Sendable () throws(SocketError) -> Void)?
}

extension JournalMedium {
    package var successorPath: String? {
        nil
    }

    package func nameSuccessor() -> @Sendable () throws(SocketError) -> Void {
        preconditionFailure("the medium does not support a successor")
    }

    package func adopt(_ successor: AppendFile) -> @Sendable () -> Void {
        preconditionFailure("the medium does not support a successor")
    }

    package func syncLater() throws(SocketError) -> (@Sendable () throws(SocketError) -> Void)? {
        nil
    }
}
