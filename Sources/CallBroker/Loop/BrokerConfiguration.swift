internal import BrokerJSON
package import CallArbitration
package import CallJournal
package import CallModel
internal import CallProtocol

/// The configuration of a broker, which `--config FILE` can change: a JSON object with the members
/// `limits`, for the daemon, and `policy`, as in `policy.set`.
package struct BrokerConfiguration: Equatable, Sendable {
    package var limits = BrokerLimits()
    /// The policy at first; the user may change it later.
    package var choices = HostChoices()
    /// The epoch in which events are numbered; nil for a new one.
    package var epoch: UUIDBits?
    package var host = HostName(boot: "", machine: "")
    /// True to serve the methods of the test mode.
    package var isTestMode = false

    package init() {}

    package var policy: ArbitrationPolicy {
        get { choices.policy }
        set { choices.policy = newValue }
    }

    /// Merges the text of a configuration file; if any of it is invalid, nothing changes.
    package mutating func merge(_ text: [UInt8]) throws(ConfigurationError) {
        let document: JSONDocument
        do throws(JSONFault) {
            document = try JSONDocument(
                parsing: text, limits: JSONLimits(depth: 32, values: 65_536))
        } catch {
            throw ConfigurationError(
                "line \(error.position.line), column \(error.position.column): \(error.message)")
        }
        try merge(document.root)
    }

    private mutating func mergePolicy(_ value: JSONValue) throws(ConfigurationError) {
        do throws(SchemaFault) {
            try PolicySchemas.check(value)
        } catch {
            throw ConfigurationError("policy\(error.pointer): \(error.message)")
        }
        choices.merge(checked: value)
    }

    private mutating func merge(_ root: JSONValue) throws(ConfigurationError) {
        guard root.kind == .object else {
            throw ConfigurationError("the file must hold one JSON object")
        }
        var merged = self
        try root.forEachMember { (name, value) throws(ConfigurationError) in
            if name.elementsEqual("limits".utf8) {
                try merged.limits.merge(value)
            } else if name.elementsEqual("policy".utf8) {
                try merged.mergePolicy(value)
            } else {
                throw ConfigurationError(
                    "unknown member \(String(decoding: name, as: UTF8.self)) in the configuration; "
                        + "the members are limits and policy")
            }
        }
        self = merged
    }
}
