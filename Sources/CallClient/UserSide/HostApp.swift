internal import BrokerJSON
public import CallModel
internal import CallProtocol

/// An app that has calls, as it has registered itself.
public struct HostApp: Hashable, Sendable, Identifiable {
    /// The identity of the app.
    public let id: ProviderID
    /// The name of the app, for people.
    public let name: String
    /// True if the broker can reach the app.
    public let isConnected: Bool
    /// The accounts of the app, as it has reported them.
    public let lines: [Line]
}

extension CallController {
    /// Returns the registered apps, in the order of their identities.
    public func apps() async throws(CallError) -> [HostApp] {
        try await all(.listProviders, "providers") { HostApp($0) }
    }
}

extension HostApp {
    fileprivate init?(_ value: JSONValue) {
        guard let id = ProviderID(value["provider"]) else { return nil }
        self.id = id
        name = value["display_name"]?.string ?? id.description
        isConnected = value["connected"]?.boolean ?? false
        lines = value["lines"]?.elements.map { Line(checked: $0) } ?? []
    }
}
