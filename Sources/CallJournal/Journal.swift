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
/// If the medium fails the broker serves on without it; once a new journal can be written again, it
/// begins with a snapshot, and nothing is missing.
package final class Journal {
    /// A journal grows by this much, or by half of its snapshot, before it begins anew: reading it takes
    /// time, when everybody waits.
    private static let growthBytesMin = 1 << 20
    /// However much somebody needs what has grown.
    private static let growthBytesMax = 1 << 26

    private let medium: any JournalMedium
    private var turn = StateWriter()
    private var hasSomethingToSync = false
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

    /// Replaces everything by a snapshot. If that fails, what there was stays.
    package func beginAnew(_ snapshot: JournalSnapshot) {
        var writer = StateWriter()
        writer.write(snapshot)
        let frame = JournalForm.head(of: writer.bytes) + writer.bytes
        do throws(SocketError) {
            try medium.replace(with: JournalForm.firstLine + frame)
            snapshotBytes = JournalForm.firstLine.count + frame.count
            growth = 0
            // What of this turn was appended is a part of the snapshot.
            turn.removeAll()
            fault = nil
        } catch {
            fault = error
        }
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
        }
        guard fault == nil else { return }
        do throws(SocketError) {
            try medium.append(JournalForm.head(of: turn.bytes), turn.bytes)
            if hasSomethingToSync { try medium.sync() }
        } catch {
            fault = error
            return
        }
        growth += JournalForm.headBytes + turn.bytes.count
        if isLong, mayBeginAnew || growth > Self.growthBytesMax { beginAnew(snapshot()) }
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
}
