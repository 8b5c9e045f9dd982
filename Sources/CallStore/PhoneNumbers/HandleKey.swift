package import CallModel

/// The normal form of an address for lookups: addresses with the same key are the same. A phone
/// number has the same key in any spelling and in any kind of address.
package struct HandleKey: Hashable, Sendable {
    package let kind: Handle.Kind
    package let text: String

    package init(_ handle: Handle, region: String?) {
        if let number = Self.number(in: handle, region: region) {
            self.init(kind: .phone, text: number)
        } else {
            self.init(address: handle, region: region)
        }
    }

    /// Creates the key of an address as it is written, even if it is a number.
    private init(address handle: Handle, region: String?) {
        kind = handle.kind
        text =
            switch handle.kind {
            case .phone: PhoneNumber.key(handle.value, region: region)
            case .email: handle.value.trimmed.lowercased()
            case .generic, .other: SIPAddress(handle.value).text
            }
    }

    /// Creates the key of a prefix. A phone number's is completed like a whole number.
    package init(prefix: String, of kind: Handle.Kind, region: String?) {
        self.kind = kind
        text =
            switch kind {
            case .phone: PhoneNumber.prefixKey(prefix, region: region)
            case .email: prefix.trimmed.lowercased()
            case .generic, .other: SIPAddress(prefix).text
            }
    }

    init(kind: Handle.Kind, text: String) {
        self.kind = kind
        self.text = text
    }

    /// Returns the keys that prefixes are compared with: that of the number, and that of the text.
    package static func names(of handle: Handle, region: String?) -> [HandleKey] {
        let key = HandleKey(handle, region: region)
        guard key.kind != handle.kind else { return [key] }
        return [key, HandleKey(address: handle, region: region)]
    }

    /// Returns the three kinds of addresses that may have this key: for a number they include kinds
    /// other than phone numbers.
    func kinds(besides own: Handle.Kind) -> [Handle.Kind] {
        directoryNumber == nil ? [kind, kind, kind] : [.phone, .generic, own]
    }

    /// Returns the number in an address of another kind: it is in international form, or is marked
    /// as a telephone number, or is a user name that is a number as dialed. Other strings of digits
    /// may be anything.
    private static func number(in handle: Handle, region: String?) -> String? {
        guard handle.kind != .phone, handle.kind != .email else { return nil }
        let address = SIPAddress(handle.value)
        let user = address.user.replacingEscapedPlus
        let key: String
        if address.isTelephone {
            key = PhoneNumber.key(user, region: region)
        } else {
            guard let found = PhoneNumber.key(inName: user, region: region, isUser: address.hasHost)
            else { return nil }
            key = found
        }
        return HandleKey(kind: .phone, text: key).directoryNumber.map { "+\($0)" }
    }

    /// Returns whether the key begins with a prefix.
    package func begins(with prefix: HandleKey) -> Bool {
        kind == prefix.kind && !prefix.text.isEmpty && text.utf8.starts(with: prefix.text.utf8)
    }

    /// The number in the form of CallKit's directories.
    var directoryNumber: Int64? {
        let digits = text.dropFirst()
        guard kind == .phone, text.hasPrefix("+"), !digits.hasPrefix("0"),
            PhoneNumber.digits.contains(digits.utf8.count), digits.utf8.allSatisfy(\.isDigit)
        else { return nil }
        return Int64(digits)
    }
}

extension UInt8 {
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}

extension StringProtocol {
    /// The text without white space at its ends.
    var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }

    /// The text with an escaped plus replaced, as some gateways send it.
    fileprivate var replacingEscapedPlus: String {
        lowercased().hasPrefix("%2b") ? "+" + dropFirst(3) : String(self)
    }
}
