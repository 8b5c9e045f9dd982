internal import CallModel

/// The record of a call.
struct CallRecord: Equatable, Sendable {
    let id: CallID
    let provider: Slot<ProviderRecord>
    let direction: Direction
    /// The number of the call in the order of arrival.
    let serial: UInt64
    var group: Slot<GroupRecord>
    var state: CallState
    var properties: CallProperties
    /// The identity of the remote side, as far as the host has determined it.
    var caller: Caller?
    let createdAt: Instant
    var ringingSince: Instant?
    /// The time at which the ring time-out of the call expires.
    var ringDue: Instant?
    /// The number of the call in the order in which calls began to ring or wait.
    var ringSerial: UInt64 = 0
    var alertingAt: Instant?
    var connectingAt: Instant?
    var connectedAt: Instant?
    /// The time at which the app took the call, as it reports, while the call may not be active
    /// (rule 13).
    var takenAt: Instant?
    /// The action under way on the call, as published to screens.
    var pending: PendingAction?
    /// The one action, other than an end, that the provider is performing on the call.
    var current: Slot<ActionRecord>?
    /// The end that the provider is performing.
    var ending: Slot<ActionRecord>?
    /// The reason of the end under way, which becomes part of the call's last state.
    var endReason: EndReason?
    var endCause: Cause?
    /// The groups that are held for this call (rules 16 to 17a), the latest last.
    var heldGroups = Chain<GroupRecord>()
    /// True if the user or a filter has silenced the call.
    var isSilenced = false
    /// The filter that blocked or silenced the call.
    var filteredBy: String?
    var missed: MissedReasons = []
    /// True if the call is in the list of calls that ring or wait.
    var isInIncoming = false
    /// True if the start has been without a response for too long (rule 10).
    var isStartSilent = false
    /// The timers of the call that run.
    var timers: CallTimers = []
    /// True if a filter examines the call, which is not visible yet.
    var isScreened = false
    /// The request that waits for the verdict.
    var screeningToken: RequestToken?
    /// True if the provider reconnected and has not listed the call yet.
    var isUnconfirmed = false
    /// Changes that are not published yet.
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
    /// True for an incoming call that is not answered yet.
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
    case videoRequest = 4
    case textRequest = 5
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

/// The record of a group: calls presented as one. A single call is a group of one.
struct GroupRecord: Equatable, Sendable {
    let provider: Slot<ProviderRecord>
    /// The calls, oldest first; the oldest names the group.
    var members = Chain<CallRecord>()
    var isMuted = false
    var isInHeldChain = false
    /// The name of the group while its last member leaves it.
    var lastMember: CallID?
    /// The call for which the group was held: a debt until the group is live again.
    var heldBecauseOf: CallID?
    /// The record of that call, as long as the call exists.
    var heldFor: Slot<CallRecord>?
    /// True if the host is quiet, and the resume of the group is offered.
    var isResumeOffered = false
    /// True if a start, answer or resume of a member is dispatched or queued.
    var isBecomingLive = false
    /// The newest mute or unmute that the provider has not performed yet.
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
        /// The provider is being started; it has not been announced yet.
        case starting
        /// The provider's calls wait for its reconnection until the grace is over.
        case lost
        /// The provider's calls end, as it may no longer have calls: never between two events.
        case revoked
    }

    let id: ProviderID
    var configuration: ProviderConfiguration
    var link = Link.connected
    /// True if the timer of the provider's grace runs.
    var hasGrace = false
    var calls = Chain<CallRecord>()
    var groupCount = 0
    /// The number of calls that a filter examines, whose groups are not visible.
    var screened = 0
    /// The number of calls that are live on another device, whose groups do not count. It follows
    /// from the calls.
    var externals = 0
    /// The number of actions that are dispatched and not settled.
    var performing = 0
    /// Actions that wait for the connection, for room among the performed, or for their call.
    var queue: [Slot<ActionRecord>] = []
    /// Ends whose result nothing waits for.
    var detached: [Slot<ActionRecord>] = []

    var isConnected: Bool {
        link == .connected
    }

    /// The number of visible groups of calls on this host.
    var visibleGroups: Int {
        groupCount - screened - externals
    }

    /// The number of calls on this host.
    var ownCalls: Int {
        calls.count - externals
    }
}

