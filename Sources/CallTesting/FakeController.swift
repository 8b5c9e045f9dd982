/// A client that makes requests, and receives every event.
public final class FakeController {
    /// The params of all events that arrived, oldest first.
    public private(set) var events: [JSONTree] = []
    private let client: Client

    init(_ client: Client, roles: [String]) {
        self.client = client
        client.receive = { [weak self] frame, _ in
            if frame["method"]?.string == "event", let params = frame["params"] {
                self?.events.append(params)
            }
        }
        let names = roles.map { #""\#($0)""# }.joined(separator: ",")
        _ = client.ask(
            "broker.hello",
            #"{"protocol":{"min":1,"max":1},"client":{"name":"\#(client.name)","version":"1"},"#
                + #""roles":[\#(names)],"features":["external_calls"]}"#)
        _ = client.ask("events.subscribe", #"{"topics":["*"],"snapshot":false}"#)
    }

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - method: the name on the wire, such as `call.answer`.
    ///   - params: a JSON object.
    /// - Returns: the reply, which may arrive only after the clock has moved.
    @discardableResult
    public func request(_ method: String, _ params: String = "{}") -> Reply {
        client.ask(method, params)
    }

    /// The topics of all events that arrived, oldest first.
    public var topics: [String] {
        events.compactMap { $0["topic"]?.string }
    }

    /// Closes the connection without a goodbye.
    public func vanish() {
        client.vanish()
    }
}
