internal import ArgumentParser
internal import BrokerJSON
internal import BrokerSocket
internal import CallProtocol

/// Something that was looked at, and what is to be done about it.
struct Finding {
    enum State: String {
        case ok, warning, problem
    }

    let state: State
    let subject: String
    let words: String
    let remedy: String?

    init(_ state: State, _ subject: String, _ words: String, remedy: String? = nil) {
        self.state = state
        self.subject = subject
        self.words = words
        self.remedy = remedy
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("state", state.rawValue)
            writer.member("subject", subject)
            writer.member("message", words)
            writer.member("hint", ifSet: remedy)
        }
    }
}

/// `callbroker doctor`: what is wrong, and what to do.
struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say what is wrong, and what to do about it.",
        discussion: """
            Looks at the socket, its rights, the broker, its release, its journal, its store, the apps, the \
            calls that wait for them, the policy, and the plugins. Exits with 0 if nothing is wrong, whatever it warns of, \
            with 1 if there is a problem, with 3 if there is no broker.
            """)

    @OptionGroup var client: ClientOptions

    @Option(
        name: .customLong("state-dir"),
        help: "The broker's state folder, if it does not answer; else it says so itself.",
        completion: .directory)
    var stateFolder: String?

    func run() throws {
        var findings = SocketCheck(client.connection).findings
        var (code, folder): (ToolFailure.Code?, String?) = (nil, stateFolder)
        do throws(ToolFailure) {
            let session = try client.open([.observer, .admin])
            findings += BrokerCheck(session).findings
            let journal = JournalCheck(session)
            findings += journal.findings
            findings += StoreCheck(session).findings
            folder = folder ?? journal.folder
        } catch {
            code = error.code
            findings.append(
                Finding(
                    .problem, "broker", error.message.firstLine.droppingName,
                    remedy: code == .noConnection ? client.connection.howToStart : nil))
        }
        if folder != nil || !client.connection.isSocketChosen {
            findings += JournalCheck.keptAside(in: folder)
        }
        try show(findings)
        if code == .noConnection { throw ExitCode(ToolFailure.Code.noConnection.rawValue) }
        if findings.contains(where: { $0.state == .problem }) {
            throw ExitCode(ToolFailure.Code.errorReply.rawValue)
        }
    }

    private func show(_ findings: [Finding]) throws {
        var writer = JSONWriter()
        writer.array { writer in for finding in findings { finding.write(to: &writer) } }
        try client.output.show(list: writer.bytes) { _ in
            findings.map(Self.lines).joined(separator: "\n")
        }
        if client.output.form == .raw { StandardOutput.line(writer.text) }
    }

    private static func lines(_ finding: Finding) -> String {
        let mark = finding.state.rawValue
        let padding = String(repeating: " ", count: 9 - mark.count)
        let remedy = finding.remedy.map { text in
            text.split(separator: "\n").map { "\n         " + $0 }.joined()
        }
        return "\(mark)\(padding)\(finding.subject): \(finding.words)\(remedy ?? "")"
    }
}

extension String {
    fileprivate var firstLine: String {
        String(prefix { $0 != "\n" })
    }

    /// Without who says it.
    fileprivate var droppingName: String {
        let name = "callbroker: "
        return hasPrefix(name) ? String(dropFirst(name.count)) : self
    }
}

/// What can be seen of the socket without connecting.
struct SocketCheck {
    let findings: [Finding]

    init(_ options: ConnectionOptions) {
        let path = options.place.path
        let origin =
            options.socket != nil
            ? "from --socket"
            : Environment.current["BROKER_SOCKET"] != nil ? "from BROKER_SOCKET" : "the usual place"
        var findings = [Finding(.ok, "path", "\(path), \(origin)")]
        if let rights = FileRights(path) {
            findings.append(Self.judge(rights, path))
        } else {
            findings.append(Finding(.problem, "socket", "there is nothing at \(path)"))
        }
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        if let rights = FileRights(folder.isEmpty ? "/" : folder), rights.mode & 0o022 != 0,
            !rights.isSticky
        {
            findings.append(
                Finding(
                    .problem, "folder",
                    "others may change what is in \(folder) (\(rights.octal))",
                    remedy: "chmod go-w \(folder)"))
        }
        self.findings = findings
    }

    private static func judge(_ rights: FileRights, _ path: String) -> Finding {
        guard rights.isSocket else {
            return Finding(
                .problem, "socket", "what is at \(path) is no socket",
                remedy: "move it away, or choose another path with --socket")
        }
        guard rights.owner == HostProcess.userID else {
            return Finding(
                .warning, "socket", "it belongs to user \(rights.owner), not to you",
                remedy: "a broker serves its own user; start one of your own")
        }
        guard rights.mode & 0o077 == 0 else {
            return Finding(
                .warning, "socket", "others may connect (\(rights.octal)), to be refused there",
                remedy: "chmod 600 \(path)")
        }
        return Finding(.ok, "socket", "yours, \(rights.octal)")
    }
}

/// What can be learnt from a broker that answers.
struct BrokerCheck {
    private(set) var findings: [Finding] = []
    private var providers: [String: ProviderStanding] = [:]

    init(_ session: Session) {
        checkBroker(session)
        checkProviders(session)
        checkCalls(session)
        checkPolicy(session)
        checkCounters(session)
        checkPlugins(session)
    }

