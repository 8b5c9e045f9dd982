internal import BrokerJSON
public import CallModel
internal import CallProtocol

/// A past call in the history of the host.
public struct CallHistoryEntry: Hashable, Sendable, Identifiable {
    /// The number of the entry, for removing it.
    public let id: Int64
    /// The id that the call had.
    public let call: CallID
    /// The app that had the call.
    public let provider: ProviderID
    /// The name of that app, as users know it.
    public let providerName: String?
    /// The id of the app's line that had the call.
    public let line: String?
    /// The name of that line, as users know it.
    public let lineLabel: String?
    /// The direction: incoming, or outgoing for a call that was started here.
    public let direction: Direction
    /// The address of the other side; nil if it is unknown.
    public let remote: Handle?
    /// The party that the call was meant for, before it was forwarded here.
    public let forwardedFrom: Handle?
    /// The network's verdict about the caller's number.
    public let verification: Verification
    /// The id of the call in the app's protocol.
    public let externalID: String?
    /// The other device that answered or declined the call, or that had it before.
    public let elsewhere: String?
    /// The name of the other side, as it was shown.
    public let name: String?
    /// The label of the caller, such as "Spam", as it was shown.
    public let label: String?
    /// The source of the label: the identity of a directory or screener.
    public let labelSource: String?
    /// True if the call had video when it ended.
    public let hasVideo: Bool
    /// The time at which the call came or was requested: Unix time in milliseconds.
    public let startedAtMS: Int64
    /// The time from which both sides could talk: Unix time in milliseconds.
    public let connectedAtMS: Int64?
    /// The time of the end: Unix time in milliseconds.
    public let endedAtMS: Int64
    /// The time for which both sides could talk, in milliseconds.
    public let durationMS: Int64
    /// The reason of the end; nil for one unknown to this release.
    public let endReason: EndReason?
    /// The origin of the end, such as the user or a rule.
    public let endCause: Cause?
    /// The app's own words for the end.
    public let endDetail: EndDetail?
    /// The app's error if it failed to start, answer or hold the call.
    public let failure: ReportedFailure?
    /// The reasons why the call was missed; empty for others.
    public let missedReasons: MissedReasons
    /// The source of a block or of silence: the identity of an app or a directory, `block_list`,
    /// `do_not_disturb` or `unknown_callers`.
    public let filteredBy: String?
    /// True if the user has seen the entry.
    public let isSeen: Bool

    /// A selection of entries. All conditions must hold.
    public struct Filter: Hashable, Sendable {
        /// True if only missed calls are selected.
        public var isMissedOnly = false
        /// The app of the calls; nil for all.
        public var provider: ProviderID?
        /// The number or address of the other side; nil for all.
        public var remote: Handle?
        /// The earliest end of the calls: Unix time in milliseconds; nil for all.
        public var sinceMS: Int64?
        /// True if calls of apps that do not show theirs in Recents are selected, too.
        public var includesHidden = false

        /// Makes a filter that selects all entries, except those of apps that do not show theirs.
        public init() {}
    }

    /// A page of the history, newest call first.
    public struct Page: Hashable, Sendable {
        /// The entries of the page.
        public let calls: [CallHistoryEntry]
        /// The position of the next page; nil on the last one.
        public let next: Cursor?
        /// The number of missed calls in the whole history that the user has not seen.
        public let missed: Int
    }

    /// The position of a page in the history.
    public struct Cursor: Hashable, Sendable {
        let text: String
    }
}

/// The former name of `CallHistoryEntry`.
@available(*, deprecated, renamed: "CallHistoryEntry")
public typealias PastCall = CallHistoryEntry

extension CallController {
    /// Returns a page of the history, newest call first. The broker may return fewer entries than
    /// `limit`; more follow if the page has a `next`.
    ///
    /// - Parameters:
    ///   - filter: the entries to select.
    ///   - after: the `next` of the page before; nil for the first page.
    ///   - limit: the most entries of the page; nil leaves it to the broker.
    public func history(
        _ filter: CallHistoryEntry.Filter = CallHistoryEntry.Filter(),
        after: CallHistoryEntry.Cursor? = nil,
        limit: Int? = nil
    ) async throws(CallError) -> CallHistoryEntry.Page {
        try await link.request(
            .listHistory,
            { writer in
                writer.member(filter)
                writer.member("after", ifSet: after?.text)
                writer.member("limit", ifSet: limit)
            }
        ) { CallHistoryEntry.Page($0) }
    }

    /// Returns the history in numbers, those with the longest conversations first.
    ///
    /// - Parameters:
    ///   - grouping: what each sum is about.
    ///   - filter: the entries to add up.
    public func historySums(
        by grouping: CallHistorySum.Grouping,
        _ filter: CallHistoryEntry.Filter = CallHistoryEntry.Filter()
    ) async throws(CallError) -> CallHistorySum.List {
        try await link.request(
            .sumHistory,
            { writer in
                writer.member(filter)
                writer.member("by", grouping.word)
            }
        ) { CallHistorySum.List($0) }
    }

