internal import BrokerJSON
internal import BrokerSocket
internal import CallPlugins

/// Something about a plugin that is not as it should be.
struct PluginFinding: Equatable {
    enum Level: String {
        case error, warning
    }

    let level: Level
    let message: String
    let hint: String?

    func write(of plugin: Plugin, to writer: inout JSONWriter) {
        writer.member("plugin", plugin.identity)
        writer.member("level", level.rawValue)
        writer.member("message", message.prefix(utf8: 2_048))
        writer.member("hint", ifSet: hint)
        writer.member("stderr", words: plugin.log.lastWords)
    }
}

extension Plugin {
    /// The worst first.
    var findings: [PluginFinding] {
        var findings = [absenceFinding].compactMap(\.self)
        guard isEnabled else { return findings }
        if let fault {
            findings.append(
                PluginFinding(
                    level: .error, message: "the manifest cannot be used: \(fault)",
                    hint: manifest == nil
                        ? "mend that line" : "mend that line; until then the former manifest counts"
                ))
        }
        if let finding = lifeFinding { findings.append(finding) }
        if log.dropped > 0 {
            findings.append(
                PluginFinding(
                    level: .warning,
                    message: "it writes too much: \(log.dropped) lines were not kept",
                    hint: "let it write at most \(PluginLog.linesPerSecond) lines per second"))
        }
        if wasWarnedOfStrayOutput {
            findings.append(
                PluginFinding(
                    level: .warning,
                    message: "it writes lines to standard output that are no frames",
                    hint: "let it write what is for people to standard error"))
        }
        return findings
    }

    /// No call rings without its word, and it gives none.
    private var absenceFinding: PluginFinding? {
        guard let manifest = requiredBy else { return nil }
        let (why, what): (String, String)
        switch (isEnabled, isWithdrawn, supervision.state) {
        case (false, _, _): (why, what) = ("is disabled", "callbroker plugin enable \(identity)")
        case (_, true, _): (why, what) = ("is not installed any more", "install it again")
        case (_, _, .stopped) where !isOnDemand:
            (why, what) =
                hasProgram
                ? ("is stopped", "callbroker plugin start \(identity)")
                : ("is not connected", "start the app that it describes")
        case (_, _, .masked): (why, what) = ("has no manifest that can be read", "mend it")
        case (_, _, .failed), (_, _, .backoff), (_, _, .unresponsive), (_, _, .disabled),
            (_, _, .stopped), (_, _, .starting), (_, _, .ready):
            return nil
        }
        return PluginFinding(
            level: .error,
            message:
                "no call rings: \(manifest) says that none may without its word (fail: closed), "
                + "and it \(why)",
            hint:
                "\(what); or, to do without it, say \"fail\": \"open\" there, or put an empty object, {}, "
                + "in a manifest of its name")
    }

    private var lifeFinding: PluginFinding? {
        let why = supervision.lastFailure.map { words(for: $0) } ?? "it is not known why"
        switch supervision.state {
        case .failed:
            return PluginFinding(
                level: .error, message: "it has failed, and is not tried again: \(why)",
                hint: "mend it, then callbroker plugin restart \(identity)")
        case .backoff:
            return PluginFinding(
                level: .error, message: "it fails, and is started again in a moment: \(why)",
                hint: "read callbroker plugin logs \(identity)")
        case .unresponsive:
            return PluginFinding(
                level: .error, message: "it does not answer; its calls wait for it",
                hint: "look at its process \(process.map { "\($0.pid)" } ?? "")")
        case .starting where supervision.awaitsApp:
            return PluginFinding(
                level: .warning, message: "it runs, and waits for the app that it stands for",
                hint: "start that app; the plugin's last lines say what it looks for, and where")
        case .disabled, .masked, .stopped, .starting, .ready: return nil
        }
    }

    private func words(for failure: Supervision.Failure) -> String {
        switch failure {
        case .notSpawned: failureMessage ?? "its program cannot be run"
        case .exited: failureMessage ?? "its process has ended"
        case .helloMissing: "it did not say broker.hello within 10 s"
        case .registrationMissing: "it did not say provider.register within 10 s of its hello"
        case .connectionLost: "it closed its connection, and went on running without one"
        case .unresponsive: "it did not answer two pings"
        }
    }
}
