internal import BrokerJSON
public import CallModel
internal import CallProtocol

/// Past calls of one app, or with one number, in numbers.
public struct CallHistorySum: Hashable, Sendable {
    /// The app; nil in sums by number, and in a total.
    public let provider: ProviderID?
    /// The app's name as of its latest call.
    public let providerName: String?
    /// The number or address as of the latest call; nil in sums by app, in a total, and for calls
    /// without one.
    public let remote: Handle?
    /// The name that the latest call showed.
    public let name: String?
    /// The number of calls.
    public let calls: Int
    /// The number of those that came in.
    public let incoming: Int
    /// The number of those that the user has missed.
    public let missed: Int
    /// The time of all conversations, in milliseconds.
    public let talkedMS: Int64
    /// The end of the latest call: Unix time in milliseconds.
    public let lastEndedAtMS: Int64

    /// What sums are made by.
    public enum Grouping: Sendable {
        /// One sum for each app.
        case app
        /// One sum for each number or address; its spellings are one.
        case number

        var word: StaticString {
            switch self {
            case .app: "provider"
            case .number: "handle"
            }
        }
    }

    /// Sums, those with the longest conversations first.
    public struct List: Hashable, Sendable {
        /// At most 100 sums.
        public let sums: [CallHistorySum]
        /// True if there are more.
        public let hasMore: Bool
        /// The sum of all calls, also of those that are in no sum of this list.
        public let total: CallHistorySum

        init?(_ value: JSONValue) {
            guard let sums = value["sums"], let total = value["total"] else { return nil }
            self.sums = sums.elements.map { CallHistorySum($0) }
            self.total = CallHistorySum(total)
            hasMore = value["more"]?.boolean ?? false
        }
    }

    private init(_ value: JSONValue) {
        provider = ProviderID(value["provider"])
        providerName = value["provider_name"]?.string
        remote = value["remote"].map { Handle(checked: $0) }
        name = value["name"]?.string
        calls = Int(value["calls"]?.integer ?? 0)
        incoming = Int(value["incoming"]?.integer ?? 0)
        missed = Int(value["missed"]?.integer ?? 0)
        talkedMS = value["talked_ms"]?.integer ?? 0
        lastEndedAtMS = value["last_ended_at_ms"]?.integer ?? 0
    }
}
