internal import CallPlugins
internal import CallProtocol

/// A scripted client of a scenario that is not an app: an observer, a screen, a screener or a
/// directory.
final class ScriptedPeer {
    enum Part: String, CaseIterable, Sendable {
        case observer, screen, screener, directory
    }

    /// An answer to a request of the broker.
    indirect enum Answer: Sendable {
        /// The default result of its kind.
        case usual
        case result(ScenarioPattern)
        case fail(reason: String)
        case never
        /// An answer after some milliseconds of the broker's clock, even after the deadline.
        case after(Int, Answer)
    }

    struct Description: Sendable {
        let part: Part
        let identity: String
        /// The other members of the client's manifest or claim.
        let members: ScenarioPattern
        var topics = ["*"]
        var answer = Answer.usual
    }

    /// A request of the broker.
    private struct Request {
        let request: Int
        let call: String?
    }

    let name: String
    let identity: String
    var answer: Answer
    private let description: Description
    private let broker: TestBroker
    /// Resolves the names in a pattern.
    private let tree: (ScenarioPattern) -> JSONTree
    private var client: Client?
    private var requests: [Request] = []

    init(
        _ name: String, _ description: Description, of broker: TestBroker,
        tree: @escaping (ScenarioPattern) -> JSONTree
    ) {
        self.name = name
        self.description = description
        self.broker = broker
        self.tree = tree
        identity = description.identity
        answer = description.answer
    }

    // MARK: - Connection

    /// Connects, and claims its roles.
    ///
    /// - Returns: a description of the broker's refusal; nil if there was none.
    func open() -> String? {
        let client = Client(name, of: broker, plugin: plugin)
        self.client = client
        requests = []
        client.receive = { [weak self] frame, _ in self?.receive(frame) }
        let hello = client.ask("broker.hello", helloParams)
        guard let result = hello.result else { return Self.described(hello) }
        let denied = result["denied_roles"] ?? .array([])
        guard denied.elements.isEmpty else { return "denied roles: \(denied)" }
        for (method, params) in opening {
            let reply = client.ask(method, params)
            if reply.result == nil { return Self.described(reply) }
        }
        return nil
    }

    private static func described(_ reply: Reply) -> String {
        reply.error.map { "error \($0)" } ?? "no reply"
    }

    func disconnect() {
        client?.vanish()
        client = nil
    }

    private var helloParams: String {
        let roles = JSONTree.array(description.part.roles.map { .string($0.rawValue) }).json
        let named = description.part == .observer ? "" : #","identity":"\#(identity)""#
        return #"{"protocol":{"min":1,"max":1},"client":{"name":"\#(name)","version":"1"},"#
            + #""roles":\#(roles),"features":["tone","alerting","external_calls"]\#(named)}"#
    }

    private var opening: [(method: String, params: String)] {
        var steps: [(method: String, params: String)] = []
        if description.part.receivesEvents {
            let topics = JSONTree.array(description.topics.map { .string($0) }).json
            steps.append(("events.subscribe", #"{"topics":\#(topics),"snapshot":false}"#))
        }
        if description.part == .screen {
            steps.append(("ui.claim", tree(description.members).json))
        }
        return steps
    }

    /// The manifest of a screener or a directory, without which the broker sends it no requests.
    private var plugin: PluginCatalog.Entry? {
        guard description.part.needsManifest else { return nil }
        var manifest = PluginManifest(
            identity: identity, name: name,
            roles: RoleSet(description.part.roles.map { RoleSet($0) }))
        manifest.isPinged = false
        let members = tree(description.members)
        var screening = PluginManifest.Screening()
        screening.budgetMS = members["budget_ms"]?.integer
        screening.failsClosed = members["fail"]?.string == "closed"
        if description.part == .screener {
            manifest.screener = screening
        } else {
            manifest.directory = screening
        }
        return PluginCatalog.Entry(
            identity: identity, path: identity + PluginManifest.suffix, content: .usable(manifest))
    }

    // MARK: - Requests and replies

    func request(_ method: String, _ params: String) -> Reply {
        client?.ask(method, params) ?? Reply()
    }

    /// Answers the latest request about a call, or of all, whether it was answered before or not.
    ///
    /// - Returns: whether there was one.
    func reply(about call: String?, _ answer: Answer) -> Bool {
        guard let request = requests.last(where: { call == nil || $0.call == call }) else {
            return false
        }
        reply(to: request.request, answer)
        broker.settle()
        return true
    }

    private func receive(_ frame: JSONTree) {
        guard let method = frame["method"]?.string, let id = frame["id"]?.integer else { return }
        switch method {
        case description.part.method?.rawValue:
            requests.append(Request(request: id, call: frame["params"]?["call"]?.string))
            reply(to: id, answer)
        case "broker.ping": reply(to: id, .result(.nothing))
        default:
            client?.send(
                #"{"jsonrpc":"2.0","id":\#(id),"error":{"code":-32601,"message":"no","#
                    + #""data":{"reason":"not_supported"}}}"#)
        }
    }

    private func reply(to id: Int, _ answer: Answer) {
        switch answer {
        case .usual: reply(to: id, .result(description.part.usual))
        case .result(let result):
            client?.send(#"{"jsonrpc":"2.0","id":\#(id),"result":\#(tree(result).json)}"#)
        case .fail(let reason):
            client?.send(
                #"{"jsonrpc":"2.0","id":\#(id),"error":{"code":-32000,"message":"no","#
                    + #""data":{"reason":"\#(reason)"}}}"#)
        case .never: break
        case .after(let milliseconds, let answer):
            let connection = client
            broker.later(.milliseconds(milliseconds)) { [weak self] in
                if let self, client === connection { reply(to: id, answer) }
            }
        }
    }
}

extension ScriptedPeer.Part {
    var roles: [CallProtocol.Role] {
        switch self {
        case .observer: [.observer]
        case .screen: [.ui, .controller, .observer]
        case .screener: [.screener]
        case .directory: [.directory]
        }
    }

    var receivesEvents: Bool {
        self == .observer || self == .screen
    }

    fileprivate var needsManifest: Bool {
        self == .screener || self == .directory
    }

    /// The method of the broker's requests to the client; nil for an observer.
    var method: MethodName? {
        switch self {
        case .observer: nil
        case .screen: .present
        case .screener: .check
        case .directory: .lookUp
        }
    }

    /// The word for that method in a scenario: the last part of its name.
    var kind: String? {
        method?.rawValue.split(separator: ".").last.map(String.init)
    }

    var resultMembers: [Member] {
        method.flatMap { MethodTable.standard.find($0.rawValue) }?.resultMembers ?? []
    }

    fileprivate var usual: ScenarioPattern {
        switch self {
        case .observer, .directory: .nothing
        case .screen: .object([("presented", .exactly(.boolean(true)))])
        case .screener: .object([("verdict", .exactly(.string("continue")))])
        }
    }
}
