package import BrokerJSON

/// A request of the test mode.
package enum TestRequest {
    case advance(AdvanceParams)
    case settle(SettleParams)
}

/// The params of `test.advance`.
package struct AdvanceParams: MethodParams {
    package let milliseconds: Int
    /// The replies to wait for; nil to wait for none.
    package let settle: SettleParams?

    package init(checked params: JSONValue?) throws(SchemaFault) {
        milliseconds = try params.required("ms") { $0?.int }
        settle =
            params?["settle"]?.boolean ?? false ? SettleParams(checked: params) : nil
    }
}

/// The params of `test.settle`.
package struct SettleParams: MethodParams {
    /// The names of peers whose replies are not awaited.
    package let ignored: Set<String>
    /// The longest wait in real time, in milliseconds; nil for the default.
    package let limitMS: Int?

    package init(checked params: JSONValue?) {
        ignored = Set(params?["ignore"]?.elements.compactMap(\.string) ?? [])
        limitMS = params?["limit_ms"]?.int
    }
}
