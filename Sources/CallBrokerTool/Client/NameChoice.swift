internal import BrokerJSON
internal import CallProtocol

/// Finds a name by the words of the user: the whole name, or a part that only one name has.
struct NameChoice {
    /// The name; nil if no name has the words.
    let name: String?

    /// - Parameter several: the message if several names have the words, with those names.
    /// - Throws: a failure if several names have the words.
    init(
        _ words: String, among names: [String], _ several: (String) -> String
    ) throws(ToolFailure) {
        let found = names.contains(words) ? [words] : names.filter { $0.contains(words) }
        guard found.count <= 1 else {
            throw ToolFailure(.usage, several(found.map(\.printable).joined(separator: ", ")))
        }
        name = found.first
    }
}

extension Session {
    /// Returns the identity of the app that the user means, which may be a plugin that is not
    /// running: by its identity, its name, or an unambiguous part of one. Words that no app has are
    /// returned as they are: the broker may know an app that has gone.
    func providerName(_ words: String) throws -> String {
        let registered = try apps(of: .listProviders, "providers", "provider", "display_name")
        if let name = try registered.identity(of: words) { return name }
        // Only an admin may list the plugins; other users name them in full.
        let plugins = try? Session(options, output, .admin, deadline: deadline)
            .apps(of: .listPlugins, "plugins", "plugin", "name")
        return try plugins?.identity(of: words) ?? words
    }

    private func apps(
        of method: MethodName, _ list: String, _ identity: String, _ name: String
    ) throws -> NamedApps {
        var apps = NamedApps()
        try forEachPage(method) { page in
            for app in page.result[named: list]?.elements.map(\.self) ?? [] {
                let id = app[named: identity]?.string ?? ""
                apps.names.append((id, app[named: name]?.string ?? id))
            }
        }
        return apps
    }

    /// Returns the names in a list of the broker.
    func names(of method: MethodName, _ list: String, _ member: String) throws -> [String] {
        try apps(of: method, list, member, member).names.map(\.identity)
    }
}

/// Apps by their identities and the names that people see.
private struct NamedApps {
    var names: [(identity: String, name: String)] = []

    /// Returns the identity of the only app with the words; nil if there is none.
    func identity(of words: String) throws(ToolFailure) -> String? {
        let text = words.lowercased()
        let named = names.filter { $0.name.lowercased() == text }
        if let only = named.first, named.count == 1 { return only.identity }
        let byIdentity = try NameChoice(words, among: names.map(\.identity), Messages.choiceApps)
            .name
        guard byIdentity == nil, !text.isEmpty else { return byIdentity }
        let found = names.filter { $0.name.lowercased().contains(text) }
        guard found.count <= 1 else {
            throw ToolFailure.ambiguous(
                Messages.choiceApp(words: words.printable),
                found.map { "\($0.identity) \($0.name)".printable })
        }
        return found.first?.identity
    }
}
