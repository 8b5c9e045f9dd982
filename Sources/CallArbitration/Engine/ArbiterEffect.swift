public import CallModel

/// An effect. The order in which the arbiter lists effects is the order of the work.
public enum ArbiterEffect: Hashable, Sendable {
    // Replies
    case acknowledge(RequestToken)
    case refuse(RequestToken, Refusal)
    case confirmIncoming(RequestToken, CallID, CallState, Presentation)
    /// With its oldest calls, `Arbiter.callsConfirmed` and one at most.
    case confirmRegistration(RequestToken, ProviderID, calls: [CallID], dropped: [CallID])
    /// The plan was accepted (or, in a dry run, would be).
    case accept(RequestToken, TransactionReport)
    /// Every action is settled; with the cause of the transaction.
    indirect case complete(RequestToken, TransactionReport, Cause)

    // To providers
    /// Asks a provider whether it wants to carry out these actions as a whole
    /// (`takes_transactions`).
    case offer(TransactionID, ProviderID, [Dispatch])
    indirect case perform(Dispatch)
    case cancelPerform(ActionID, ProviderID)
    case tellTimedOut(ActionID, ActionKind, CallID, ProviderID)
    case activateAudio(ProviderID, group: CallID, calls: [CallID])
    case deactivateAudio(ProviderID, group: CallID, calls: [CallID])
    case resetProvider(ProviderID, ResetReason = .brokerReset)

    // To the clock
    case startTimer(TimerID, at: Instant)
    case stopTimer(TimerID)

    // To everybody who watches
    case announce(Announcement)

    // To the shell
    case screen(CallID)
    indirect case record(HistoryEntry)
    case note(Decision)
}

/// An action on its way to a provider.
public struct Dispatch: Hashable, Sendable {
    public var action: ActionID
    public var provider: ProviderID
    public var call: CallID
    public var kind: CallAction
    public var transaction: TransactionID
    public var cause: Cause
    public var deadlineMS: Int
    /// From 1; more after the provider came back.
    public var attempt: Int
    /// Milliseconds since the action was asked for.
    public var ageMS: Int

    public init(
        action: ActionID, provider: ProviderID, call: CallID, kind: CallAction,
        transaction: TransactionID, cause: Cause, deadlineMS: Int, attempt: Int, ageMS: Int = 0
    ) {
        self.action = action
        self.provider = provider
        self.call = call
        self.kind = kind
        self.transaction = transaction
        self.cause = cause
        self.deadlineMS = deadlineMS
        self.attempt = attempt
        self.ageMS = ageMS
    }
}

/// The actions of a transaction, and what became of them.
public struct TransactionReport: Hashable, Sendable {
    public struct Entry: Hashable, Sendable {
        public var action: ActionID?
        public var kind: ActionKind
        public var call: CallID
        public var provider: ProviderID
        /// The broker put it in front of what was asked for.
        public var isImplied: Bool
        public var state: ActionState
        /// Why its provider has not done it, as it says.
        public var failure: ActionFailure?

        public init(
            action: ActionID?, kind: ActionKind, call: CallID, provider: ProviderID,
            isImplied: Bool, state: ActionState, failure: ActionFailure? = nil
        ) {
            self.action = action
            self.kind = kind
            self.call = call
            self.provider = provider
            self.isImplied = isImplied
            self.state = state
            self.failure = failure
        }
    }

    public var transaction: TransactionID?
    public var state: TransactionState
    public var entries: [Entry]
    public var wouldHold: [CallID] = []
    public var wouldEnd: [CallID] = []
    /// The calls that speak afterwards, and do not now.
    public var wouldActivate: [CallID] = []
    /// Why it failed, or in a dry run why it would be refused.
    public let refusal: Refusal?
    /// True if the same request was under way already (rule 30).
    public var isJoined = false

    public init(
        transaction: TransactionID?, state: TransactionState, entries: [Entry],
        refusal: Refusal? = nil
    ) {
        self.transaction = transaction
        self.state = state
        self.entries = entries
        self.refusal = refusal
    }
}

