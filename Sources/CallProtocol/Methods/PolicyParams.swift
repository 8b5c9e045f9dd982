package import BrokerJSON

/// A request that reads or changes the host's policy.
package enum PolicyRequest {
    case get
    case set(SetPolicyParams)
}

/// The params of `policy.set`.
package struct SetPolicyParams: MethodParams {
    /// The members to merge into the policy, as in the configuration file; nil if there are none.
    package let changes: JSONValue?

    package init(checked params: JSONValue?) {
        changes = params
    }
}
