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
/// With a disk thread, the snapshot is written beside the journal in use; entries that come
/// meanwhile are added to both. The new journal replaces the old one only once it is complete:
/// whenever the broker is killed, one of them has everything.
///
/// If the medium fails, the broker continues without it; once a journal can be written again, it
/// begins with a snapshot, and nothing is missing.
package final class Journal {
    /// The growth after which a journal is restarted, unless half of its snapshot is more: reading
    /// a journal delays the start for every client.
    private static let growthBytesMin = 1 << 20
    /// The growth after which a journal is restarted in any case.
    private static let growthBytesMax = 1 << 26

    private let medium: any JournalMedium
    /// The thread for slow disk operations; nil to run them at once.
    package var disk: DiskThread?
    private var successor: Successor?
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

    /// Continues the journal that was read. If that is long, damaged or in an older format, a new
    /// one is begun.
    package func goOn(after reader: JournalReader, _ snapshot: () -> JournalSnapshot) {
        snapshotBytes = reader.snapshotBytes
        growth = reader.count - snapshotBytes
        guard reader.fault == nil, reader.isCurrent, !isLong else { return beginAnew(snapshot()) }
        do throws(SocketError) { try medium.goOn(at: reader.count) } catch { fault = error }
    }

    /// Replaces the journal by a snapshot, at once or as soon as the disk has it. If that fails,
    /// the old one stays.
    package func beginAnew(_ snapshot: JournalSnapshot) {
        if let disk, let path = medium.successorPath {
            return beginSuccessor(snapshot, at: path, disk)
        }
        let bytes = Self.bytes(of: snapshot)
        do throws(SocketError) {
            try medium.replace(with: bytes)
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
        growth > max(Self.growthBytesMin, snapshotBytes / 2)
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
        guard fault == nil else { return }
        do throws(SocketError) {
            try medium.append(head, turn.bytes)
            if hasSomethingToSync { try sync() }
        } catch {
            fault = error
            return
        }
        growth += head.count + turn.bytes.count
        writtenBytes += head.count + turn.bytes.count
        if isLong, mayBeginAnew || growth > Self.growthBytesMax { beginAnew(snapshot()) }
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

    private func sync() throws(SocketError) {
        guard disk != nil, let work = try medium.syncLater() else { return try medium.sync() }
        runSynced(by: work)
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

    private func beginSuccessor(_ snapshot: JournalSnapshot, at path: String, _ disk: DiskThread) {
        guard successor == nil else { return }
        successor = Successor()
        turn.removeAll()
        disk.submit({ () throws(SocketError) in
            let bytes = Self.bytes(of: snapshot)
            _ = try AppendFile(writing: bytes, to: path)
            return Written(snapshotBytes: bytes.count, size: bytes.count)
        }) { [self] in continueSuccessor(with: $0, at: path, disk) }
    }

    /// The progress of writing a successor.
    private struct Written {
        let snapshotBytes: Int
        let size: Int
    }

    /// Adds the entries that came while the successor was written.
    private func continueSuccessor(
        with result: Result<Written, SocketError>, at path: String, _ disk: DiskThread
    ) {
        guard let successor else { return }
        self.successor = nil
        do throws(SocketError) {
            let written = try result.get()
            let rest = try successor.allEntries()
            if successor.mustSync {
                self.successor = Successor()
                disk.submit({ () throws(SocketError) in
                    let file = try AppendFile(resuming: path, at: written.size)
                    try file.append(rest, [])
                    try file.sync()
                    return Written(
                        snapshotBytes: written.snapshotBytes, size: written.size + rest.count)
                }) { [self] in continueSuccessor(with: $0, at: path, disk) }
            } else {
                try medium.adoptSuccessor(of: written.size, rest)
                didRestart(
                    snapshotBytes: written.snapshotBytes,
                    growth: written.size + rest.count - written.snapshotBytes)
                disk.submit(medium.syncReplacement()) { [self] in recordFault(of: $0) }
            }
        } catch {
            fault = error
        }
    }

    /// Entries that came after the snapshot of a journal that is being written.
    private struct Successor {
        private var rest: [UInt8] = []
        private(set) var mustSync = false
        private var isLost = false

        mutating func add(_ head: [UInt8], _ content: [UInt8], isSynced: Bool) {
            guard rest.count + content.count <= Journal.growthBytesMax else { return isLost = true }
            rest += head
            rest += content
            if isSynced { mustSync = true }
        }

        func allEntries() throws(SocketError) -> [UInt8] {
            guard !isLost else {
                throw SocketError(.unusable, "the disk is too slow for the journal")
            }
            return rest
        }
    }
}

/// The storage of a journal.
package protocol JournalMedium: AnyObject {
    /// Appends all or nothing: after an error the bytes are as they were.
    func append(_ head: [UInt8], _ content: [UInt8]) throws(SocketError)
    /// Replaces the whole contents.
    func replace(with bytes: [UInt8]) throws(SocketError)
    /// Continues with existing contents of that many bytes.
    func goOn(at size: Int) throws(SocketError)
    /// Waits until everything written is safe from a loss of power.
    func sync() throws(SocketError)

    /// The path for a successor beside the journal; nil if the medium does not support one.
    var successorPath: String? { get }
    /// Replaces the journal by the successor, of which that many bytes are written, after appending
    /// the rest.
    func adoptSuccessor(of size: Int, _ rest: [UInt8]) throws(SocketError)
    /// Returns a `sync` for another thread; nil if it takes no time.
    func syncLater() throws(SocketError) -> (@Sendable () throws(SocketError) -> Void)?
    /// Returns the sync of the replacement itself, for another thread.
    func syncReplacement() -> @Sendable () throws(SocketError) -> Void
}

extension JournalMedium {
    package var successorPath: String? {
        nil
    }

    package func adoptSuccessor(of size: Int, _ rest: [UInt8]) throws(SocketError) {
        preconditionFailure("the medium does not support a successor")
    }

    package func syncLater() throws(SocketError) -> (@Sendable () throws(SocketError) -> Void)? {
        nil
    }

    package func syncReplacement() -> @Sendable () throws(SocketError) -> Void {
        {}
    }
}
