/// An app with calls that does as its script says.
///
/// By itself it fulfils whatever it is asked for, at once. ``answers`` says otherwise, for each kind
/// of action:
///
/// ```swift
/// phone.answers["set_held"] = .never
/// phone.answers["answer"] = .after(.seconds(2), .fulfil)
/// phone.answers["start"] = .fail(reason: "far_end_busy")
/// ```
public final class FakeProvider {
    /// How it answers what it is asked for.
    public indirect enum Answer: Sendable {
        /// It is done.
        case fulfil
        /// It cannot be done.
        case fail(code: Int = -32_000, reason: String = "remote_refused")
        /// Silence.
        case never
        /// Later, by the broker's clock; also when it is too late.
        case after(Duration, Answer)
        /// More than one answer, one behind the other, which is wrong.
        case both(Answer, Answer)
    }

    /// Something that the broker asked for.
    public struct Performed: Equatable, Sendable {
        /// The id of the request, within its connection.
        public let request: Int
        /// Names the action, also when it is asked for again.
        public let action: String
        /// What is to be done.
        public let kind: String
        /// To which call.
        public let call: String
        /// What needs to be known for it.
        public let arguments: JSONTree
        /// 1, or more if it was asked for in an earlier connection.
        public let attempt: Int
    }

    /// How it answers, by the kind of the action. Others are fulfilled.
    public var answers: [String: Answer] = [:]
    /// What it was asked to do, oldest first.
    public private(set) var performed: [Performed] = []
    /// The notifications that it got, oldest first.
    public private(set) var notifications: [JSONTree] = []
    /// The reply to its latest registration.
    public private(set) var registered = Reply()
    /// Its stable name.
    public let identity: String

    private var client: Client
    private let members: String
    private let topics: [String]
    private let broker: TestBroker
    private var session: JSONTree?

    /// - Parameter topics: what it hears of, as one who watches.
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

    // MARK: - What it says

    /// Sends a request of its own.
    @discardableResult
    public func request(_ method: String, _ params: String = "{}") -> Reply {
        client.ask(method, params)
    }

    /// Somebody calls.
    ///
    /// - Parameter members: further members of `call.report_incoming`, as JSON without the braces.
    @discardableResult
    public func ring(_ call: String, from number: String, _ members: String = "") -> Reply {
        let more = members.isEmpty ? "" : "," + members
        return request(
            "call.report_incoming",
            #"{"call":"\#(call)","remote":{"type":"phone","value":"\#(number)"}\#(more)}"#)
    }

    /// Reports what happened to a call: `connecting`, `connected`, `held`, `ended`, ...
    ///
    /// - Parameter members: what else the report needs, as JSON without the braces.
    @discardableResult
    public func report(_ news: String, of call: String, _ members: String = "") -> Reply {
        let more = members.isEmpty ? "" : "," + members
        return request("call.report_\(news)", #"{"call":"\#(call)"\#(more)}"#)
    }

    /// Answers something that it left open, or has answered already.
    public func answer(_ performed: Performed, _ answer: Answer = .fulfil) {
        reply(to: performed.request, answer)
        broker.settle()
    }

    /// Sends any text as a frame.
    public func send(_ frame: String) {
        client.send(frame)
        broker.settle()
    }

    // MARK: - Its connection

    /// Loses its connection. Its process lives on.
    public func disconnect() {
        client.vanish()
    }

    /// Connects anew and goes on with its session.
    ///
    /// - Parameter calls: its live calls, as in `provider.register`: a JSON array.
    public func reconnect(listing calls: String = "[]") {
        client = Client(identity, of: broker)
        open(listing: calls)
    }

    // MARK: - What it is asked for

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
            reply(to: id, answers[asked.kind] ?? .fulfil)
        case "broker.ping": reply(to: id, .fulfil)
        default: reply(to: id, .fail(code: -32_601, reason: "not_supported"))
        }
    }

    private func reply(to id: Int, _ answer: Answer) {
        switch answer {
        case .fulfil: client.send(#"{"jsonrpc":"2.0","id":\#(id),"result":{}}"#)
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
