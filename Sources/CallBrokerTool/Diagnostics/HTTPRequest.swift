/// The head of an HTTP request, as far as a server of one document needs it.
struct HTTPRequest: Equatable {
    /// The longest head that is read, in bytes.
    static let bytesMax = 16_384

    let method: String
    /// The path, without a query.
    let path: String
    /// The value of the header `Accept`, in lower case.
    let accept: String

    /// Parses the bytes before the empty line; nil if they are not the head of a request.
    init?(head: some Collection<UInt8>) {
        let lines = String(decoding: head, as: UTF8.self)
            .split(omittingEmptySubsequences: false) { $0.isNewline }
        let words = lines.first?.split(separator: " ", omittingEmptySubsequences: false) ?? []
        guard words.count == 3, words[1].hasPrefix("/"), words[2].hasPrefix("HTTP/1.") else {
            return nil
        }
        method = String(words[0])
        path = String(words[1].prefix { $0 != "?" })
        accept = lines.dropFirst().compactMap(Self.acceptValue).joined(separator: ",")
    }

    private static func acceptValue(_ line: Substring) -> String? {
        guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == "accept" else {
            return nil
        }
        return line[line.index(after: colon)...].lowercased()
    }

    /// Returns the length of the head in received bytes; nil if it is not complete.
    static func headLength(in bytes: [UInt8]) -> Int? {
        let end = Array("\r\n\r\n".utf8)
        guard bytes.count >= end.count else { return nil }
        return (0...bytes.count - end.count).first { bytes[$0..<$0 + end.count].elementsEqual(end) }
    }
}

/// A response, after which the connection closes.
struct HTTPResponse {
    let status: String
    var type = "text/plain; charset=utf-8"
    var headers = ""
    let body: String

    /// Returns the bytes; those of a HEAD request have no body.
    func bytes(isHead: Bool) -> [UInt8] {
        let head = """
            HTTP/1.1 \(status)\r
            Content-Type: \(type)\r
            Content-Length: \(body.utf8.count)\r
            \(headers)Connection: close\r
            \r

            """
        return Array((isHead ? head : head + body).utf8)
    }
}
