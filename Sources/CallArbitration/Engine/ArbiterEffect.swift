public import CallModel

/// An effect. The order in which the arbiter lists effects is the order of the work.
public enum ArbiterEffect: Hashable, Sendable {
    // Replies
    /// Confirms a request or a report that has no further result.
    case acknowledge(RequestToken)
    /// Refuses a request or a report.
    case refuse(RequestToken, Refusal)
    /// Confirms an incoming call, with its state and the sound that its app may make.
    case confirmIncoming(RequestToken, CallID, CallState, Presentation)
    /// Confirms a registration with the provider's oldest calls, at most one more than
    /// `Arbiter.callsConfirmed`, and those that it has to drop.
    case confirmRegistration(RequestToken, ProviderID, calls: [CallID], dropped: [CallID])
    /// Replies with the plan that was accepted or, in a dry run, would be.
    case accept(RequestToken, TransactionReport)
    /// Replies that every action is settled, with the cause of the transaction.
    indirect case complete(RequestToken, TransactionReport, Cause)

    // To providers
    /// Offers a provider these actions, to perform them as a whole (`takes_transactions`).
    case offer(TransactionID, ProviderID, [Dispatch])
    /// Sends an action to its provider.
    indirect case perform(Dispatch)
    /// Withdraws an action that was sent.
    case cancelPerform(ActionID, ProviderID)
    /// Notifies a provider that the time of an action is over.
    case tellTimedOut(ActionID, ActionKind, CallID, ProviderID)
    /// Grants microphone and speaker to a group.
    case activateAudio(ProviderID, group: CallID, calls: [CallID])
    /// Withdraws microphone and speaker, under the name of the group at the grant.
    case deactivateAudio(ProviderID, group: CallID, calls: [CallID])
    /// Instructs a provider to drop all its calls.
    case resetProvider(ProviderID, ResetReason = .brokerReset)

    // To the clock
    /// Starts a timer that fires at `at`.
    case startTimer(TimerID, at: Instant)
    /// Stops a timer that has not fired.
    case stopTimer(TimerID)

    // To observers
    /// Publishes a change to observers.
    case announce(Announcement)

    // To the shell
    /// Starts the screening of a call (rule 32).
    case screen(CallID)
    /// Writes a call that is over to the history (rule 39).
    indirect case record(HistoryEntry)
    /// Records a step of a decision for `call.explain`.
    case note(Decision)
}

/// An action that is sent to a provider.
public struct Dispatch: Hashable, Sendable {
    /// The id of the action; the same for each attempt.
    public var action: ActionID
    /// The provider that performs the action.
    public var provider: ProviderID
    /// The call to act on.
    public var call: CallID
    /// The operation, with its arguments.
    public var kind: CallAction
    /// The transaction that the action belongs to.
    public var transaction: TransactionID
    /// The reason for the action: the requester, or the rule that added it.
    public var cause: Cause
    /// The time for the action, in milliseconds from its dispatch.
    public var deadlineMS: Int
    /// The number of the attempt, from 1; higher after the provider reconnected.
    public var attempt: Int
    /// The time since the action was requested, in milliseconds.
    public var ageMS: Int

    /// Creates a dispatch; by default of an action that was requested just now.
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

/// The actions of a transaction, and their outcome.
public struct TransactionReport: Hashable, Sendable {
    /// One action of a transaction.
    public struct Entry: Hashable, Sendable {
        /// The id of the action; nil in a dry run.
        public var action: ActionID?
        /// The kind of action.
        public var kind: ActionKind
        /// The call to act on.
        public var call: CallID
        /// The provider that performs the action.
        public var provider: ProviderID
        /// Indicates an action that a rule added in front of the requested one.
        public var isImplied: Bool
        /// The state of the action; `planned` in a dry run.
        public var state: ActionState
        /// The provider's reason for not performing the action.
        public var failure: ActionFailure?

        /// Creates an entry, by default without a failure.
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

    /// The id of the transaction; nil in a dry run.
    public var transaction: TransactionID?
    /// The state of the transaction.
    public var state: TransactionState
    /// The actions in order, implied ones in front of the action that needs them.
    public var entries: [Entry]
    /// The calls that the plan would hold; filled in a dry run only.
    public var wouldHold: [CallID] = []
    /// The calls that the plan would end; filled in a dry run only.
    public var wouldEnd: [CallID] = []
    /// The calls that would become live; filled in a dry run only.
    public var wouldActivate: [CallID] = []
    /// The reason why the transaction failed or, in a dry run, would be refused.
    public let refusal: Refusal?
    /// Indicates that the same request was in progress already (rule 30).
    public var isJoined = false

