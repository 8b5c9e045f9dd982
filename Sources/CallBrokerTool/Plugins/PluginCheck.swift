internal import ArgumentParser
internal import BrokerSocket
internal import CallBroker
internal import CallProtocol
internal import CallTesting

/// `callbroker plugin check`: the conformance suite for providers.
struct PluginCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Run the conformance suite against a plugin.",
        discussion: """
            Starts the program once per scenario, with a broker and a clock of its own, and checks \
            what it sends. Needs no running broker. PROGRAM is an executable, which connects to \
            BROKER_SOCKET unless --transport is given, a manifest (IDENTITY.plugin.json), or a \
            folder that contains one.

            Scenarios with incoming calls need a caller: the shell command of --ring COMMAND, or of \
            "x_ring" in the manifest, has to cause a call. It runs with the program's environment, \
            where XDG_RUNTIME_DIR is a folder of the scenario's own. In the same way, --external \
            COMMAND, or "x_external", has to cause a call on another device of the same account, \
            --priority COMMAND, or "x_priority", one that the program reports as that of a priority \
            caller, and --background COMMAND, or "x_background", one that it reports as a background call.

            --delays-audio, or "x_delays_audio": true, adds the scenario of programs that the policy \
            handover.observers may name.

            "x_build" in the manifest is a shell command that builds the program; it runs first.

            Exit codes: 0 all applicable scenarios passed, 1 a scenario failed, 2 wrong usage, 3 the \
            program cannot be started.
            """)

    @Argument(help: "The program, manifest or folder to check.", completion: .file())
    var program: String?

    @Argument(help: "Arguments of the program, after -- if they begin with a dash.")
    var arguments: [String] = []

    @Option(help: "How the program connects to the broker: stdio, fd3 or connect.")
    var transport: ProviderProgram.Transport?

    @Option(help: "The identity that the program must have.")
    var identity: String?

    @Option(help: "A shell command that causes an incoming call.")
    var ring: String?

    @Option(help: "A shell command that causes a call on another device of the same account.")
    var external: String?

    @Option(help: "A shell command that causes a call of a priority caller.")
    var priority: String?

    @Option(help: "A shell command that causes a background call.")
    var background: String?

    @Flag(help: "The program delays the audio of calls until it is ready (audio.handover).")
    var delaysAudio = false

    @Option(help: "Run only this scenario; may be repeated.")
    var only: [String] = []

    @Flag(help: "List the scenarios, and the promise that each one tests.")
    var list = false

    @Option(
        help: ArgumentHelp(
            "The timeout of each step: milliseconds, or a time \(TimeSpan.forms).",
            discussion: "Default: 5 s."),
        transform: { try TimeSpan(option: $0, .milliseconds) })
    var patience: TimeSpan?

    @Option(help: "Also write the report as JUnit XML to this file.", completion: .file())
    var junit: String?

    @Flag(help: "Print JSON: one document per scenario, and a summary.")
    var json = false

    private var patienceMS: Int { patience.map { Int($0.milliseconds) } ?? 5_000 }

    func validate() throws {
        guard program != nil || list else { throw ValidationError("name the program to check") }
        guard (1...600_000).contains(patienceMS) else {
            throw ValidationError("--patience takes 1 ms to 10 min")
        }
    }

    func run() throws {
        let scenarios = try chosen()
        guard !list, let program else { return show(scenarios) }
        ChildProgram.endWithUs()
        let described = try described(program)
        guard try described.make() else {
            throw ToolFailure(
                .noConnection, "\"x_build\" of the manifest failed: \(described.build ?? "")")
        }
        var conformance = Conformance(described)
        conformance.patienceMS = patienceMS
        var report = CheckReport(isJSON: json)
        do {
            let concerned = scenarios.filter { !only.isEmpty || $0.concerns(described) }
            _ = try conformance.run(concerned) { report.add($0) }
        } catch let error as Conformance.CannotStart {
            throw ToolFailure(.noConnection, "\(error)")
        }
        report.end()
        if let junit {
            do throws(SocketError) {
                try HostFile.write(junit, Array(report.junit(of: program).utf8))
            } catch {
                throw ToolFailure(.errorReply, "\(error)")
            }
        }
        if report.failed > 0 { throw ExitCode(ToolFailure.Code.errorReply.rawValue) }
    }

    private func chosen() throws -> [Scenario] {
        for name in only where !Scenario.all.contains(where: { $0.name == name }) {
            let near = NearestName.find(name, in: Scenario.all.map(\.name))
            let hint = near.map { ": did you mean \($0)?" } ?? "; --list shows them"
            throw ToolFailure(.usage, "unknown scenario \(name)\(hint)")
        }
        return only.isEmpty ? Scenario.all : Scenario.all.filter { only.contains($0.name) }
    }

    private func show(_ scenarios: [Scenario]) {
        let width = scenarios.map(\.name.count).max() ?? 0
        for scenario in scenarios {
            let space = String(repeating: " ", count: width - scenario.name.count + 2)
            StandardOutput.line(scenario.name + space + scenario.promise)
        }
    }

    // MARK: - What to run

    private func described(_ path: String) throws -> ProviderProgram {
        var described: ProviderProgram
        if let manifest = try manifest(path) {
            do throws(ProviderProgram.ManifestFault) {
                described = try ProviderProgram(
                    manifest: manifest, arguments,
                    environment: BundledFiles.environment(Environment.current))
            } catch {
                throw ToolFailure(.usage, "\(error)")
            }
        } else {
            described = ProviderProgram(
                arguments: [path] + arguments, environment: Environment.current)
        }
        if let transport { described.transport = transport }
        if let identity { described.identity = identity }
        if let ring { described.ring = ring }
        if let external { described.external = external }
        if let priority { described.priority = priority }
        if let background { described.background = background }
        if delaysAudio { described.delaysAudio = true }
        return described
    }

    /// Returns the path if it is a manifest; nil for a program.
    private func manifest(_ path: String) throws -> String? {
        if path.hasSuffix(".plugin.json") { return path }
        guard HostFile.isFolder(path) else { return nil }
        return try ToolFailure.wrapping(.usage) { () throws(SocketError) in
            try PluginSource.manifest(in: path)
        }
    }
}

extension ProviderProgram.Transport: ExpressibleByArgument {}
