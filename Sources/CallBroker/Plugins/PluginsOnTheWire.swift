internal import BrokerJSON
internal import BrokerSocket
internal import CallModel
internal import CallPlugins
internal import CallProtocol
internal import Logging

/// Plugins as the protocol shows them, without their secrets.
extension Plugin {
    /// Writes the data of the event `plugin.state`.
    func writeChange(
        from former: Supervision.State, to state: Supervision.State, to writer: inout JSONWriter
    ) {
        writer.member("plugin", identity)
        writer.member("state", state.rawValue)
        writer.member("previous", former.rawValue)
        if !supervision.hasProcess, let exit = supervision.lastExit {
            writer.name("exit")
            writer.object { $0.members(of: exit) }
        }
        if state.isFailure { writeFailure(to: &writer) }
        let showsLog = state.isFailure || !supervision.hasProcess
        writer.member("stderr", words: showsLog ? log.tail : [])
    }

    private func writeFailure(to writer: inout JSONWriter) {
        if let failure = supervision.lastFailure { writer.member("failure", failure.rawValue) }
    }

    func failureMetadata(in state: Supervision.State) -> Logger.Metadata {
        guard state.isFailure, let failure = supervision.lastFailure else { return [:] }
        return ["failure": "\(failure.rawValue)"]
    }

    /// Writes an entry of `plugin.list`.
    func write(atMS nowMS: Int64, to writer: inout JSONWriter) {
        writer.member("plugin", identity)
        writer.member("name", manifest?.name ?? identity)
        writer.member("state", state.rawValue)
        writer.member("manifest", entry.path)
        writer.member("version", ifSet: manifest?.version)
        writer.member("description", ifSet: manifest?.summary)
        writer.member("roles", words: (manifest?.roles ?? []).roles.map(\.rawValue))
        let start = hasProgram ? manifest?.start.rawValue : "external"
        writer.member("start", start ?? "external")
        writer.member("enabled", isEnabled)
        writer.member("pid", ifSet: process.map { Int($0.pid) })
        if isStopping { writer.member("stopping", true) }
        if supervision.awaitsIdle != nil { writer.member("reloads", true) }
        writer.member("starts", starts)
        if state.isFailure || supervision.lastFailure != nil { writeFailure(to: &writer) }
        if state.isFailure {
            writer.member("failure_message", ifSet: failureMessage?.prefix(utf8: 1_024))
        }
        if let exit = supervision.lastExit {
            writer.name("exit")
            writer.object { $0.members(of: exit) }
        }
        if let retryAt = supervision.retryAt {
            let restMS = retryAt.nanoseconds / 1_000_000 - nowMS
            writer.member("retry_after_ms", max(0, restMS))
        }
        if let fault { writeFault(fault, to: &writer) }
        writeOptions(to: &writer)
        writer.member("stderr", words: log.tail)
    }

    private func writeFault(_ fault: ManifestFault, to writer: inout JSONWriter) {
        writer.name("fault")
        writer.object { writer in
            writer.member("file", fault.file)
            writer.member("line", fault.line)
            writer.member("message", fault.reason.prefix(utf8: 1_024))
        }
    }

    private func writeOptions(to writer: inout JSONWriter) {
        guard let options = manifest?.options else { return }
        writer.name("options")
        writer.array { writer in
            for option in options {
                writer.object { writer in
                    writer.member("option", option.name)
                    writer.member("type", option.kind.rawValue)
                    writer.member("dynamic", option.isDynamic)
                    writer.member("is_set", values[option.name] != nil)
                    if option.kind != .secret, let value = value(of: option) {
                        writer.name("value")
                        writer.value(value)
                    }
                    writer.member("description", ifSet: option.summary)
                }
            }
        }
    }

    /// The options for the environment, for a plugin that needs them before its session opens.
    var environmentOptions: String? {
        manifest?.environmentOptions { value(of: $0) }
    }

    /// Writes the values of options for the plugin itself, including secrets.
    func writeValues(_ names: [String]? = nil, to writer: inout JSONWriter) {
        for option in manifest?.options ?? [] where names?.contains(option.name) ?? true {
            guard let value = value(of: option) else { continue }
            writer.name(option.name)
            writer.value(value)
        }
    }
}

extension Supervision.State {
    fileprivate var isFailure: Bool {
        self == .backoff || self == .failed || self == .unresponsive
    }
}

extension JSONWriter {
    fileprivate mutating func members(of exit: Supervision.ExitStatus) {
        switch exit {
        case .code(let code): member("code", Int(code))
        case .signal(let signal): member("signal", Int(signal))
        }
    }
}
