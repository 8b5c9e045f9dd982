internal import ArgumentParser
internal import BrokerJSON
internal import BrokerSocket
internal import CallModel
internal import CallProtocol

/// `callbroker status`, and `callbroker` alone: the state of the phone in a few lines.
struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract:
            "Show the state of the phone: calls, missed calls, do-not-disturb, apps, problems.",
        discussion: "This is also what \"callbroker\" alone does.")

    @OptionGroup var client: ClientOptions

    func run() throws {
        let session = try client.open([.observer, .admin])
        let state = try PhoneState(session, SocketCheck(client.connection).findings)
        try client.output.show(state.json) { _ in state.lines.joined(separator: "\n") }
    }
}

/// The state of the phone, in a few lines.
struct PhoneState {
    private static let callsMax = 8

    private var calls: [CallSummary] = []
    private var apps: [(name: String, isConnected: Bool, json: [UInt8])] = []
    private let missed: Int64
    private let latestMissed: String?
    private let quiet: [UInt8]
    private let quietText: String
    private let problems: [Finding]

    init(_ session: Session, _ findings: [Finding]) throws {
        var (calls, apps) = ([CallSummary](), [(String, Bool, [UInt8])]())
        try session.forEachPage(.listCalls) { page in calls += CallSummary.list(page.result) }
        try session.forEachPage(.listProviders) { page in
            apps += page.result["providers"]?.elements.map(Self.app) ?? []
        }
        (self.calls, self.apps) = (calls, apps)
        let history = try session.request(.listHistory) { writer in
            writer.name("filter")
            writer.object { $0.member("missed", true) }
            writer.member("limit", 1)
        }
        missed = history.result["missed"]?.integer ?? 0
        latestMissed = history.result["entries"]?[0].map { Self.missed($0, session.nowMS) }
        let policy = try session.request(.getPolicy)
        let quiet = policy.result["policy"]?["do_not_disturb"] ?? policy.result
        self.quiet = Array(ClientOptions.oneLine(quiet).utf8)
        quietText = DoNotDisturbText(quiet, nowMS: session.nowMS).state
        let all =
            findings + BrokerCheck(session).findings + JournalCheck(session).findings
            + StoreCheck(session).findings
        problems = all.filter { $0.state != .ok }
    }

    private static func app(_ provider: JSONValue) -> (String, Bool, [UInt8]) {
        let name = provider["display_name"]?.string ?? provider["provider"]?.string ?? ""
        return (
            name.printable, provider["connected"]?.boolean ?? false,
            Array(ClientOptions.oneLine(provider).utf8)
        )
    }

    private static func missed(_ entry: JSONValue, _ nowMS: Int64) -> String {
        let who = entry["name"]?.string ?? entry["remote"]?["value"]?.string ?? Messages.callUnknown
        let when = RelativeTime(unixMS: entry["started_at_ms"]?.integer ?? 0, nowMS: nowMS)
        return Messages.statusMissedCaller(name: who.printable, when: "\(when)")
    }

    // MARK: - For people

    var lines: [String] {
        callLines + [missedLine, Messages.statusDoNotDisturb(state: quietText), appLine]
            + problemLines
    }

    private var callLines: [String] {
        guard !calls.isEmpty else { return [Messages.callNone] }
        let rest = calls.count - Self.callsMax
        return calls.prefix(Self.callsMax).map { "\($0.situation): \($0.other)  (\($0.shortID))" }
            + (rest > 0 ? [Messages.statusMore(count: Int64(rest))] : [])
    }

    private var missedLine: String {
        guard missed > 0 else { return Messages.statusNoMissed }
        return latestMissed.map { Messages.statusMissedLatest(count: missed, caller: $0) }
            ?? Messages.statusMissed(count: missed)
    }

    private var appLine: String {
        guard !apps.isEmpty else { return Messages.statusNoApps }
        let names = apps.map { app in
            app.isConnected ? app.name : Messages.statusAppNotConnected(app: app.name)
        }
        return Messages.statusApps(apps: names.joined(separator: ", "))
    }

    private var problemLines: [String] {
        problems.map { finding in
            let remedy = finding.remedy.map { "\n  " + $0.printableLines } ?? ""
            return "\(finding.state.word): \(finding.subject): \(finding.message)\(remedy)"
        }
    }

    // MARK: - For programs

    var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.name("calls")
            writer.array { writer in for call in calls { writer.value(json: call.json) } }
            writer.member("missed", missed)
            writer.name("do_not_disturb")
            writer.value(json: quiet)
            writer.name("providers")
            writer.array { writer in for app in apps { writer.value(json: app.json) } }
            writer.name("problems")
            writer.array { writer in for problem in problems { problem.write(to: &writer) } }
        }
        return writer.bytes
    }
}

extension String {
    /// The lines, indented below the first.
    fileprivate var printableLines: String {
        split(separator: "\n").map(\.description.printable).joined(separator: "\n  ")
    }
}
