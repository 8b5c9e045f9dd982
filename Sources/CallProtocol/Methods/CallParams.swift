package import BrokerJSON
package import CallModel

/// A request for calls, their decisions and transactions, providers or the state of the host.
package enum CallRequest {
    case list(ListCallsParams)
    case get(NamedCall)
    case explain(ExplainParams)
    case timeline(CallPageParams)
    case participants(CallPageParams)
    case listTransactions(PageParams)
    case listProviders(PageParams)
    case getHost
}

/// The params of `call.list`.
package struct ListCallsParams: MethodParams {
    package let page: PageParams
    package let filter: CallFilterParams

    package init(checked params: JSONValue?) {
        page = PageParams(checked: params)
        filter = CallFilterParams(checked: params)
    }
}

/// The calls that a list includes; a property that is nil includes all.
package struct CallFilterParams: MethodParams {
    package let provider: ProviderID?
    package let state: CallState?
    package let direction: Direction?
    /// True to include calls that have ended, as long as they are kept.
    package let includesEnded: Bool

    package init(checked params: JSONValue?) {
        let filter = params?["filter"]
        provider = ProviderID(filter?["provider"])
        state = CallState(filter?["state"])
        direction = Direction(filter?["direction"])
        includesEnded = params?["include_ended"]?.boolean ?? false
    }
}

/// The params of `call.explain`, of which a client has to send exactly one.
package struct ExplainParams: MethodParams {
    package let call: CallID?
    package let transaction: TransactionID?

    package init(checked params: JSONValue?) {
        call = CallID(params?["call"])
        transaction = TransactionID(params?["transaction"])
    }
}

/// The params of a list of what belongs to a call.
package struct CallPageParams: MethodParams {
    package let call: CallID
    package let page: PageParams

    package init(checked params: JSONValue?) throws(SchemaFault) {
        call = try NamedCall(checked: params).call
        page = PageParams(checked: params)
    }
}
