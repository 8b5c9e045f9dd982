package import BrokerJSON
package import CallModel

/// A request about the call history.
package enum HistoryRequest {
    case list(ListHistoryParams)
    case remove(RemoveHistoryParams)
    case clear(HistoryFilterParams)
    case markSeen(MarkSeenParams)
}

/// The entries that a request concerns; a property that is nil includes all.
package struct HistoryFilterParams: MethodParams {
    package let entry: Int64?
    package let missedOnly: Bool
    package let provider: ProviderID?
    package let handle: Handle?
    /// Unix time in milliseconds.
    package let sinceMS: Int64?
    /// True to include calls of apps that exclude them from the recent calls.
    package let includesHidden: Bool

    package init(checked params: JSONValue?) {
        let filter = params?["filter"]
        entry = filter?["entry"]?.integer
        missedOnly = filter?["missed"]?.boolean ?? false
        provider = ProviderID(filter?["provider"])
        handle = filter?["handle"].map { Handle(checked: $0) }
        sinceMS = filter?["since_at_ms"]?.integer
        includesHidden = filter?["hidden"]?.boolean ?? false
    }
}

/// The params of `history.list`.
package struct ListHistoryParams: MethodParams {
    package let filter: HistoryFilterParams
    package let page: PageParams

    package init(checked params: JSONValue?) {
        filter = HistoryFilterParams(checked: params)
        page = PageParams(checked: params)
    }
}

/// The params of `history.remove`.
package struct RemoveHistoryParams: MethodParams {
    package let entries: [Int64]

    package init(checked params: JSONValue?) throws(SchemaFault) {
        entries = try params.required("entries") { $0?.elements.compactMap(\.integer) }
    }
}

/// The params of `history.mark_seen`.
package struct MarkSeenParams: MethodParams {
    /// Unix time in milliseconds; nil for all entries.
    package let untilMS: Int64?

    package init(checked params: JSONValue?) {
        untilMS = params?["until_at_ms"]?.integer
    }
}
