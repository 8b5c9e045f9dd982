internal import CallModel

/// The shape of a value on the wire: a subset of JSON Schema, draft 7. Incoming values are checked
/// against it, and it is published in the OpenRPC document.
package indirect enum Schema: Sendable {
    case any
    case boolean
    case integer(ClosedRange<Int64>)
    /// A string, by its length in bytes of UTF-8.
    case string(bytes: ClosedRange<Int>)
    /// A string of a given form.
    case pattern(Pattern)
    /// One of several words. An open choice may gain words within a major version.
    case choice([String], isOpen: Bool)
    /// An object with exactly these members.
    case object([Member])
    /// An object with arbitrary members.
    case map
    /// An object whose member names have one form, and whose values have one schema.
    case dictionary(Pattern, Schema, count: ClosedRange<Int>)
    case array(Schema, count: ClosedRange<Int>)
    case oneOf([Schema])
    case null
    /// A value or null. Null stands for "none", and clears a value in a change.
    case nullable(Schema)

    /// A count, within the range that every JSON implementation represents exactly.
    package static let count = Schema.integer(0...9_007_199_254_740_991)
    /// The id of a request, up to the highest setting of the limit `id_bytes`.
    package static let requestID = Schema.oneOf([
        .string(bytes: 0...256), .integer(.min ... .max),
    ])
}

/// A string form that is checked byte by byte, and published as a regular expression.
package enum Pattern: Sendable {
    /// A UUID of 36 characters, in upper or lower case.
    case uuid
    /// A reverse-domain name such as `org.example.phone`, at most 128 bytes.
    case identity
    /// The scheme of an address, such as `tel`, at most 32 bytes, lower case.
    case scheme
    /// Keys of a telephone, and pauses: at most 64.
    case digits
    /// Hours and minutes, such as 07:30.
    case timeOfDay
    /// Two capital letters of ISO 3166, or nothing.
    case region
    /// A well-known name of D-Bus.
    case busName
    /// The id of a desktop file.
    case desktopID

    package var expression: String {
        switch self {
        case .uuid: "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$"
        case .identity: "^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)+$"
        case .scheme: "^[a-z][a-z0-9+.-]*$"
        case .digits: "^[0-9A-Da-d*#,;PpWw]+$"
        case .timeOfDay: "^([01][0-9]|2[0-3]):[0-5][0-9]$"
        case .region: "^([A-Z][A-Z])?$"
        case .busName: "^[A-Za-z_-][A-Za-z0-9_-]*(\\.[A-Za-z_-][A-Za-z0-9_-]*)+$"
        case .desktopID: "^[A-Za-z0-9_][A-Za-z0-9._+@-]*\\.desktop$"
        }
    }

    package var bytesMax: Int {
        switch self {
        case .uuid: 36
        case .identity: 128
        case .scheme: 32
        case .digits: 64
        case .timeOfDay: 5
        case .region: 2
        case .busName, .desktopID: StartByNames.bytesMax
        }
    }

    /// The form in words, for error messages.
    var words: StaticString {
        switch self {
        case .uuid: "a UUID of 36 characters"
        case .identity: "a reverse-domain name such as org.example.phone"
        case .scheme: "the scheme of an address, such as tel"
        case .digits: "1 to 64 of 0-9 A-D * # and the pauses , ; p w"
        case .timeOfDay: "a time of the day from 00:00 to 23:59"
        case .region: "the two capital letters of a country, such as FR, or nothing"
        case .busName: "a well-known name of D-Bus, such as org.example.Phone"
        case .desktopID: "the id of a desktop file, such as org.example.Phone.desktop"
        }
    }

    func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        switch self {
        case .uuid:
            text.count == 36 && text.indices.allSatisfy { Self.isUUIDByte(text[$0], at: $0) }
        case .identity: Self.isIdentity(text)
        case .scheme: Self.isScheme(text)
        case .digits: (1...bytesMax).contains(text.count) && text.allSatisfy(Self.isDigit)
        case .timeOfDay: WeeklyPeriod.minutes(ofClock: text) != nil
        case .busName: StartByNames.isBusName(text)
        case .desktopID: StartByNames.isDesktopID(text)
        case .region:
            text.isEmpty
                || text.count == 2
                    && text.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
        }
    }

    private static func isUUIDByte(_ byte: UInt8, at index: Int) -> Bool {
        switch index {
        case 8, 13, 18, 23: byte == UInt8(ascii: "-")
        default: isHexDigit(byte)
        }
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 6
    }

    private static func isIdentity(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let labels = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return text.count <= Pattern.identity.bytesMax && labels.count >= 2
            && labels.allSatisfy { !$0.isEmpty && $0.allSatisfy(isLabelByte) }
    }

    private static func isScheme(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = text.first, text.count <= Pattern.scheme.bytesMax else { return false }
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return letters.contains(first)
            && text.allSatisfy {
                letters.contains($0) || digits.contains($0) || "+.-".utf8.contains($0)
            }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        "0123456789ABCDabcd*#,;PpWw".utf8.contains(byte)
    }

    private static func isLabelByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

/// A member of an object: of params, of a result, or of something inside them.
package struct Member: Sendable {
    package let name: StaticString
    package let schema: Schema
    package let isRequired: Bool
    package let summary: String

    package static func required(
        _ name: StaticString, _ schema: Schema, _ summary: String
    ) -> Member {
        Member(name: name, schema: schema, isRequired: true, summary: summary)
    }

    package static func optional(
        _ name: StaticString, _ schema: Schema, _ summary: String
    ) -> Member {
        Member(name: name, schema: schema, isRequired: false, summary: summary)
    }
}
