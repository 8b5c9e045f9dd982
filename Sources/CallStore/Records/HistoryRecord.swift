package import CallModel

/// What is kept of a call that is over (rule 39).
package struct HistoryRecord: Hashable, Sendable {
    /// The store's own number; 0 until it is recorded.
    package var id: Int64 = 0
    package var call: CallID
    package var provider: ProviderID
    /// As the provider called itself then; it may be gone by now.
    package var providerName: String
    package var direction: Direction
    package var remote: Handle?
    /// What was shown: a name, and what a directory said, with the directory's name.
    package var name: String?
    package var label: String?
    package var labelSource: String?
    /// As of its last state.
    package var hasVideo = false
    package var startedAtMS: Int64
    /// Nil for a call that nobody took.
    package var connectedAtMS: Int64?
    package var endedAtMS: Int64
    package var reason: EndReason
    /// Who ended it, and by which rule.
    package var origin: Origin
    package var rule: Rule?
    /// Why its app would not go on with it, as it said.
    package var failure: Failure?
    /// Why it was missed; empty for a call that was not.
    package var missedReasons: MissedReasons = []
    /// The filter that kept it from ringing, or from ringing aloud.
    package var filteredBy: String?
    /// False for a provider that does not want its calls among the recent ones.
    package var isRecent = true
    /// The user has looked at it.
    package var isSeen = false

    /// What an app said of an action that it had not done.
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

    /// How long the two could talk; 0 for a call that nobody took.
    package var talkedMS: Int64 {
        connectedAtMS.map { max(0, endedAtMS - $0) } ?? 0
    }
}

/// Which entries are meant.
package struct HistoryFilter: Hashable, Sendable {
    /// That one alone.
    package var id: Int64?
    package var missed = false
    package var provider: ProviderID?
    package var handle: Handle?
    /// Ended at this time or later.
    package var sinceMS: Int64?
    /// Those that are not to be among the recent ones, too.
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
