package import CallModel

extension RefusalReason {
    /// What happened and why, for people. It tells nothing about who called whom.
    package var message: String {
        switch self {
        case .unentitled: "the user has not allowed the app to have calls"
        case .notYourCall: "only the user may name, or end, a call of another app"
        case .callIsProtected: "a filter protects the call"
        case .unknownCall: "there is no such call"
        case .callEnded: "the call is over"
        case .unknownProvider: "there is no such provider, or a start names none"
        case .callUUID: "the id of the call is in use, or was until lately"
        case .emptyTransaction: "the transaction has no actions"
        case .invalidAction:
            "there are more actions than may be asked for at once, or one of an unknown kind"
        case .invalidState: "the call is not in a state for this, or something is under way with it"
        case .cannotHold: "a call that would have to be held cannot be held now"
        case .holdFailed: "the call in the way could not be held: its provider refused"
        case .notSupported: "the call, or its provider, has declared that it cannot do this"
        case .alreadyDialing: "another call is being started or dialled; one is at a time"
        case .callRinging: "a call rings, and the host does not dial meanwhile"
        case .busy: "something else waits for room or becomes live; one thing does at a time"
        case .emergency: "an emergency call goes before everything else"
        case .maxCallGroups: "the provider has as many groups of calls as it may have"
        case .maxCallsPerGroup: "the group would have more calls than it may have"
        case .maxRinging: "as many calls ring or wait as may at a time"
        case .maxHeld: "as many groups of calls are held as may be at a time"
        case .maxCalls: "there are as many calls as there may be"
        case .doNotDisturb: "the user does not want to be disturbed now"
        case .inCall: "the user is in a call, and wants no other meanwhile"
        case .blockList: "the block list refuses the call"
        case .restrictedSharing: "a filter refuses calls in restricted sharing mode"
        case .sensitiveParticipants: "a filter refuses the call because of who takes part"
        case .screener: "a screener refused the call"
        case .deadlineExceeded: "the provider did not answer in time"
        case .cancelled: "it was taken back, or gave way to something stronger or newer"
        case .providerFailed: "the provider answered with an error"
        case .providerGone: "the provider went away before it was done"
        }
    }

    /// What to do about it, where there is something to do.
    package var hint: String? {
        switch self {
        case .unentitled: "an administrator allows it: policy.set, authorization"
        case .cancelled, .providerFailed: nil
        case .invalidAction: "ask for 8 actions at most, of kinds that rpc.discover lists"
        case .notYourCall:
            "ask on a connection without a provider's identity: it speaks for the user"
        case .unknownCall, .callEnded: "read the calls again with call.list"
        case .unknownProvider: "name a provider that provider.list has"
        case .callUUID: "make a new id for each call"
        case .emptyTransaction: "ask for one action at least"
        case .invalidState: "read the call with call.get: allowed lists what can be asked for now"
        case .cannotHold: "end the calls in the way, or wait until they can be held"
        case .holdFailed: "try again, or end the calls in the way"
        case .notSupported: "read the call with call.get: allowed lists what it can do"
        case .alreadyDialing: "end the other call, or try again when it is answered"
        case .callRinging:
            "answer or decline the call that rings first; a policy: dial_while_ringing"
        case .busy: "try again when host.changed says that the host is not busy"
        case .emergency: "try again when the emergency call is over"
        case .maxCallGroups: "end or merge calls of that provider"
        case .maxCallsPerGroup: "end a call of that group, or let one leave it"
        case .maxHeld, .maxCalls: "end a call first"
        case .maxRinging, .callIsProtected, .doNotDisturb, .inCall, .blockList,
            .restrictedSharing, .sensitiveParticipants, .screener:
            "do not ring; tell the other side what fits"
        case .deadlineExceeded: "read the call before trying again: it may have been done"
        case .providerGone: "try again when the provider is back"
        }
    }

    /// Whether the same request may succeed later: what stands in the way goes away by itself.
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
