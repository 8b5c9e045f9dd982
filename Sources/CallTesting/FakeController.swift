/// Who asks for things to be done to calls, and sees what happens.
public final class FakeController {
    /// The params of every event that came, oldest first.
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
                + #""roles":[\#(names)]}"#)
        _ = client.ask("events.subscribe", #"{"topics":["*"],"snapshot":false}"#)
    }

    /// Asks the broker for something.
    ///
    /// - Parameters:
    ///   - method: as on the wire, such as `call.answer`.
    ///   - params: an object, as JSON.
    /// - Returns: the reply; it may come only when the clock has moved.
    @discardableResult
    public func request(_ method: String, _ params: String = "{}") -> Reply {
        client.ask(method, params)
    }

    /// The topics of the events that came, oldest first.
    public var topics: [String] {
        events.compactMap { $0["topic"]?.string }
    }

    /// Leaves without a word.
    public func vanish() {
        client.vanish()
    }
}
