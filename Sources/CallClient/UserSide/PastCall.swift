internal import BrokerJSON
public import CallModel
internal import CallProtocol

/// A call that is over, as the history of the host keeps it.
public struct PastCall: Hashable, Sendable, Identifiable {
    /// The number of its entry.
    public let id: Int64
    public let call: CallID
    /// Whose call it was.
    public let provider: ProviderID
    /// What people call that app.
    public let providerName: String?
    public let direction: Direction
    /// Whom it was with; nil if nobody knows.
    public let remote: Handle?
    /// The other side, as it was shown.
    public let name: String?
    /// What kind of caller it was, and who said so.
    public let label: String?
    public let labelSource: String?
    public let hasVideo: Bool
    /// Unix times in milliseconds.
    public let startedAtMS: Int64
    public let connectedAtMS: Int64?
    public let endedAtMS: Int64
    /// For how many milliseconds both sides could talk.
    public let durationMS: Int64
    /// Nil for a reason that this release does not know.
    public let endReason: EndReason?
    public let endCause: Cause?
    /// Why its app would not start, answer or hold it.
    public let failure: ReportedFailure?
    /// Why it was missed; empty for a call that was not.
    public let missedReasons: MissedReasons
    /// Who blocked or silenced it: an app, a directory, `block_list`, `do_not_disturb` or
    /// `unknown_callers`.
    public let filteredBy: String?
    /// Whether the user knows of it.
    public let isSeen: Bool

    /// Which entries; all, as it is made.
    public struct Filter: Hashable, Sendable {
        public var isMissedOnly = false
        /// Calls of this app.
        public var provider: ProviderID?
        /// Calls with this number or address.
        public var remote: Handle?
        /// Calls that were over then or later: Unix time in milliseconds.
        public var sinceMS: Int64?
        /// Those too whose apps want none of their calls among the recent ones.
        public var includesHidden = false

        public init() {}
    }

    /// A part of the history, the newest call first.
    public struct Page: Hashable, Sendable {
        public let calls: [PastCall]
        /// For the next part, if there is one.
        public let next: Cursor?
        /// All missed calls that the user has not seen, on this page or not.
        public let missed: Int
    }

    /// Where a page ends.
    public struct Cursor: Hashable, Sendable {
        let text: String
    }
}

extension CallController {
    /// Calls that are over, the newest first. The broker may give fewer than `limit`; there are more
    /// as long as the page has a `next`.
    public func history(
        _ filter: PastCall.Filter = PastCall.Filter(), after: PastCall.Cursor? = nil,
        limit: Int? = nil
    ) async throws(CallError) -> PastCall.Page {
        try await link.request(
            .listHistory,
            { writer in
                writer.member(filter)
                writer.member("after", ifSet: after?.text)
                writer.member("limit", ifSet: limit)
            }
        ) { PastCall.Page($0) }
    }

    /// Calls the other side of a past call again, with the app that had it unless another is named.
    ///
    /// - Throws: besides what a start throws, `CallError.Code.notFound` with the reason
    ///   `unknown_remote` where nobody knows who the other side was.
    @discardableResult
    public func callBack(
        _ past: PastCall, provider: ProviderID? = nil, hasVideo: Bool = false,
        _ options: RequestOptions = RequestOptions()
    ) async throws(CallError) -> TransactionOutcome {
        guard let remote = past.remote else { throw .unknownRemote }
        return try await start(
            remote, provider: provider ?? past.provider, hasVideo: hasVideo, options)
    }

    /// Removes entries; what is not there is no error.
    ///
    /// - Returns: how many there were.
    @discardableResult
    public func removeHistory(_ entries: [PastCall.ID]) async throws(CallError) -> Int {
        try await link.request(
            .removeHistory,
            { writer in
                writer.name("entries")
                writer.array { writer in for entry in entries { writer.value(entry) } }
            }
        ) { $0["removed"]?.integer.map(Int.init) }
    }

    /// Removes the whole history, or what a filter shows of it. A call that goes on gets its entry
    /// when it is over.
    ///
    /// - Returns: how many entries there were.
    @discardableResult
    public func clearHistory(
        _ filter: PastCall.Filter = PastCall.Filter()
    ) async throws(CallError) -> Int {
        try await link.request(.clearHistory, { $0.member(filter) }) {
            $0["removed"]?.integer.map(Int.init)
        }
    }

    /// The user has seen the missed calls: all, or those that ended until then.
    ///
    /// - Returns: how many were new.
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
        "nobody knows who the other side of that call was: it cannot be called back")
}

extension PastCall.Page {
    fileprivate init(_ value: JSONValue) {
        let page = ListPage(value, "entries") { PastCall($0) }
        calls = page.items
        next = page.next.map { PastCall.Cursor(text: $0) }
        missed = value["missed"]?.integer.map(Int.init) ?? 0
    }
}

extension PastCall {
    /// Nil for what lacks a name, or has a direction that this release does not know.
    fileprivate init?(_ value: JSONValue) {
        guard let id = value["entry"]?.integer, let call = CallID(value["call"]),
            let provider = ProviderID(value["provider"]),
            let direction = Direction(value["direction"])
        else { return nil }
        (self.id, self.call, self.provider, self.direction) = (id, call, provider, direction)
        providerName = value["provider_name"]?.string
        remote = value["remote"].map { Handle(checked: $0) }
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
        failure = ReportedFailure(value["failure"])
        missedReasons = MissedReasons(value["missed_reasons"])
        filteredBy = value["filtered_by"]?.string
        isSeen = value["seen"]?.boolean ?? true
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ filter: PastCall.Filter) {
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
