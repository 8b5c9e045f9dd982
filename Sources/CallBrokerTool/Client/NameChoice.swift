internal import BrokerJSON
internal import CallProtocol

/// Finds a name by the words of the user: the whole name, or a part that only one name has.
struct NameChoice {
    /// The name; nil if no name has the words.
    let name: String?

    /// - Parameter plural: what the names are of, for messages.
    /// - Throws: a failure if several names have the words.
    init(_ words: String, among names: [String], _ plural: String) throws(ToolFailure) {
        let found = names.contains(words) ? [words] : names.filter { $0.contains(words) }
        guard found.count <= 1 else {
            throw ToolFailure(
                code: .usage,
                message: "callbroker: several \(plural) match: "
                    + found.map(\.printable).joined(separator: ", "))
        }
        name = found.first
    }
}

extension Session {
    /// Returns the identity of the app that the user means. Words that are no part of a registered
    /// app are returned as they are: the broker may know an app that has gone, or can start it.
    func providerName(_ words: String) throws -> String {
        let names = try names(of: .listProviders, "providers", "provider")
        return try NameChoice(words, among: names, "apps").name ?? words
    }

    /// Returns the names in a list of the broker.
    func names(of method: MethodName, _ list: String, _ member: String) throws -> [String] {
        var names: [String] = []
        try forEachPage(method) { page in
            names +=
                page.result[named: list]?.elements.compactMap { $0[named: member]?.string } ?? []
        }
        return names
    }
}
