internal import CallModel

/// A reader that builds contacts from the lines of vCards.
struct VCardReader {
    /// A card that is being read.
    private struct Card {
        let line: Int
        var hasVersion = false
        var id: String?
        var formattedName = ""
        var name = ""
        var nickname = ""
        var organization = ""
        var handles: [(handle: Handle, preference: Int)] = []
        var isFavorite = false
        var breaksThrough = false
        var provider: String?
        /// Indicates a list of other cards, which is not a contact.
        var isGroup = false
    }

    /// The maximum number of addresses in a card, including duplicates.
    private static let handlesMax = 1_000

    private var contacts: [Contact] = []
    private var ids: Set<String> = []
    private var card: Card?
    private var lastLine = 0

    mutating func finish() throws(VCardError) -> [Contact] {
        if let card {
            throw VCardError(line: lastLine, reason: .noEnd(begin: card.line))
        }
        return contacts
    }

    mutating func read(_ line: VCardLine) throws(VCardError) {
        lastLine = line.number
        switch (line.name, line.value.trimmed.uppercased(), card == nil) {
        case ("BEGIN", "VCARD", true): card = Card(line: line.number)
        case ("BEGIN", _, false): throw Self.error(line, .cardInside)
        case ("END", "VCARD", false): try end(line)
        case (_, _, true): throw Self.error(line, .noBegin)
        default: try readProperty(line)
        }
    }

    private mutating func readProperty(_ line: VCardLine) throws(VCardError) {
        try checkEncoding(line)
        switch line.name {
        case "VERSION": try readVersion(line)
        case "UID": card?.id = try Self.id(line)
        case "FN" where card?.formattedName == "":
            card?.formattedName = try Self.checked(Self.oneLine(line.text), line)
        case "N": card?.name = Self.name(line)
        case "NICKNAME": card?.nickname = Self.oneLine(line.list(separatedBy: ",")[0])
        case "ORG": card?.organization = Self.oneLine(line.list(separatedBy: ";")[0])
        case "TEL": try add(.phone, Self.phoneNumber(line), line)
        case "EMAIL": try add(.email, Self.without("mailto:", line.text), line)
        case "IMPP": try add(.generic, line.text, line)
        case "X-SIP": try add(.generic, "sip:" + Self.without("sip:", line.text), line)
        case "CATEGORIES": if Self.namesFavorites(line) { card?.isFavorite = true }
        case "X-FAVORITE", "X-FAVOURITE": card?.isFavorite = Self.isTrue(line)
        case VCard.Own.breaksThrough: card?.breaksThrough = Self.isTrue(line)
        case VCard.Own.provider: card?.provider = try Self.app(line)
        case VCard.Own.handle:
            let types = line.types
            let kind = Handle.Kind(name: types.first ?? "generic")
            try add(kind, line.text, line, types: types.dropFirst())
        case "KIND", "X-ADDRESSBOOKSERVER-KIND":
            card?.isGroup = line.value.trimmed.lowercased() == "group"
        default: break
        }
    }

    private mutating func end(_ line: VCardLine) throws(VCardError) {
        guard let card else { return }
        self.card = nil
        guard card.hasVersion else { throw Self.error(line, .noVersion) }
        guard !card.isGroup else { return }
        let contact = try Self.contact(card, endingIn: line)
        guard ids.insert(contact.id).inserted else {
            throw Self.error(line, .duplicate)
        }
        guard contacts.count < VCard.contactsMax else {
            throw Self.error(line, .tooManyCards(most: VCard.contactsMax))
        }
        contacts.append(contact)
    }

    private static func contact(_ card: Card, endingIn line: VCardLine) throws(VCardError)
        -> Contact
    {
        var handles: [Handle] = []
        // The order in the file, after preferred ones.
        let inOrder = card.handles.enumerated().sorted {
            ($0.element.preference, $0.offset) < ($1.element.preference, $1.offset)
        }
        for entry in inOrder where !handles.contains(entry.element.handle) {
            handles.append(entry.element.handle)
        }
        guard handles.count <= Contact.handlesMax else {
            throw error(line, .tooManyAddresses(most: Contact.handlesMax))
        }
        let names = [
            card.formattedName, card.name, card.nickname, card.organization, handles.first?.value,
        ]
        guard let name = names.compactMap(\.self).first(where: { !$0.isEmpty }) else {
            throw error(line, .noName)
        }
        var contact = Contact(id: "", name: try checked(name, line), handles: handles)
        contact.id = card.id ?? "vcard-\(stableID(contact))"
        contact.isFavorite = card.isFavorite
        contact.breaksThrough = card.breaksThrough
        contact.provider = card.provider.map { ProviderID($0) }
        return contact
    }

    /// Returns an id for a card without a UID, which is the same every time it is read (FNV-1a).
    private static func stableID(_ contact: Contact) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for text in [contact.name] + contact.handles.map(\.value) {
            for byte in text.utf8 + [0] { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        }
        return String(hash, radix: 16)
    }
}

