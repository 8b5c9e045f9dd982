/// What a SIP address, or any other text, says of whom it leads to.
struct SIPAddress {
    /// Without a scheme, parameters and a port: two that lead to one person at one host are the same. In
    /// small letters.
    let text: String
    /// The part before the host, or all of it where there is none.
    let user: Substring
    /// It has the scheme of SIP, or a host: a user at one may be a number.
    let hasHost: Bool
    /// It says itself that its user is a telephone's number.
    let isTelephone: Bool

    init(_ value: String) {
        var text = value.trimmed.lowercased()
        var (hasScheme, isTelephone) = (false, false)
        while let scheme = ["sips:", "sip:"].first(where: text.hasPrefix) {
            hasScheme = true
            text = text.dropFirst(scheme.count).trimmed
            isTelephone = isTelephone || text.says("user=phone")
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

    /// Where it is: behind which port a host is called says nothing of who answers.
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
    /// Whether this is among its parameters.
    fileprivate func says(_ parameter: String) -> Bool {
        let rest = drop { $0 != "@" }.prefix { $0 != "?" }
        return rest.split(separator: ";").dropFirst().contains { $0.trimmed == parameter }
    }
}
