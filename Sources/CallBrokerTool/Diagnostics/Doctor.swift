internal import ArgumentParser
internal import BrokerJSON
internal import BrokerSocket
internal import CallProtocol

/// The result of a check, and its remedy.
struct Finding {
    enum State: String {
        case ok, warning, problem

        var word: String {
            switch self {
            case .ok: Messages.doctorOk
            case .warning: Messages.doctorWarning
            case .problem: Messages.doctorProblem
            }
        }
    }

    let state: State
    let subject: String
    let message: String
    let remedy: String?
    /// True if it keeps the user from dialing only.
    var isAboutDialing = false

    init(_ state: State, _ subject: String, _ message: String, remedy: String? = nil) {
        self.state = state
        self.subject = subject
        self.message = message
        self.remedy = remedy
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("state", state.rawValue)
            writer.member("subject", subject)
            writer.member("message", message)
            writer.member("hint", ifSet: remedy)
        }
    }
}

/// `callbroker doctor`: problems and remedies.
struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Find problems, and suggest remedies.",
        discussion: """
            Checks the socket and its permissions, the broker, its release, journal and store, the \
            apps, their calls, the policy, the plugins, and what keeps a phone silent. Exits with 0 if there are no errors \
            (warnings are allowed), with 1 if there is a problem, and with 3 if there is no broker.
            """)

    @OptionGroup var client: ClientOptions

    @Option(
        name: .customLong("state-dir"),
        help: "The broker's state folder, if the broker does not answer.",
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
            findings += SilenceCheck(session).findings
            findings += AnomalyCheck(session).findings
            folder = folder ?? journal.folder
        } catch {
            code = error.code
            findings.append(
                Finding(
                    .problem, Messages.doctorBroker, error.message.firstLine.droppingName,
                    remedy: code == .noConnection ? client.connection.startInstructions : nil))
        }
        if folder != nil || !client.connection.isSocketChosen {
            findings += JournalCheck.savedFiles(in: folder)
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
        let mark = finding.state.word
        let padding = String(repeating: " ", count: max(1, 9 - mark.cells))
        let remedy = finding.remedy.map { text in
            text.split(separator: "\n").map { "\n         " + $0 }.joined()
        }
        return "\(mark)\(padding)\(finding.subject): \(finding.message)\(remedy ?? "")"
    }
}

extension String {
    var firstLine: String {
        String(prefix { $0 != "\n" })
    }

    /// The message without the tool's name.
    var droppingName: String {
        let name = "callbroker: "
        return hasPrefix(name) ? String(dropFirst(name.count)) : self
    }
}

/// The checks of the socket that need no connection.
struct SocketCheck {
    let findings: [Finding]

    init(_ options: ConnectionOptions) {
        let path = options.place.path
        let origin =
            options.socket != nil
            ? Messages.doctorFromOption(path: path)
            : Environment.current["BROKER_SOCKET"] != nil
                ? Messages.doctorFromEnvironment(path: path)
                : Messages.doctorFromDefault(path: path)
        var findings = [Finding(.ok, Messages.doctorPath, origin)]
        if let permissions = FilePermissions(path) {
            findings.append(Self.check(permissions, path))
        } else {
            findings.append(Self.missing(path))
        }
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        if let permissions = FilePermissions(folder.isEmpty ? "/" : folder),
            permissions.mode & 0o022 != 0,
            !permissions.isSticky
        {
            findings.append(
                Finding(
                    .problem, Messages.doctorFolder,
                    Messages.doctorFolderOpen(folder: folder, mode: permissions.octal),
                    remedy: "chmod go-w \(folder)"))
        }
        self.findings = findings
    }

    /// Returns why no socket can be at a path; if there is no reason, that there is none.
    private static func missing(_ path: String) -> Finding {
        let (bytes, most) = (path.utf8.count, SocketPath.bytesMax)
        guard bytes <= most else {
            return Finding(
                .problem, Messages.doctorSocket,
                Messages.doctorPathLong(bytes: "\(bytes)", most: "\(most)"),
                remedy: Messages.doctorPathLongHint)
        }
        let runtime = Environment.current["XDG_RUNTIME_DIR"] ?? ""
        if path.hasPrefix(runtime + "/"), !runtime.isEmpty, !HostFile.isFolder(runtime) {
            return Finding(
                .problem, Messages.doctorSocket,
                Messages.doctorNoRuntime(folder: runtime),
                remedy: Messages.doctorNoRuntimeHint)
        }
        return Finding(.problem, Messages.doctorSocket, Messages.doctorNoSocket(path: path))
    }

