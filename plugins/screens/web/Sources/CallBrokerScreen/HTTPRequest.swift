/// A request of a browser: its head, since nothing here takes a body.
struct HTTPRequest {
    /// The longest head, with room for the cookies of other programs on this host.
    static let headLimit = 16_384

    private static let headEnd: [UInt8] = [13, 10, 13, 10]

    let method: String
    /// The path, without the query.
    let path: String
    /// The values of the query, as they are.
    let query: [String: String]
    private let headers: [String: String]

    /// Reads the next request. Returns nil if it is none, or has a body.
    init?(from stream: inout ByteStream) async throws {
        let head = try await stream.read(until: Self.headEnd, limit: Self.headLimit)
        let text = String(decoding: head, as: UTF8.self)
        self.init(lines: text.split(separator: "\r\n", omittingEmptySubsequences: false))
    }

    private init?(lines: [Substring]) {
        let words = lines.first?.split(separator: " ", omittingEmptySubsequences: false) ?? []
        guard words.count == 3, words[2] == "HTTP/1.1", words[1].hasPrefix("/") else { return nil }
        guard let headers = Self.headers(lines.dropFirst()) else { return nil }
        method = String(words[0])
        let parts = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(parts[0])
        query = parts.count == 2 ? Self.pairs(parts[1], "&") : [:]
        self.headers = headers
        guard self["content-length"] == nil, self["transfer-encoding"] == nil else { return nil }
    }

    /// The value of a header, whose name is in lower case.
    subscript(name: String) -> String? { headers[name] }

    /// The value of a cookie.
    func cookie(_ name: String) -> String? {
        headers["cookie"].flatMap { Self.pairs(Substring($0), ";")[name] }
    }

    /// True if the browser asks for a WebSocket.
    var isUpgrade: Bool {
        self["upgrade"]?.lowercased() == "websocket" && self["sec-websocket-version"] == "13"
    }

    /// Returns the headers by their names in lower case; nil if one is none, or occurs twice.
    private static func headers(_ lines: ArraySlice<Substring>) -> [String: String]? {
        var headers: [String: String] = [:]
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, parts[0].last != " " else { return nil }
            let name = parts[0].lowercased()
            guard headers.updateValue(parts[1].trimmed, forKey: name) == nil else { return nil }
        }
        return headers
    }

    private static func pairs(_ text: Substring, _ separator: Character) -> [String: String] {
        var pairs: [String: String] = [:]
        for pair in text.split(separator: separator) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            pairs[parts[0].trimmed] = parts.count == 2 ? parts[1].trimmed : ""
        }
        return pairs
    }
}

extension Substring {
    /// The text without the blanks around it.
    fileprivate var trimmed: String {
        var rest = self
        while let first = rest.first, first == " " || first == "\t" { rest.removeFirst() }
        while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
        return String(rest)
    }
}
