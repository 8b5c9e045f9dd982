internal import BrokerJSON
internal import BrokerSocket
internal import CallPlugins

/// A problem of a plugin, as `plugin.doctor` reports it.
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
        writer.member("stderr", words: plugin.log.tail)
    }
}

extension Plugin {
    /// The problems of the plugin, the most severe first.
    var findings: [PluginFinding] {
        var findings = [absenceFinding].compactMap(\.self)
        guard isEnabled else { return findings }
        if let fault {
            findings.append(
                PluginFinding(
                    level: .error, message: "invalid manifest: \(fault)",
                    hint: manifest == nil
                        ? "fix that line"
                        : "fix that line; until then the earlier manifest applies"))
        }
        if let finding = lifeFinding { findings.append(finding) }
        if log.dropped > 0 {
            findings.append(
                PluginFinding(
                    level: .warning,
                    message: "writes too much output: \(log.dropped) lines were dropped",
                    hint: "write at most \(PluginLog.linesPerSecond) lines per second"))
        }
        if wasWarnedOfStrayOutput {
            findings.append(
                PluginFinding(
                    level: .warning,
                    message: "writes non-JSON lines to standard output",
                    hint: "write log output to standard error"))
        }
        return findings
    }

    /// The problem of a required plugin that cannot give verdicts.
    private var absenceFinding: PluginFinding? {
        guard let manifest = requiredBy else { return nil }
        let (why, what): (String, String)
        switch (isEnabled, isWithdrawn, supervision.state) {
        case (false, _, _): (why, what) = ("is disabled", "callbroker plugin enable \(identity)")
        case (_, true, _): (why, what) = ("is no longer installed", "install it again")
        case (_, _, .stopped) where !isOnDemand:
            (why, what) =
                hasProgram
                ? ("is stopped", "callbroker plugin start \(identity)")
                : ("is not connected", "start the app that it describes")
        case (_, _, .masked): (why, what) = ("has no readable manifest", "fix it")
        case (_, _, .failed), (_, _, .backoff), (_, _, .unresponsive), (_, _, .disabled),
            (_, _, .stopped), (_, _, .starting), (_, _, .ready):
            return nil
        }
        return PluginFinding(
            level: .error,
            message:
                "no call rings: \(manifest) requires its verdict before a call rings "
                + "(fail: closed), and it \(why)",
            hint:
                "\(what); or, to do without it, set \"fail\": \"open\" there, or put an empty "
                + "object, {}, in a manifest of its name")
    }

    private var lifeFinding: PluginFinding? {
        let why = supervision.lastFailure.map { words(for: $0) } ?? "unknown reason"
        switch supervision.state {
        case .failed:
            return PluginFinding(
                level: .error, message: "failed too often and will not be restarted: \(why)",
                hint: "fix it, then callbroker plugin restart \(identity)")
        case .backoff:
            return PluginFinding(
                level: .error, message: "crashed, restarting: \(why)",
                hint: "see callbroker plugin logs \(identity)")
        case .unresponsive:
            return PluginFinding(
                level: .error, message: "does not respond; its calls wait for it",
                hint: "inspect its process \(process.map { "\($0.pid)" } ?? "")")
        case .starting where supervision.awaitsApp:
            return PluginFinding(
                level: .warning, message: "is running and waits for its app",
                hint: "start that app; the plugin's last lines may name it")
        case .disabled, .masked, .stopped, .starting, .ready: return nil
        }
    }

    private func words(for failure: Supervision.Failure) -> String {
        switch failure {
        case .notSpawned: failureMessage ?? "its program cannot be run"
        case .exited: failureMessage ?? "its process has exited"
        case .helloMissing: "it did not send broker.hello within 10 s"
        case .registrationMissing: "it did not send provider.register within 10 s of its hello"
        case .connectionLost: "it closed its connection but kept running"
        case .unresponsive: "it did not answer two pings"
        }
    }
}
