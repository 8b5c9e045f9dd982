public import CallModel

/// The destination of a reply: chosen by the shell, and meaningless to the arbiter.
public struct RequestToken: Hashable, Sendable {
    /// A number that the shell chooses, unique among the requests that await a reply.
    public let number: UInt64

    /// Creates a token from its number.
    public init(_ number: UInt64) {
        self.number = number
    }

    /// Returns the hash for a dictionary with this seed. Tokens count up: they need no other.
    public func _rawHashValue(seed: Int) -> Int {
        Int(truncatingIfNeeded: number) ^ seed
    }
}

/// The party that makes a request; decides what the request may do (rule 33).
public enum Requester: Hashable, Sendable {
    /// A controller or screen without a provider's identity, which may name any call.
    case user
    /// A controller on a provider's own connection, which may name its own calls only.
    case app(ProviderID)

    /// The origin that the causes of this requester's changes have.
    public var origin: Origin {
        switch self {
        case .user: .user
        case .app: .app
        }
    }
}

/// An event, from which the arbiter decides what follows.
public enum ArbiterEvent: Hashable, Sendable {
    // Providers
    /// A provider that is not registered is being started, and its configuration is known: actions
    /// wait for the provider within their own deadlines (rule 27).
    case providerStarting(ProviderID, ProviderConfiguration)
    /// A provider registers, for the first time or again (rule 27).
    case providerRegistered(ProviderRegistration)
    /// A registered provider changes its description of itself.
    case providerUpdated(ProviderID, ProviderConfiguration)
    /// A provider leaves; its calls end as `failed`.
    case providerUnregistered(ProviderID)
    /// The provider's connection is lost; its process may still run (rule 27).
    case providerLost(ProviderID)
    /// The provider's process has exited (rule 26).
    case providerExited(ProviderID)
    /// The administrator denies the provider its calls (rule 33).
    case providerRevoked(ProviderID)

    // Reports of providers about their calls
    /// A provider reports a call that comes in.
    case incomingReported(IncomingReport)
    /// A provider reports a call that was over before it could ring (rule 37).
    case missedReported(MissedReport)
    /// A provider reports a change of one of its calls.
    case callReported(CallReport)

    // Findings of the host about a call
    /// The filters have decided about a call, which may not ring before (rule 32).
    case screeningSettled(CallID, ScreeningVerdict)
    /// The host has identified the caller of a call, which may or may not ring yet.
    case callerIdentified(CallID, Caller)
    /// A filter has found that the caller of a call is a priority caller (rule 43).
    case callerPrioritized(CallID)

    // Requests
    /// A client requests actions.
    case transactionRequested(TransactionRequest)
    /// A client requests the exchange of the live group and a held one; `call` is nil where only
    /// one is held (rule 19).
    case swapRequested(RequestToken, Requester, call: CallID?, CallOptions)
    /// A client requests that two groups become one (rule 22).
    case mergeRequested(RequestToken, Requester, call: CallID, with: CallID, CallOptions)
    /// A client requests that a call leaves its group (rule 23).
    case splitRequested(RequestToken, Requester, call: CallID, CallOptions)
    /// The user presses the button of a headset, or a hot key (rule 38).
    case buttonPressed(RequestToken, ButtonPress)
    /// A client requests that a ringing call makes no sound (rule 40).
    case silenceRequested(RequestToken, Requester, call: CallID)
    /// A client marks a call that is not answered yet as one of a priority caller (rule 43).
    case prioritizeRequested(RequestToken, Requester, call: CallID)
    /// The requester withdraws a request; a transaction that others share continues (rule 30).
    case cancelRequested(RequestToken)

    // Replies of providers to actions
    /// The provider performed an action; `at` is the time that it reports, nil for just now.
    case actionFulfilled(ActionID, by: ProviderID, at: Instant? = nil)
    /// The provider refuses an action.
    case actionFailed(ActionID, by: ProviderID, ActionFailure)
    /// The provider asks for more time, in milliseconds; `extensionPercentMax` limits it.
    case actionExtended(ActionID, by: ProviderID, byMS: Int)
    /// The provider accepts or declines to perform its part of a transaction as a whole.
    case offerSettled(TransactionID, by: ProviderID, isTaken: Bool)