    /// Calls the other side of a past call again.
    ///
    /// - Parameters:
    ///   - past: the entry of the call.
    ///   - provider: the app to call with; nil stands for the app that had the call.
    ///   - hasVideo: whether the call starts with video.
    ///   - options: the options of the request.
    /// - Throws: `CallError`, as of a start; also `notFound` with the reason `unknown_remote` if
    ///   the address of the other side is unknown.
    @discardableResult
    public func callBack(
        _ past: CallHistoryEntry, provider: ProviderID? = nil, hasVideo: Bool = false,
        _ options: RequestOptions = RequestOptions()
    ) async throws(CallError) -> TransactionOutcome {
        guard let remote = past.remote else { throw .unknownRemote }
        return try await start(
            remote, provider: provider ?? past.provider, hasVideo: hasVideo, options)
    }

    /// Removes entries. Missing ones are ignored.
    ///
    /// - Parameter entries: the numbers of 1 to 500 entries.
    /// - Returns: the number of entries that were removed.
    @discardableResult
    public func removeHistory(_ entries: [CallHistoryEntry.ID]) async throws(CallError) -> Int {
        try await link.request(
            .removeHistory,
            { writer in
                writer.name("entries")
                writer.array { writer in for entry in entries { writer.value(entry) } }
            }
        ) { $0["removed"]?.integer.map(Int.init) }
    }

    /// Removes the whole history, or the entries that a filter selects. A call in progress still
    /// gets an entry when it ends.
    ///
    /// - Returns: the number of entries that were removed.
    @discardableResult
    public func clearHistory(
        _ filter: CallHistoryEntry.Filter = CallHistoryEntry.Filter()
    ) async throws(CallError) -> Int {
        try await link.request(.clearHistory, { $0.member(filter) }) {
            $0["removed"]?.integer.map(Int.init)
        }
    }

    /// Marks missed calls as seen.
    ///
    /// - Parameter untilMS: the latest end of the calls: Unix time in milliseconds. Nil marks all.
    /// - Returns: the number of calls that were not marked before.
    @discardableResult
    public func markHistorySeen(untilMS: Int64? = nil) async throws(CallError) -> Int {
        try await link.request(
            .markHistorySeen, { if let untilMS { $0.member("until_at_ms", untilMS) } }
        ) { $0["marked"]?.integer.map(Int.init) }
    }
}

extension CallError {
    fileprivate static let unknownRemote = CallError(
        .notFound, reason: "unknown_remote",
        "the other side of that call is unknown, so it cannot be called back")
}

extension CallHistoryEntry.Page {
    fileprivate init(_ value: JSONValue) {
        let page = ListPage(value, "entries") { CallHistoryEntry($0) }
        calls = page.items
        next = page.next.map { CallHistoryEntry.Cursor(text: $0) }
        missed = value["missed"]?.integer.map(Int.init) ?? 0
    }
}

extension CallHistoryEntry {
    /// Reads an entry; nil if an id is missing or the direction is unknown to this release.
    fileprivate init?(_ value: JSONValue) {
        guard let id = value["entry"]?.integer, let call = CallID(value["call"]),
            let provider = ProviderID(value["provider"]),
            let direction = Direction(value["direction"])
        else { return nil }
        (self.id, self.call, self.provider, self.direction) = (id, call, provider, direction)
        providerName = value["provider_name"]?.string
        line = value["line"]?.string
        lineLabel = value["line_label"]?.string
        remote = value["remote"].map { Handle(checked: $0) }
        forwardedFrom = value["forwarded_from"].map { Handle(checked: $0) }
        verification =
            value["verification"]?.string.flatMap(Verification.init(rawValue:)) ?? .unverified
        externalID = value["external_id"]?.string
        elsewhere = value["elsewhere"]?.string
        name = value["name"]?.string
        label = value["label"]?.string
        labelSource = value["label_source"]?.string
        hasVideo = value["has_video"]?.boolean ?? false
        startedAtMS = value["started_at_ms"]?.integer ?? 0
        connectedAtMS = value["connected_at_ms"]?.integer
        endedAtMS = value["ended_at_ms"]?.integer ?? 0
        durationMS = value["duration_ms"]?.integer ?? 0
        endReason = EndReason(value["end_reason"])
        endCause = Cause(value["end_cause"])
        endDetail = EndDetail(value["end_detail"])
        failure = ReportedFailure(value["failure"])
        missedReasons = MissedReasons(value["missed_reasons"])
        filteredBy = value["filtered_by"]?.string
        isSeen = value["seen"]?.boolean ?? true
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ filter: CallHistoryEntry.Filter) {
        name("filter")
        object { writer in
            if filter.isMissedOnly { writer.member("missed", true) }
            if let provider = filter.provider { writer.member("provider", provider) }
            if let remote = filter.remote { writer.member("handle", remote) }
            if let sinceMS = filter.sinceMS { writer.member("since_at_ms", sinceMS) }
            if filter.includesHidden { writer.member("hidden", true) }
        }
    }
}
