package import CallModel

/// The history entry of a call that has ended (rule 39).
package struct HistoryRecord: Hashable, Sendable {
    /// The number of the entry in the store; 0 until it is recorded.
    package var id: Int64 = 0
    package var call: CallID
    package var provider: ProviderID
    /// The provider's display name at that time; the provider may be gone by now.
    package var providerName: String
    /// The provider's line that had the call.
    package var line: String?
    /// The name of that line at that time.
    package var lineLabel: String?
    package var direction: Direction
    package var remote: Handle?
    /// The party that the call was meant for, before it was forwarded here.
    package var forwardedFrom: Handle?
    /// The network's verdict about the caller's number.
    package var verification = Verification.unverified
    /// The id of the call in the app's protocol.
    package var externalID: String?
    /// The other device that answered or declined the call, or that had it before.
    package var elsewhere: String?
    /// The caller's name as it was shown.
    package var name: String?
    /// The label that a directory gave.
    package var label: String?
    /// The name of that directory.
    package var labelSource: String?
    /// Indicates that the call had video at its end.
    package var hasVideo = false
    /// The start, in milliseconds of Unix time.
    package var startedAtMS: Int64
    /// The time of the answer; nil if there was none.
    package var connectedAtMS: Int64?
    package var endedAtMS: Int64
    package var reason: EndReason
    /// The party that ended the call.
    package var origin: Origin
    /// The rule by which the call ended.
    package var rule: Rule?
    /// The error with which the app failed the call.
    package var failure: Failure?
    /// The app's own words for the end.
    package var detail: EndDetail?
    /// The reasons for missing the call; empty if it was not missed.
    package var missedReasons: MissedReasons = []
    /// The filter that refused or silenced the call.
    package var filteredBy: String?
    /// Indicates that the call is listed among recent calls; false if the provider opts out of
    /// that.
    package var isRecent = true
    /// Indicates that the user has seen the entry.
    package var isSeen = false

    /// An error that an app reported for an action.
    package struct Failure: Hashable, Sendable {
        package var code: Int64
        package var reason: String
        package var message: String?

        package init(code: Int64, reason: String, message: String?) {
            self.code = code
            self.reason = reason
            self.message = message
        }
    }

    package init(
        call: CallID, provider: ProviderID, providerName: String, direction: Direction,
        remote: Handle?, startedAtMS: Int64, endedAtMS: Int64, reason: EndReason, origin: Origin
    ) {
        self.call = call
        self.provider = provider
        self.providerName = providerName
        self.direction = direction
        self.remote = remote
        self.startedAtMS = startedAtMS
        self.endedAtMS = endedAtMS
        self.reason = reason
        self.origin = origin
    }

    package var isMissed: Bool {
        !missedReasons.isEmpty
    }

    /// The duration of the conversation, in milliseconds; 0 for a call that was not answered.
    package var talkedMS: Int64 {
        connectedAtMS.map { max(0, endedAtMS - $0) } ?? 0
    }
}

/// A filter of history entries.
package struct HistoryFilter: Hashable, Sendable {
    /// The id of a single entry.
    package var id: Int64?
    package var missed = false
    package var provider: ProviderID?
    package var handle: Handle?
    /// The earliest end of a call, in milliseconds of Unix time.
    package var sinceMS: Int64?
    /// Includes entries that are not listed among recent calls.
    package var includesHidden = false

    package init(
        id: Int64? = nil, missed: Bool = false, provider: ProviderID? = nil, handle: Handle? = nil,
        sinceMS: Int64? = nil, includesHidden: Bool = false
    ) {
        self.id = id
        self.missed = missed
        self.provider = provider
        self.handle = handle
        self.sinceMS = sinceMS
        self.includesHidden = includesHidden
    }
}
