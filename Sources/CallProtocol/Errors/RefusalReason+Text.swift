package import CallModel

extension RefusalReason {
    /// The cause of the refusal, for people, without any caller's data.
    package var message: String {
        switch self {
        case .unentitled: "the user has not authorized the app to have calls"
        case .notYourCall: "only the user may control or end another app's call"
        case .callIsProtected: "a filter protects the call"
        case .unknownCall: "there is no such call"
        case .callEnded: "the call has ended"
        case .unknownProvider: "no such provider, or the request names none"
        case .callUUID: "the call id is in use or was used recently"
        case .emptyTransaction: "the transaction has no actions"
        case .invalidAction:
            "too many actions, or an action of an unknown kind"
        case .invalidState:
            "not possible in the call's present state, or while an action is pending"
        case .cannotHold: "a call that would have to be held cannot be held at the moment"
        case .holdFailed: "the call in the way could not be held, because its provider refused"
        case .notSupported: "the call or its provider does not support this"
        case .alreadyDialing: "another call is being started or dialed"
        case .callRinging: "a call is ringing, and the policy does not allow dialing meanwhile"
        case .busy: "another call is being answered, started or resumed"
        case .emergency: "an emergency call has priority"
        case .maxCallGroups: "the provider's limit of call groups is reached"
        case .maxCallsPerGroup: "the limit of calls in one group would be exceeded"
        case .maxRinging: "too many calls are ringing or waiting"
        case .maxHeld: "too many call groups are held"
        case .maxCalls: "the limit of calls is reached"
        case .doNotDisturb: "do-not-disturb is turned on"
        case .inCall: "the user is in a call, and the policy refuses others meanwhile"
        case .blockList: "the caller is blocked"
        case .restrictedSharing: "a filter refused the call in restricted sharing mode"
        case .sensitiveParticipants: "a filter refused the call because of its participants"
        case .screener: "a screener refused the call"
        case .deadlineExceeded: "the provider did not answer in time"
        case .cancelled: "cancelled by the client, or superseded by another request"
        case .providerFailed: "the provider returned an error"
        case .providerGone: "the provider disconnected before the action was done"
        }
    }

    /// The remedy, if there is one.
    package var hint: String? {
        switch self {
        case .unentitled: "an admin can authorize the app: policy.set, authorization"
        case .cancelled, .providerFailed: nil
        case .invalidAction: "request at most 8 actions, of kinds that rpc.discover lists"
        case .notYourCall:
            "send the request as the user: on a connection without a provider's identity"
        case .unknownCall, .callEnded: "list the calls again with call.list"
        case .unknownProvider: "name a provider that provider.list returns"
        case .callUUID: "generate a new id for each call"
        case .emptyTransaction: "request at least one action"
        case .invalidState: "see allowed in call.get for the actions that are possible now"
        case .cannotHold: "end the calls in the way, or retry when they can be held"
        case .holdFailed: "retry, or end the calls in the way"
        case .notSupported: "see allowed in call.get for what the call supports"
        case .alreadyDialing: "end the other call, or retry when it is answered"
        case .callRinging:
            "answer or decline the ringing call first, or change the policy dial_while_ringing"
        case .busy: "retry when host.changed has busy: false"
        case .emergency: "retry when the emergency call has ended"
        case .maxCallGroups: "end or merge calls of that provider"
        case .maxCallsPerGroup: "end a call of that group, or split one off"
        case .maxHeld, .maxCalls: "end a call first"
        case .maxRinging, .callIsProtected, .doNotDisturb, .inCall, .blockList,
            .restrictedSharing, .sensitiveParticipants, .screener:
            "do not ring, and reject the call at the remote end"
        case .deadlineExceeded: "see call.get before retrying: the action may have been performed"
        case .providerGone: "retry when the provider has reconnected"
        }
    }

    /// True if the same request may succeed later, because the obstacle goes away without the
    /// client.
    package var isRetryable: Bool {
        switch self {
        case .cannotHold, .holdFailed, .alreadyDialing, .callRinging, .busy, .emergency,
            .maxCallGroups, .maxCallsPerGroup, .maxRinging, .maxHeld, .maxCalls, .deadlineExceeded,
            .cancelled,
            .providerGone:
            true
        case .unentitled, .notYourCall, .callIsProtected, .unknownCall, .callEnded,
            .unknownProvider, .callUUID, .emptyTransaction, .invalidAction, .invalidState,
            .notSupported, .doNotDisturb, .inCall, .blockList, .restrictedSharing,
            .sensitiveParticipants,
            .screener, .providerFailed:
            false
        }
    }
}
