internal import ArgumentParser
internal import BrokerJSON
internal import BrokerSocket
internal import CallProtocol

/// `callbroker setup`: a first run, from the broker to a call that rings.
struct Setup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Set the phone up: start the broker, enable plugins, ring a test call.",
        discussion: """
            Finds the telephones and screens on this host for which plugins came with the program, \
            offers to enable them, and rings a test call. Asks on a terminal only; elsewhere it \
            reports, unless --yes or --test-call is given. Exits with 1 if a plugin that was enabled does \
            not run, or if the test call did not reach the user.
            """)

    private static let secondsMax = 600.0

    @Flag(help: "Start the broker and enable all plugins that were found, without asking.")
    var yes = false
    @Flag(name: .customLong("no-input"), help: "Ask nothing, and change nothing.")
    var noInput = false
    @Flag(inversion: .prefixedNo, help: "Ring a test call, or do not offer it.")
    var testCall: Bool?
    @Option(
        help: "The time that the test call rings: seconds, or a time \(TimeSpan.forms).",
        transform: { try TimeSpan(option: $0, .seconds) })
    var ring: TimeSpan?
    @OptionGroup var target: PluginFolderOptions
    @OptionGroup var client: ClientOptions

    func validate() throws {
        guard !yes || !noInput else { throw ValidationError("choose one of --yes and --no-input") }
        guard let ring else { return }
        guard ring.milliseconds > 0, ring.seconds <= Self.secondsMax else {
            throw ValidationError("--ring must be more than 0 and at most 600 seconds")
        }
    }

    func run() throws {
        var report = SetupReport(client.output)
        report.release = try SetupBroker(client: client, questions: questions).release(&report)
        try enablePlugins(&report)
        try ringTestCall(&report)
        try report.finish(isOnTerminal: questions.isAsking)
        if report.hasFailed { throw ExitCode(ToolFailure.Code.errorReply.rawValue) }
    }

    private var questions: Questions {
        if yes { return Questions(manner: .accepting) }
        let isAsking = Terminal.isInput && !noInput && client.output.form == .table
        return Questions(manner: isAsking ? .asking : .declining)
    }

    // MARK: - Plugins

    private func enablePlugins(_ report: inout SetupReport) throws {
        let installed = try target.installed()
        let plugins = try findPlugins(installed)
        report.say(plugins: plugins)
        let enabling = SetupEnabling(client: client, installed: installed, questions: questions)
        var outcomes: [String: SetupOutcome] = [:]
        for plugin in plugins where plugin.state == .found {
            guard questions.confirm(Messages.setupEnable(name: plugin.name)) else { continue }
            let outcome = enabling.enable(plugin)
            report.say(([outcome.line] + [outcome.remedy].compactMap(\.self).map { "  " + $0 }))
            outcomes[plugin.source.identity] = outcome
        }
        if questions.manner == .declining, plugins.contains(where: { $0.state == .found }) {
            report.say([Messages.setupNothingEnabled])
        }
        report.plugins = plugins.map { ($0, outcomes[$0.source.identity]) }
    }

    private func findPlugins(_ installed: InstalledPlugins) throws -> [SetupPlugin] {
        var disabled: Set<String> = []
        try client.open(.admin).forEachPage(.listPlugins) { page in
            for plugin in page.result["plugins"]?.elements.map(\.self) ?? []
            where plugin["enabled"]?.boolean == false {
                disabled.insert(plugin["plugin"]?.string ?? "")
            }
        }
        let present = BundledPlugins.present(installed)
        return BundledPlugins.all.compactMap {
            SetupPlugin($0, present: present, disabled: disabled)
        }
    }

    // MARK: - The test call

    private func ringTestCall(_ report: inout SetupReport) throws {
        let isWanted =
            testCall ?? (questions.isAsking && questions.confirm(Messages.setupTestOffer))
        guard isWanted else { return }
        let test = SetupTestCall(client: client, seconds: ring?.seconds ?? 30, questions: questions)
        report.test = try test.run(&report)
    }
}
