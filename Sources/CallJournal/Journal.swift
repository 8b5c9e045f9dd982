package import BrokerSocket
package import CallArbitration
package import CallModel

/// Keeps everything that decides how things go on, so that a broker which was killed goes on as if it
/// had not been.
///
/// Everything that a turn of the loop decided is appended first and committed once, with one write,
/// before a reply of that turn leaves: what a client was told is never lost. What has grown too long
/// begins anew with a snapshot.
///
/// Where there is a thread for the disk, the snapshot is written beside the journal in use, which goes on;
/// what comes meanwhile is added to both. The new one takes the other's place only when it is complete:
/// whenever the broker is killed, one of them has everything.
///
/// If the medium fails the broker serves on without it; once a new journal can be written again, it
/// begins with a snapshot, and nothing is missing.
package final class Journal {
    /// A journal grows by this much, or by half of its snapshot, before it begins anew: reading it takes
    /// time, when everybody waits.
    private static let growthBytesMin = 1 << 20
    /// However much somebody needs what has grown.
    private static let growthBytesMax = 1 << 26

    private let medium: any JournalMedium
    /// Does what takes the disk its time; nil: that is done at once.
    package var disk: DiskThread?
    private var successor: Successor?
    private var turn = StateWriter()
    private var hasSomethingToSync = false
    /// What is to happen when that is on the disk.
    private var awaitingSync: [() -> Void] = []
    private var snapshotBytes = 0
    private var growth = 0
    /// Between the monotonic clock and Unix time, milliseconds.
    package var wallOffsetMS: Int64 = 0
    /// Why nothing is kept at the moment.
    package private(set) var fault: SocketError?

    package init(_ medium: any JournalMedium) {
        self.medium = medium
    }

    /// The bytes that it takes.
    package var bytes: Int {
        snapshotBytes + growth
    }

    // MARK: - The beginning

    /// Goes on behind what was read, unless that has grown long, is damaged or has an earlier form: then it
    /// begins anew.
    package func goOn(after reader: JournalReader, _ snapshot: () -> JournalSnapshot) {
        snapshotBytes = reader.snapshotBytes
        growth = reader.count - snapshotBytes
        guard reader.fault == nil, reader.isCurrent, !isLong else { return beginAnew(snapshot()) }
        do throws(SocketError) { try medium.goOn(at: reader.count) } catch { fault = error }
    }

    /// Replaces everything by a snapshot, at once or as soon as the disk has it. If that fails, what there
    /// was stays.
    package func beginAnew(_ snapshot: JournalSnapshot) {
        if let disk, let path = medium.successorPath {
            return beginSuccessor(snapshot, at: path, disk)
        }
        let bytes = Self.bytes(of: snapshot)
        do throws(SocketError) {
            try medium.replace(with: bytes)
            // What of this turn was appended is a part of the snapshot.
            turn.removeAll()
            noteBeginning(snapshotBytes: bytes.count, growth: 0)
        } catch {
            fault = error
        }
    }

    private static func bytes(of snapshot: JournalSnapshot) -> [UInt8] {
        var writer = StateWriter()
        writer.write(snapshot)
        return JournalForm.firstLine + JournalForm.head(of: writer.bytes) + writer.bytes
    }

    private func noteBeginning(snapshotBytes: Int, growth: Int) {
        self.snapshotBytes = snapshotBytes
        self.growth = growth
        fault = nil
    }

    private var isLong: Bool {
        growth > max(Self.growthBytesMin, snapshotBytes / 2)
    }

    // MARK: - A turn

    package func append(_ event: ArbiterEvent, at instant: Instant) {
        begin()
        turn.write(UInt8(0))
        turn.write(event, at: instant)
    }

    /// - Parameter isSynced: it must survive a loss of power too.
    package func append(_ entry: JournalEntry, isSynced: Bool = false) {
        begin()
        turn.write(entry)
        if isSynced { hasSomethingToSync = true }
    }

    private func begin() {
        if turn.bytes.isEmpty { turn.write(Int(wallOffsetMS)) }
    }

    /// Writes what was appended since the last time.
    /// - Parameter mayBeginAnew: Nobody needs what a snapshot does not hold. A journal that has grown far
    ///   too long begins anew all the same.
    package func commit(mayBeginAnew: Bool = true, _ snapshot: () -> JournalSnapshot) {
        guard !turn.bytes.isEmpty else { return }
        defer {
            turn.removeAll()
            hasSomethingToSync = false
            tellSynced(by: nil)
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
        if isLong, mayBeginAnew || growth > Self.growthBytesMax { beginAnew(snapshot()) }
    }

    // MARK: - The disk

    /// Whether something was appended that is to be on the disk, and will not be when this turn leaves.
    package var mustAwaitSync: Bool {
        disk != nil && hasSomethingToSync
    }

    /// Calls `act` when that is on the disk; at once, if there is nothing to wait for.
    package func afterSync(_ act: @escaping () -> Void) {
        guard mustAwaitSync else { return act() }
        awaitingSync.append(act)
    }

    private func sync() throws(SocketError) {
        guard disk != nil, let work = try medium.syncLater() else { return try medium.sync() }
        tellSynced(by: work)
    }

    /// - Parameter work: what brings it to the disk; nil if nothing will.
    private func tellSynced(by work: (@Sendable () throws(SocketError) -> Void)?) {
        guard work != nil || !awaitingSync.isEmpty else { return }
        let acts = awaitingSync
        awaitingSync = []
        disk?.submit({ () throws(SocketError) in try work?() }) { [self] result in
            noteFault(of: result)
            for act in acts { act() }
        }
    }

    private func noteFault(of result: Result<Void, SocketError>) {
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
        }) { [self] in goOn(with: $0, at: path, disk) }
    }

    /// How much of a successor the disk has.
    private struct Written {
        let snapshotBytes: Int
        let size: Int
    }

    /// What came while that was written is missing.
    private func goOn(
        with result: Result<Written, SocketError>, at path: String, _ disk: DiskThread
    ) {
        guard let successor else { return }
        self.successor = nil
        do throws(SocketError) {
            let written = try result.get()
            let rest = try successor.takeRest()
            if successor.mustSync {
                self.successor = Successor()
                disk.submit({ () throws(SocketError) in
                    let file = try AppendFile(resuming: path, at: written.size)
                    try file.append(rest, [])
                    try file.sync()
                    return Written(
                        snapshotBytes: written.snapshotBytes, size: written.size + rest.count)
                }) { [self] in goOn(with: $0, at: path, disk) }
            } else {
                try medium.takeSuccessor(of: written.size, rest)
                noteBeginning(
                    snapshotBytes: written.snapshotBytes,
                    growth: written.size + rest.count - written.snapshotBytes)
                disk.submit(medium.syncNames()) { [self] in noteFault(of: $0) }
            }
        } catch {
            fault = error
        }
    }

    /// What has come since the snapshot of a journal that is being written.
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

        func takeRest() throws(SocketError) -> [UInt8] {
            guard !isLost else { throw SocketError(.unusable, "the disk is too slow for it") }
            return rest
        }
    }
}

