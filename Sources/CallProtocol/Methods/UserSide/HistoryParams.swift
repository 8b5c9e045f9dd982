package import BrokerJSON
package import CallModel

/// A request about the call history.
package enum HistoryRequest {
    case list(ListHistoryParams)
    case sum(SumHistoryParams)
    case remove(RemoveHistoryParams)
    case clear(HistoryFilterParams)
    case markSeen(MarkSeenParams)
    case `import`(ImportHistoryParams)
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

/// The params of `history.sum`.
package struct SumHistoryParams: MethodParams {
    package let filter: HistoryFilterParams
    /// A word of the schema.
    package let by: String
    package let limit: Int?

    package init(checked params: JSONValue?) throws(SchemaFault) {
        filter = HistoryFilterParams(checked: params)
        by = try params.required("by") { $0?.string }
        limit = (params?["limit"]?.integer).map { Int($0) }
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

/// The params of `history.import`.
package struct ImportHistoryParams: MethodParams {
    package let entries: [PastCall]

    /// A call that is over.
    package struct PastCall: Sendable {
        package let call: CallID
        package let provider: ProviderID
        package let providerName: String?
        package let line: String?
        package let lineLabel: String?
        package let forwardedFrom: Handle?
        package let verification: Verification
        package let externalID: String?
        package let elsewhere: String?
        package let direction: Direction
        package let remote: Handle?
        package let name: String?
        package let label: String?
        package let labelSource: String?
        package let hasVideo: Bool
        /// Unix time in milliseconds, as the other times.
        package let startedAtMS: Int64
        package let connectedAtMS: Int64?
        package let endedAtMS: Int64
        package let endReason: EndReason
        package let origin: Origin
        package let detail: EndDetail?
        package let missedReasons: MissedReasons
        package let filteredBy: String?
        package let isSeen: Bool

        fileprivate init?(checked value: JSONValue) {
            guard let call = CallID(value["call"]), let provider = ProviderID(value["provider"]),
                let direction = Direction(value["direction"]),
                let origin = Origin(value["end_cause"]?["origin"])
            else { return nil }
            (self.call, self.provider, self.direction) = (call, provider, direction)
            providerName = value["provider_name"]?.string
            line = value["line"]?.string
            lineLabel = value["line_label"]?.string
            forwardedFrom = value["forwarded_from"].map { Handle(checked: $0) }
            verification =
                value["verification"]?.string.flatMap(Verification.init(rawValue:)) ?? .unverified
            externalID = value["external_id"]?.string
            elsewhere = value["elsewhere"]?.string
            remote = value["remote"].map { Handle(checked: $0) }
            name = value["name"]?.string
            label = value["label"]?.string
            labelSource = value["label_source"]?.string
            hasVideo = value["has_video"]?.boolean ?? false
            startedAtMS = value["started_at_ms"]?.integer ?? 0
            connectedAtMS = value["connected_at_ms"]?.integer
            endedAtMS = value["ended_at_ms"]?.integer ?? 0
            // A reason of a newer broker says no more than that the call is over.
            endReason = EndReason(value["end_reason"]) ?? .failed
            self.origin = origin
            detail = EndDetail(value["end_detail"])
            missedReasons =
                value["missed_reasons"]?.elements.compactMap(\.string)
                .compactMap(MissedReasons.init(name:)).reduce([]) { $0.union($1) } ?? []
            filteredBy = value["filtered_by"]?.string
            isSeen = value["seen"]?.boolean ?? true
        }
    }

    package init(checked params: JSONValue?) throws(SchemaFault) {
        entries = try params.required("entries") {
            $0?.elements.compactMap(PastCall.init(checked:))
        }
    }
}