    /// Creates a report; what a dry run would hold, end and activate is empty at first.
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

/// A change that is published to observers.
public enum Announcement: Hashable, Sendable {
    /// A call is listed.
    case callAdded(CallID, Cause)
    /// Properties of a call changed.
    case callChanged(CallID, ChangedProperties, Cause)
    /// A call is over.
    case callRemoved(CallID, Cause)
    /// A call was refused before it was listed, or the button's answer was (rules 25 and 38).
    case callRefused(CallID, ProviderID, RefusalReason, Rule)
    /// A held group may be resumed (rule 17).
    case resumeOffered(CallID, becauseOf: CallID)
    /// The facts about the host changed.
    case hostChanged(HostFacts)
    /// A transaction was accepted, and begins.
    indirect case transactionAccepted(TransactionReport, Cause)
    /// All actions of a transaction are settled.
    indirect case transactionCompleted(TransactionReport, Cause)
    /// An action has another state.
    case actionChanged(ActionID, ActionKind, CallID, ActionState, ActionFailure? = nil)
    /// A provider replied to an action too late, or twice (rule 29).
    case actionLate(ActionID, ProviderID)
    /// A provider registered that was not registered before.
    case providerAdded(ProviderID)
    /// A provider changed its description of itself.
    case providerChanged(ProviderID)
    /// A lost provider reconnected.
    case providerResumed(ProviderID)
    /// A provider's connection is lost; its calls wait for `graceMS` milliseconds (rule 27).
    case providerLost(ProviderID, graceMS: Int)
    /// A provider was removed, and its calls have ended.
    case providerRemoved(ProviderID, RemovalReason)
    /// Microphone and speaker belong to another group, or to none.
    case audioChanged(from: CallID?, to: CallID?, Cause)
    /// An anomaly was counted, with the call and the provider that it concerns.
    case anomaly(Anomaly, CallID?, ProviderID?)
}

/// Reasons why a provider is removed.
public enum RemovalReason: String, CaseIterable, Sendable {
    /// The provider unregistered.
    case unregistered
    /// The provider's process has exited (rule 26).
    case processExited = "process_exited"
    /// The provider had calls, and did not reconnect in time.
    case graceExpired = "grace_expired"
    /// The provider had no calls that could wait for it.
    case disconnected
    /// The administrator revoked the provider's right to have calls (rule 33).
    case revoked
}

/// Reasons why a provider has to drop all its calls.
public enum ResetReason: String, CaseIterable, Sendable {
    /// The broker has none of the calls: it started without its former state, or received no list.
    case brokerReset = "broker_reset"
    /// The administrator revoked the provider's right to have calls (rule 33).
    case admin
    /// The provider reconnected when its calls were over.
    case graceExpired = "grace_expired"
}

/// Events that should not happen and must be countable in the field: the names never change.
public enum Anomaly: String, CaseIterable, Sendable {
    /// A start without a response made way for another (rule 10).
    case startSilent = "start_silent"
    /// A call was dialing or connecting for too long without progress.
    case dialStuck = "dial_stuck"
    /// A provider did not reply to an action in time.
    case providerSilent = "provider_silent"
    /// A provider grouped calls beyond its limits (rule 22b).
    case groupOverLimit = "group_over_limit"
    /// A provider reported video that it had not declared (rule 21).
    case videoUndeclared = "video_undeclared"
    /// A provider reported a call active without a request (rule 13).
    case activeUnasked = "active_unasked"
    /// A provider did not respond to two pings in a row (rule 27).
    case providerHung = "provider_hung"
    /// A provider claimed an emergency, and the host does not accept its claims (rule 20).
    case emergencyClaimed = "emergency_claimed"
}

/// The facts about the host as a whole that a screen needs.
public struct HostFacts: Hashable, Sendable {
    /// The name of the live group; nil if none is live.
    public var liveGroup: CallID?
    /// The number of held groups.
    public var heldGroups: Int
    /// The number of calls that ring or wait; those that are being screened do not count.
    public var ringing: Int
    /// Indicates whether a plan waits for room, or the live group is only about to become live.
    public var isBusy: Bool
    /// Indicates whether an emergency is in progress (rule 20).
    public var hasEmergency: Bool

    /// Creates the facts; by default those of a host without calls.
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
    /// The call as it was before its end.
    public var last: CallView
    /// The reason why the call ended.
    public var reason: EndReason
    /// The cause of the end.
    public var cause: Cause
    /// The reasons why the call was missed; empty if it was not.
    public var missed: MissedReasons
    /// The filter that blocked or silenced the call, if one did.
    public let filteredBy: String?
    /// The time at which the call ended.
    public var endedAt: Instant
    /// Indicates whether the app lists its calls among the recent ones.
    public let isRecent: Bool
    /// Indicates a call that was on another device all the time, and is not kept (rule 47).
    public let isExternal: Bool
    /// The app's reason for not performing an action without which the call could not continue.
    public let failure: ActionFailure?
    /// The app's own words for the end.
    public let detail: EndDetail?

