internal import CallProtocol
internal import ArgumentParser
internal import BrokerSocket
internal import CallTesting

/// `callbroker plugin check`: what a provider promises, tried one by one.
struct PluginCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Try whether a provider keeps its promises.",
        discussion: """
            Starts the program anew for each scenario, beside a broker of its own with a clock of its \
            own, and judges what it says. Needs no running broker. PROGRAM is an executable, which \
            connects to BROKER_SOCKET unless --transport says otherwise, or a manifest \
            (IDENTITY.plugin.json), or a folder that holds one.

            Somebody must call for the scenarios with incoming calls: --ring COMMAND, or "x_ring" in \
            the manifest, is given to the shell, with the program's environment. XDG_RUNTIME_DIR is a \
            folder of the scenario's own, for the program and for the command.

            "x_build" in the manifest is a shell command that makes the program; it runs first.

            Exit codes: 0 all that apply passed, 1 one has failed, 2 wrong usage, 3 the program \
            cannot be started.
            """)

    @Argument(help: "What to check.", completion: .file())
    var program: String?

    @Argument(help: "Its arguments; behind -- if they begin with a dash.")
    var arguments: [String] = []

    @Option(help: "How the program talks to its broker: stdio, fd3 or connect.")
    var transport: ProviderProgram.Transport?

    @Option(help: "What the program must call itself.")
    var identity: String?

    @Option(help: "A shell command that makes somebody call.")
    var ring: String?

    @Option(help: "Only this scenario; may be repeated.")
    var only: [String] = []

    @Flag(help: "List the scenarios and what they promise.")
    var list = false

    @Option(help: "How long the program may take for anything, in milliseconds.")
    var patience = 5_000

    @Option(help: "Write the report as JUnit XML, too.", completion: .file())
    var junit: String?

    @Flag(help: "JSON: one document per scenario, and one at the end.")
    var json = false

    func validate() throws {
        guard program != nil || list else { throw ValidationError("say which program to check") }
        guard (1...600_000).contains(patience) else {
            throw ValidationError("--patience takes 1 to 600,000 milliseconds")
        }
    }

    func run() throws {
        let scenarios = try chosen()
        guard !list, let program else { return show(scenarios) }
        ChildProgram.endWithUs()
        let described = try described(program)
        guard try described.make() else {
            throw ToolFailure(
                code: .noConnection,
                message:
                    "callbroker: \"x_build\" of its manifest has failed: \(described.build ?? "")")
        }
        var conformance = Conformance(described)
        conformance.patienceMS = patience
        var report = CheckReport(isJSON: json)
        do {
            _ = try conformance.run(scenarios) { report.add($0) }
        } catch let error as Conformance.CannotStart {
            throw ToolFailure(code: .noConnection, message: "callbroker: \(error)")
        }
        report.end()
        if let junit {
            do throws(SocketError) {
                try HostFile.write(junit, Array(report.junit(of: program).utf8))
            } catch {
                throw ToolFailure(code: .errorReply, message: "callbroker: \(error)")
            }
        }
        if report.failed > 0 { throw ExitCode(ToolFailure.Code.errorReply.rawValue) }
    }

    private func chosen() throws -> [Scenario] {
        for name in only where !Scenario.all.contains(where: { $0.name == name }) {
            let near = NearestName.find(name, in: Scenario.all.map(\.name))
            let hint = near.map { ": did you mean \($0)?" } ?? "; --list shows them"
            throw ToolFailure(
                code: .usage, message: "callbroker: there is no scenario \(name)\(hint)")
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
                    manifest: manifest, arguments, environment: Environment.current)
            } catch {
                throw ToolFailure(code: .usage, message: "callbroker: \(error)")
            }
        } else {
            described = ProviderProgram(
                arguments: [path] + arguments, environment: Environment.current)
        }
        if let transport { described.transport = transport }
        if let identity { described.identity = identity }
        if let ring { described.ring = ring }
        return described
    }

    /// Nil if it is a program.
    private func manifest(_ path: String) throws -> String? {
        if path.hasSuffix(".plugin.json") { return path }
        guard HostFile.isFolder(path) else { return nil }
        let names = HostFile.names(inFolder: path).filter { $0.hasSuffix(".plugin.json") }
        guard names.count == 1, let name = names.first else {
            throw ToolFailure(
                code: .usage,
                message: "callbroker: \(path) holds \(names.count) files IDENTITY.plugin.json; "
                    + (names.isEmpty ? "say which program to check" : "name one of them"))
        }
        return "\(path)/\(name)"
    }
}

extension ProviderProgram.Transport: ExpressibleByArgument {}
