internal import BrokerJSON
internal import CallProtocol

/// The broker's hints in terms of the tool's commands. The broker writes them for developers, with
/// names of methods and events.
enum HintText {
    private static let verbs: [String: String] = [
        MethodName.getCall.rawValue: "call",
        MethodName.listCalls.rawValue: "calls",
        MethodName.listProviders.rawValue: "providers",
        MethodName.discover.rawValue: "methods",
        MethodName.setPolicy.rawValue: "policy set",
        MethodName.setHeld.rawValue: "resume",
        Topic.hostChanged.rawValue: "watch \(Topic.hostChanged.rawValue)",
    ]

    /// - Parameter data: the error's `data`; for some reasons the tool has its own hint.
    static func hint(_ text: String, in data: JSONValue?) -> String {
        if data?["reason"]?.string == "ambiguous_provider" {
            guard let scheme = data?["scheme"]?.string?.printable else {
                return Messages.errorChooseProvider
            }
            return Messages.errorChooseDefault(scheme: scheme)
        }
        return text.split(separator: " ").map(word).joined(separator: " ")
    }

    private static func word(_ word: Substring) -> String {
        let end = word.lastIndex { $0.isLetter } ?? word.startIndex
        let name = word[...end]
        guard let verb = verbs[String(name)] else { return String(word) }
        return "\"callbroker \(verb)\"" + word[name.endIndex...]
    }
}