    /// A timer that the arbiter started has run out.
    case timerFired(TimerID)
    /// The host has another policy; it applies to what is decided after this event.
    case policyChanged(ArbitrationPolicy)
    /// The broker restarted (rule 28). After another boot of the host no app has kept its calls.
    case brokerRestarted(isSameBoot: Bool)
}

/// A registration of a provider that connects or reconnects.
public struct ProviderRegistration: Hashable, Sendable {
    /// The destination of the confirmation.
    public var token: RequestToken
    /// The id that the provider registers under.
    public var provider: ProviderID
    /// The provider's description of itself; replaces an earlier one.
    public var configuration: ProviderConfiguration
    /// The provider's live calls, for reconciling; nil if it has not listed them, as at a first
    /// registration.
    public var calls: [LiveCall]?
    /// Indicates that further registrations with more calls follow.
    public var hasMore: Bool

    /// Creates a registration; by default of a provider that lists no calls.
    public init(
        token: RequestToken, provider: ProviderID, configuration: ProviderConfiguration,
        calls: [LiveCall]? = nil, hasMore: Bool = false
    ) {
        self.token = token
        self.provider = provider
        self.configuration = configuration
        self.calls = calls
        self.hasMore = hasMore
    }
}

/// A live call that a provider lists when it registers.
public struct LiveCall: Hashable, Sendable {
    /// The id of the call.
    public var call: CallID
    /// The direction of the call.
    public var direction: Direction
    /// The state of the call: ringing, dialing, connecting, active or held.
    public var state: CallState
    /// The properties of the call; those that are left out have their defaults.
    public var update: CallUpdate
    /// The time since which both sides can talk, as the provider reports; nil if it does not.
    public var connectedAt: Instant?

    /// Creates a call for the list of a registration.
    public init(
        call: CallID, direction: Direction, state: CallState, update: CallUpdate,
        connectedAt: Instant? = nil
    ) {
        self.call = call
        self.direction = direction
        self.state = state
        self.update = update
        self.connectedAt = connectedAt
    }
}

/// A provider's report of a call that comes in (rules 1 to 4).
public struct IncomingReport: Hashable, Sendable {
    /// The destination of the confirmation, or of the refusal.
    public var token: RequestToken
    /// The provider that received the call.
    public var provider: ProviderID
    /// The id that the provider chose for the call.
    public var call: CallID
    /// The properties of the call; those that are left out have their defaults.
    public var update: CallUpdate
    /// Indicates whether filters examine the call before it rings (rule 32).
    public var needsScreening: Bool
    /// The time at which the provider received the call, as it reports; nil for just now.
    public var receivedAt: Instant?

    /// Creates a report; by default of a call that needs no screening and came just now.
    public init(
        token: RequestToken, provider: ProviderID, call: CallID, update: CallUpdate,
        needsScreening: Bool = false, receivedAt: Instant? = nil
    ) {
        self.token = token
        self.provider = provider
        self.call = call
        self.update = update
        self.needsScreening = needsScreening
        self.receivedAt = receivedAt
    }
}

/// A provider's report of a call that was over before it could ring (rule 37).
public struct MissedReport: Hashable, Sendable {
    /// The destination of the acknowledgment.
    public var token: RequestToken
    /// The provider that missed the call.
    public var provider: ProviderID
    /// The id that the provider chose for the call.
    public var call: CallID
    /// The properties of the call; those that are left out have their defaults.
    public var update: CallUpdate
    /// The reasons why the call was missed.
    public var reasons: MissedReasons
    /// The time at which the call came, as the provider reports; nil for just now.
    public var at: Instant?

    /// Creates a report; by default of a call that came just now.
    public init(
        token: RequestToken, provider: ProviderID, call: CallID, update: CallUpdate,
        reasons: MissedReasons, at: Instant? = nil
    ) {
        self.token = token
        self.provider = provider
        self.call = call
        self.update = update
        self.reasons = reasons
        self.at = at
    }
}

