/// A scripted app that has calls. It fulfills every action at once, unless ``answers`` has another
/// answer for the kind of action:
///
/// ```swift
/// phone.answers["set_held"] = .never
/// phone.answers["answer"] = .after(.seconds(2), .fulfill)
/// phone.answers["start"] = .fail(reason: "far_end_busy")
/// ```
public final class FakeProvider {
    /// An answer to a requested action.
    public indirect enum Answer: Sendable {
        /// Fulfills the action.
        case fulfill
        /// Fails the action with an error.
        case fail(code: Int = -32_000, reason: String = "remote_refused")
        /// Never answers.
        case never
        /// Answers later, by the broker's clock, even after the deadline.
        case after(Duration, Answer)
        /// Sends two answers, which breaks the protocol.
        case both(Answer, Answer)

        /// The former name of `fulfill`.
        @available(*, deprecated, renamed: "fulfill")
        public static var fulfil: Answer { .fulfill }
    }

    /// An action that the broker requested.
    public struct Performed: Equatable, Sendable {
        /// The id of the request in its connection.
        public let request: Int
        /// The id of the action, which stays the same when it is requested again.
        public let action: String
        /// The kind of action, such as `set_held`.
        public let kind: String
        /// The id of the call.
        public let call: String
        /// The arguments of the action.
        public let arguments: JSONTree
        /// The number of the request: 1, or more if it was made on an earlier connection before.
        public let attempt: Int
    }

    /// The answers by kind of action. Other kinds are fulfilled.
    public var answers: [String: Answer] = [:]
    /// The actions that the broker requested, oldest first.
    public private(set) var performed: [Performed] = []
    /// The notifications that the app received, oldest first.
    public private(set) var notifications: [JSONTree] = []
    /// The reply to the latest registration.
    public private(set) var registered = Reply()
    /// The identity that the app registered with.
    public let identity: String

    private var client: Client
    private let members: String
    private let topics: [String]
    private let broker: TestBroker
    private var session: JSONTree?

    /// - Parameter topics: the topics to subscribe to, with the role of an observer; empty for
    ///   none.
    init(
        _ identity: String, _ client: Client, registering members: String,
        hearing topics: [String] = []
    ) {
        self.identity = identity
        self.client = client
        self.members = members
        self.topics = topics
        broker = client.broker
        open(listing: nil)
    }

    private func open(listing calls: String?) {
        client.receive = { [weak self] frame, _ in self?.receive(frame) }
        let resume = session.map { session in
            #","resume":{"session":\#(session["session"]?.json ?? ""),"#
                + #""secret":\#(session["secret"]?.json ?? "")}"#
        }
        let hello = client.ask(
            "broker.hello",
            #"{"protocol":{"min":1,"max":1},"client":{"name":"\#(identity)","version":"1"},"#
                + #""roles":["provider","controller"\#(topics.isEmpty ? "" : #","observer""#)],"#
                + #""identity":"\#(identity)"\#(resume ?? "")}"#)
        session = hello.result?["session"]
        var more = members.isEmpty ? "" : "," + members
        if let calls { more += #","calls":\#(calls)"# }
        if !members.contains(#""handle_types""#) { more += #","handle_types":["phone"]"# }
        if !members.contains(#""display_name""#) {
            more = #","display_name":"\#(identity)""# + more
        }
        registered = request("provider.register", "{\(more.dropFirst())}")
        guard !topics.isEmpty else { return }
        let names = JSONTree.array(topics.map { .string($0) }).json
        request("events.subscribe", #"{"topics":\#(names),"snapshot":false}"#)
    }

    // MARK: - Requests and reports

    /// Makes a request, and returns its reply.
    @discardableResult
    public func request(_ method: String, _ params: String = "{}") -> Reply {
        client.ask(method, params)
    }

    /// Reports an incoming call.
    ///
    /// - Parameters:
    ///   - call: an id for the call.
    ///   - number: the caller's telephone number.
    ///   - members: more members of `call.report_incoming`, as JSON without braces.
    @discardableResult
    public func ring(_ call: String, from number: String, _ members: String = "") -> Reply {
        let more = members.isEmpty ? "" : "," + members
        return request(
            "call.report_incoming",
            #"{"call":"\#(call)","remote":{"type":"phone","value":"\#(number)"}\#(more)}"#)
    }

    /// Reports a change of a call.
    ///
    /// - Parameters:
    ///   - news: the end of the method's name: `connecting`, `connected`, `held`, `ended`, ...
    ///   - call: the id of the call.
    ///   - members: more members of the report, as JSON without braces.
    @discardableResult
    public func report(_ news: String, of call: String, _ members: String = "") -> Reply {
        let more = members.isEmpty ? "" : "," + members
        return request("call.report_\(news)", #"{"call":"\#(call)"\#(more)}"#)
    }

    /// Answers an action that is still open, or one that was answered before.
    public func answer(_ performed: Performed, _ answer: Answer = .fulfill) {
        reply(to: performed.request, answer)
        broker.settle()
    }

    /// Sends a text as a frame, whether it is valid or not.
    public func send(_ frame: String) {
        client.send(frame)
        broker.settle()
    }

    // MARK: - Connection

    /// Loses the connection. The process keeps running.
    public func disconnect() {
        client.vanish()
    }

    /// Connects again and resumes the session.
    ///
    /// - Parameter calls: the live calls, a JSON array as in `provider.register`.
    public func reconnect(listing calls: String = "[]") {
        client = Client(identity, of: broker)
        open(listing: calls)
    }

    // MARK: - Requests of the broker

    private func receive(_ frame: JSONTree) {
        guard let method = frame["method"]?.string else { return }
        guard let id = frame["id"]?.integer else { return notifications.append(frame) }
        let params = frame["params"] ?? .object([])
        switch method {
        case "provider.perform":
            let asked = Performed(
                request: id, action: params["action"]?.string ?? "",
                kind: params["kind"]?.string ?? "", call: params["call"]?.string ?? "",
                arguments: params["arguments"] ?? .object([]),
                attempt: params["attempt"]?.integer ?? 1)
            performed.append(asked)
            reply(to: id, answers[asked.kind] ?? .fulfill)
        case "broker.ping": reply(to: id, .fulfill)
        default: reply(to: id, .fail(code: -32_601, reason: "not_supported"))
        }
    }

    private func reply(to id: Int, _ answer: Answer) {
        switch answer {
        case .fulfill: client.send(#"{"jsonrpc":"2.0","id":\#(id),"result":{}}"#)
        case .fail(let code, let reason):
            client.send(
                #"{"jsonrpc":"2.0","id":\#(id),"error":{"code":\#(code),"message":"no","#
                    + #""data":{"reason":"\#(reason)"}}}"#)
        case .never: break
        case .after(let duration, let answer):
            let connection = client
            broker.later(duration) { [weak self] in
                if let self, client === connection { reply(to: id, answer) }
            }
        case .both(let first, let second):
            reply(to: id, first)
            reply(to: id, second)
        }
    }
}
