internal import BrokerJSON
internal import BrokerSocket
internal import CallPlugins
internal import CallProtocol

/// Enables plugins for a first run: as `plugin enable` does, and then looks whether they run.
struct SetupEnabling {
    /// The time for a plugin to report, in milliseconds; a slower one is mentioned as such.
    private static let patienceMS = 5_000
    private static let pauseMS = 100

    let client: ClientOptions
    let installed: InstalledPlugins
    let questions: Questions

    func enable(_ plugin: SetupPlugin) -> SetupOutcome {
        var outcome = SetupOutcome()
        do throws(ToolFailure) {
            if !plugin.isDisabled { try installed.link(plugin.source) }
            let session = try client.open(.admin)
            _ = try session.enableLinked(plugin.source.identity)
            outcome.isEnabled = true
            try set(try options(of: plugin) + askOptions(of: plugin), of: plugin)
            try judge(plugin, &outcome)
        } catch {
            outcome.problem = error.message.firstLine.droppingName
            outcome.line =
                outcome.isEnabled
                ? Messages.setupEnabledFailed(name: plugin.name, reason: outcome.problem ?? "")
                : Messages.setupEnableFailed(name: plugin.name, reason: outcome.problem ?? "")
        }
        return outcome
    }

    // MARK: - Options

    /// Returns the options that depend on what the plugin drives here, unless they have that value
    /// by default.
    private func options(
        of plugin: SetupPlugin
    ) throws(ToolFailure) -> [(option: PluginOption, value: [UInt8])] {
        var values: [(option: PluginOption, value: [UInt8])] = []
        for option in plugin.source.manifest.options {
            guard let text = plugin.options[option.name], option.fallback?.text != text else {
                continue
            }
            values.append((option, try OptionValue.json(text, option.kind.rawValue)))
        }
        return values
    }

    /// Asks for the options that the manifest wants to be asked for.
    private func askOptions(
        of plugin: SetupPlugin
    ) -> [(option: PluginOption, value: [UInt8])] {
        guard questions.isAsking else { return [] }
        return plugin.source.manifest.options.filter(\.isAsked).compactMap { option in
            ask(option, of: plugin.name).map { (option, $0) }
        }
    }

    /// Returns the value as JSON; nil if the user leaves it.
    private func ask(_ option: PluginOption, of plugin: String) -> [UInt8]? {
        let about = (option.summary ?? option.name).printable
        if option.kind == .bool {
            let isOn = option.fallback == .bool(true)
            let question = Messages.setupOptionYesNo(name: plugin, description: about)
            let isChosen = questions.confirm(question, isDefault: isOn)
            return isChosen == isOn ? nil : Array("\(isChosen)".utf8)
        }
        let prompt =
            option.fallback.map { value in
                Messages.setupOptionDefault(name: plugin, description: about, value: value.text)
            } ?? Messages.setupOptionValue(name: plugin, description: about)
        guard let text = questions.text(prompt, isSecret: option.kind == .secret) else {
            return nil
        }
        if option.kind == .list {
            return OptionValue.list(text.split(separator: " ").map(String.init))
        }
        do throws(ToolFailure) {
            return try OptionValue.json(text, option.kind.rawValue)
        } catch {
            let reason = error.message.firstLine.droppingName
            StandardError.write(Messages.setupOptionFailed(reason: reason) + "\n")
            return nil
        }
    }

    private func set(
        _ values: [(option: PluginOption, value: [UInt8])], of plugin: SetupPlugin
    ) throws(ToolFailure) {
        guard !values.isEmpty else { return }
        let session = try client.open(.admin)
        for (option, value) in values {
            _ = try session.setOption(option.name, of: plugin.source.identity, to: value)
        }
    }

    // MARK: - Whether it runs

    private func judge(_ plugin: SetupPlugin, _ outcome: inout SetupOutcome) throws(ToolFailure) {
        let session = try client.open(.admin)
        let state = try finalState(of: plugin.source.identity, session)
        let finding = try problem(of: plugin.source.identity, session)
        if let finding {
            (outcome.problem, outcome.remedy) = finding
            outcome.line = Messages.setupEnabledFailed(name: plugin.name, reason: finding.problem)
        } else if state == "ready" {
            outcome.line = Messages.setupEnabledReady(name: plugin.name)
        } else {
            outcome.line = Messages.setupEnabled(name: plugin.name)
        }
    }

    /// Returns the state of a plugin as soon as it is neither stopping, if it was just disabled, nor
    /// starting any more.
    private func finalState(
        of identity: String, _ session: Session
    ) throws(ToolFailure) -> String {
        let deadline = MonotonicTime.now().advanced(milliseconds: Self.patienceMS)
        while true {
            let reply = try session.request(.listPlugins) { $0.member("plugin", identity) }
            let plugin = reply.result["plugins"]?[0]
            let state = plugin?["state"]?.string?.printable ?? ""
            let isBusy = state == "starting" || plugin?["stopping"]?.boolean == true
            guard isBusy, MonotonicTime.now() < deadline else { return state }
            HostProcess.pause(milliseconds: Self.pauseMS)
        }
    }

    /// Returns what the broker finds wrong with a plugin, on one line, and the remedy.
    private func problem(
        of identity: String, _ session: Session
    ) throws(ToolFailure) -> (problem: String, remedy: String)? {
        let reply = try session.request(.pluginDoctor) { $0.member("plugin", identity) }
        guard let finding = reply.result["findings"]?[0] else { return nil }
        let message = finding["message"]?.string?.printable ?? ""
        let last = finding["stderr"]?.elements.compactMap(\.string).last
        let words = [message, last?.printable].compactMap(\.self).filter { !$0.isEmpty }
        let hint = finding["hint"]?.string?.printable
        return (
            words.joined(separator: ": "), hint ?? Messages.setupDoctorHint(plugin: identity)
        )
    }
}

extension PluginValue {
    /// The value as the user would write it.
    fileprivate var text: String {
        switch self {
        case .string(let text): text.printable
        case .int(let number): String(number)
        case .bool(let flag): String(flag)
        case .list(let texts): texts.joined(separator: " ").printable
        }
    }
}