/// Parsing of single properties.
extension VCardReader {
    private func checkEncoding(_ line: VCardLine) throws(VCardError) {
        let words = line.values(of: "ENCODING").map { $0.lowercased() } + line.types
        guard !words.contains("quoted-printable") else {
            throw Self.error(line, .quotedPrintable)
        }
        guard line.values(of: "CHARSET").allSatisfy({ $0.lowercased() == "utf-8" }) else {
            throw Self.error(line, .charset)
        }
    }

    private mutating func readVersion(_ line: VCardLine) throws(VCardError) {
        guard VCard.Version(rawValue: line.value.trimmed) != nil else {
            throw Self.error(line, .version)
        }
        card?.hasVersion = true
    }

    /// - Parameter types: The types that may mark the address as preferred; nil for all of the
    ///   line.
    private mutating func add(
        _ kind: Handle.Kind, _ value: String, _ line: VCardLine, types: ArraySlice<String>? = nil
    ) throws(VCardError) {
        let value = Self.oneLine(value)
        // Apple and others write properties without a value.
        guard !value.isEmpty else { return }
        guard value.utf8.count <= Handle.valueBytesMax else {
            throw Self.error(line, .longAddress(bytesMax: Handle.valueBytesMax))
        }
        let preferred = (types ?? line.types[...]).contains("pref") ? 1 : 101
        let preference = line.values(of: "PREF").compactMap { Int($0) }.min() ?? preferred
        guard card.map({ $0.handles.count < Self.handlesMax }) ?? true else {
            throw Self.error(line, .tooManyAddresses(most: Self.handlesMax))
        }
        card?.handles.append((Handle(kind: kind, value: value), preference))
    }

    private static func checked(_ name: String, _ line: VCardLine) throws(VCardError) -> String {
        guard name.utf8.count <= Contact.nameBytesMax else {
            throw error(line, .longName(bytesMax: Contact.nameBytesMax))
        }
        return name
    }

    /// Parses the id of an app: letters, digits, `_` and `-`, with dots in between.
    private static func app(_ line: VCardLine) throws(VCardError) -> String {
        let name = line.text.trimmed
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        let isName = labels.allSatisfy { label in
            !label.isEmpty
                && label.allSatisfy {
                    $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0))
                }
        }
        guard isName, labels.count > 1, name.utf8.count <= Contact.idBytesMax else {
            throw error(line, .noApp)
        }
        return name
    }

    private static func id(_ line: VCardLine) throws(VCardError) -> String? {
        let id = without("urn:uuid:", line.text)
        guard id.utf8.count <= Contact.idBytesMax else {
            throw error(line, .longID(bytesMax: Contact.idBytesMax))
        }
        return id.isEmpty ? nil : id
    }

    /// Parses `Family;Given;Additional;Prefixes;Suffixes`, and joins them in spoken order.
    private static func name(_ line: VCardLine) -> String {
        let parts = line.list(separatedBy: ";").map { oneLine($0) }
        let order = [3, 1, 2, 0, 4].compactMap { parts.indices.contains($0) ? parts[$0] : nil }
        return order.filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Returns a number, or that of a `tel:` address without its parameters.
    private static func phoneNumber(_ line: VCardLine) -> String {
        let text = line.text.trimmed
        guard text.lowercased().hasPrefix("tel:") else { return text }
        let number = text.dropFirst(4).prefix { $0 != ";" }
        return without("tel:", percentDecoded(number))
    }

    private static func percentDecoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"),
                let code = hexadecimal(rest.prefix(2)), code != 0
            {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func hexadecimal(_ digits: Substring.UTF8View) -> UInt8? {
        let text = String(decoding: digits, as: UTF8.self)
        return text.allSatisfy(\.isHexDigit) ? UInt8(text, radix: 16) : nil
    }

    private static func namesFavorites(_ line: VCardLine) -> Bool {
        let words: Set = ["favorite", "favorites", "favourite", "favourites", "starred"]
        return line.list(separatedBy: ",").contains { words.contains($0.trimmed.lowercased()) }
    }

    private static func isTrue(_ line: VCardLine) -> Bool {
        ["true", "1", "yes"].contains(line.value.trimmed.lowercased())
    }

    /// Removes a prefix as often as it occurs, so that the rest is stable when it is written and
    /// read again.
    private static func without(_ prefix: String, _ text: String) -> String {
        var rest = text.trimmed[...]
        while rest.prefix(prefix.count).lowercased() == prefix {
            rest = rest.dropFirst(prefix.count).drop(while: \.isWhitespace)
        }
        return String(rest)
    }

    private static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ").trimmed
    }

    private static func error(
        _ line: VCardLine, _ reason: VCardError.Reason
    ) -> VCardError {
        VCardError(line: line.number, reason: reason)
    }
}
