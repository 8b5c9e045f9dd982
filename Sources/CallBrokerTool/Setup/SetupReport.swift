internal import BrokerJSON
internal import CallProtocol

/// The findings and deeds of a first run: lines for people as it goes on, one document for programs
/// at the end.
struct SetupReport {
    private let output: OutputOptions
    var release = ""
    var hasStarted = false
    var plugins: [(plugin: SetupPlugin, outcome: SetupOutcome?)] = []
    var test: SetupTestCall.Result?

    init(_ output: OutputOptions) {
        self.output = output
    }

    /// True if something that was enabled does not run, or the test call was not received.
    var hasFailed: Bool {
        plugins.contains { $0.outcome?.problem != nil } || test?.hasFailed == true
    }

    func say(_ lines: [String]) {
        guard output.form == .table else { return }
        for line in lines { StandardOutput.line(line) }
    }

    func say(plugins: [SetupPlugin]) {
        guard !plugins.isEmpty else { return say([Messages.setupNoPlugins]) }
        for kind in SetupPlugin.Kind.allCases {
            let lines = plugins.filter { $0.kind == kind }.flatMap(\.lines)
            if !lines.isEmpty { say(["", kind.title] + lines) }
        }
        say([""])
    }

    /// Shows what to do next, or the document.
    func finish(isOnTerminal: Bool) throws {
        let steps = steps(isOnTerminal: isOnTerminal)
        let width = steps.map(\.command.cells).max() ?? 0
        say(["", Messages.setupNext])
        say(steps.map { "  \($0.command.padded(to: width))  \($0.about)" })
        guard output.form != .table else { return }
        try output.show(document(steps.map(\.command))) { _ in "" }
    }

    private func steps(isOnTerminal: Bool) -> [(command: String, about: String)] {
        var steps = [("callbroker", Messages.setupNextStatus)]
        if plugins.contains(where: { $0.plugin.state == .found && $0.outcome == nil }),
            !isOnTerminal
        {
            steps.append(("callbroker setup", Messages.setupNextSetup))
        }
        let hasTelephones = plugins.contains { plugin, outcome in
            plugin.kind == .telephone && (plugin.state == .enabled || outcome?.isEnabled == true)
        }
        if hasTelephones {
            steps.append(("callbroker dial ADDRESS", Messages.setupNextDial))
            if ServiceManager.isServiceDisabled {
                let command = "systemctl --user enable \(ServiceManager.serviceUnit)"
                steps.append((command, Messages.setupNextLogin))
            }
        }
        steps.append(("callbroker doctor", Messages.setupNextDoctor))
        return steps
    }

    // MARK: - For programs

    private func document(_ steps: [String]) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.name("broker")
            writer.object { writer in
                writer.member("release", release)
                writer.member("started_now", hasStarted)
            }
            writer.name("plugins")
            writer.array { writer in
                for (plugin, outcome) in plugins { plugin.write(to: &writer, outcome) }
            }
            if let test {
                writer.name("test_call")
                writer.object { test.write(to: &$0) }
            }
            writer.member("next", words: steps)
        }
        return writer.bytes
    }
}

extension SetupTestCall.Result {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("outcome", outcome.word)
        if case .refused(let reason) = outcome { writer.member("reason", reason) }
        writer.member("screen", ifSet: screen)
        writer.name("findings")
        writer.array { writer in for finding in findings { finding.write(to: &writer) } }
    }
}