/// A provider's report about one of its calls.
public struct CallReport: Hashable, Sendable {
    /// Changes of a call that its provider reports.
    public enum News: Hashable, Sendable {
        /// The far end accepted the call; media is being set up.
        case connecting
        /// Both sides can talk; for a ringing or held call a request for the audio (rule 13).
        case connected
        /// The provider held the call (true) or resumed it (false).
        case held(Bool)
        /// The provider muted the call's group (true) or unmuted it (false; rule 34).
        case muted(Bool)
        /// The call joined the group of another call or, with nil, left its group (rule 22b).
        case group(with: CallID?)
        /// Properties of the call changed.
        case updated(CallUpdate)
        /// The remote side rings; with whether it sends sound meanwhile, if the provider says so.
        case alerting(hasEarlyMedia: Bool? = nil)
        /// The call is over, with the app's own words for it, and the device that has answered or
        /// declined it instead.
        case ended(EndReason, EndDetail? = nil, elsewhere: String? = nil)
        /// The call is live on another device, with its properties there; the first such report adds
        /// the call (rule 47).
        case external(Direction, CallUpdate)
    }

    /// The destination of the acknowledgment, or of the refusal.
    public var token: RequestToken
    /// The provider that reports; it has to be the call's own (rule 33).
    public var provider: ProviderID
    /// The call that has changed.
    public var call: CallID
    /// The change.
    public var news: News
    /// The time of the change, as the provider reports; nil for just now.
    public var at: Instant?

    /// Creates a report; by default of a change that happened just now.
    public init(
        token: RequestToken, provider: ProviderID, call: CallID, news: News, at: Instant? = nil
    ) {
        self.token = token
        self.provider = provider
        self.call = call
        self.news = news
        self.at = at
    }
}

/// The verdict of the filters about an incoming call, in the order of precedence (rule 32).
public enum ScreeningVerdict: Hashable, Sendable {
    /// The call is refused; with the filter that blocked it.
    case block(RefusalReason, by: String)
    /// The call rings, whatever the other filters decided.
    case allow
    /// The call is refused as missed, because of do-not-disturb.
    case doNotDisturb
    /// The call rings without sound; with the filter that silenced it.
    case silence(by: String)
    /// The call rings.
    case ring
    /// The call rings or, if a group is live, waits, even if the policy refuses calls then (rule
    /// 2).
    case ringInCall
    /// No filter replied in time: the call rings, and is marked.
    case timedOut
}

/// One action of a request.
public struct RequestedAction: Hashable, Sendable {
    /// The call to act on; for a start, the id of the new call.
    public var call: CallID
    /// The provider that places the call of a start; nil for all other actions.
    public var provider: ProviderID?
    /// The operation, with its arguments.
    public var action: CallAction
    /// The choice of an answer about the call in its way (rule 7); `plain` for other actions.
    public var choice: AnswerChoice

    /// Creates an action; an answer is a plain one by default.
    public init(
        call: CallID, provider: ProviderID? = nil, action: CallAction,
        choice: AnswerChoice = .plain
    ) {
        self.call = call
        self.provider = provider
        self.action = action
        self.choice = choice
    }
}

/// The fate of the call that is in the way of an answer (rule 7).
public enum AnswerChoice: String, CaseIterable, Sendable {
    /// Holds the live group.
    case plain = "answer"
    /// Holds the live group, as a plain answer does.
    case holdAndAnswer = "hold_and_answer"
    /// Ends the live group; held groups stay.
    case endAndAnswer = "end_and_answer"
    /// Ends the group that was held last, and holds the live one.
    case endHeldAndAnswer = "end_held_and_answer"
}

/// The options of a request.
public struct CallOptions: Hashable, Sendable {
    /// Choices about a live call that is in the way.
    public enum Conflict: String, CaseIterable, Sendable {
        case hold, end
    }

    /// Moments of the reply to a request.
    public enum Wait: String, CaseIterable, Sendable {
        case accepted, completed
    }

    /// The choice about a live call that cannot be held; only the user may choose its end.
    public var onConflict = Conflict.hold
    /// The moment of the reply.
    public var wait = Wait.accepted
    /// Indicates a dry run, which returns the plan and changes nothing.
    public var isDryRun = false
    /// Indicates that an end is meant for all calls of the group (rule 22a).
    public var endsGroup = false
    /// The time for each action from its dispatch, in milliseconds; nil for the provider's, or else
    /// the policy's.
    public var deadlineMS: Int?
    /// The id of the transaction, if the client chose one.
    public var transaction: TransactionID?

    /// Creates the default options: hold what is in the way, and reply on acceptance.
    public init() {}
}

