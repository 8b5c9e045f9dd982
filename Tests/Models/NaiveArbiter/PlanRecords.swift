internal import CallArbitration
internal import CallModel

extension NaiveArbiter {
    /// One thing that a provider is to do to one call.
    struct Action {
        let number: Int
        let call: CallID
        let provider: ProviderID
        var kind: CallAction
        let cause: Cause
        let isImplied: Bool
        /// Nobody asks what comes of it: an end of a call that is over here.
        var isForEndedCall = false
        var plan: Int?
        let deadlineMS: Int
        var state = ActionState.queued
        /// When its turn came; nil as long as earlier steps are done.
        var turn: Int?
        var attempt = 0
        /// When it became part of its plan.
        var askedAt = Instant.zero
        /// Why its provider has not done it, as it says.
        var failure: ActionFailure?
        /// How far its time may be extended.
        var latest = Instant.zero
        /// Part of an offer to its provider.
        var isOffered = false
        /// What is known to come of it when its turn comes.
        var early: ActionState?
        /// When its provider did it, as it says.
        var earlyAt: Instant?

        var isSent: Bool { state == .dispatched }
        /// Its turn has come, but its provider or its call is not free.
        var isWaiting: Bool { state == .queued && turn != nil }
        var isUnderWay: Bool { isSent || isWaiting }
        var isSettled: Bool { state != .queued && state != .dispatched }
    }

    enum Purpose {
        case asked
        /// The live group makes room.
        case hold, end, awaitEnding
        /// Somebody else has asked for the hold.
        case awaitHold
        /// Held members are to speak again; it does not matter much if they do not.
        case speakAgain
        /// Rule 13: a call may speak, or must be held.
        case grant, sendBack
        /// Rule 20: nobody waits for it.
        case yield

        var makesRoom: Bool {
            self == .hold || self == .end || self == .awaitEnding || self == .awaitHold
        }
    }

    /// What is done together, before the next step.
    struct Step {
        let purpose: Purpose
        var actions: [Int]
        var hasBegun = false
    }

    struct Plan {
        let number: Int
        let requester: Requester?
        var waiting: [Waiting]
        let cause: Cause
        let deadlineMS: Int?
        var steps: [Step] = []
        var next = 0
        /// The call that becomes live by it.
        let target: CallID?
        /// How its call is to be answered.
        let choice: AnswerChoice?
        /// It is to have the reservation.
        var wantsRoom = false
        /// It has had a group held.
        var hasHeld = false
        var isGivenUp = false
        var refused: Refused?
        var offers: [Offer] = []
        var id: TransactionID?
    }

    struct Waiting {
        let token: RequestToken
        let wait: CallOptions.Wait
        /// Somebody had asked for the same before.
        var isJoined = false
    }

    /// A provider that takes whole transactions was asked.
    struct Offer {
        enum State {
            case asked, taken, declined
        }

        let provider: ProviderID
        var state = State.asked
    }

    // Before it is carried out.

    struct Part {
        let call: CallID
        let provider: ProviderID
        let kind: CallAction
        var isImplied = true
    }

    struct PlannedStep {
        let purpose: Purpose
        let parts: [Part]
        var rule: Rule?

        init(_ purpose: Purpose, _ parts: [Part] = []) {
            self.purpose = purpose
            self.parts = parts
        }
    }

    /// What a request would take.
    struct Planned {
        var steps: [PlannedStep] = []
        /// What goes out in front of an emergency, each by itself (rule 20).
        var ahead: [PlannedStep] = []
        /// By which it is done; the first is its cause.
        var rules: [Rule] = []
        var target: CallID?
        var choice: AnswerChoice?
        /// The same is under way already (rule 30).
        var joins: Int?
        /// The plan that has the reservation gives way (rule 15).
        var takesReservation = false
        /// Ringing calls that an emergency ends.
        var missed: [CallID] = []
        /// Who is held for an emergency when it begins, and who ends (rule 20).
        var putAside: [CallID] = []
        var finished: [CallID] = []
        /// Silent starts that nobody waits for (rule 10).
        var dropped: [CallID] = []

        static let nothing: Planned = {
            var planned = Planned()
            planned.rules = [.repeated]
            return planned
        }()

        static func joining(_ plan: Int) -> Planned {
            var planned = Planned()
            planned.joins = plan
            return planned
        }

        var held: [CallID] { ahead(.setHeld(true)) + calls(.hold) + putAside }
        var ended: [CallID] { ahead(.end) + calls(.end) + dropped + finished + missed }

        private func ahead(_ kind: CallAction) -> [CallID] {
            ahead.flatMap(\.parts).filter { $0.kind == kind }.map(\.call)
        }

        private func calls(_ purpose: Purpose) -> [CallID] {
            steps.filter { $0.purpose == purpose }.flatMap { $0.parts.map(\.call) }
        }
    }

    /// For whom a plan is carried out, and why.
    struct Wish {
        var requester: Requester?
        var waiting: [Waiting] = []
        var cause: Cause
        var deadlineMS: Int?
        var id: TransactionID?

        init(_ cause: Cause) {
            self.cause = cause
        }
    }
}