    private mutating func checkBroker(_ session: Session) {
        guard let reply = session.tryToAsk(.info) else { return }
        let version = reply.result["version"]?.string?.printable ?? "?"
        let seconds = (reply.result["uptime_ms"]?.integer ?? 0) / 1_000
        add(.ok, "broker", "release \(version), up for \(seconds) s")
        if let screen = reply.result["screen"]?.string?.printable {
            add(.ok, "screen", "\(screen) presents calls")
        }
        if version != Release.version {
            add(
                .warning, "release", "the broker is \(version), this tool \(Release.version)",
                "restart the broker: systemctl --user restart callbroker")
        }
    }

    private mutating func checkProviders(_ session: Session) {
        try? session.forEachPage(.listProviders) { page in
            for provider in page.result["providers"].map({ Array($0.elements) }) ?? [] {
                note(provider)
            }
        }
        if providers.isEmpty {
            add(.warning, "apps", "none is registered", "start an app that has calls")
        }
    }

    private mutating func note(_ provider: JSONValue) {
        let name = provider["provider"]?.string?.printable ?? ""
        let calls = provider["calls"]?.integer ?? 0
        let standing = ProviderStanding(provider)
        providers[name] = standing
        if let complaint = standing.complaint {
            add(.warning, "app", complaint, standing.remedy)
        }
        if provider["connected"]?.boolean == true {
            add(.ok, "app", "\(name) is connected, calls: \(calls)")
        } else {
            add(
                .problem, "app", "\(name) is not connected; its calls: \(calls)",
                "restart the app; its calls end if it does not come back soon")
        }
    }

    /// A call on which something is under way waits for its app.
    private mutating func checkCalls(_ session: Session) {
        try? session.forEachPage(.listCalls) { page in
            for call in CallSummary.list(page.result) {
                guard let pending = call.pending, call.isProviderConnected else { continue }
                add(
                    .warning, "call",
                    "\(call.shortID) is \(pending): \(call.provider) has not answered yet",
                    "callbroker explain \(call.call)")
            }
        }
    }

    private mutating func checkPolicy(_ session: Session) {
        guard let reply = session.tryToAsk(.getPolicy) else { return }
        if reply.result["policy"]?["heartbeat_ms"]?.integer == 0 {
            add(
                .warning, "policy", "apps that hang are not noticed: heartbeat_ms is 0",
                "callbroker policy set heartbeat_ms=10000")
        }
        checkClaims(reply.result["policy"]?["emergency"]?["claims"])
        var defaults: [(scheme: String, provider: String)] = []
        reply.result["policy"]?["default_provider"]?.forEachMember { scheme, provider in
            let name = provider.string?.printable ?? ""
            defaults.append((String(decoding: scheme, as: UTF8.self).printable, name))
        }
        for entry in defaults { checkDefault(entry.scheme, entry.provider) }
    }

    /// Nobody asks the user yet.
    private mutating func checkClaims(_ claims: JSONValue?) {
        var waiting: [(provider: String, direction: String)] = []
        claims?.forEachMember { provider, words in
            for direction in ["outgoing", "incoming"] where words[named: direction]?.string == "ask"
            {
                let name = String(decoding: provider, as: UTF8.self).printable
                waiting.append((name, direction))
            }
        }
        for (provider, direction) in waiting {
            add(
                .warning, "policy",
                "\(provider): what it calls an emergency is an ordinary call (\(direction): ask)",
                "callbroker policy set emergency:='{\"claims\":{\"\(provider)\":"
                    + "{\"\(direction)\":\"allowed\"}}}'")
        }
    }

    private mutating func checkDefault(_ scheme: String, _ provider: String) {
        guard let standing = providers[provider] else {
            return add(
                .warning, "policy", "\(scheme): is for \(provider), which is not there",
                "callbroker policy set default_provider.\(scheme)=null")
        }
        guard standing.complaint != nil else { return }
        add(
            .warning, "policy", "\(scheme): is for \(provider), which may have no calls",
            standing.remedy)
    }

    private mutating func checkCounters(_ session: Session) {
        guard let reply = session.tryToAsk(.stats) else { return }
        if let count = reply.result["frames_bad"]?.integer, count > 0 {
            add(
                .warning, "frames", "clients have sent \(count) that are no JSON-RPC",
                "record what the client sends, and try: callbroker lint FILE")
        }
        if let count = reply.result["connections_refused"]?.integer, count > 0 {
            add(.warning, "connections", "\(count) were refused: too many, or too fast")
        }
    }

    /// With the last lines that it wrote: they often say it all.
    private mutating func checkPlugins(_ session: Session) {
        guard let reply = session.tryToAsk(.pluginDoctor) else { return }
        for finding in reply.result["findings"].map({ Array($0.elements) }) ?? [] {
            let name = finding["plugin"]?.string?.printable ?? ""
            let words = finding["message"]?.string?.printable ?? ""
            let lines = finding["stderr"].map { $0.elements.compactMap(\.string) } ?? []
            let advice = [finding["hint"]?.string?.printable].compactMap { $0 }
            let isError = finding["level"]?.string == "error"
            add(
                isError ? .problem : .warning, "plugin", "\(name): \(words)",
                (advice + lines.map { "| " + $0.printable }).joined(separator: "\n"))
        }
        let count = reply.result["plugins"]?.integer ?? 0
        if count > 0 { add(.ok, "plugins", "\(count) looked at") }
    }

    private mutating func add(
        _ state: Finding.State, _ subject: String, _ words: String, _ remedy: String? = nil
    ) {
        findings.append(Finding(state, subject, words, remedy: remedy))
    }
}
