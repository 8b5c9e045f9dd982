package import BrokerJSON
package import CallModel

extension [AudioEndpoint] {
    /// Reads a checked list of endpoints.
    package init(checked value: JSONValue) {
        self = value.elements.map { AudioEndpoint(checked: $0) }
    }
}

extension AudioEndpoint {
    fileprivate init(checked value: JSONValue) {
        self.init(
            id: value["endpoint"]?.string ?? "",
            kind: Kind(rawValue: value["kind"]?.string ?? ""), name: value["name"]?.string,
            state: value["state"]?.string.flatMap(State.init(rawValue:)) ?? .available)
    }
}

extension JSONWriter {
    package mutating func member(_ name: StaticString, endpoints: [AudioEndpoint]) {
        self.name(name)
        array { writer in
            for endpoint in endpoints { writer.object { $0.members(of: endpoint) } }
        }
    }

    private mutating func members(of endpoint: AudioEndpoint) {
        member("endpoint", endpoint.id)
        member("kind", endpoint.kind.rawValue)
        member("name", ifSet: endpoint.name)
        member("state", endpoint.state.rawValue)
    }
}
