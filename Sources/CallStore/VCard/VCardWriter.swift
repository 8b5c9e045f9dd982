internal import CallModel

/// A writer of contacts as vCards.
struct VCardWriter {
    /// The maximum length of a line without its end, in bytes; longer ones are folded.
    private static let lineBytesMax = 75

    private let version: VCard.Version
    private(set) var text = ""

    init(version: VCard.Version) {
        self.version = version
    }

    mutating func add(_ contact: Contact) {
        line("BEGIN", "VCARD")
        line("VERSION", version.rawValue)
        let isUUID = UUIDBits(contact.id) != nil && version == .v4
        line("UID", (isUUID ? "urn:uuid:" : "") + Self.escaped(contact.id))
        line("FN", Self.escaped(contact.name))
        // Version 3 requires `N`, and the parts of the name are unknown.
        if version == .v3 { line("N", Self.escaped(contact.name) + ";;;;") }
        for handle in contact.handles { add(handle) }
        if contact.isFavorite {
            line("CATEGORIES", "Favorites")
            line("X-FAVORITE", "true")
        }
        if contact.breaksThrough { line(VCard.Own.breaksThrough, "true") }
        if let provider = contact.provider {
            line(VCard.Own.provider, Self.escaped(provider.name))
        }
        line("END", "VCARD")
    }

    private mutating func add(_ handle: Handle) {
        switch handle.kind {
        case .phone where version == .v4 && Self.isGlobalNumber(handle.value):
            line("TEL;VALUE=uri", "tel:" + handle.value)
        case .phone where version == .v4: line("TEL;VALUE=text", Self.escaped(handle.value))
        case .phone: line("TEL;TYPE=voice", Self.escaped(handle.value))
        case .email: line("EMAIL", Self.escaped(handle.value))
        case .generic where Self.isAddress(handle.value):
            line("IMPP", Self.escaped(handle.value))
        case .generic, .other:
            let type = VCard.quotable(handle.kind.name)
            line("\(VCard.Own.handle);TYPE=\"\(type)\"", Self.escaped(handle.value))
        }
    }

    /// Returns whether a `tel:` address can contain the number without a context.
    private static func isGlobalNumber(_ value: String) -> Bool {
        value.hasPrefix("+")
            && value.utf8.dropFirst().allSatisfy { $0.isDigit || "-.()".utf8.contains($0) }
    }

    /// Returns whether the text begins with a scheme.
    private static func isAddress(_ value: String) -> Bool {
        guard let colon = value.firstIndex(of: ":"), colon > value.startIndex else { return false }
        return value[..<colon].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "\\", ",", ";": escaped += "\\\(character)"
            case "\n", "\r", "\r\n": escaped += "\\n"
            default: escaped.append(character)
            }
        }
        return escaped
    }

    /// Writes a line, folded between characters if it is too long.
    private mutating func line(_ name: String, _ value: String) {
        var room = Self.lineBytesMax
        for scalar in "\(name):\(value)".unicodeScalars {
            let bytes = UTF8.width(scalar)
            if bytes > room {
                text += "\r\n "
                room = Self.lineBytesMax - 1
            }
            text.unicodeScalars.append(scalar)
            room -= bytes
        }
        text += "\r\n"
    }
}

extension VCard {
    /// Returns a text without characters that a parameter value cannot contain: quotation marks and
    /// line ends cannot be quoted (RFC 6350, 3.3), so they are dropped on reading as well.
    static func quotable(_ text: some StringProtocol) -> String {
        let scalars = text.unicodeScalars.filter { $0.value >= 0x20 && $0 != "\"" }
        return String(String.UnicodeScalarView(scalars))
    }
}
