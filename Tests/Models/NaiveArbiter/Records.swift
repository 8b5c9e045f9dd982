internal import CallArbitration
internal import CallModel

extension NaiveArbiter {
    struct Provider {
        let id: ProviderID
        var configuration: ProviderConfiguration
        var isConnected = true
        /// On its way, and never there before.
        var isStarting = false
        /// Its calls end, since it may have none any more.
        var isRevoked = false
    }

    struct Call {
        let id: CallID
        let provider: ProviderID
        let direction: Direction
        var state: CallState
        var group: Int
        var properties = CallProperties()
        let createdAt: Instant
        var alertingAt: Instant?
        var connectingAt: Instant?
        /// When both sides could talk for the first time.
        var connectedAt: Instant?
        /// When its app says that it was taken, though it may not speak yet.
        var takenAt: Instant?
        /// Its answer has begun: it does not ring any more, whatever its state says until then.
        var isTaken = false
        var caller: Caller?
        var isSilenced = false
        /// The filter that blocked or silenced it.
        var filteredBy: String?
        /// Who rings came in this order.
        var ringOrder = 0
        /// Until when it may ring.
        var ringsUntil = Instant.zero
        /// Since when it rings aloud.
        var rangSince: Instant?
        /// Who waits for the filters' verdict, while it is looked at (rule 32).
        var screening: RequestToken?
        /// A filter has refused it, and its provider knows.
        var isRefused = false
        /// What counts if it is missed (rule 39).
        var missed: MissedReasons = []
        /// It has the host to itself (rule 20).
        var hasBegunAsEmergency = false
        /// Its start, or its answer as an emergency, has shown no sign of life (rules 10 and 20).
        var isSilentStart = false
        /// While it is `ending`.
        var ending: Ending?
        /// Its provider is back and has not named it yet.
        var isUnconfirmed = false

        var wasConnected: Bool { connectedAt != nil }
        var isUnanswered: Bool { state == .ringing || state == .waiting }
        /// Rule 47: it lives elsewhere.
        var isExternal: Bool { state == .external }
        /// Rule 20: its provider calls it one.
        var isMarked: Bool { properties.priority == .emergency }
        /// Rule 20: from the moment its provider marks it, or it is answered, until its end is asked for.
        var isEmergency: Bool { hasBegunAsEmergency && state != .ending }
    }

    /// Whoever wants the end first says why.
    struct Ending {
        let reason: EndReason
        let cause: Cause
        /// It was live, or about to be.
        var wasLive: Bool
    }

    struct Group {
        let number: Int
        var isMuted = false
        /// The call that it was held for, until it speaks again.
        var heldBecauseOf: CallID?
        /// The same as long as that call is there.
        var heldFor: CallID?
        /// Of several that were held for one call the last comes back.
        var reasonOrder = 0
        /// Nothing is in its way, and somebody has to resume it.
        var isOffered = false
        /// As it was when looked at last: whoever comes to be held gets a number.
        var isHeld = false
        /// The most recently held has the highest.
        var heldOrder = 0
    }

    struct Abandoned {
        let action: Int
        let call: CallID
        let provider: ProviderID
        let kind: CallAction
        let wasCancelled: Bool
        let because: CallID?
    }

    struct Deadline: Equatable {
        enum Name: Hashable {
            case action(Int)
            case ring(CallID)
            case dial(CallID)
            case startSilence(CallID)
            case screening(CallID)
            case videoRequest(CallID)
            case textRequest(CallID)
            case grace(ProviderID)
            case emergencyCallback(ProviderID)
            case endingWait(Int)
            case offer(Int, ProviderID)
        }

        let name: Name
        let at: Instant
    }

    /// A request that the rules do not allow.
    struct Refused: Error, Equatable {
        let reason: RefusalReason
        let rule: Rule?
        /// The calls in the way.
        let blocking: [CallID]
        let limit: Refusal.Limit?
        /// Which of several actions it is about.
        var index: Int?

        init(
            _ reason: RefusalReason, _ rule: Rule? = nil, _ blocking: [CallID] = [],
            limit: Refusal.Limit? = nil
        ) {
            self.reason = reason
            self.rule = rule
            self.blocking = blocking
            self.limit = limit
        }

        /// So many calls in the way are named at most where a limit is meant.
        static func limit(
            _ reason: RefusalReason, _ rule: Rule, _ value: Int, _ blocking: [CallID]
        ) -> Refused {
            Refused(
                reason, rule, Array(blocking.prefix(8)),
                limit: Refusal.Limit(name: reason.rawValue, value: value))
        }

        /// In whatever order they are named.
        static func == (one: Refused, other: Refused) -> Bool {
            one.reason == other.reason && one.rule == other.rule && one.index == other.index
                && one.limit == other.limit && one.blocking.sorted() == other.blocking.sorted()
        }
    }
}
