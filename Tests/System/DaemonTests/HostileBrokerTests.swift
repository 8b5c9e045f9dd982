import Testing

/// The tool against a socket that is not served by a broker. Whatever comes, a verb ends with an exit
/// code of its own, and nothing of it reaches the terminal but text.
struct HostileBrokerTests {
    typealias Manner = HostileBroker.Manner

    // MARK: - The verbs

    /// All that talk to a broker, with arguments that they take: as the tool lists them itself.
    private static let verbs = Result { try findVerbs() }

    /// For manners that a verb does not get as far as to see: one of each way to ask.
    private static let ways = [
        ["calls"], ["methods"], ["watch"], ["doctor"], ["plugin", "logs", "x"],
    ]

    private static func findVerbs() throws -> [[String]] {
        let help = try JSON(Tool("--experimental-dump-help").output)
        return verbs(in: help["command"] ?? .null, [])
    }

    private static func verbs(in command: JSON, _ path: [String]) -> [[String]] {
        let parts = command["subcommands"]?.elements ?? []
        guard parts.isEmpty else {
            return parts.flatMap { verbs(in: $0, path + [$0["commandName"]?.string ?? ""]) }
        }
        let arguments = command["arguments"]?.elements ?? []
        let options = arguments.flatMap { $0["names"]?.elements ?? [] }.compactMap {
            $0["name"]?.string
        }
        guard options.contains("timeout") else { return [] }
        let needed = arguments.filter {
            $0["kind"] == "positional" && $0["isOptional"] == .boolean(false)
        }
        let names = needed.compactMap { $0["valueName"]?.string }
        return [path + names.map { values[$0] ?? "x" }]
    }

    private static let list = "list.csv"

    /// Arguments that may not be any word.
    private static let values = [
        "entry": "1", "entries": "1", "question": "1", "answer": "allow", "choice": "pass",
        "decision": "off",
        "state": "on", "setting": "call_waiting",
        "uri": "tel:+15550100",
        "method": "call.list",
        "changes": "region=DE", "file": list,
        "address": "+15550100", "addresses": "+15550100", "digits": "1",
    ]

    @Test func `the tool lists its verbs`() throws {
        let verbs = try Self.verbs.get()
        for verb in [["history", "show"], ["what-if", "answer"], ["watch"], ["describe", "x"]] {
            #expect(verbs.contains(verb))
        }
        #expect(verbs.count > 60)
    }

    // MARK: - What they make of it

    @Test(arguments: Manner.allCases)
    func `no verb crashes, waits beyond its time, or shows what is no text`(_ manner: Manner) throws
    {
        let contract = try Contract.shared.get()
        let folder = try TemporaryFolder()
        let list = try folder.write("15550100,x\n", to: Self.list)
        for verb in try manner.isSeenByAll ? Self.verbs.get() : Self.ways {
            let broker = try HostileBroker(manner, contract)
            let process = try ChildProcess(
                [executablePath] + verb.map { $0 == Self.list ? list : $0 }
                    + ["--timeout", manner.isEndless ? "0.2" : "20"],
                environment: ["BROKER_SOCKET": broker.path], isOnTerminal: true)
            let tool = try Tool(finishing: process)
            let said = "\(manner): \(verb): \(tool.end): \(tool.output)\(tool.errors)"
            #expect(manner.ends(verb).contains(tool.end), "\(said)")
            for text in [tool.output.withoutColours, tool.errors] {
                let wrong = text.unicodeScalars.filter { !$0.mayBeShown }
                #expect(wrong.isEmpty, "\(said)")
                let isForged = text.split(separator: "\n").contains {
                    $0.hasPrefix(HostileText.forged)
                }
                #expect(!isForged, "\(said)")
            }
        }
    }

    @Test func `a document on a terminal is the same document`() throws {
        let broker = try FakeBroker()
        let value = #"{"policy":{"region":"\u001b[2J\#u{9B}\#u{202E}\#u{E0041}\n"}}"#
        let process = try ChildProcess(
            [executablePath, "request", "policy.get", "--json", "--socket", broker.path],
            isOnTerminal: true)
        let socket = try broker.accept()
        try socket.answer("{}")
        try socket.answer(value)
        let tool = try Tool(finishing: process)
        #expect(
            tool.output == #"{"policy":{"region":"\u001b[2J\u009b\u202e\udb40\udc41\n"}}"# + "\n")
        #expect(try JSON(tool.output) == JSON(value))
    }

    @Test func `a document in a pipe is as it came`() throws {
        let broker = try FakeBroker()
        let value = #"{"policy":{"region":"\#u{9B}\#u{202E}"}}"#
        let process = try ChildProcess([
            executablePath, "request", "policy.get", "--json", "--socket", broker.path,
        ])
        let socket = try broker.accept()
        try socket.answer("{}")
        try socket.answer(value)
        #expect(try Tool(finishing: process).output == value + "\n")
    }
}

extension HostileBroker.Manner {
    fileprivate var isSeenByAll: Bool {
        ![.flood, .chatter, .garbage].contains(self)
    }

    fileprivate var isEndless: Bool {
        [.trickle, .flood, .chatter, .garbage].contains(self)
    }

    /// The exit codes: 1 an error reply, 3 no broker, 4 no answer in time.
    fileprivate func ends(_ verb: [String]) -> [ProcessEnd] {
        // Without input it has nothing to ask.
        if verb.first == "bridge" { return [.exited(0)] }
        // It says what is wrong, and does not stop at that.
        let isDoctor = verb.first == "doctor"
        let asksNothing = isDoctor || verb.contains("import")
        switch self {
        // No reply of these is an error; what it makes of them is its own affair.
        case .strings, .texts, .wrongTypes, .missing: return (0...6).map { .exited($0) }
        case .errors: return asksNothing ? [.exited(0), .exited(1)] : [.exited(1)]
        case .trickle, .garbage: return [.exited(isDoctor ? 1 : 4)]
        case .flood, .chatter:
            return isDoctor ? [.exited(1), .exited(3)] : [.exited(4), .exited(3)]
        case .close: return [.exited(3)]
        }
    }
}

extension String {
    /// Without those that `watch` gives to topics.
    fileprivate var withoutColours: String {
        replacing(/\u{1B}\[(0|31|32|34|36)m/, with: "")
    }
}

extension Unicode.Scalar {
    fileprivate var mayBeShown: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: self == "\n" || self == "\t"
        default: true
        }
    }
}