    /// Creates an entry; by default of a recent call whose app failed no action.
    public init(
        last: CallView, reason: EndReason, cause: Cause, missed: MissedReasons,
        filteredBy: String?, endedAt: Instant, isRecent: Bool = true, isExternal: Bool = false,
        failure: ActionFailure? = nil, detail: EndDetail? = nil
    ) {
        self.last = last
        self.reason = reason
        self.cause = cause
        self.missed = missed
        self.filteredBy = filteredBy
        self.endedAt = endedAt
        self.isRecent = isRecent
        self.isExternal = isExternal
        self.failure = failure
        self.detail = detail
    }

    /// The call that ended.
    public var call: CallID {
        last.call
    }

    /// The provider of the call.
    public var provider: ProviderID {
        last.provider
    }
}

/// One step of a decision, for `call.explain`: the rule, the outcome, the call, the cause and the
/// calls in the way.
public struct Decision: Hashable, Sendable {
    /// The rule; nil where none had to decide, as for an app that fails an action or a malformed
    /// request.
    public var rule: Rule?
    /// The outcome.
    public var verdict: Verdict
    /// The call that the decision is about, if there is one.
    public var call: CallID?
    /// The party that led to the decision, and the transaction.
    public var cause: Cause
    /// The calls that stood in the way.
    public var blocking: [Refusal.Blocker]
    /// The reason of a refusal; nil for other outcomes.
    public var reason: RefusalReason?

    /// Creates a decision; by default without calls in the way.
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
    /// The request was refused by the rule, because of the calls in the way.
    case refused
    /// A stronger or newer request took the place of this one.
    case cancelled
    /// An equal request was in progress already: both have one dispatch and one result.
    case joined
    /// The requested state was reached already.
    case nothingToDo = "nothing_to_do"
    /// An app failed an action, and gave its reason.
    case failed

    // Incoming
    case rings, waits
    /// Filters examine the call before it is listed.
    case screened
    /// The call was let through by the filters, or by the rule.
    case passed
    /// The call rings without sound.
    case silenced
    /// A filter refused the call before it rang.
    case filtered
    /// The call was answered or declined on another device, or given up before it rang here.
    case elsewhere

    // Making room
    /// The live group is held first.
    case holdsFirst = "holds_first"
    /// The group in the way is ended first.
    case endsFirst = "ends_first"
    /// The plan waits for a call that is ending already (rule 10a).
    case waitsForEnding = "waits_for_ending"
    /// A part of the request is left out: the call that a choice was about is over (rule 7a), or an
    /// action beside an emergency would be refused (rule 20).
    case partLeftOut = "part_left_out"
    /// Hold and answer are sent to one provider in one transaction (rule 12).
    case oneTransaction = "one_transaction"
    /// Each member of the group has its own action (rule 22a).
    case perMember = "per_member"
    /// A provider refused to hold, and the waiting action is not sent (rule 5a).
    case holdFailed = "hold_failed"
    /// A provider refused to hold, its call is ended, and the plan continues (rule 5a).
    case blockerEnded = "blocker_ended"
    /// A provider did not reply, and its call is ended (rule 5b).
    case silentCallEnded = "silent_call_ended"

    // Afterwards
    /// A held call resumes, or what some members did already is undone.
    case resumes
    /// The resume of a held group is offered (rule 17).
    case resumeOffered = "resume_offered"
    /// A held group is not resumed, as another call is live, rings, or waits for room (rule 16).
    case resumeWithheld = "resume_withheld"
    /// One member has ended, and the others continue (rule 18).
    case groupGoesOn = "group_goes_on"

    // Reports
    /// The call that its provider reported active gets the audio (rule 13).
    case audioGranted = "audio_granted"
    /// The call that its provider reported active does not get the audio, and has to be held (rule
    /// 13).
    case sentBack = "sent_back"
    /// The report came before the reply to the action, and counts as that reply (rule 30a).
    case countsAsFulfilled = "counts_as_fulfilled"
    /// A change that the provider made on its own is recorded (rule 22b).
    case recorded
    /// A call that only its provider had was adopted.
    case adopted
    /// A call that only its provider had was not adopted, and has to be dropped.
    case dropped
    /// The action waits for a disconnected provider (rule 27).
    case waitsForProvider = "waits_for_provider"
    /// The button ended the live group or, as the last step of all, the call is over.
    case ended
    /// A claim of the provider does not count, such as video that it has not declared.
    case ignored
    /// The call is started without the video that the user asked for, as its app has none (rule 21).
    case withoutVideo = "without_video"
    /// The call is started without the real-time text that was asked for, as its app has none (rule 46).
    case withoutText = "without_text"
    /// The step is taken regardless of requests and replies.
    case forced
}
