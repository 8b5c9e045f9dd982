internal import BrokerSocket
internal import CallArbitration

/// A new journal that has a snapshot only, written in pieces: with many calls a snapshot is long,
/// and the thread that writes it must not take the processor from the loop. With 100,000 calls the
/// slowest events took 3 ms when it was written as a whole.
final class SnapshotFile {
    private let file: AppendFile
    private var length = 0
    private var checksum = Checksum()
    private var fault: SocketError?

    init(at path: String) throws(SocketError) {
        file = try AppendFile(creating: path)
    }

    /// Writes the snapshot and frees it, and returns the file. It is not synced yet.
    func write(_ handedOver: HandedOver<JournalSnapshot>) throws(SocketError) -> AppendFile {
        guard var snapshot = handedOver.take() else { preconditionFailure("written before") }
        defer { snapshot.arbiter.free { HostThread.yield() } }
        let firstLine = JournalForm.firstLine
        try file.append(firstLine, JournalForm.head(length: 0, 0))
        var writer = StateWriter { self.append($0) }
        writer.write(snapshot)
        append(writer.bytes[...])
        if let fault { throw fault }
        let head = JournalForm.head(length: length, checksum.value)
        try file.overwrite(head, at: firstLine.count)
        return file
    }

    private func append(_ piece: ArraySlice<UInt8>) {
        guard fault == nil else { return }
        length += piece.count
        checksum.add(piece)
        do throws(SocketError) {
            try file.append([], Array(piece))
        } catch {
            fault = error
        }
        HostThread.yield()
    }
}
