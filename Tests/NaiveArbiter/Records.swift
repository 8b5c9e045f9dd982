internal import CallArbitration
internal import CallModel

extension NaiveArbiter {
    struct Provider {
        let id: ProviderID
        var configuration: ProviderConfiguration
        var isConnected = true
        /// The calls it has named so far while it comes back.
        var listed: [CallID]?
    }

    struct Call {
        let id: CallID
        let provider: ProviderID
        let direction: Direction
        var state: CallState
        var group: Int
        var properties = CallProperties()
        let createdAt: Instant
        /// Both sides could talk once.
        var wasConnected = false
        /// Its answer was sent: whatever comes, it was not missed.
        var wasAnswered = false
        /// Its answer was accepted, but could not be sent when its provider went: missed or not.
        var wasNearlyAnswered = false
        var isSilenced = false
        /// Since when it can be seen.
        var listOrder = 0
        /// Until when it may ring.
        var ringsUntil = Instant.zero
        /// Since when it rings aloud.
        var rangSince: Instant?
        /// Who waits for the filters' verdict, while it is looked at (rule 32).
        var screening: RequestToken?
        /// What counts if it is missed (rule 39).
        var missed: MissedReasons = []
        var isEmergency = false
        /// Its start has shown no sign of life (rule 10).
        var isSilentStart = false
        /// While it is `ending`.
        var ending: Ending?
    }

    struct Ending {
        var reason: EndReason
        /// The end of the user or the call's own app (rule 16).
        var isWished: Bool
        /// It was live, or about to be.
        var wasLive: Bool
    }

    struct Group {
        let number: Int
        var isMuted = false
        var heldBecauseOf: CallID?
        /// Grows with each hold: the most recently held has the highest.
        var heldOrder = 0
    }

    struct Action {
        let number: Int
        let call: CallID
        let provider: ProviderID
        let kind: CallAction
        var isSent = false
        /// For a call that is over here: whatever comes of it is ignored.
        var isIgnored = false
        /// The plans that wait for it.
        var plans: [Int]
        let deadlineMS: Int
        /// When it was sent, or began to wait for its provider.
        var since: Instant
        var attempt = 1
    }

    enum Outcome: Hashable {
        case fulfilled
        case failed(ActionFailure)
        case timedOut
        /// Overtaken by a wish to end the call (`cancelled`), or its call is over.
        case overtaken(RefusalReason)
    }

    /// What is to be done together, before the next step.
    struct Step {
        enum Work {
            case hold(group: Int)
            /// Ends what stands in the way.
            case clear(group: Int)
            /// Ends those of them that cannot be held (rule 20).
            case clearRest(group: Int)
            /// Rule 10a.
            case awaitEnding(group: Int)
            case start(CallID, StartArguments)
            case answer(CallID)
            /// Rule 13: it may be active, as its provider has reported.
            case grant(CallID)
            case sendBack(CallID)
            case resume(group: Int)
            case end(CallID)
            case mute(group: Int, Bool)
            /// A member that was not of the same mind as the rest.
            case muteOne(CallID, Bool)
            case join(CallID, with: CallID)
            case leave(CallID)
            case tones(CallID, digits: String, DTMFStyle)
        }

        var work: Work
        /// For which call; nil if somebody asked for it.
        var becauseOf: CallID?
        /// The plan goes on without it.
        var mayFail: Bool

        init(_ work: Work, becauseOf: CallID? = nil, mayFail: Bool = false) {
            self.work = work
            self.becauseOf = becauseOf
            self.mayFail = mayFail
        }
    }

    struct Plan {
        let number: Int
        let wish: Wish
        /// Who wants to hear of its end.
        var tokens: [RequestToken]
        var steps: [Step]
        var running: Step?
        var outcomes: [(call: CallID, outcome: Outcome)] = []
        /// How its call is to be answered.
        var choice = AnswerChoice.plain
        /// The groups that it had held to make room.
        var held: [Int] = []
        var id: TransactionID?
    }

    /// Who wants something, and how.
    struct Wish {
        /// Nil: the broker by itself.
        var token: RequestToken?
        var requester: Requester
        var options: CallOptions
        var isAutomatic = false
        /// One of several actions: it joins nobody.
        var isPart = false

        init(_ token: RequestToken?, _ requester: Requester, _ options: CallOptions) {
            self.token = token
            self.requester = requester
            self.options = options
        }

        /// The broker itself, by rule.
        static let automatic: Wish = {
            var wish = Wish(nil, .admin, CallOptions())
            wish.isAutomatic = true
            return wish
        }()

        var isUser: Bool { requester == .user }
    }

    struct Withdrawn {
        let action: Int
        let call: CallID
        let provider: ProviderID
        let isHold: Bool
        /// What it was for has been cancelled.
        let isNeedless: Bool
    }

    struct Deadline: Equatable {
        enum Name: Hashable {
            case action(Int)
            case ring(CallID)
            case dial(CallID)
            case startSilence(CallID)
            case screening(CallID)
            case grace(ProviderID)
            case emergencyCallback(ProviderID)
            case endingWait(Int)
        }

        let name: Name
        let at: Instant
    }

    /// A request that the rules do not allow.
    struct Refused: Error {
        let reason: RefusalReason
        /// Nil where the contract names none.
        let rule: Rule?

        init(_ reason: RefusalReason, _ rule: Rule? = nil) {
            self.reason = reason
            self.rule = rule
        }
    }
}
