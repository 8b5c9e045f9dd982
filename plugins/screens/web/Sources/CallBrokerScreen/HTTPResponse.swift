/// What the browser gets.
struct HTTPResponse {
    /// The states that are used here.
    enum Status: String {
        case switching = "101 Switching Protocols"
        case ok = "200 OK"
        case seeOther = "303 See Other"
        case notModified = "304 Not Modified"
        case badRequest = "400 Bad Request"
        case unauthorized = "401 Unauthorized"
        case forbidden = "403 Forbidden"
        case notFound = "404 Not Found"
        case methodNotAllowed = "405 Method Not Allowed"
        case unavailable = "503 Service Unavailable"
    }

    let status: Status
    private(set) var headers: [(String, String)] = []
    private(set) var body: [UInt8] = []

    init(_ status: Status, headers: [(String, String)] = []) {
        self.status = status
        self.headers = headers
    }

    /// A text for people who see it in place of the page.
    init(_ status: Status, text: String) {
        self.init(status, headers: [("Content-Type", "text/plain; charset=utf-8")])
        body = Array((text + "\n").utf8)
    }

    /// A file.
    init(file: PageFile) {
        self.init(.ok, headers: [("Content-Type", file.type), ("ETag", file.tag)])
        body = file.bytes
    }

    /// The bytes to send, with what every answer says: that the page loads from and talks to this
    /// server only, and is shown nowhere else.
    func bytes(host: String) -> [UInt8] {
        var lines = ["HTTP/1.1 \(status.rawValue)"]
        lines += headers.map { "\($0.0): \($0.1)" }
        if status != .switching {
            lines += ["Content-Length: \(body.count)", "Cache-Control: no-cache"]
            lines += Self.protection(host: host)
        }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    }

    private static func protection(host: String) -> [String] {
        [
            "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; "
                + "img-src 'self'; connect-src 'self' ws://\(host); manifest-src 'self'; "
                + "worker-src 'self'; base-uri 'none'; form-action 'none'; "
                + "frame-ancestors 'none'; require-trusted-types-for 'script'",
            "Cross-Origin-Opener-Policy: same-origin",
            "Cross-Origin-Resource-Policy: same-origin",
            "Permissions-Policy: camera=(), geolocation=(), microphone=()",
            "Referrer-Policy: no-referrer",
            "X-Content-Type-Options: nosniff",
        ]
    }
}