/// One action of a plan.
struct ActionRecord: Equatable, Sendable {
    let id: ActionID
    let call: CallID
    /// The slot of the call, which is used again after the end of the call.
    let callRecord: Slot<CallRecord>?
    /// The serial of the call, which distinguishes it from a later call in the same slot.
    let callSerial: UInt64
    /// The slot of the provider, which becomes invalid with its removal; the id stays.
    let provider: Slot<ProviderRecord>
    let providerID: ProviderID
    var action: CallAction
    let isImplied: Bool
    var cause: Cause
    let transaction: TransactionID
    /// The plan of the action; nil for an end whose result nothing waits for.
    var plan: Slot<PlanRecord>?
    /// The role of the action's step in the plan; not stored.
    var role: PlanRecord.Step.Role?
    /// True for an end that something in the plan waits for; not stored.
    var isAwaitedEnd = false
    let deadlineMS: Int
    var askedAt = Instant.zero
    var state = ActionState.queued
    var attempt = 0
    /// The deadline; nil until the time of the action begins to run.
    var deadline: Instant?
    var latestDeadline: Instant?
    var failure: ActionFailure?
    /// True if the action was part of an offer to its provider.
    var isOffered = false
    /// The outcome before its turn: of a provider that performs the whole transaction, or by a
    /// report.
    var early: EarlyOutcome?
}

/// The outcome of an action that is known before its turn.
struct EarlyOutcome: Hashable, Sendable {
    let state: ActionState
    /// The time at which the action was performed, as its provider reports.
    let at: Instant?

    init(_ state: ActionState, at: Instant? = nil) {
        (self.state, self.at) = (state, at)
    }
}

/// The requester and the cause of a plan, and the options of its request.
struct PlanOrder {
    var requester: Requester?
    var waiting: [PlanRecord.Waiting] = []
    var cause: Cause
    var deadlineMS: Int?
    /// The id that the client chose, if it chose one.
    var transaction: TransactionID?
}

/// A transaction under way.
struct PlanRecord: Equatable, Sendable {
    struct Step: Equatable, Sendable {
        enum Role: CaseIterable, Sendable {
            /// The requested actions.
            case requested
            /// The hold of the live group, so that another can become live.
            case holdForRoom
            /// The end of the live group, or of a held one, for the same purpose.
            case endForRoom
            /// The wait for a call that is ending (rule 10a).
            case awaitEnding
            /// The wait for a hold of the live group by another request (rule 5).
            case awaitHold
            /// The resume of held members after a merge or a split; a member whose resume fails
            /// stays held.
            case resumeMembers
            /// The grant of the audio to a call that its provider reported active (rule 13).
            case grantReport
            /// The hold of a call that may not be active; without a response the call ends (rule
            /// 13).
            case sendBack
            /// The hold or end of the calls in the way of an emergency, which waits for neither:
            /// the calls count as held, or as ending, whatever their provider replies (rule 20).
            case yield

            var makesRoom: Bool {
                switch self {
                case .holdForRoom, .endForRoom, .awaitEnding, .awaitHold: true
                case .requested, .resumeMembers, .grantReport, .sendBack, .yield: false
                }
            }
        }

        let role: Role
        /// The index of the step's first action among the actions of the plan.
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

    /// An offer to a provider that may perform its part as a whole (`takes_transactions`).
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
    /// The actions of all steps; each step has a range of them.
    var actions: [Slot<ActionRecord>] = []
    var steps: [Step] = []
    var cursor = 0
    var refusal: Refusal?
    /// The call that becomes live by the plan.
    var target: CallID?
    var isDone = false
    /// True if the plan is to have the reservation.
    var wantsRoom = false
    /// The deadline that the requester chose, which also holds for actions added later.
    var deadlineMS: Int?
    /// The choice of the requested answer about the call in its way.
    var choice: AnswerChoice?
    /// True if a group is held because of the plan.
    var hasHeld = false
    var offers: [Offer] = []
    /// True if the timer of the wait for a call that is ending runs (rule 10a).
    var isWaitTimed = false

    func actions(of step: Step) -> ArraySlice<Slot<ActionRecord>> {
        actions[step.range]
    }

    /// True if the plan waits for the end of a call (rule 10a).
    var awaitsEnding: Bool {
        isAt(.awaitEnding)
    }

    /// True if the plan waits for a hold of another request (rule 5).
    var awaitsHold: Bool {
        isAt(.awaitHold)
    }

    private func isAt(_ role: Step.Role) -> Bool {
        !isDone && cursor < steps.count && steps[cursor].role == role && steps[cursor].hasBegun
    }
}
