package import CallArbitration

/// The byte format of a journal.
///
/// A journal begins with a line of text that identifies the file. Frames follow: the first is the
/// snapshot, and each further one is a turn of the loop. A frame consists of its length, its
/// checksum (four bytes each, lowest first) and the content as written by `StateWriter`. Eight
/// zeros in the place of a length and a checksum are the end: what is behind them is room, in which
/// a broker that was killed may have left the content of a turn without them.
package enum JournalForm {
    static let title = "callbroker journal "
    /// The current form. It changes when older brokers cannot read the file. Form 3 added the copy
    /// of the store's blocks, form 4 the heartbeat, form 5 the policy for emergencies and those
    /// being dialed, form 6 the rights of programs, the credentials, and the
    /// policy for priority callers, form 7 the room at the end.
    static let version = 7
    /// The first form that may have room at the end.
    static let versionWithRoom = 7
    /// The forms that this release reads.
    static let readable = 2...version
    /// The number of bytes in front of a frame's content.
    static let headBytes = 8

    /// The line of text, including LF.
    package static var firstLine: [UInt8] {
        Array("\(title)\(version)\n".utf8)
    }

    /// Returns the bytes in front of a frame's content.
    static func head(of content: [UInt8]) -> [UInt8] {
        head(length: content.count, Checksum.crc32(content[...]))
    }

    static func head(length: Int, _ checksum: UInt32) -> [UInt8] {
        let words = UInt64(UInt32(length)) | UInt64(checksum) << 32
        return withUnsafeBytes(of: words.littleEndian) { Array($0) }
    }
}

/// A reason why a journal cannot be read, or only in part. `at` is the byte offset of the frame.
package enum JournalFault: Error, Equatable, Sendable {
    /// The line of text is missing.
    case noJournal
    /// The file has another form.
    case version(String)
    /// The file ends within a frame.
    case cutOff(at: Int)
    /// The checksum of a frame does not match.
    case changed(at: Int)
    /// The content of a frame cannot be decoded.
    case content(StateError, at: Int)
}

extension JournalFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noJournal: "it is not a callbroker journal"
        case .version(let found):
            "it has form \(found); this release reads forms "
                + "\(JournalForm.readable.lowerBound) to \(JournalForm.version)"
        case .cutOff(let place): "it ends within the entry at byte \(place)"
        case .changed(let place): "the entry at byte \(place) is damaged: wrong checksum"
        case .content(let fault, let place): "the entry at byte \(place): \(fault)"
        }
    }
}
