internal import BrokerJSON
internal import CallProtocol

/// A plugin of the broker, running or not.
public struct HostPlugin: Hashable, Sendable, Identifiable {
    /// The identity of the plugin.
    public let id: String
    /// The name of the plugin, for people.
    public let name: String
    /// The state: a word such as `ready`, `stopped` or `backoff`.
    public let state: String
    /// The purpose of the plugin, in its own words.
    public let summary: String?
    /// A sentence in English about the last failure.
    public let failure: String?
}

extension CallController {
    /// Returns the plugins, in the order of their identities. Needs `ClientOptions.administers`.
    public func plugins() async throws(CallError) -> [HostPlugin] {
        try await all(.listPlugins, "plugins") { HostPlugin($0) }
    }

    /// Starts a plugin anew. Needs `ClientOptions.administers`.
    public func restartPlugin(_ id: HostPlugin.ID) async throws(CallError) {
        try await link.request(.restartPlugin, { $0.member("plugin", id) }) { _ in () }
    }
}

extension HostPlugin {
    fileprivate init?(_ value: JSONValue) {
        guard let id = value["plugin"]?.string, let state = value["state"]?.string else {
            return nil
        }
        (self.id, self.state) = (id, state)
        name = value["name"]?.string ?? id
        summary = value["description"]?.string
        failure = value["failure_message"]?.string
    }
}
