internal import ArgumentParser
internal import CallProtocol

/// Rejects unknown commands with a suggestion; the library would only count an extra argument.
enum VerbCheck {
    static func check(_ arguments: ArraySlice<String>) throws(ToolFailure) {
        var command: any ParsableCommand.Type = CallBrokerTool.self
        var path = "callbroker"
        for word in arguments {
            let verbs = command.configuration.subcommands
            guard !verbs.isEmpty, !word.hasPrefix("-") else { return }
            if word == "help" { continue }
            let named = verbs.first {
                $0._commandName == word || $0.configuration.aliases.contains(word)
            }
            guard let verb = named else {
                throw unknown(word, path, verbs.map { $0._commandName })
            }
            command = verb
            path += " \(word)"
        }
    }

    private static func unknown(_ word: String, _ path: String, _ verbs: [String]) -> ToolFailure {
        let command = "\(path) \(word.printable)"
        let message =
            NearestName.find(word, in: verbs).map {
                Messages.errorUnknownCommandNear(command: command, name: "\(path) \($0)")
            } ?? Messages.errorUnknownCommand(command: command, help: "\(path) --help")
        return ToolFailure(.usage, message)
    }
}
