internal import CallProtocol

/// What the broker's hints advise, in the words of the tool. Hints are written for those who speak
/// the protocol, and name methods and events.
enum ToolWords {
    private static let verbs: [String: String] = [
        MethodName.getCall.rawValue: "call",
        MethodName.listCalls.rawValue: "calls",
        MethodName.listProviders.rawValue: "providers",
        MethodName.discover.rawValue: "methods",
        MethodName.setPolicy.rawValue: "policy set",
        MethodName.setHeld.rawValue: "resume",
        Topic.hostChanged.rawValue: "watch \(Topic.hostChanged.rawValue)",
    ]

    /// Where the tool has a way of its own, by the reason of the error.
    private static let hints: [String: String] = [
        "ambiguous_provider": """
        choose one with --provider, or for all calls: \
        callbroker policy set default_provider.tel=APP
        """
    ]

    static func hint(_ text: String, reason: String?) -> String {
        if let hint = reason.flatMap({ hints[$0] }) { return hint }
        return text.split(separator: " ").map(word).joined(separator: " ")
    }

    private static func word(_ word: Substring) -> String {
        let end = word.lastIndex { $0.isLetter } ?? word.startIndex
        let name = word[...end]
        guard let verb = verbs[String(name)] else { return String(word) }
        return "\"callbroker \(verb)\"" + word[name.endIndex...]
    }
}
