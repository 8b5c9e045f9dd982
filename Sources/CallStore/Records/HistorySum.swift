package import CallModel

/// The calls of one app, or with one number, in numbers.
package struct HistorySum: Hashable, Sendable {
    /// The app; nil in a sum by numbers, and in a total.
    package var provider: ProviderID?
    /// The latest display name of the app.
    package var providerName: String?
    /// The number or address as of the latest call; nil in a sum by apps, in a total, and for calls
    /// without one.
    package var remote: Handle?
    /// The name that the latest call showed.
    package var name: String?
    package var calls = 0
    package var incoming = 0
    package var missed = 0
    /// The duration of the conversations, in milliseconds.
    package var talkedMS: Int64 = 0
    /// The end of the latest call, in milliseconds of Unix time.
    package var lastEndedAtMS: Int64 = 0

    /// What sums are made by.
    package enum Grouping: String, CaseIterable, Sendable {
        case provider, handle
    }

    package init() {}
}

/// The sums of the entries that match a filter, those with the longest conversations first.
package struct HistorySums: Hashable, Sendable {
    package var sums: [HistorySum]
    package var total: HistorySum
    /// True if there are more sums than were requested.
    package var hasMore: Bool
}
