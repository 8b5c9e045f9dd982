internal import CallModel

/// One call, as the arbiter knows it.
struct CallRecord: Equatable, Sendable {
    let id: CallID
    let provider: Slot<ProviderRecord>
    let direction: Direction
    /// Counts calls: the order of their coming.
    let serial: UInt64
    var group: Slot<GroupRecord>
    var state: CallState
    var properties: CallProperties
    /// The other side, as far as the host has found out.
    var caller: Caller?
    let createdAt: Instant
    var ringingSince: Instant?
    /// The time at which it will have rung for too long.
    var ringDue: Instant?
    /// Counts the calls that were seen to ring.
    var ringSerial: UInt64 = 0
    var connectingAt: Instant?
    var connectedAt: Instant?
    /// The time at which it was taken, as its app reports, as long as it may not speak (rule 13).
    var takenAt: Instant?
    /// The action under way on it, as screens see it.
    var pending: PendingAction?
    /// The one action, other than an end, that its provider is performing on it.
    var current: Slot<ActionRecord>?
    /// The end that its provider is performing.
    var ending: Slot<ActionRecord>?
    /// Why it is ending: taken over into its last state.
    var endReason: EndReason?
    var endCause: Cause?
    /// The groups that are held for this call (rules 16 to 17a), the latest last.
    var heldGroups = Chain<GroupRecord>()
    /// The user, or a filter, wants no sound of it.
    var isSilenced = false
    /// The filter that blocked or silenced it.
    var filteredBy: String?
    var missed: MissedReasons = []
    /// In the list of calls that ring or wait.
    var isInIncoming = false
    /// True if nothing was heard of its start for too long (rule 10).
    var isStartSilent = false
    /// Which of its timers run.
    var timers: CallTimers = []
    /// True if a filter examines the call: it is not visible yet.
    var isScreened = false
    /// The request that waits for the verdict.
    var screeningToken: RequestToken?
    /// True if its provider is back and has not named it yet.
    var isUnconfirmed = false
    /// Changes that nobody was told of yet.
    var pendingChanges: ChangedProperties = []
    /// The number of effects when a change of the call was published in this event; 0 between
    /// events.
    var publishedAt = 0
    var revision: UInt64 = 0

    var wasConnected: Bool {
        connectedAt != nil
    }
}

extension CallState {
    /// True for an incoming call that nobody has taken yet.
    var isUnanswered: Bool {
        self == .ringing || self == .waiting
    }
}

/// A timer of a call. Its number is a place in `CallTimers`, which are stored.
enum CallTimer: UInt8, CaseIterable, Sendable {
    case ring = 0
    case dial = 1
    case startSilence = 2
    case screening = 3
}

/// The timers of a call that run, so that each is stopped or fires once.
struct CallTimers: OptionSet, Sendable {
    let rawValue: UInt8

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    init(_ timer: CallTimer) {
        rawValue = 1 << timer.rawValue
    }

    func contains(_ timer: CallTimer) -> Bool {
        contains(CallTimers(timer))
    }

    mutating func insert(_ timer: CallTimer) {
        insert(CallTimers(timer))
    }

    mutating func remove(_ timer: CallTimer) {
        remove(CallTimers(timer))
    }
}

/// Calls presented as one. A lone call is a group of one.
struct GroupRecord: Equatable, Sendable {
    let provider: Slot<ProviderRecord>
    /// Oldest first; the oldest names the group.
    var members = Chain<CallRecord>()
    var isMuted = false
    var isInHeldChain = false
    /// Names the group while its last member leaves it.
    var lastMember: CallID?
    /// The call that it was held for: a debt until it speaks again.
    var heldBecauseOf: CallID?
    /// That call, as long as it is there.
    var heldFor: Slot<CallRecord>?
    /// The host is quiet, and somebody has to resume it.
    var isResumeOffered = false
    /// A start, answer or resume of a member was dispatched and is not settled.
    var isBecomingLive = false
    /// The newest mute or unmute that its provider has not performed yet.
    var muteUnderWay: MuteChange?

    struct MuteChange: Equatable, Sendable {
        let plan: Slot<PlanRecord>
        let transaction: TransactionID
        let isMuted: Bool
    }
}

struct ProviderRecord: Equatable, Sendable {
    enum Link: CaseIterable, Sendable {
        case connected
        /// The provider is on its way; it has not been announced yet.
        case starting
        /// The provider's calls wait for it until the grace is over.
        case lost
        /// The provider's calls end, since it may have none any more: never between two events.
        case revoked
    }

    let id: ProviderID
    var configuration: ProviderConfiguration
    var link = Link.connected
    /// The timer of its grace runs.
    var hasGrace = false
    var calls = Chain<CallRecord>()
    var groupCount = 0
    /// Calls that a filter looks at: they are in groups, and count for none.
    var screened = 0
    /// Actions dispatched and not settled.
    var performing = 0
    /// Actions that wait for the connection, for room among the performed, or for their call.
    var queue: [Slot<ActionRecord>] = []
    /// Ends whose result nobody waits for.
    var detached: [Slot<ActionRecord>] = []

    var isConnected: Bool {
        link == .connected
    }

    /// Groups that somebody can see.
    var visibleGroups: Int {
        groupCount - screened
    }
}