/// A request of 1 to 8 actions, to be performed in order; refused as a whole if one is refused.
public struct TransactionRequest: Hashable, Sendable {
    /// The destination of the reply.
    public var token: RequestToken
    /// The party that makes the request; decides what the request may do.
    public var requester: Requester
    /// The actions in the order in which they are performed.
    public var actions: [RequestedAction]
    /// The options, which apply to all actions.
    public var options: CallOptions

    /// Creates a request, with the default options unless others are given.
    public init(
        token: RequestToken, requester: Requester, actions: [RequestedAction],
        options: CallOptions = CallOptions()
    ) {
        self.token = token
        self.requester = requester
        self.actions = actions
        self.options = options
    }
}

/// Presses of a headset's button or a hot key (rule 38).
public enum ButtonPress: String, CaseIterable, Sendable {
    case short, long
}

/// A provider's refusal to perform an action.
public struct ActionFailure: Hashable, Sendable {
    /// The code of the provider's error; -32601 stands for an unknown kind of action.
    public var code: Int
    /// The provider's reason: a short word for programs.
    public var reason: String
    /// The message for people, if there is one.
    public var message: String?
    /// The code of the app's protocol or network, such as `SIP 486`.
    public var appCode: String?

    /// Creates a failure, by default without a message for people and without a code of the app.
    public init(code: Int, reason: String, message: String? = nil, appCode: String? = nil) {
        self.code = code
        self.reason = reason
        self.message = message
        self.appCode = appCode
    }

    static let unknownKind = -32_601

    /// The failure of a start at a line that its app does not have.
    package static let unknownLine = ActionFailure(
        code: -32_004, reason: "unknown_line", message: "no such line at the provider")

    /// The detail of the end of a call that could not continue without the action; nil if the app
    /// gave no reason. The reason of a known code goes before a word that is the app's own. A longer
    /// word than a detail may have is left out.
    var endDetail: EndDetail? {
        let said = EndDetail.Reason(rawValue: reason)
        let isWord = said != .unspecified && reason.utf8.count <= EndDetail.reasonBytesMax
        let word = isWord ? said : nil
        let known = word.flatMap { EndDetail.Reason.all.contains($0) ? $0 : nil }
        let detail = EndDetail(
            known ?? appCode.flatMap(EndDetail.Reason.init(code:)) ?? word, text: message,
            code: appCode)
        return detail.isEmpty ? nil : detail
    }
}

/// The purpose of a timer, which identifies it, so that no timer is armed twice.
public enum TimerID: Hashable, Sendable {
    /// The deadline of an action that was sent.
    case action(ActionID)
    /// The end of the time for which a call rings or waits (rule 36).
    case ring(CallID)
    /// The end of the time for which a call is dialing, or connecting.
    case dial(CallID)
    /// The end of the time for which a start may be without a response (rules 10 and 20).
    case startSilence(CallID)
    /// The end of the time that the filters have (rule 32).
    case screening(CallID)
    /// The end of the time that the user has to decide about video (rule 45).
    case videoRequest(CallID)
    /// The end of the time that the user has to decide about real-time text (rule 46).
    case textRequest(CallID)
    /// The end of the time for which the calls of a lost provider wait (rules 26 to 28).
    case grace(ProviderID)
    /// The end of the time for which a provider's incoming calls count as call-backs (rule 20).
    case emergencyCallback(ProviderID)
    /// The end of the time for which a plan waits for a call that is ending (rules 7 and 10a).
    case endingWait(TransactionID)
    /// The end of the time for which a provider may accept a transaction as a whole.
    case offer(TransactionID, ProviderID)

    /// Returns the hash for a dictionary with this seed. Timers of different kinds may share it.
    public func _rawHashValue(seed: Int) -> Int {
        switch self {
        case .action(let action): action._rawHashValue(seed: seed)
        case .ring(let call), .dial(let call), .startSilence(let call), .screening(let call),
            .videoRequest(let call), .textRequest(let call):
            call._rawHashValue(seed: seed)
        case .grace(let provider), .emergencyCallback(let provider):
            provider._rawHashValue(seed: seed)
        case .endingWait(let transaction), .offer(let transaction, _):
            transaction._rawHashValue(seed: seed)
        }
    }
}
