internal import BrokerJSON

/// What `--config FILE` says: a JSON object, so far with the member `limits`.
package struct BrokerConfiguration: Equatable, Sendable {
    package var limits = BrokerLimits()
    /// Serves the methods of the test mode.
    package var isTestMode = false

    package init() {}

    /// Reads the text of a file. Nothing is taken over unless all of it is good.
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

    private mutating func merge(_ root: JSONValue) throws(ConfigurationError) {
        guard root.kind == .object else {
            throw ConfigurationError("the file must hold one JSON object")
        }
        var merged = self
        try root.forEachMember { (name, value) throws(ConfigurationError) in
            guard name.elementsEqual("limits".utf8) else {
                throw ConfigurationError(
                    "\(String(decoding: name, as: UTF8.self)) is no member of the configuration; "
                        + "there is limits")
            }
            try merged.limits.merge(value)
        }
        self = merged
    }
}
