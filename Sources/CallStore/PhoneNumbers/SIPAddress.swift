/// A SIP address, or any other address text.
struct SIPAddress {
    /// The address in lowercase, without scheme, parameters and port: two that reach the same
    /// person at the same host are equal.
    let text: String
    /// The part before the host; all of the text if there is no host.
    let user: Substring
    /// Indicates a SIP scheme or a host, so that the user part may be a number.
    let hasHost: Bool
    /// Indicates that the address declares its user part a telephone number.
    let isTelephone: Bool

    init(_ value: String) {
        var text = value.trimmed.lowercased()
        var (hasScheme, isTelephone) = (false, false)
        while let scheme = ["sips:", "sip:"].first(where: text.hasPrefix) {
            hasScheme = true
            text = text.dropFirst(scheme.count).trimmed
            isTelephone = isTelephone || text.hasParameter("user=phone")
            text = Self.withoutParameters(text)
        }
        self.text = text
        self.isTelephone = isTelephone || text.hasPrefix("tel:")
        user = text.prefix { $0 != "@" }
        hasHost = hasScheme || user.endIndex < text.endIndex
    }

    private static func withoutParameters(_ text: String) -> String {
        guard let at = text.firstIndex(of: "@") else {
            return host(of: text[...]).trimmed
        }
        let user = text[..<at].prefix { $0 != ";" }
        return "\(user)@\(host(of: text[text.index(after: at)...]))".trimmed
    }

    /// Returns the host without its port, which does not identify a person.
    private static func host(of rest: Substring) -> Substring {
        let host = rest.prefix { $0 != ";" && $0 != "?" }
        let end =
            host.hasPrefix("[")
            ? host.firstIndex(of: "]").map { host.index(after: $0) } : host.firstIndex(of: ":")
        guard let end, end < host.endIndex, host[end] == ":",
            host[host.index(after: end)...].utf8.allSatisfy(\.isDigit)
        else { return host }
        return host[..<end]
    }
}

extension String {
    /// Returns whether the address has a parameter.
    fileprivate func hasParameter(_ parameter: String) -> Bool {
        let rest = drop { $0 != "@" }.prefix { $0 != "?" }
        return rest.split(separator: ";").dropFirst().contains { $0.trimmed == parameter }
    }
}
