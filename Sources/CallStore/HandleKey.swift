package import CallModel

/// The form of an address under which it is looked for: two addresses with one key are the same.
package struct HandleKey: Hashable, Sendable {
    package let kind: Handle.Kind
    package let text: String

    package init(_ handle: Handle, region: String?) {
        kind = handle.kind
        text =
            switch handle.kind {
            case .phone: PhoneNumber.key(handle.value, region: region)
            case .email: handle.value.trimmed.lowercased()
            case .generic, .other: Self.address(handle.value)
            }
    }

    /// The beginning of keys. A phone number's is completed as a whole one would be.
    package init(prefix: String, of kind: Handle.Kind, region: String?) {
        self.kind = kind
        text =
            switch kind {
            case .phone: PhoneNumber.prefixKey(prefix, region: region)
            case .email: prefix.trimmed.lowercased()
            case .generic, .other: Self.address(prefix)
            }
    }

    init(kind: Handle.Kind, text: String) {
        self.kind = kind
        self.text = text
    }

    /// The number in a SIP address whose name is an international number, as gateways write it.
    package var phone: HandleKey? {
        guard kind != .phone, kind != .email, text.hasPrefix("+"),
            let end = text.firstIndex(of: "@")
        else { return nil }
        let digits = text[..<end].dropFirst()
        guard PhoneNumber.digits.contains(digits.utf8.count), digits.utf8.allSatisfy(\.isDigit)
        else {
            return nil
        }
        return HandleKey(kind: .phone, text: "+" + digits)
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

    /// A SIP address without its scheme, its parameters and the case of its letters.
    private static func address(_ value: String) -> String {
        var text = value.trimmed.lowercased()
        while let scheme = ["sips:", "sip:"].first(where: text.hasPrefix) {
            text = text.dropFirst(scheme.count).prefix { $0 != ";" && $0 != "?" }.trimmed
        }
        return text
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
}
