package import CallModel

/// The form of an address under which it is looked for: two addresses with one key are the same. A number
/// is one however it is written, and in whatever kind of address.
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

    /// As it is written, even if it is a number.
    private init(address handle: Handle, region: String?) {
        kind = handle.kind
        text =
            switch handle.kind {
            case .phone: PhoneNumber.key(handle.value, region: region)
            case .email: handle.value.trimmed.lowercased()
            case .generic, .other: SIPAddress(handle.value).text
            }
    }

    /// The beginning of keys. A phone number's is completed as a whole one would be.
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

    /// What the beginning of an address is compared with: its number, and what is written.
    package static func names(of handle: Handle, region: String?) -> [HandleKey] {
        let key = HandleKey(handle, region: region)
        guard key.kind != handle.kind else { return [key] }
        return [key, HandleKey(address: handle, region: region)]
    }

    /// The kinds of addresses that may have this key, three of them: of a number those that are no phone
    /// numbers by themselves, too.
    func kinds(besides own: Handle.Kind) -> [Handle.Kind] {
        directoryNumber == nil ? [kind, kind, kind] : [.phone, .generic, own]
    }

    /// The number that an address stands for although its kind does not say so: it is one in the form for
    /// all countries, or is said to be one, or a host knows its user by a number as it is dialled. Whatever
    /// else is made of digits may be anything.
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

    /// Whether it begins as `prefix` does.
    package func begins(with prefix: HandleKey) -> Bool {
        kind == prefix.kind && !prefix.text.isEmpty && text.utf8.starts(with: prefix.text.utf8)
    }

    /// The number as CallKit's directories write it.
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
    /// Without white space at its ends.
    var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }

    /// Some gateways escape the plus of a number.
    fileprivate var replacingEscapedPlus: String {
        lowercased().hasPrefix("%2b") ? "+" + dropFirst(3) : String(self)
    }
}
