internal import BrokerRPC
internal import CallModel
internal import CallProtocol

/// An address with a scheme, as in a link.
struct DialledAddress: Equatable {
    /// The reason why a link cannot be dialed.
    enum Fault: Error {
        /// The scheme or the address is missing, an escape is malformed, or the address is too long.
        case notAnAddress
        /// The address has a line feed or another control character, which could be a command to an app.
        case controlCharacter
        /// The address names an extension, which would not be entered.
        case `extension`
    }

    /// The scheme in lower case.
    let scheme: String
    let handle: Handle
    /// The number of a `tel` link, without its context and other parameters.
    let number: String?

    init(_ uri: String) throws(Fault) {
        guard let colon = uri.firstIndex(of: ":") else { throw .notAnAddress }
        scheme = uri[..<colon].lowercased()
        var address = String(uri[uri.index(after: colon)...])
        if address.hasPrefix("//") { address.removeFirst(2) }
        guard Self.isScheme(scheme), let value = Self.decode(address), !value.isEmpty else {
            throw .notAnAddress
        }
        guard !value.hasControlCharacter else { throw .controlCharacter }
        handle = try Self.handle(scheme, value, address, uri)
        number = scheme == "tel" ? Self.digits(Self.parts(of: address)[0]) : nil
        guard handle.value.utf8.count <= Handle.valueBytesMax else { throw .notAnAddress }
    }

    static func isScheme(_ text: String) -> Bool {
        text.first?.isLetter ?? false
            && text.allSatisfy {
                $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0))
            }
    }

    /// RFC 3966 for tel, RFC 6068 for mailto; any other address goes to the app as it stands.
    private static func handle(
        _ scheme: String, _ value: String, _ address: String, _ uri: String
    ) throws(Fault) -> Handle {
        switch scheme {
        case "tel": Handle(kind: .phone, value: try number(address))
        case "mailto": Handle(kind: .email, value: String(value.prefix { $0 != ";" && $0 != "?" }))
        default: Handle(kind: .generic, value: uri)
        }
    }

    /// A local number whose context is the beginning of a global one becomes that number, as
    /// libphonenumber reads it; of one whose context is a domain the number is dialled.
    private static func number(_ address: String) throws(Fault) -> String {
        let parts = parts(of: address)
        let number = digits(parts[0])
        if let name = parameter("ext", parts), !name.isEmpty { throw .extension }
        guard let context = parameter("phone-context", parts), context.hasPrefix("+"),
            !number.hasPrefix("+"), !number.isEmpty
        else { return number }
        return digits(context[...]) + number
    }

    /// The number and the parameters of a link. An escaped semicolon separates nothing: it is a
    /// pause between tones.
    private static func parts(of address: String) -> [Substring] {
        address.prefix { $0 != "?" }.split(separator: ";", omittingEmptySubsequences: false)
            .map { (decode(String($0)) ?? "")[...] }
    }

    private static func digits(_ text: Substring) -> String {
        text.filter { !"-.() ".contains($0) }
    }

    private static func parameter(_ name: String, _ parts: [Substring]) -> String? {
        for part in parts.dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1)
            if pair.first?.lowercased() == name { return pair.count == 2 ? String(pair[1]) : "" }
        }
        return nil
    }

    /// Resolves %XX; nil for a malformed escape, or if the result is not UTF-8.
    private static func decode(_ text: String) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, let text = String(digits), text.allSatisfy(\.isHexDigit),
                let value = UInt8(text, radix: 16), value != 0
            else { return nil }
            rest = rest.dropFirst(2)
            bytes.append(value)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension RPCError {
    /// The error for a link, without any part of the link.
    init(_ fault: DialledAddress.Fault) {
        switch fault {
        case .notAnAddress:
            self.init(
                .invalidParams, reason: .invalidUri,
                "params.uri must be a scheme, a colon and an address")
        case .controlCharacter:
            self.init(
                .invalidParams, reason: .invalidUri, "params.uri has a control character in it")
        case .extension:
            self.init(.invalidParams, reason: .invalidUri, "params.uri names an extension")
            hint = "dial the number alone, and send the extension with call.play_dtmf"
        }
        field = "/uri"
    }
}