/// One action of a plan.
struct ActionRecord: Equatable, Sendable {
    let id: ActionID
    let call: CallID
    /// The call's record as long as the call is there; its place is used again afterwards.
    let callRecord: Slot<CallRecord>?
    /// Tells that call from a later one in the same place.
    let callSerial: UInt64
    /// Gone when its provider is; the id stays.
    let provider: Slot<ProviderRecord>
    let providerID: ProviderID
    let action: CallAction
    let isImplied: Bool
    var cause: Cause
    let transaction: TransactionID
    /// The plan it belongs to; nil for an end whose result nobody waits for.
    var plan: Slot<PlanRecord>?
    /// The role of its step in the plan; not stored.
    var role: PlanRecord.Step.Role?
    /// True for an end that something in the plan waits for; not stored.
    var isAwaitedEnd = false
    let deadlineMS: Int
    var askedAt = Instant.zero
    var state = ActionState.queued
    var attempt = 0
    /// Set when its time began to run.
    var deadline: Instant?
    var latestDeadline: Instant?
    var failure: ActionFailure?
    /// True if it was part of an offer to its provider.
    var isOffered = false
    /// The outcome before its turn, from a provider that carries out the whole transaction.
    var early: EarlyOutcome?
}

/// The outcome of an action that is known before its turn.
struct EarlyOutcome: Hashable, Sendable {
    let state: ActionState
    /// The time at which it was done, as its provider reports.
    let at: Instant?

    init(_ state: ActionState, at: Instant? = nil) {
        (self.state, self.at) = (state, at)
    }
}

/// For whom a plan is carried out, and why.
struct PlanOrder {
    var requester: Requester?
    var waiting: [PlanRecord.Waiting] = []
    var cause: Cause
    var deadlineMS: Int?
    /// Chosen by the client, or nil.
    var transaction: TransactionID?
}

/// A transaction under way.
struct PlanRecord: Equatable, Sendable {
    struct Step: Equatable, Sendable {
        enum Role: CaseIterable, Sendable {
            /// The actions that were asked for.
            case requested
            /// The live group is held so that something else can be live.
            case holdForRoom
            /// The live group, or a held one, is ended for it.
            case endForRoom
            /// A call that is ending is waited for (rule 10a).
            case awaitEnding
            /// A hold of the live group, which somebody else has asked for, is waited for (rule 5).
            case awaitHold
            /// Members that were held speak again after a merge or a split; one that fails stays
            /// held.
            case resumeMembers
            /// A call that its provider reported active may speak now (rule 13).
            case grantReport
            /// A call that may not speak is held again; silence ends it (rule 13).
            case sendBack
            /// The calls in the way of an emergency, which does not wait for them: they count as
            /// held, or as ending, whatever their provider replies (rule 20).
            case yield

            var makesRoom: Bool {
                switch self {
                case .holdForRoom, .endForRoom, .awaitEnding, .awaitHold: true
                case .requested, .resumeMembers, .grantReport, .sendBack, .yield: false
                }
            }
        }

        let role: Role
        /// The place of its first action among the actions of the plan.
        let first: Int
        let count: Int
        var unsettled: Int
        var hasBegun = false

        var range: Range<Int> {
            first..<first + count
        }
    }

    struct Waiting: Equatable, Sendable {
        /// The moment of the reply. A request that joins an accepted plan is answered at once, or
        /// `asJoined` when the plan is completed.
        enum Reply: CaseIterable, Sendable {
            case whenAccepted, whenCompleted, whenCompletedAsJoined
        }

        let token: RequestToken
        let reply: Reply
    }

    /// A provider that may carry out its part as a whole was asked (`takes_transactions`).
    struct Offer: Equatable, Sendable {
        enum State: CaseIterable, Sendable {
            case asked, taken, declined
        }

        let provider: Slot<ProviderRecord>
        let providerID: ProviderID
        var state = State.asked
    }

    let id: TransactionID
    let requester: Requester?
    var waiting: [Waiting]
    var cause: Cause
    /// The actions of all steps; the steps say which.
    var actions: [Slot<ActionRecord>] = []
    var steps: [Step] = []
    var cursor = 0
    var refusal: Refusal?
    /// The call that becomes live by it.
    var target: CallID?
    var isDone = false
    /// True if it is to have the reservation.
    var wantsRoom = false
    /// The requester's own, for whatever becomes part of the plan.
    var deadlineMS: Int?
    /// The choice of the requested answer about the call in its way.
    var choice: AnswerChoice?
    /// A group is held because of it.
    var hasHeld = false
    var offers: [Offer] = []
    /// The timer of its wait for a call that is ending runs (rule 10a).
    var isWaitTimed = false

    func actions(of step: Step) -> ArraySlice<Slot<ActionRecord>> {
        actions[step.range]
    }

    /// True if it waits for a call's end before it can go on (rule 10a).
    var awaitsEnding: Bool {
        isAt(.awaitEnding)
    }

    /// True if it waits for a hold that somebody else has asked for (rule 5).
    var awaitsHold: Bool {
        isAt(.awaitHold)
    }

    private func isAt(_ role: Step.Role) -> Bool {
        !isDone && cursor < steps.count && steps[cursor].role == role && steps[cursor].hasBegun
    }
}
