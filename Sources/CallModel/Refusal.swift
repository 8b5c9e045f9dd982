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
    case unentitled
    case notYourCall = "not_your_call"
    case callIsProtected = "call_is_protected"
    case unknownCall = "unknown_call"
    case callEnded = "call_ended"
    case unknownProvider = "unknown_provider"
    case callUUID = "call_uuid"
    case emptyTransaction = "empty_transaction"
    case invalidAction = "invalid_action"
    case invalidState = "invalid_state"
    case cannotHold = "cannot_hold"
    case holdFailed = "hold_failed"
    case notSupported = "not_supported"
    case alreadyDialing = "already_dialing"
    case busy
    case emergency
    case maxCallGroups = "max_call_groups"
    case maxCallsPerGroup = "max_calls_per_group"
    case maxRinging = "max_ringing"
    case maxHeld = "max_held"
    case maxCalls = "max_calls"
    case doNotDisturb = "do_not_disturb"
    case blockList = "block_list"
    case restrictedSharing = "restricted_sharing"
    case sensitiveParticipants = "sensitive_participants"
    case screener
    case deadlineExceeded = "deadline_exceeded"
    case cancelled
    case providerFailed = "provider_failed"
    case providerGone = "provider_gone"

    /// The error code of the wire.
    public var code: Int {
        switch self {
        case .unentitled, .notYourCall, .callIsProtected: -32_003
        case .unknownCall, .callEnded, .unknownProvider: -32_004
        case .callUUID: -32_005
        case .emptyTransaction: -32_602
        case .invalidAction, .invalidState, .cannotHold, .holdFailed, .notSupported,
            .alreadyDialing, .busy, .emergency:
            -32_006
        case .maxCallGroups, .maxCallsPerGroup, .maxRinging, .maxHeld, .maxCalls: -32_007
        case .doNotDisturb, .blockList, .restrictedSharing, .sensitiveParticipants, .screener:
            -32_008
        case .deadlineExceeded: -32_009
        case .cancelled: -32_010
        case .providerFailed: -32_013
        case .providerGone: -32_014
        }
    }
}
