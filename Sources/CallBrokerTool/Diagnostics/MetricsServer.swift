internal import BrokerSocket

/// A server of figures over HTTP, for Prometheus. It answers one request per connection, on one
/// thread; a client that sends nothing delays no other.
final class MetricsServer {
    private static let connectionsMax = 64
    /// The time for a client to send its request, and then to read the response.
    private static let patienceMS = 5_000
    private static let retryMS = 10

    /// A connection whose request is not complete.
    private struct Client {
        let stream: PolledStream
        let deadline: MonotonicTime
        var received: [UInt8] = []
    }

    private let listener: HTTPListener
    private let text: (MetricsText.Form) throws(ToolFailure) -> String
    private var clients: [Client] = []

    /// - Parameter text: Returns the figures.
    init(
        _ place: String, _ text: @escaping (MetricsText.Form) throws(ToolFailure) -> String
    ) throws(SocketError) {
        listener = try HTTPListener(place)
        self.text = text
    }

    /// The address of the figures.
    var url: String {
        listener.url + "/metrics"
    }

    /// Serves until the process is stopped.
    func run() -> Never {
        while true { turn() }
    }

    private func turn() {
        PolledStream.wait(
            for: [listener.descriptor] + clients.map(\.stream.descriptor),
            milliseconds: clients.isEmpty ? .max : Self.patienceMS)
        clients = clients.filter { $0.deadline > .now() }.compactMap(read)
        while let stream = listener.accept() {
            // The oldest makes room: it has had most time.
            if clients.count == Self.connectionsMax { clients.removeFirst() }
            let deadline = MonotonicTime.now().advanced(milliseconds: Self.patienceMS)
            if let waiting = read(Client(stream: stream, deadline: deadline)) {
                clients.append(waiting)
            }
        }
    }

    /// Reads from a client, and answers a complete request; nil once the connection is over.
    private func read(_ client: Client) -> Client? {
        var client = client
        while true {
            switch client.stream.read() {
            case .bytes(let bytes): client.received += bytes
            case .nothing: return client
            case .end: return nil
            }
            guard let answer = answer(to: client.received) else { continue }
            send(answer, client.stream)
            return nil
        }
    }

    /// Returns the response to the bytes of a client; nil if its request is not complete.
    private func answer(to received: [UInt8]) -> [UInt8]? {
        if let length = HTTPRequest.headLength(in: received), length <= HTTPRequest.bytesMax {
            let request = HTTPRequest(head: received[..<length])
            return response(to: request).bytes(isHead: request?.method == "HEAD")
        }
        guard received.count > HTTPRequest.bytesMax else { return nil }
        return HTTPResponse(status: "431 Request Header Fields Too Large", body: "too long\n")
            .bytes(isHead: false)
    }

    private func response(to request: HTTPRequest?) -> HTTPResponse {
        guard let request else {
            return HTTPResponse(status: "400 Bad Request", body: "not an HTTP/1 request\n")
        }
        guard ["GET", "HEAD"].contains(request.method) else {
            return HTTPResponse(
                status: "405 Method Not Allowed", headers: "Allow: GET, HEAD\r\n",
                body: "GET and HEAD only\n")
        }
        guard request.path == "/metrics" else {
            return HTTPResponse(status: "404 Not Found", body: "the figures are at /metrics\n")
        }
        let form: MetricsText.Form =
            request.accept.contains("application/openmetrics-text") ? .openMetrics : .classic
        do throws(ToolFailure) {
            return HTTPResponse(status: "200 OK", type: form.contentType, body: try text(form))
        } catch {
            return HTTPResponse(status: "503 Service Unavailable", body: error.message + "\n")
        }
    }

    /// Sends all bytes, unless the client does not read them in time.
    private func send(_ bytes: [UInt8], _ stream: PolledStream) {
        let deadline = MonotonicTime.now().advanced(milliseconds: Self.patienceMS)
        var rest = bytes[...]
        while !rest.isEmpty, MonotonicTime.now() < deadline, let count = stream.write(rest) {
            rest = rest.dropFirst(count)
            if count == 0 { HostProcess.pause(milliseconds: Self.retryMS) }
        }
        stream.endOutput()
    }
}
