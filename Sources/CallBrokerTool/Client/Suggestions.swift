internal import ArgumentParser
internal import BrokerJSON
internal import BrokerSocket
internal import CallProtocol

/// Words for the completions of shells: from the running broker, and none if it does not answer at
/// once.
enum Suggestions {
    static let calls = fromBroker(.observer) { session in
        try session.names(of: .listCalls, "calls", "call").map { ShortID($0).description }
    }
    static let providers = fromBroker(.observer) { session in
        try session.names(of: .listProviders, "providers", "provider")
    }
    static let plugins = fromBroker(.admin) { session in
        try session.names(of: .listPlugins, "plugins", "plugin")
    }
    static let contacts = fromBroker(.observer) { session in
        try session.names(of: .listContacts, "contacts", "name")
    }
    static let directories = fromBroker(.observer) { session in
        try session.names(of: .listDirectories, "sources", "source")
    }
    static let methods = fixed { MethodTable.standard.methods.map(\.name.rawValue) }
    static let topics = fixed {
        let names = TopicTable.rows.map(\.topic.rawValue)
        let families = Set(names.map { String($0.prefix { $0 != "." }) + ".*" })
        return families.sorted() + names
    }
    static let policyKeys = fixed {
        let row = MethodTable.standard.find(MethodName.setPolicy.rawValue)
        return (row?.params ?? []).flatMap { keys(of: $0, in: "") }
    }

    /// The longest wait for the broker, in seconds: the user waits for the shell.
    private static let patienceSeconds = 1
    /// The greatest number of words that a shell is offered.
    private static let wordsMax = 500

    private static func fixed(_ words: @Sendable @escaping () -> [String]) -> CompletionKind {
        .custom { _, _, prefix in words().filter { $0.hasPrefix(prefix) } }
    }

    private static func fromBroker(
        _ roles: RoleSet, _ words: @Sendable @escaping (Session) throws -> [String]
    ) -> CompletionKind {
        .custom { line, _, prefix in
            guard let session = try? session(roles, line), let all = try? words(session) else {
                return []
            }
            return Array(all.filter { isSafe($0, prefix) }.prefix(wordsMax))
        }
    }

    /// Opens a session with the broker that the line names.
    private static func session(_ roles: RoleSet, _ line: [String]) throws -> Session {
        var arguments = ["--timeout", "\(patienceSeconds)"]
        if let place = line.lastIndex(of: "--socket"), place + 1 < line.count {
            arguments += ["--socket", line[place + 1]]
        }
        let connection = try ConnectionOptions.parse(arguments)
        return try Session(
            connection, try OutputOptions.parse([]), roles, deadline: connection.deadline())
    }

    /// Returns whether a word begins with the prefix, and means nothing else to a shell: names come
    /// from others, and bash evaluates what it is offered.
    private static func isSafe(_ word: String, _ prefix: String) -> Bool {
        let typed = prefix.filter { $0 != "\\" }
        return word.hasPrefix(typed) && !word.hasPrefix("-")
            && word.allSatisfy { $0.isLetter || $0.isNumber || " ._-@+…".contains($0) }
    }

    /// Returns a member of the policy as the beginning of a change, or the members inside it.
    private static func keys(of member: Member, in path: String) -> [String] {
        let name = path + "\(member.name)"
        switch member.schema {
        case .object(let members): return members.flatMap { keys(of: $0, in: name + ".") }
        case .dictionary: return [name + "."]
        case .nullable(.object(let members)):
            return members.flatMap { keys(of: $0, in: name + ".") }
        default: return [name + "="]
        }
    }
}
