import FoundationEssentials

/// Who may open the page: a browser that came with a one-time token, and has a cookie since.
actor Admission {
    /// How long an address may be opened.
    private static let tokenLifetime = Duration.seconds(300)
    private static let tokensKept = 16
    private static let cookiesKept = 64

    private var tokens: [(token: String, end: ContinuousClock.Instant)] = []
    private var cookies: [String] = []

    /// Returns a new token, with which one browser is let in, once.
    func issueToken() -> String {
        let token = Self.secret()
        tokens.append((token, .now + Self.tokenLifetime))
        tokens = tokens.suffix(Self.tokensKept)
        return token
    }

    /// Exchanges a token for a cookie. Returns nil if there is no such token, or no more.
    func exchange(_ token: String) -> String? {
        let now = ContinuousClock.now
        tokens.removeAll { $0.end <= now }
        guard let index = tokens.firstIndex(where: { Self.isEqual($0.token, token) }) else {
            return nil
        }
        tokens.remove(at: index)
        let cookie = Self.secret()
        cookies.append(cookie)
        cookies = cookies.suffix(Self.cookiesKept)
        return cookie
    }

    /// Returns true for a cookie of this server.
    func admits(_ cookie: String?) -> Bool {
        guard let cookie else { return false }
        return cookies.contains { Self.isEqual($0, cookie) }
    }

    /// 256 random bits.
    private static func secret() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<4).map { _ in
            let digits = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// Compares in a time that does not depend on where the texts differ.
    private static func isEqual(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
