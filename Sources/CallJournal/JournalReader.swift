package import CallArbitration

/// A reader of a journal, turn by turn, up to the first damage.
package struct JournalReader {
    private let bytes: [UInt8]
    private let pseudonyms: Pseudonyms?
    private let form: Int
    /// The version of the form of the state in the snapshot, and of the events behind it.
    private let stateForm: UInt64
    private var place: Int
    /// The state at the beginning of the journal.
    package let snapshot: JournalSnapshot
    /// The number of bytes before the first turn.
    package let snapshotBytes: Int
    /// Indicates that file and state have the current form: the journal can be continued.
    package let isCurrent: Bool
    /// The reason for stopping before the end.
    package private(set) var fault: JournalFault?

    /// The entries of one turn of the loop.
    package struct Turn: Equatable, Sendable {
        /// Unix time minus monotonic time, in milliseconds.
        package var wallOffsetMS: Int64
        package var entries: [JournalEntry]
    }

    /// Reads the snapshot, without which the rest is meaningless.
    ///
    /// - Parameter pseudonyms: Replacements for names and numbers of people; nil to keep them.
    package init(_ bytes: [UInt8], _ pseudonyms: Pseudonyms? = nil) throws(JournalFault) {
        self.bytes = bytes
        self.pseudonyms = pseudonyms
        (form, place) = try Self.readFirstLine(of: bytes)
        guard let content = try Self.frame(in: bytes, at: place, form) else {
            throw .cutOff(at: place)
        }
        var version = StateWriter.formVersion
        snapshot = try Self.read(content, form, version, pseudonyms) { reader throws(StateError) in
            defer { version = reader.formVersion }
            return try reader.read()
        }
        stateForm = version
        isCurrent = form == JournalForm.version && version == StateWriter.formVersion
        place = content.endIndex
        snapshotBytes = place
    }

    /// The number of bytes that have been read; at the end that of the journal without its room.
    package var count: Int {
        place
    }

    /// Returns the next turn; nil at the end and at the first damage.
    package mutating func nextTurn() -> Turn? {
        guard fault == nil else { return nil }
        do throws(JournalFault) {
            guard let content = try Self.frame(in: bytes, at: place, form) else { return nil }
            let turn = try Self.read(content, form, stateForm, pseudonyms) {
                reader throws(StateError) in
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

    /// Returns the content of the frame at an offset; nil at the end.
    private static func frame(
        in bytes: [UInt8], at place: Int, _ form: Int
    ) throws(JournalFault) -> ArraySlice<UInt8>? {
        guard place < bytes.count else { return nil }
        if form >= JournalForm.versionWithRoom, isRoom(in: bytes, at: place) { return nil }
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

    private static func isRoom(in bytes: [UInt8], at place: Int) -> Bool {
        bytes[place...].prefix(JournalForm.headBytes).allSatisfy { $0 == 0 }
    }

    private static func word(in bytes: [UInt8], at place: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << ($1 * 8) }
    }

    private static func read<Content>(
        _ content: ArraySlice<UInt8>, _ form: Int, _ stateForm: UInt64, _ pseudonyms: Pseudonyms?,
        _ read: (inout StateReader) throws(StateError) -> Content
    ) throws(JournalFault) -> Content {
        var reader = StateReader(content, pseudonyms)
        (reader.fileForm, reader.formVersion) = (form, stateForm)
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
