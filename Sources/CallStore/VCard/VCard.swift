/// Contacts as vCards: versions 3.0 (RFC 2426) and 4.0 (RFC 6350).
///
/// What a contact has is read and written: names, phone numbers, mail and SIP addresses, the
/// favourites. The rest (photos, postal addresses, birthdays) is passed over. Our own
/// `X-CALLBROKER-` properties hold what no other program has a name for, so that what was written is
/// read again as it was.
package enum VCard {
    package enum Version: String, CaseIterable, Sendable {
        case v3 = "3.0"
        case v4 = "4.0"
    }

    /// Contacts of one file at most.
    package static let contactsMax = 100_000

    /// All contacts of a text, or the first thing that is wrong with it.
    package static func read(_ text: [UInt8]) throws(VCardError) -> [Contact] {
        var reader = Reader()
        try reader.read(text[...])
        return try reader.finish()
    }

    /// The same of a text that comes in pieces, of which nothing is kept but an unfinished line.
    package struct Reader {
        private var lines = VCardLineReader()
        private var cards = VCardReader()

        package init() {}

        package mutating func read(_ piece: ArraySlice<UInt8>) throws(VCardError) {
            try lines.read(piece) { line throws(VCardError) in try cards.take(line) }
        }

        package mutating func finish() throws(VCardError) -> [Contact] {
            try lines.finish { line throws(VCardError) in try cards.take(line) }
            return try cards.finish()
        }
    }

    package static func text(of contacts: [Contact], version: Version = .v4) -> String {
        var writer = VCardWriter(version: version)
        for contact in contacts { writer.add(contact) }
        return writer.text
    }

    /// Our own names of properties.
    enum Own {
        static let breaksThrough = "X-CALLBROKER-BREAKTHROUGH"
        static let provider = "X-CALLBROKER-PROVIDER"
        static let handle = "X-CALLBROKER-HANDLE"
    }
}

/// What is wrong with a text, and in which line, without the line's words: they are somebody's name or
/// number.
package struct VCardError: Error, Hashable, CustomStringConvertible {
    /// From 1.
    package let line: Int
    package let reason: String

    package init(line: Int, reason: String) {
        self.line = line
        self.reason = reason
    }

    package var description: String {
        "line \(line): \(reason)"
    }
}
