package import BrokerJSON
package import CallModel

/// A request of a subscriber.
package enum EventsRequest {
    case subscribe(SubscribeParams)
    case unsubscribe(UnsubscribeParams)
}

/// The params of `events.subscribe`.
package struct SubscribeParams: MethodParams {
    /// The event to continue after.
    package struct Cursor {
        package let epoch: UUIDBits?
        package let seq: Int64?
    }

    /// What an event about a call has of it.
    package enum Detail: String {
        case full
        /// What has changed since the event before.
        case changes
    }

    /// Names and patterns of topics.
    package let topics: [String]
    package let detail: Detail
    package let cursor: Cursor?
    package let wantsSnapshot: Bool
    /// The calls in the snapshot.
    package let filter: CallFilterParams

    package init(checked params: JSONValue?) {
        topics = params?["topics"]?.elements.compactMap(\.string) ?? []
        detail = params?["detail"]?.string.flatMap(Detail.init(rawValue:)) ?? .full
        cursor = params?["cursor"].map {
            Cursor(
                epoch: $0["epoch"]?.utf8.flatMap { UUIDBits(utf8: $0) }, seq: $0["seq"]?.integer)
        }
        wantsSnapshot = params?["snapshot"]?.boolean ?? true
        filter = CallFilterParams(checked: params)
    }
}

/// The params of `events.unsubscribe`.
package struct UnsubscribeParams: MethodParams {
    /// The number of the subscription on its connection.
    package let subscription: Int64

    package init(checked params: JSONValue?) throws(SchemaFault) {
        subscription = try params.required("subscription") { $0?.integer }
    }
}
