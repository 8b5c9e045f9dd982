package import BrokerJSON

/// A request about the credentials that the user has issued.
package enum GrantRequest {
    case issue(IssueGrantParams)
    case list
    case revoke(NamedGrant)
}

/// The params of `grant.issue`.
package struct IssueGrantParams: MethodParams {
    package let name: String
    package let uid: Int?
    package let identity: String?
    package let roles: [String]
    /// True if the client sees its own calls only.
    package let isForOwnCalls: Bool
    package let isRedacted: Bool
    /// The time until it ends, in milliseconds; nil if it does not.
    package let lifetimeMS: Int64?

    package init(checked params: JSONValue?) throws(SchemaFault) {
        name = try params.required("name") { $0?.string }
        uid = params?["uid"]?.integer.map { Int($0) }
        identity = params?["identity"]?.string
        roles = params?["roles"]?.elements.compactMap(\.string) ?? [Role.observer.rawValue]
        isForOwnCalls = params?["calls"]?.string == "own"
        isRedacted = params?["redacted"]?.boolean ?? true
        lifetimeMS = params?["expires_in_ms"]?.integer
    }
}

/// The params of `grant.revoke`.
package struct NamedGrant: MethodParams {
    package let name: String

    package init(checked params: JSONValue?) throws(SchemaFault) {
        name = try params.required("name") { $0?.string }
    }
}
