/// A refused request: the rule, the limit and the calls in the way, so that a user can learn what
/// to do.
public struct Refusal: Error, Hashable, Sendable {
    /// The limit that would be exceeded.
    public struct Limit: Hashable, Sendable {
        /// The name of the limit on the wire, such as `max_held`.
        public let name: String
        /// The value of the limit.
        public let value: Int

        /// Creates a limit.
        public init(name: String, value: Int) {
            self.name = name
            self.value = value
        }
    }

    /// A call in the way.
    public struct Blocker: Hashable, Sendable {
        /// The id of the call.
        public let call: CallID
        /// The provider of the call.
        public let provider: ProviderID

        /// Creates a blocker.
        public init(call: CallID, provider: ProviderID) {
            self.call = call
            self.provider = provider
        }
    }

    /// The reason, as one of the words of the wire.
    public let reason: RefusalReason
    /// The rule that refused, if one did.
    public var rule: Rule?
    /// The limit that would be exceeded, if the reason is one.
    public var limit: Limit?
    /// The calls in the way.
    public var blocking: [Blocker] = []
    /// The index of the refused action within its transaction, from 0.
    public var actionIndex: Int?

    /// Creates a refusal.
    public init(
        _ reason: RefusalReason, rule: Rule? = nil, limit: Limit? = nil, blocking: [Blocker] = []
    ) {
        self.reason = reason
        self.rule = rule
        self.limit = limit
        self.blocking = blocking
    }
}

/// Reasons of refusals, by their words on the wire.
public enum RefusalReason: String, CaseIterable, Sendable {
    /// The client has no permission to take part.
    case unentitled
    /// The call belongs to another app, and only the user may act on it.
    case notYourCall = "not_your_call"
    /// A filter protects the call.
    case callIsProtected = "call_is_protected"
    /// There is no such call, or it has been forgotten.
    case unknownCall = "unknown_call"
    /// The call has ended.
    case callEnded = "call_ended"
    /// There is no such provider, or a start names none.
    case unknownProvider = "unknown_provider"
    /// The call id is in use, or was used recently.
    case callUUID = "call_uuid"
    /// The transaction has no actions.
    case emptyTransaction = "empty_transaction"
    /// The action is invalid by itself: too many actions, or a merge of two providers' calls.
    case invalidAction = "invalid_action"
    /// The call is not in a state for the action.
    case invalidState = "invalid_state"
    /// A call in the way cannot be held now, or this call never can.
    case cannotHold = "cannot_hold"
    /// A provider refused the hold that the action waited for.
    case holdFailed = "hold_failed"
    /// The call or its provider does not support the action.
    case notSupported = "not_supported"
    /// Another call is being started or dialed.
    case alreadyDialing = "already_dialing"
    /// The policy refuses starts while a call rings.
    case callRinging = "call_ringing"
    /// Another call is being answered, started or resumed.
    case busy
    /// An emergency call takes precedence.
    case emergency
    /// The provider's limit of groups is reached.
    case maxCallGroups = "max_call_groups"
    /// The limit of calls in a group is reached.
    case maxCallsPerGroup = "max_calls_per_group"
    /// The host's limit of ringing and waiting calls is reached; calls that are being screened
    /// count.
    case maxRinging = "max_ringing"
    /// The host's limit of held groups is reached.
    case maxHeld = "max_held"
    /// The limit of calls, of the provider or of the host, is reached.
    case maxCalls = "max_calls"
    /// Do not disturb is on.
    case doNotDisturb = "do_not_disturb"
    /// The user is in a call, and the policy lets no other call in.
    case inCall = "in_call"
    /// The caller is blocked.
    case blockList = "block_list"
    /// Restricted sharing is on (a reason of CallKit); given by a screener only.
    case restrictedSharing = "restricted_sharing"
    /// A participant is sensitive (a reason of CallKit); given by a screener only.
    case sensitiveParticipants = "sensitive_participants"
    /// A screener rejected the call.
    case screener
    /// The provider did not reply in time.
    case deadlineExceeded = "deadline_exceeded"
    /// The request was withdrawn, or superseded by another one.
    case cancelled
    /// The provider replied with an error.
    case providerFailed = "provider_failed"
    /// The provider was lost during the action.
    case providerGone = "provider_gone"

    /// The JSON-RPC error code on the wire: -32602, or a code of the server range (-32000 to
    /// -32099).
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