    private static func check(_ permissions: FilePermissions, _ path: String) -> Finding {
        guard permissions.isSocket else {
            return Finding(
                .problem, Messages.doctorSocket, Messages.doctorNotASocket(path: path),
                remedy: Messages.doctorNotASocketHint)
        }
        guard permissions.owner == HostProcess.userID else {
            return Finding(
                .warning, Messages.doctorSocket,
                Messages.doctorForeignSocket(user: "\(permissions.owner)"),
                remedy: Messages.doctorForeignSocketHint)
        }
        guard permissions.mode & 0o077 == 0 else {
            return Finding(
                .warning, Messages.doctorSocket,
                Messages.doctorOpenSocket(mode: permissions.octal),
                remedy: "chmod 600 \(path)")
        }
        return Finding(
            .ok, Messages.doctorSocket, Messages.doctorOwnSocket(mode: permissions.octal))
    }
}

/// The checks that need a broker that answers.
struct BrokerCheck {
    private(set) var findings: [Finding] = []
    private var providers: [String: AuthorizationText] = [:]

    init(_ session: Session) {
        checkBroker(session)
        checkProviders(session)
        checkCalls(session)
        checkPolicy(session)
        checkCounters(session)
        checkPlugins(session)
    }

    private mutating func checkBroker(_ session: Session) {
        guard let reply = session.requestIfPossible(.info) else { return }
        let version = reply.result["version"]?.string?.printable ?? "?"
        let seconds = (reply.result["uptime_ms"]?.integer ?? 0) / 1_000
        add(
            .ok, Messages.doctorBroker,
            Messages.doctorUptime(release: version, seconds: "\(seconds)"))
        if let screen = reply.result["screen"]?.string?.printable {
            add(.ok, Messages.doctorScreen, Messages.doctorScreenPresents(screen: screen))
        }
        if version != Release.version {
            add(
                .warning, Messages.doctorRelease,
                Messages.doctorReleasesDiffer(broker: version, tool: Release.version),
                Messages.doctorReleasesDifferHint)
        }
    }

    private mutating func checkProviders(_ session: Session) {
        _ = try? session.forEachPage(.listProviders) { page in
            for provider in page.result["providers"].map({ Array($0.elements) }) ?? [] {
                checkProvider(provider)
            }
        }
        if providers.isEmpty {
            add(.warning, Messages.doctorApps, Messages.doctorNoApps, Messages.doctorNoAppsHint)
        }
    }

    private mutating func checkProvider(_ provider: JSONValue) {
        let name = provider["provider"]?.string?.printable ?? ""
        let calls = provider["calls"]?.integer ?? 0
        let kind = Words.kind(provider["kind"]?.string)
        let authorization = AuthorizationText(provider)
        providers[name] = authorization
        if let problem = authorization.problem {
            add(.warning, Messages.doctorApp, problem, authorization.remedy)
        }
        if provider["connected"]?.boolean == true {
            add(
                .ok, Messages.doctorApp,
                Messages.doctorAppConnected(app: name, kind: kind, calls: "\(calls)"))
        } else {
            add(
                .problem, Messages.doctorApp,
                Messages.doctorAppLost(app: name, kind: kind, calls: "\(calls)"),
                Messages.doctorAppLostHint)
        }
        if let pushes = UnreportedPushes(provider) {
            add(.warning, Messages.doctorApp, pushes.words, pushes.remedy)
        }
        checkLines(provider, name)
    }

