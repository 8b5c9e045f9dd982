import Testing

/// A provider that does what the test says, frame by frame.
final class ScriptedProvider {
    let identity: String
    let client: TestClient
    /// What hello said of the session.
    let session: JSON
    /// What the broker answered to the registration.
    let registration: JSON

    /// - Parameters:
    ///   - members: further members of the registration.
    ///   - former: an earlier connection, whose session goes on.
    init(
        _ daemon: TestDaemon, _ identity: String = "org.example.a", name: String = "Phone",
        members: String = "", resuming former: ScriptedProvider? = nil
    ) throws {
        self.identity = identity
        client = try daemon.connect()
        let key = former.map { #","resume":\#($0.key)"# } ?? ""
        let hello = try client.hello(#""roles":["provider"],"identity":"\#(identity)"\#(key)"#)
        session = try #require(hello.result?["session"])
        let more = members.isEmpty ? "" : "," + members
        let reply = try client.request(
            "provider.register",
            #"{"display_name":"\#(name)","handle_types":["phone"]\#(more)}"#, isAlone: false)
        registration = try #require(reply.result)
    }

    /// What a hello has to show to go on with this session.
    var key: String {
        let (id, secret) = (session["session"] ?? .null, session["secret"] ?? .null)
        return #"{"session":\#(id),"secret":\#(secret)}"#
    }

    /// Reports a call that comes in.
    func rings(_ call: String, from number: String, _ members: String = "") throws {
        let more = members.isEmpty ? "" : "," + members
        let remote = #"{"type":"phone","value":"\#(number)"}"#
        let params = #"{"call":"\#(call)","remote":\#(remote)\#(more)}"#
        try #require(try report("incoming", params).result != nil)
    }

    @discardableResult
    func report(_ what: String, _ params: String) throws -> Frame {
        try client.request("call.report_\(what)", params, isAlone: false)
    }

    /// Waits for an action of a kind and answers it: fulfilled, or with an error.
    /// - Returns: its params.
    @discardableResult
    func perform(
        _ kind: String, error: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> JSON {
        while true {
            let frame = try client.frame(sourceLocation: sourceLocation)
            guard frame.method == "provider.perform", let id = frame.id else { continue }
            #expect(frame.params?["kind"]?.string == kind, sourceLocation: sourceLocation)
            let outcome = error.map { #""error":\#($0)"# } ?? #""result":{}"#
            try client.send(#"{"jsonrpc":"2.0","id":\#(id),\#(outcome)}"#)
            return frame.params ?? .null
        }
    }
}

extension ScriptedProvider {
    /// Waits for a request that is no action, and answers it with an empty result.
    /// - Returns: its params.
    @discardableResult
    func fulfill(
        _ method: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> JSON {
        while true {
            let frame = try client.frame(sourceLocation: sourceLocation)
            guard let id = frame.id, frame.method != nil else { continue }
            #expect(frame.method == method, sourceLocation: sourceLocation)
            try client.send(#"{"jsonrpc":"2.0","id":\#(id),"result":{}}"#)
            return frame.params ?? .null
        }
    }
}

/// A daemon with one provider, and the tool to try on them.
struct ToolWorld {
    static let ada = "7b0c7c52-6a3e-4c1f-9f4b-0d3a5e1c2b01"
    static let bob = "8d1f4e1a-6a3e-4c1f-9f4b-0d3a5e1c2b02"
    static let cleo = "7b0cffff-6a3e-4c1f-9f4b-0d3a5e1c2b03"
    static let adaNumber = "+15550123"
    static let bobNumber = "+15550124"

    let daemon: TestDaemon
    let provider: ScriptedProvider

    init(_ members: String = #""max_call_groups":5"#, policy: String = "{}") throws {
        daemon = try TestDaemon(policy: policy)
        provider = try ScriptedProvider(daemon, members: members)
    }

    /// The daemon's state folder.
    var state: String {
        daemon.folder.file("state")
    }

    /// Starts the tool, with the broker's socket.
    func start(
        _ arguments: [String], isOnTerminal: Bool = false, timeZone: String = "UTC",
        size: (columns: Int, rows: Int)? = nil, environment: [String: String] = [:]
    ) throws -> ChildProcess {
        try ChildProcess(
            [executablePath] + arguments,
            environment: ["BROKER_SOCKET": daemon.socketPath, "TZ": timeZone].merging(environment) {
                $1
            },
            isOnTerminal: isOnTerminal || size != nil, size: size)
    }

    /// Runs the tool to its end, while the provider does these actions.
    func run(
        _ arguments: String..., performing kinds: [String] = [], isOnTerminal: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Tool {
        let process = try start(arguments, isOnTerminal: isOnTerminal)
        for kind in kinds { try provider.perform(kind, sourceLocation: sourceLocation) }
        return try Tool(finishing: process)
    }

    /// Ada's call rings and is answered.
    func talkToAda(_ members: String = "") throws {
        try provider.rings(Self.ada, from: Self.adaNumber, members)
        try #require(try run("answer", performing: ["answer"]).end == .exited(0))
    }

    /// Ada's call is held, Bob's is active.
    func talkToBob() throws {
        try talkToAda()
        try provider.rings(Self.bob, from: Self.bobNumber)
        try #require(try run("answer", performing: ["set_held", "answer"]).end == .exited(0))
    }

    /// What the broker says of a call: its state, or the reason why there is none.
    func state(_ call: String) throws -> String? {
        let client = try daemon.connectReady()
        let frame = try client.request("call.get", #"{"call":"\#(call)"}"#)
        return frame.result?["state"]?.string ?? frame.reason
    }
}