/// A change that observers are told of.
public enum Announcement: Hashable, Sendable {
    case callAdded(CallID, Cause)
    case callChanged(CallID, ChangedProperties, Cause)
    case callRemoved(CallID, Cause)
    case callRefused(CallID, ProviderID, RefusalReason, Rule)
    case resumeOffered(CallID, becauseOf: CallID)
    case hostChanged(HostFacts)
    indirect case transactionAccepted(TransactionReport, Cause)
    indirect case transactionCompleted(TransactionReport, Cause)
    case actionChanged(ActionID, ActionKind, CallID, ActionState, ActionFailure? = nil)
    /// An answer that came too late, or twice (rule 29).
    case actionLate(ActionID, ProviderID)
    case providerAdded(ProviderID)
    case providerChanged(ProviderID)
    case providerResumed(ProviderID)
    case providerLost(ProviderID, graceMS: Int)
    case providerRemoved(ProviderID, RemovalReason)
    case audioChanged(from: CallID?, to: CallID?, Cause)
    case anomaly(Anomaly, CallID?, ProviderID?)
}

public enum RemovalReason: String, CaseIterable, Sendable {
    case unregistered
    case processExited = "process_exited"
    /// The provider had calls, and did not come back in time.
    case graceExpired = "grace_expired"
    /// The provider had no calls that could wait for it.
    case disconnected
    /// The administrator lets it have no calls any more.
    case revoked
}

/// Why a provider has to drop all its calls.
public enum ResetReason: String, CaseIterable, Sendable {
    /// The broker has none of them: it was started without what it knew, or was told of none.
    case brokerReset = "broker_reset"
    /// The administrator lets it have no calls any more.
    case admin
    /// The provider came back when its calls were over.
    case graceExpired = "grace_expired"
}

/// An event that should not happen and must be countable in the field: the names never change.
public enum Anomaly: String, CaseIterable, Sendable {
    /// A start without any sign of life made way for another (rule 10).
    case startSilent = "start_silent"
    /// Dialing or connecting for too long without progress.
    case dialStuck = "dial_stuck"
    /// A provider did not answer an action.
    case providerSilent = "provider_silent"
    /// A provider grouped calls beyond its limits (rule 22b).
    case groupOverLimit = "group_over_limit"
    /// Video from a provider that declared none (rule 21).
    case videoUndeclared = "video_undeclared"
    /// A call was reported active that may not speak; it was sent back to hold (rule 13).
    case activeUnasked = "active_unasked"
    /// A provider gave no sign of life when it was asked for one, twice in a row (rule 27).
    case providerHung = "provider_hung"
    /// A provider said that a call was an emergency, which its word does not decide (rule 20).
    case emergencyClaimed = "emergency_claimed"
}

/// The facts about the host as a whole that a screen needs.
public struct HostFacts: Hashable, Sendable {
    public var liveGroup: CallID?
    public var heldGroups: Int
    public var ringing: Int
    public var isBusy: Bool
    public var hasEmergency: Bool

    public init(
        liveGroup: CallID? = nil, heldGroups: Int = 0, ringing: Int = 0, isBusy: Bool = false,
        hasEmergency: Bool = false
    ) {
        self.liveGroup = liveGroup
        self.heldGroups = heldGroups
        self.ringing = ringing
        self.isBusy = isBusy
        self.hasEmergency = hasEmergency
    }
}

/// One call's entry in the history (rule 39).
public struct HistoryEntry: Hashable, Sendable {
    /// The call as it was last.
    public var last: CallView
    public var reason: EndReason
    public var cause: Cause
    public var missed: MissedReasons
    /// The filter that blocked or silenced it.
    public let filteredBy: String?
    public var endedAt: Instant
    /// True if its app wants its calls among the recent ones.
    public let isRecent: Bool
    /// Why its app has not done what the call could not live without, as it says.
    public let failure: ActionFailure?

