package import BrokerJSON
internal import BrokerRPC
package import CallModel

/// A request with which a provider registers, or settles an action of an accepted transaction.
package enum ProviderRequest {
    case register(RegisterParams)
    case update(UpdateProviderParams)
    case unregister
    case requestAuthorization
    case settleAction(SettleActionParams)
}

/// The params of `provider.register`.
package struct RegisterParams: MethodParams {
    package let configuration: ProviderConfiguration
    /// An array whose elements `LiveCallParams` decodes; nil if the provider lists no calls.
    package let calls: JSONValue?
    /// True if another registration with more calls follows.
    package let hasMore: Bool

    package init(checked params: JSONValue?) throws(SchemaFault) {
        let params = try params.required()
        try StartBy.check(params)
        configuration = ProviderConfiguration(checked: params)
        calls = params["calls"]
        hasMore = params["more"]?.boolean ?? false
    }
}

/// A call that a provider lists when it registers.
package struct LiveCallParams: MethodParams {
    package let call: CallID
    package let direction: Direction
    package let state: CallState
    package let update: CallUpdate
    /// Unix time in milliseconds.
    package let connectedAtMS: Int64?

    package init(checked params: JSONValue?) throws(SchemaFault) {
        call = try params.required("call", CallID.init)
        direction = try params.required("direction", Direction.init)
        state = try params.required("state", CallState.init)
        update = CallUpdate(checked: try params.required())
        connectedAtMS = params?["connected_at_ms"]?.integer
    }
}

/// The params of `provider.update`.
package struct UpdateProviderParams: MethodParams {
    /// The members to merge into the provider's configuration; nil if there are none.
    private let changes: JSONValue?

    package init(checked params: JSONValue?) throws(SchemaFault) {
        try StartBy.check(params)
        changes = params
    }

    /// Changes the members that the params have.
    package func apply(to configuration: inout ProviderConfiguration) {
        if let changes { configuration.merge(checked: changes) }
    }
}

/// The params of `action.settle`.
package struct SettleActionParams: MethodParams {
    package enum Outcome {
        /// Performed, at a Unix time in milliseconds if the provider has sent one.
        case fulfilled(atMS: Int64?)
        /// Not performed, for a reason, with a sentence for people and the app's own code.
        case failed(reason: String?, message: String?, appCode: String?)
    }

    package let action: ActionID
    package let outcome: Outcome

    package init(checked params: JSONValue?) throws(SchemaFault) {
        action = try params.required("action", ActionID.init)
        if params?["outcome"]?.utf8?.reads("failed") ?? false {
            outcome = .failed(
                reason: params?["reason"]?.string, message: params?["message"]?.string,
                appCode: params?["app_code"]?.string)
        } else {
            outcome = .fulfilled(atMS: params?["at_ms"]?.integer)
        }
    }
}

extension StartBy {
    /// Checks that the member `start_by` of checked params has one name.
    fileprivate static func check(_ params: JSONValue?) throws(SchemaFault) {
        guard let value = params?["start_by"], value.kind == .object else { return }
        guard (value["dbus"] == nil) == (value["desktop"] == nil) else { return }
        throw SchemaFault(
            reason: .invalidValue, message: "must have one of dbus and desktop",
            pointer: "/start_by")
    }
}
