internal import ArgumentParser
internal import BrokerJSON
internal import BrokerSocket
internal import CallProtocol

/// The texts about plugins.
enum PluginText {
    static let help: ArgumentHelp = "The plugin: its identity, or a part of it."

    static func state(_ plugin: JSONValue) -> String {
        let word = plugin["state"]?.string ?? ""
        let state = Words.pluginState(word)
        if plugin["stopping"]?.boolean == true { return Messages.pluginStopping(state: state) }
        if plugin["reloads"]?.boolean == true { return Messages.pluginReloads(state: state) }
        guard let retry = plugin["retry_after_ms"]?.integer, word == "backoff" else {
            return state
        }
        let seconds = retry / 1_000 + (retry % 1_000 + 999) / 1_000
        return Messages.pluginWaits(state: state, seconds: "\(seconds)")
    }

    static func exit(_ exit: JSONValue?) -> String? {
        if let code = exit?["code"]?.integer { return Messages.pluginExitStatus(code: "\(code)") }
        return exit?["signal"]?.integer.map { Messages.pluginExitSignal(number: "\($0)") }
    }

    static func fault(_ fault: JSONValue?) -> String? {
        guard let fault, let file = fault["file"]?.string?.printable else { return nil }
        let line = fault["line"]?.integer ?? 1
        return "\(file):\(line): \(fault["message"]?.string?.printable ?? "")"
    }

    static func logLine(_ line: JSONValue) -> String {
        let time = ClockTime(unixMS: line["at_ms"]?.integer ?? 0)
        return "\(time) \(line["text"]?.string?.printable ?? "")"
    }

    static func finding(_ finding: JSONValue) -> String {
        let lines = finding["stderr"].map { $0.elements.compactMap(\.string) } ?? []
        let head =
            "\(level(finding["level"]?.string ?? "")) "
            + "\(finding["plugin"]?.string?.printable ?? ""): "
            + "\(finding["message"]?.string?.printable ?? "")"
        let hint = finding["hint"]?.string.map { ["  " + $0.printable] } ?? []
        return ([head] + hint + lines.map { "  | " + $0.printable }).joined(separator: "\n")
    }

    private static func level(_ word: String) -> String {
        switch word {
        case "error": Messages.pluginError
        case "warning": Messages.pluginWarning
        default: word.printable
        }
    }

    static func stray(_ stray: JSONValue) -> String {
        let words = ["path", "message", "hint"].map { stray[named: $0]?.string?.printable ?? "" }
        return "\(Messages.pluginWarning) \(words[0]) \(words[1])\n  \(words[2])"
    }

    /// Reads one line of standard input, so that secrets need not be arguments, which other users
    /// can see.
    static func readInput() throws -> String {
        guard let line = readLine(strippingNewline: true) else {
            throw ToolFailure(.usage, Messages.pluginInputEmpty)
        }
        return line
    }
}

extension Session {
    /// Returns the identity of the plugin that the user means.
    func pluginName(_ words: String) throws -> String {
        let names = try names(of: .listPlugins, "plugins", "plugin")
        if let name = try NameChoice(words, among: names, Messages.choicePlugins).name {
            return name
        }
        let plugin = words.printable
        let near = NearestName.find(words, in: names).map {
            Messages.pluginUnknownNear(plugin: plugin, name: $0.printable)
        }
        let message = near ?? Messages.pluginUnknown(plugin: plugin)
        throw ToolFailure(.errorReply, message)
    }
}
