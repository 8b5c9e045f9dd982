/// Why something may not happen. It names the rule, the limit and the calls that stand in the way,
/// so that a person can be told what to do.
public struct Refusal: Error, Hashable, Sendable {
    /// A limit that would be exceeded.
    public struct Limit: Hashable, Sendable {
        public let name: String
        public let value: Int

        public init(name: String, value: Int) {
            self.name = name
            self.value = value
        }
    }

    /// A call in the way.
    public struct Blocker: Hashable, Sendable {
        public let call: CallID
        public let provider: ProviderID

        public init(call: CallID, provider: ProviderID) {
            self.call = call
            self.provider = provider
        }
    }

    public let reason: RefusalReason
    public var rule: Rule?
    public var limit: Limit?
    public var blocking: [Blocker] = []
    /// Which action of the transaction, from 0.
    public var actionIndex: Int?

    public init(
        _ reason: RefusalReason, rule: Rule? = nil, limit: Limit? = nil, blocking: [Blocker] = []
    ) {
        self.reason = reason
        self.rule = rule
        self.limit = limit
        self.blocking = blocking
    }
}

/// The reasons, by their words on the wire.
public enum RefusalReason: String, CaseIterable, Sendable {
    /// Has no right to take part at all.
    case unentitled
    /// Names, or would end, a call of another app, without being the user.
    case notYourCall = "not_your_call"
    /// A filter protects the call.
    case callIsProtected = "call_is_protected"
    /// No such call, as far as is remembered.
    case unknownCall = "unknown_call"
    /// The call is over, or ended meanwhile.
    case callEnded = "call_ended"
    case unknownProvider = "unknown_provider"
    /// The id is taken, or was until lately.
    case callUUID = "call_uuid"
    case emptyTransaction = "empty_transaction"
    /// Makes no sense as it is: too many actions, calls of two providers to be merged.
    case invalidAction = "invalid_action"
    /// The call is not in a state for this.
    case invalidState = "invalid_state"
    /// A call in the way cannot be held now, or this call never.
    case cannotHold = "cannot_hold"
    /// The hold that it waited for was refused by the provider.
    case holdFailed = "hold_failed"
    /// The call, or its provider, has declared that it cannot.
    case notSupported = "not_supported"
    /// Another call is being started or dialled.
    case alreadyDialing = "already_dialing"
    /// The host does not dial while a call rings.
    case callRinging = "call_ringing"
    /// Something else waits for room or becomes live.
    case busy
    /// An emergency call goes before.
    case emergency
    /// The provider's groups.
    case maxCallGroups = "max_call_groups"
    /// The calls of one group.
    case maxCallsPerGroup = "max_calls_per_group"
    /// The calls that ring or wait, with those that a filter looks at.
    case maxRinging = "max_ringing"
    /// The held groups of the host.
    case maxHeld = "max_held"
    /// The provider's calls, or the host's.
    case maxCalls = "max_calls"
    case doNotDisturb = "do_not_disturb"
    /// The user is in a call, and wants no other meanwhile.
    case inCall = "in_call"
    case blockList = "block_list"
    /// CallKit's; given by a filter only.
    case restrictedSharing = "restricted_sharing"
    /// CallKit's; given by a filter only.
    case sensitiveParticipants = "sensitive_participants"
    /// A screener said no.
    case screener
    /// The provider did not answer in time.
    case deadlineExceeded = "deadline_exceeded"
    /// Taken back, or gave way to something stronger.
    case cancelled
    /// The provider answered with an error.
    case providerFailed = "provider_failed"
    /// The provider went away while it was at it.
    case providerGone = "provider_gone"

    /// The error code of the wire.
    public var code: Int {
        switch self {
        case .unentitled, .notYourCall, .callIsProtected: -32_003
        case .unknownCall, .callEnded, .unknownProvider: -32_004
        case .callUUID: -32_005
        case .emptyTransaction: -32_602
        case .invalidAction, .invalidState, .cannotHold, .holdFailed, .notSupported,
            .alreadyDialing, .callRinging, .busy, .emergency:
            -32_006
        case .maxCallGroups, .maxCallsPerGroup, .maxRinging, .maxHeld, .maxCalls: -32_007
        case .doNotDisturb, .inCall, .blockList, .restrictedSharing, .sensitiveParticipants,
            .screener:
            -32_008
        case .deadlineExceeded: -32_009
        case .cancelled: -32_010
        case .providerFailed: -32_013
        case .providerGone: -32_014
        }
    }
}
