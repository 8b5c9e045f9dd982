package import CallArbitration

/// A journal in bytes.
///
/// A line of text, so that whoever finds the file knows what it is; then frames, the first of which is
/// the snapshot and each further one a turn of the loop. A frame is its length and its checksum, four
/// bytes each with the lowest first, and what `StateWriter` makes of its content.
package enum JournalForm {
    static let title = "callbroker journal "
    /// Changes when a broker could not read what another one wrote. Form 3 brought the copy of the store's
    /// blocks, form 4 the heartbeat, form 5 the choices for emergencies, and those that
    /// are being dialled.
    static let version = 5
    /// The forms that can be read.
    static let readable = 2...version
    /// Bytes in front of a frame's content.
    static let headBytes = 8

    package static var firstLine: [UInt8] {
        Array("\(title)\(version)\n".utf8)
    }

    /// What stands in front of a frame's content.
    static func head(of content: [UInt8]) -> [UInt8] {
        let words = [UInt32(content.count), Checksum.crc32(content[...])]
        return words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
    }
}

/// Why a journal cannot be read, or not to its end. `at` is the number of bytes in front.
package enum JournalFault: Error, Equatable, Sendable {
    case noJournal
    /// Another form.
    case version(String)
    /// It ends within a frame.
    case cutOff(at: Int)
    /// The checksum of a frame is wrong.
    case changed(at: Int)
    case content(StateError, at: Int)
}

extension JournalFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noJournal: "it is no journal of callbroker"
        case .version(let found):
            "it has form \(found), and this release reads forms "
                + "\(JournalForm.readable.lowerBound) to \(JournalForm.version)"
        case .cutOff(let place): "it ends within the entry at byte \(place)"
        case .changed(let place): "the entry at byte \(place) has been changed: wrong checksum"
        case .content(let fault, let place): "the entry at byte \(place): \(fault)"
        }
    }
}

enum Checksum {
    /// CRC-32 as in ISO 3309, zlib and PNG.
    static func crc32(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var rest: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            rest = table[Int((rest ^ UInt32(byte)) & 0xFF)] ^ (rest &>> 8)
        }
        return ~rest
    }

    /// What each value of a byte makes of a rest.
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { rest, _ in
            rest & 1 == 0 ? rest >> 1 : 0xEDB8_8320 ^ (rest >> 1)
        }
    }
}