    public init(
        last: CallView, reason: EndReason, cause: Cause, missed: MissedReasons,
        filteredBy: String?, endedAt: Instant, isRecent: Bool = true,
        failure: ActionFailure? = nil
    ) {
        self.last = last
        self.reason = reason
        self.cause = cause
        self.missed = missed
        self.filteredBy = filteredBy
        self.endedAt = endedAt
        self.isRecent = isRecent
        self.failure = failure
    }

    public var call: CallID {
        last.call
    }

    public var provider: ProviderID {
        last.provider
    }
}

/// One step of a decision, for `call.explain`: by which rule, what was decided, about which call,
/// who caused it and what stood in the way.
public struct Decision: Hashable, Sendable {
    /// The rule; nil where no rule had to decide: an app that does not do what it is asked, a
    /// request without form.
    public var rule: Rule?
    public var verdict: Verdict
    public var call: CallID?
    public var cause: Cause
    public var blocking: [Refusal.Blocker]
    /// The reason of a refusal.
    public var reason: RefusalReason?

    public init(
        _ rule: Rule?, _ verdict: Verdict, call: CallID?, cause: Cause,
        blocking: [Refusal.Blocker] = [], reason: RefusalReason? = nil
    ) {
        self.rule = rule
        self.verdict = verdict
        self.call = call
        self.cause = cause
        self.blocking = blocking
        self.reason = reason
    }
}

/// The outcome of a decision.
public enum Verdict: String, CaseIterable, Sendable {
    /// Not done; the rule and what is in the way say why.
    case refused
    /// A stronger or newer request took its place.
    case cancelled
    /// An equal request was under way already: one dispatch, one result for both.
    case joined
    /// The state is as asked for already.
    case nothingToDo = "nothing_to_do"
    /// An app has not done what it was asked, and says why.
    case failed

    // Incoming
    case rings, waits
    /// Filters look at it before anybody hears of it.
    case screened
    /// Let through: by the filters, or by the rule that is named.
    case passed
    /// The call rings without sound.
    case silenced
    /// Refused by a filter before it rang.
    case filtered
    /// Answered, declined or given up before it rang here, or on another device.
    case elsewhere

    // Making room
    case holdsFirst = "holds_first"
    case endsFirst = "ends_first"
    case waitsForEnding = "waits_for_ending"
    /// The call that a choice was about has gone.
    case partLeftOut = "part_left_out"
    /// Hold and answer of one provider go out under one transaction.
    case oneTransaction = "one_transaction"
    /// One action per member of the group.
    case perMember = "per_member"
    /// A provider refused to hold: what waited is given up.
    case holdFailed = "hold_failed"
    /// A provider refused to hold: its call is ended, what waited goes on.
    case blockerEnded = "blocker_ended"
    /// A provider said nothing: its call is ended.
    case silentCallEnded = "silent_call_ended"

    // Afterwards
    /// A held call speaks again; or what some members did already is undone.
    case resumes
    case resumeOffered = "resume_offered"
    /// A held group could have come back; something is in the way, or it was not wanted.
    case resumeWithheld = "resume_withheld"
    /// One member has ended, the others have not.
    case groupGoesOn = "group_goes_on"

    // Reports
    /// The call that its provider reported active may speak.
    case audioGranted = "audio_granted"
    /// That call may not speak: its provider has to hold it.
    case sentBack = "sent_back"
    /// The report came before the fulfilment.
    case countsAsFulfilled = "counts_as_fulfilled"
    /// A change that the provider made by itself is recorded as it is.
    case recorded
    /// A call that its provider has and the broker did not know was taken over.
    case adopted
    /// There was no place for such a call.
    case dropped
    /// The provider is away.
    case waitsForProvider = "waits_for_provider"
    /// The live group, by one press of a button; or, as the last step of all, the call itself.
    case ended
    /// A claim that the provider may not make, such as video that it has not declared.
    case ignored
    /// Done whether anybody wants it or not.
    case forced
}
