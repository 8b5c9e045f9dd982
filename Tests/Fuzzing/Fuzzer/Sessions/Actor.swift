internal import CallTesting

/// A client that keeps to the protocol. It notes what it owes, and what it is owed.
final class Actor {
    enum Part: CaseIterable {
        case desk, mobile, softphone, user, observer, screener, screen
        /// Looks at what there is, after every turn.
        case inspector
    }

    /// A request of the broker's.
    struct Ask {
        let id: Int
        let method: String
        let params: JSONTree
    }

    let part: Part
    private(set) var peer: MemoryPeer?
    /// Its requests that are not answered, with their methods.
    private(set) var open: [Int: String] = [:]
    private(set) var asks: [Ask] = []
    /// Taken back, and perhaps answered all the same.
    private(set) var late: [Ask] = []
    /// What it shows to go on with its session.
    private(set) var resume: JSONTree?
    /// The reply that came last.
    private(set) var lastResult: JSONTree?
    /// Events, since somebody took them.
    private var events: [JSONTree] = []
    private var lastID = 0

    init(_ part: Part) {
        self.part = part
    }

    var isProvider: Bool {
        [.desk, .mobile, .softphone].contains(part)
    }

    var identity: String {
        "org.example.\(part)"
    }

    private var roles: String {
        switch part {
        case .desk, .mobile, .softphone: #"["provider","controller"]"#
        case .user: #"["controller","observer","admin"]"#
        case .observer, .inspector: #"["observer"]"#
        case .screener: #"["screener","directory"]"#
        case .screen: #"["ui"]"#
        }
    }

    // MARK: - Its connection

    func connect(to host: MemoryBroker) {
        peer = host.connect()
        (open, asks, late, lastID) = ([:], [], [], 0)
        sayHello()
    }

    /// Once more without the session, if that is forgotten.
    private func sayHello() {
        let goingOn = isProvider ? resume.map { #","resume":\#($0.json)"# } ?? "" : ""
        request(
            "broker.hello",
            #"{"protocol":{"min":1,"max":1},"client":{"name":"\#(part)","version":"1"},"#
                + #""roles":\#(roles),"identity":"\#(identity)"\#(goingOn)}"#)
    }

    /// The connection is gone, by whomever.
    func forget() {
        peer = nil
        (open, asks, late) = ([:], [], [])
    }

    @discardableResult
    func request(_ method: String, _ params: String) -> Int {
        lastID += 1
        open[lastID] = method
        peer?.send(#"{"jsonrpc":"2.0","id":\#(lastID),"method":"\#(method)","params":\#(params)}"#)
        return lastID
    }

    func notify(_ method: String, _ params: String) {
        peer?.send(#"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params)}"#)
    }

    // MARK: - What it owes

    func answer(_ ask: Ask, _ outcome: String) {
        asks.removeAll { $0.id == ask.id }
        late.removeAll { $0.id == ask.id }
        peer?.send(#"{"jsonrpc":"2.0","id":\#(ask.id),\#(outcome)}"#)
    }

    func takeEvents() -> [JSONTree] {
        defer { events = [] }
        return events
    }

    // MARK: - What it reads

    /// Whether there was anything.
    func read(losing isLost: () -> Bool = { false }) throws(Finding) -> Bool {
        guard let peer else { return false }
        let lines = peer.drain()
        for line in lines where !isLost() {
            guard let frame = try? JSONTree(line) else { throw Finding(words: "no JSON: \(line)") }
            try take(frame)
        }
        if peer.isClosed { forget() }
        return !lines.isEmpty
    }

    private func take(_ frame: JSONTree) throws(Finding) {
        switch (frame["method"]?.string, frame["id"]?.integer) {
        case (nil, let id?): try takeReply(id, frame)
        case ("broker.ping", let id?): peer?.send(#"{"jsonrpc":"2.0","id":\#(id),"result":{}}"#)
        case (let method?, let id?):
            asks.append(Ask(id: id, method: method, params: frame["params"] ?? .null))
        case ("broker.cancel", nil): takeBack(frame["params"]?["request"]?.integer)
        case ("event", nil): events.append(frame["params"] ?? .null)
        default: break
        }
    }

    private func takeReply(_ id: Int, _ frame: JSONTree) throws(Finding) {
        guard let method = open.removeValue(forKey: id) else {
            throw Finding(words: "\(part): a reply to nothing: \(frame)")
        }
        lastResult = frame["result"]
        if method == "broker.hello", lastResult == nil, resume != nil {
            resume = nil
            sayHello()
        }
        if method == "broker.hello", let session = frame["result"]?["session"] {
            resume = .object(session.members.filter { ["session", "secret"].contains($0.name) })
        }
    }

    private func takeBack(_ request: Int?) {
        late += asks.filter { $0.id == request }
        asks.removeAll { $0.id == request }
    }
}