/// Where the bytes of a journal are.
package protocol JournalMedium: AnyObject {
    /// Writes all or nothing: after an error the bytes are as they were.
    func append(_ head: [UInt8], _ content: [UInt8]) throws(SocketError)
    func replace(with bytes: [UInt8]) throws(SocketError)
    /// Appends to what there is, which is so many bytes long.
    func goOn(at size: Int) throws(SocketError)
    /// What was written survives a loss of power.
    func sync() throws(SocketError)

    /// Where a successor can be written beside the journal; nil if there is no such place.
    var successorPath: String? { get }
    /// Has the successor, of which so many bytes are written, take the place of the journal, with the rest
    /// behind them.
    func takeSuccessor(of size: Int, _ rest: [UInt8]) throws(SocketError)
    /// The same as `sync`, for another thread; nil if it takes no time.
    func syncLater() throws(SocketError) -> (@Sendable () throws(SocketError) -> Void)?
    /// What has taken the place of what survives a loss of power.
    func syncNames() -> @Sendable () throws(SocketError) -> Void
}

extension JournalMedium {
    package var successorPath: String? {
        nil
    }

    package func takeSuccessor(of size: Int, _ rest: [UInt8]) throws(SocketError) {
        preconditionFailure("it has no place for a successor")
    }

    package func syncLater() throws(SocketError) -> (@Sendable () throws(SocketError) -> Void)? {
        nil
    }

    package func syncNames() -> @Sendable () throws(SocketError) -> Void {
        {}
    }
}