    /// Reports lines that cannot be called, and those whose app has something to say about them.
    private mutating func checkLines(_ provider: JSONValue, _ name: String) {
        for line in provider["lines"].map({ Array($0.elements) }) ?? [] {
            let isFailed = line["state"]?.string == "failed"
            guard isFailed || line["reason"] != nil else { continue }
            add(
                .warning, Messages.doctorLine,
                Messages.doctorLineState(
                    line: line["line"]?.string?.printable ?? "", app: name,
                    state: LineText.state(line)),
                isFailed ? Messages.doctorLineFailedHint : nil)
        }
    }

    private mutating func checkCalls(_ session: Session) {
        _ = try? session.forEachPage(.listCalls) { page in
            for call in CallSummary.list(page.result) {
                guard let pending = call.pending, call.isProviderConnected else { continue }
                add(
                    .warning, Messages.doctorCall,
                    Messages.doctorCallWaits(
                        call: call.shortID, pending: Words.pending(pending), app: call.provider),
                    "callbroker explain \(call.call)")
            }
        }
    }

    private mutating func checkPolicy(_ session: Session) {
        guard let reply = session.requestIfPossible(.getPolicy) else { return }
        if reply.result["policy"]?["heartbeat_ms"]?.integer == 0 {
            add(
                .warning, Messages.doctorPolicy, Messages.doctorNoHeartbeat,
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

    /// Reports claims of emergencies that are to be confirmed, because no program asks the user
    /// yet.
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
                .warning, Messages.doctorPolicy,
                Messages.doctorClaimsIgnored(app: provider, direction: direction),
                "callbroker policy set emergency:='{\"claims\":{\"\(provider)\":"
                    + "{\"\(direction)\":\"allowed\"}}}'")
        }
    }

    private mutating func checkDefault(_ scheme: String, _ provider: String) {
        guard let authorization = providers[provider] else {
            return add(
                .warning, Messages.doctorPolicy,
                Messages.doctorDefaultUnknown(scheme: scheme, app: provider),
                "callbroker policy set default_provider.\(scheme)=null")
        }
        guard authorization.problem != nil else { return }
        add(
            .warning, Messages.doctorPolicy,
            Messages.doctorDefaultUnauthorized(scheme: scheme, app: provider),
            authorization.remedy)
    }

    private mutating func checkCounters(_ session: Session) {
        guard let reply = session.requestIfPossible(.stats) else { return }
        if let count = reply.result["frames_bad"]?.integer, count > 0 {
            add(
                .warning, Messages.doctorFrames, Messages.doctorBadFrames(number: "\(count)"),
                Messages.doctorBadFramesHint)
        }
        if let count = reply.result["connections_refused"]?.integer, count > 0 {
            add(.warning, Messages.doctorConnections, Messages.doctorRejected(number: "\(count)"))
        }
    }

    /// Reports the findings about plugins, with the last lines of their output.
    private mutating func checkPlugins(_ session: Session) {
        guard let reply = session.requestIfPossible(.pluginDoctor) else { return }
        for finding in reply.result["findings"].map({ Array($0.elements) }) ?? [] {
            let name = finding["plugin"]?.string?.printable ?? ""
            let words = finding["message"]?.string?.printable ?? ""
            let lines = finding["stderr"].map { $0.elements.compactMap(\.string) } ?? []
            let advice = [finding["hint"]?.string?.printable].compactMap { $0 }
            let isError = finding["level"]?.string == "error"
            add(
                isError ? .problem : .warning, Messages.doctorPlugin, "\(name): \(words)",
                (advice + lines.map { "| " + $0.printable }).joined(separator: "\n"))
        }
        for stray in reply.result["ignored"].map({ Array($0.elements) }) ?? [] {
            let words = ["path", "message"].compactMap { stray[named: $0]?.string?.printable }
            add(
                .warning, Messages.doctorPlugin, words.joined(separator: " "),
                stray["hint"]?.string?.printable)
        }
        let count = reply.result["plugins"]?.integer ?? 0
        if count > 0 {
            add(.ok, Messages.doctorPlugins, Messages.doctorPluginsChecked(number: "\(count)"))
        }
    }

    private mutating func add(
        _ state: Finding.State, _ subject: String, _ words: String, _ remedy: String? = nil
    ) {
        findings.append(Finding(state, subject, words, remedy: remedy))
    }
}
