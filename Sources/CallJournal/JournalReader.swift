package import CallArbitration

/// Reads a journal, turn by turn, as far as it is whole.
package struct JournalReader {
    private let bytes: [UInt8]
    private let pseudonyms: Pseudonyms?
    private let form: Int
    private var place: Int
    package let snapshot: JournalSnapshot
    /// How many bytes there are up to the first turn.
    package let snapshotBytes: Int
    /// In the form in which journals are written now: it can be gone on with.
    package let isCurrent: Bool
    /// Why the reading ended before the end of the bytes.
    package private(set) var fault: JournalFault?

    /// What happened in one turn of the loop.
    package struct Turn: Equatable, Sendable {
        /// Between the monotonic clock and Unix time, milliseconds.
        package var wallOffsetMS: Int64
        package var entries: [JournalEntry]
    }

    /// Reads the snapshot; without one nothing else means anything.
    /// - Parameter pseudonyms: Stand for people; nil: they are called as they are.
    package init(_ bytes: [UInt8], _ pseudonyms: Pseudonyms? = nil) throws(JournalFault) {
        self.bytes = bytes
        self.pseudonyms = pseudonyms
        (form, place) = try Self.readFirstLine(of: bytes)
        isCurrent = form == JournalForm.version
        guard let content = try Self.frame(in: bytes, at: place) else { throw .cutOff(at: place) }
        snapshot = try Self.read(content, form, pseudonyms) { reader throws(StateError) in
            try reader.read()
        }
        place = content.endIndex
        snapshotBytes = place
    }

    /// All bytes that it reads.
    package var count: Int {
        bytes.count
    }

    /// The next turn; nil at the end, and where the rest cannot be read.
    package mutating func nextTurn() -> Turn? {
        guard fault == nil else { return nil }
        do throws(JournalFault) {
            guard let content = try Self.frame(in: bytes, at: place) else { return nil }
            let turn = try Self.read(content, form, pseudonyms) { reader throws(StateError) in
                try Turn(from: &reader)
            }
            place = content.endIndex
            return turn
        } catch {
            fault = error
            return nil
        }
    }

    // MARK: - Bytes

    private static func readFirstLine(of bytes: [UInt8]) throws(JournalFault) -> (
        form: Int, end: Int
    ) {
        let title = Array(JournalForm.title.utf8)
        guard bytes.starts(with: title), let end = bytes.prefix(64).firstIndex(of: 0x0A) else {
            throw .noJournal
        }
        let version = String(decoding: bytes[title.count..<end], as: UTF8.self)
        guard let form = JournalForm.readable.first(where: { version == "\($0)" }) else {
            throw .version(version)
        }
        return (form, end + 1)
    }

    /// The content of the frame at a place; nil if the bytes end there.
    private static func frame(
        in bytes: [UInt8], at place: Int
    ) throws(JournalFault) -> ArraySlice<UInt8>? {
        guard place < bytes.count else { return nil }
        let start = place + JournalForm.headBytes
        guard start <= bytes.count else { throw .cutOff(at: place) }
        let length = Int(word(in: bytes, at: place))
        guard length <= bytes.count - start else { throw .cutOff(at: place) }
        let content = bytes[start..<start + length]
        guard Checksum.crc32(content) == word(in: bytes, at: place + 4) else {
            throw .changed(at: place)
        }
        return content
    }

    private static func word(in bytes: [UInt8], at place: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << ($1 * 8) }
    }

    private static func read<Content>(
        _ content: ArraySlice<UInt8>, _ form: Int, _ pseudonyms: Pseudonyms?,
        _ read: (inout StateReader) throws(StateError) -> Content
    ) throws(JournalFault) -> Content {
        var reader = StateReader(content, pseudonyms)
        reader.fileForm = form
        do throws(StateError) {
            let value = try read(&reader)
            try reader.finish()
            return value
        } catch {
            throw .content(error, at: content.startIndex)
        }
    }
}

extension JournalReader.Turn {
    fileprivate init(from reader: inout StateReader) throws(StateError) {
        wallOffsetMS = Int64(try reader.read() as Int)
        entries = []
        while reader.bytesLeft > 0 { entries.append(try reader.read()) }
    }
}
