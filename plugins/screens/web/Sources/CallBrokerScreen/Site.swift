import FlyingSocks
import FoundationEssentials

/// Answers requests: the page to those who are let in, and a WebSocket to the broker.
struct Site {
    /// Read without a cookie, because browsers do not send it for them.
    private static let open = [
        "/manifest.webmanifest", "/icon.svg", "/icon-192.png", "/icon-512.png",
    ]
    private static let askAgain =
        "This address is not valid, or no more. Open the screen with: callbroker screen"

    let port: UInt16
    let folders: PageFolders
    let admission: Admission

    /// The names under which a browser may have found this server: another is that of a web page
    /// which made its name point here.
    private var hosts: [String] { ["127.0.0.1:\(port)", "localhost:\(port)"] }
    private var cookieName: String { "callbroker_screen_\(port)" }

    /// An address that lets one browser in.
    func address() async -> String {
        "http://127.0.0.1:\(port)/?token=\(await admission.issueToken())"
    }

    /// The name by which a request has found this server, if it is one of its own.
    func host(of request: HTTPRequest?) -> String {
        request?["host"].flatMap { hosts.contains($0) ? $0 : nil } ?? hosts[0]
    }

    /// Returns why a request is refused that no page of this server makes, or nil.
    func refusal(of request: HTTPRequest) -> HTTPResponse? {
        guard request.method == "GET" || request.method == "HEAD" else {
            return HTTPResponse(.methodNotAllowed, headers: [("Allow", "GET, HEAD")])
        }
        guard let host = request["host"], hosts.contains(host) else {
            return HTTPResponse(.forbidden, text: "This server is for 127.0.0.1:\(port) only.")
        }
        let origin = request["origin"]
        if origin != nil || request.isUpgrade, origin != "http://\(host)" {
            return HTTPResponse(.forbidden, text: "Only pages of this server may ask it.")
        }
        if let site = request["sec-fetch-site"], !["same-origin", "none"].contains(site),
            request["sec-fetch-mode"] != "navigate"
        {
            return HTTPResponse(.forbidden, text: "Only pages of this server may ask it.")
        }
        return nil
    }

    /// Returns the answer to a request that is none for a WebSocket.
    func respond(to request: HTTPRequest) async -> HTTPResponse {
        if let refusal = refusal(of: request) { return refusal }
        if request.path == "/", let token = request.query["token"] {
            return await enter(token)
        }
        if !Self.open.contains(request.path), await !isAdmitted(request) {
            return HTTPResponse(.unauthorized, text: Self.askAgain)
        }
        let path = request.path == "/" ? "/index.html" : request.path
        guard let file = PageFile(path: path, folders: folders) else {
            return HTTPResponse(.notFound, text: "There is no such page.")
        }
        guard request["if-none-match"] != file.tag else {
            return HTTPResponse(.notModified, headers: [("ETag", file.tag)])
        }
        return HTTPResponse(file: file)
    }

    /// Returns true for a browser that has come with a token.
    func isAdmitted(_ request: HTTPRequest) async -> Bool {
        await admission.admits(request.cookie(cookieName))
    }

    private func enter(_ token: String) async -> HTTPResponse {
        guard let cookie = await admission.exchange(token) else {
            return HTTPResponse(.unauthorized, text: Self.askAgain)
        }
        let words = "\(cookieName)=\(cookie); Path=/; HttpOnly; SameSite=Strict; Max-Age=34560000"
        return HTTPResponse(.seeOther, headers: [("Location", "/"), ("Set-Cookie", words)])
    }
}
