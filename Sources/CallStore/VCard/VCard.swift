/// Conversion of contacts from and to vCards: versions 3.0 (RFC 2426) and 4.0 (RFC 6350).
///
/// The conversion covers the properties of a contact: names, phone numbers, mail and SIP addresses,
/// and favorites. Other properties (photos, postal addresses, birthdays) are ignored. Properties
/// with the prefix `X-CALLBROKER-` store values for which other programs have no property, so that
/// a written contact is read back unchanged.
package enum VCard {
    package enum Version: String, CaseIterable, Sendable {
        case v3 = "3.0"
        case v4 = "4.0"
    }

    /// The maximum number of contacts in a file.
    package static let contactsMax = 100_000

    /// Reads all contacts of a text; throws the first error.
    package static func read(_ text: [UInt8]) throws(VCardError) -> [Contact] {
        var reader = Reader()
        try reader.read(text[...])
        return try reader.finish()
    }

    /// A reader of a text that comes in pieces. It keeps only an unfinished line.
    package struct Reader {
        private var lines = VCardLineReader()
        private var cards = VCardReader()

        package init() {}

        package mutating func read(_ piece: ArraySlice<UInt8>) throws(VCardError) {
            try lines.read(piece) { line throws(VCardError) in try cards.read(line) }
        }

        package mutating func finish() throws(VCardError) -> [Contact] {
            try lines.finish { line throws(VCardError) in try cards.read(line) }
            return try cards.finish()
        }
    }

    /// Returns contacts as the text of a vCard file.
    package static func text(of contacts: [Contact], version: Version = .v4) -> String {
        var writer = VCardWriter(version: version)
        for contact in contacts { writer.add(contact) }
        return writer.text
    }

    /// Names of the broker's own properties.
    enum Own {
        static let breaksThrough = "X-CALLBROKER-BREAKTHROUGH"
        static let provider = "X-CALLBROKER-PROVIDER"
        static let handle = "X-CALLBROKER-HANDLE"
    }
}
