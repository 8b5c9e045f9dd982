public import CallModel

/// The destination of a reply: made by the shell, meaningless here.
public struct RequestToken: Hashable, Sendable {
    public let number: UInt64

    public init(_ number: UInt64) {
        self.number = number
    }
}

/// The origin of a request: it decides what the request may do (principle 4).
public enum Requester: Hashable, Sendable {
    /// A controller or screen without a provider's identity; it may name any call.
    case user
    /// A controller on a provider's own connection; it may name its own calls only.
    case app(ProviderID)

    public var origin: Origin {
        switch self {
        case .user: .user
        case .app: .app
        }
    }
}

/// An event. The arbiter decides what follows from it.
public enum ArbiterEvent: Hashable, Sendable {
    // Providers
    /// A provider that is not there is being started, and its configuration is known: what is asked
    /// of it waits for it within its own deadline (rule 27).
    case providerStarting(ProviderID, ProviderConfiguration)
    case providerRegistered(ProviderRegistration)
    case providerUpdated(ProviderID, ProviderConfiguration)
    case providerUnregistered(ProviderID)
    /// The provider's connection is gone; its process may be alive (rule 27).
    case providerLost(ProviderID)
    /// The provider's process is gone (rule 26).
    case providerExited(ProviderID)
    /// The administrator has said that it may have no calls (rule 33).
    case providerRevoked(ProviderID)

    // What providers report about their calls
    case incomingReported(IncomingReport)
    case missedReported(MissedReport)
    case callReported(CallReport)

    // What was found out about a call; one that is screened may not ring yet
    case screeningSettled(CallID, ScreeningVerdict)
    /// The caller of any call, whether it rings yet or not.
    case callerIdentified(CallID, Caller)

    // What somebody wants
    case transactionRequested(TransactionRequest)
    case swapRequested(RequestToken, Requester, call: CallID?, CallOptions)
    case mergeRequested(RequestToken, Requester, call: CallID, with: CallID, CallOptions)
    case splitRequested(RequestToken, Requester, call: CallID, CallOptions)
    case buttonPressed(RequestToken, ButtonPress)
    case silenceRequested(RequestToken, Requester, call: CallID)
    case cancelRequested(RequestToken)

    // What providers say to actions
    /// With when it was done, if the provider says so.
    case actionFulfilled(ActionID, by: ProviderID, at: Instant? = nil)
    case actionFailed(ActionID, by: ProviderID, ActionFailure)
    case actionExtended(ActionID, by: ProviderID, byMS: Int)
    /// The answer to an offer: whether it carries the transaction out as a whole.
    case offerSettled(TransactionID, by: ProviderID, isTaken: Bool)

    case timerFired(TimerID)
    case policyChanged(ArbitrationPolicy)
    /// The broker was away (rule 28). After another boot of the host no app has kept its calls.
    case brokerRestarted(isSameBoot: Bool)
}

/// A provider comes, or comes back.
public struct ProviderRegistration: Hashable, Sendable {
    public var token: RequestToken
    public var provider: ProviderID
    public var configuration: ProviderConfiguration
    /// The provider's live calls, for reconciling; nil if it has not listed them (a first
    /// registration).
    public var calls: [LiveCall]?
    /// Further registrations with more calls follow.
    public var hasMore: Bool

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

/// A call that a provider has while it registers.
public struct LiveCall: Hashable, Sendable {
    public var call: CallID
    public var direction: Direction
    /// One of ringing, dialing, connecting, active and held.
    public var state: CallState
    public var update: CallUpdate
    /// Since when both sides can talk, as the provider says.
    public var connectedAt: Instant?

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

public struct IncomingReport: Hashable, Sendable {
    public var token: RequestToken
    public var provider: ProviderID
    public var call: CallID
    public var update: CallUpdate
    /// True if a filter is to examine the call before it rings.
    public var needsScreening: Bool
    /// The time at which the provider received the call, as it reports.
    public var receivedAt: Instant?

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

/// A call that was over before it could ring.
public struct MissedReport: Hashable, Sendable {
    public var token: RequestToken
    public var provider: ProviderID
    public var call: CallID
    public var update: CallUpdate
    public var reasons: MissedReasons
    /// The time at which the call came, as the provider reports.
    public var at: Instant?

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
    public enum News: Hashable, Sendable {
        case connecting
        case connected
        case held(Bool)
        case muted(Bool)
        case group(with: CallID?)
        case updated(CallUpdate)
        case ended(EndReason)
    }

    public var token: RequestToken
    public var provider: ProviderID
    public var call: CallID
    public var news: News
    /// The time of the change, as the provider reports; nil: just now.
    public var at: Instant?

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
    case block(RefusalReason, by: String)
    case allow
    case doNotDisturb
    case silence(by: String)
    case ring
    /// As `ring`, and the user wants this caller also while he is in a call (rule 2).
    case ringInCall
    /// No filter answered in time: the call rings, and is marked.
    case timedOut
}

/// One action somebody asks for.
public struct RequestedAction: Hashable, Sendable {
    public var call: CallID
    /// The provider that a start makes a call of; nil for all others.
    public var provider: ProviderID?
    public var action: CallAction
    /// The choice about the call in an answer's way.
    public var choice: AnswerChoice

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

/// The fate of the call that stands in an answer's way (rule 7).
public enum AnswerChoice: String, CaseIterable, Sendable {
    case plain = "answer"
    case holdAndAnswer = "hold_and_answer"
    case endAndAnswer = "end_and_answer"
    case endHeldAndAnswer = "end_held_and_answer"
}

/// The options of a request.
public struct CallOptions: Hashable, Sendable {
    public enum Conflict: String, CaseIterable, Sendable {
        case hold, end
    }

    public enum Wait: String, CaseIterable, Sendable {
        case accepted, completed
    }

    /// A call that cannot be held is ended; only the user may say so.
    public var onConflict = Conflict.hold
    /// The moment of the reply.
    public var wait = Wait.accepted
    /// Says what would happen, and changes nothing.
    public var isDryRun = false
    /// Milliseconds per action from its dispatch; nil is the provider's or the policy's.
    public var deadlineMS: Int?
    /// Names the transaction: chosen by the client, or nil.
    public var transaction: TransactionID?

    public init() {}
}

public struct TransactionRequest: Hashable, Sendable {
    public var token: RequestToken
    public var requester: Requester
    public var actions: [RequestedAction]
    public var options: CallOptions

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

public enum ButtonPress: String, CaseIterable, Sendable {
    case short, long
}

/// A provider's refusal to perform an action.
public struct ActionFailure: Hashable, Sendable {
    /// The code it answered with; -32601 means that it does not know the kind.
    public var code: Int
    public var reason: String
    /// The message for people, if there is one.
    public var message: String?

    public init(code: Int, reason: String, message: String? = nil) {
        self.code = code
        self.reason = reason
        self.message = message
    }

    static let unknownKind = -32_601
}

/// The purpose of a timer; it names the timer, so that one is never armed twice.
public enum TimerID: Hashable, Sendable {
    case action(ActionID)
    case ring(CallID)
    case dial(CallID)
    case startSilence(CallID)
    case screening(CallID)
    case grace(ProviderID)
    case emergencyCallback(ProviderID)
    /// A plan waits for a call that is already ending (rule 10a).
    case endingWait(TransactionID)
    /// A provider has not said whether it takes a transaction as a whole.
    case offer(TransactionID, ProviderID)
}
