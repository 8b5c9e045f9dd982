/// An error in a vCard file, with its line but no text of the line, which is a person's name or
/// number.
package struct VCardError: Error, Hashable, CustomStringConvertible {
    /// The number of the line, from 1.
    package let line: Int
    package let reason: Reason

    package init(line: Int, reason: Reason) {
        self.line = line
        self.reason = reason
    }

    package var description: String {
        "line \(line): \(reason)"
    }
}

extension VCardError {
    /// Reasons of an error. A program for people says them in their language; `description` is
    /// English.
    package enum Reason: Hashable, Sendable {
        case notUTF8, holdsNUL, noColon, openQuote, noPropertyName, noParameterName
        case continuation
        case longLine(bytesMax: Int)
        case cardInside, noBegin, noVersion, noName, duplicate
        /// The card that begins in the line is not ended.
        case noEnd(begin: Int)
        case tooManyCards(most: Int)
        case tooManyAddresses(most: Int)
        case quotedPrintable, charset, version, noApp
        case longAddress(bytesMax: Int)
        case longName(bytesMax: Int)
        case longID(bytesMax: Int)
    }
}

extension VCardError.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notUTF8: "not valid UTF-8"
        case .holdsNUL: "contains a NUL character"
        case .noColon: "expected a colon between a name and its value"
        case .openQuote: "the closing quotation mark is missing"
        case .noPropertyName: "expected a property name"
        case .noParameterName: "expected a parameter name"
        case .continuation: "a continuation without a line before it"
        case .longLine(let bytesMax): "longer than \(bytesMax) bytes"
        case .cardInside: "a card begins inside another one"
        case .noBegin: "expected BEGIN:VCARD"
        case .noVersion: "the card has no VERSION"
        case .noName: "the card has no name (FN) and no address"
        case .duplicate: "an earlier card has the same UID or the same contents"
        case .noEnd(let begin): "the card that begins in line \(begin) has no END"
        case .tooManyCards(let most): "more than \(most) cards"
        case .tooManyAddresses(let most): "the card has more than \(most) addresses"
        case .quotedPrintable:
            "quoted-printable belongs to vCard 2.1: export the file as version 3.0 or 4.0"
        case .charset: "only UTF-8 is supported: export the file as version 3.0 or 4.0"
        case .version: "expected version 3.0 or 4.0: export the file as one of these"
        case .noApp: "expected the name of an app, such as org.example.phone"
        case .longAddress(let bytesMax): "an address has more than \(bytesMax) bytes"
        case .longName(let bytesMax): "the card's name has more than \(bytesMax) bytes"
        case .longID(let bytesMax): "the UID has more than \(bytesMax) bytes"
        }
    }
}
