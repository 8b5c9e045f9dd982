/// Parties that can cause an action or a change, by their words on the wire.
public enum Origin: String, CaseIterable, Sendable {
    /// A person, through a screen, the command line or a headset.
    case user
    /// A controller on a provider's own connection, like `CXCallController`.
    case app
    /// The provider's own reports.
    case provider
    /// The remote side of the call.
    case remote
    /// The arbitration rules.
    case arbitration
    /// A deadline that passed.
    case timeout
    /// The host's policy.
    case policy
    /// An administrator.
    case admin
}

/// The reason for a change: its origin, the rule, the transaction, and the other call that it
/// concerns. Every automatic step has one.
public struct Cause: Hashable, Sendable {
    /// The party that caused the change.
    public var origin: Origin
    /// The rule that applied, if one did.
    public var rule: Rule?
    /// The transaction that the change belongs to.
    public var transaction: TransactionID?
    /// The other call that led to the change.
    public var becauseOf: CallID?

    /// Creates a cause.
    public init(
        _ origin: Origin, rule: Rule? = nil, transaction: TransactionID? = nil,
        becauseOf: CallID? = nil
    ) {
        self.origin = origin
        self.rule = rule
        self.transaction = transaction
        self.becauseOf = becauseOf
    }
}

/// The arbitration rules, numbered as in the reference and in errors.
public enum Rule: String, CaseIterable, Sendable {
    /// An incoming call rings if no other call is live or ringing.
    case incomingAlone = "1"
    /// An incoming call waits behind a live one; nothing is held for it.
    case incomingWhileActive = "2"
    /// The oldest of several incoming calls rings and the others wait, up to the host's limit.
    case incomingWhileRinging = "3"
    /// An incoming call waits behind one that is being dialed.
    case incomingWhileDialing = "4"
    /// An answer holds the live group first.
    case answerHoldsFirst = "5"
    /// A provider refuses a hold that a plan waits for.
    case holdFailed = "5a"
    /// A provider does not reply to a hold that a plan waits for.
    case holdTimedOut = "5b"
    /// An answer is refused while the live group cannot be held.
    case answerCannotHold = "6"
    /// An answer chooses what happens to the live call and the held ones.
    case answerVariants = "7"
    /// The call that the choice refers to no longer exists.
    case variantTargetGone = "7a"
    /// A start holds the live group first.
    case startHoldsFirst = "8"
    /// A start is refused while the live group cannot be held.
    case startCannotHold = "9"
    /// Only one call is started or dialed at a time.
    case alreadyDialing = "10"
    /// A plan waits for calls that are ending already.
    case waitForEnding = "10a"
    /// A start is made while another call rings.
    case startWhileRinging = "11"
    /// The call in the way belongs to the same provider.
    case sameProvider = "12"
    /// A provider reports a call active without a request.
    case reportedActive = "13"
    /// A resume holds the live group first.
    case resumeHoldsFirst = "14"
    /// Only one plan waits for room, or makes a call live, at a time.
    case busy = "15"
    /// The user ends the call that a group was held for: the group resumes.
    case resumeAfterUserEnd = "16"
    /// The call that a group was held for ends in another way: resuming the group is offered.
    case resumeOffered = "17"
    /// The call that a group was held for never becomes live: the group resumes.
    case restored = "17a"
    /// One call of a group of several ends.
    case memberEnds = "18"
    /// The live group and a held one are exchanged.
    case swap = "19"
    /// An emergency call takes precedence over everything else.
    case emergency = "20"
    /// Video follows the audio, if the provider declared support.
    case video = "21"
    /// Calls of one provider are merged into one group.
    case merge = "22"
    /// An action on a group applies to every member or to none.
    case groupActions = "22a"
    /// A provider groups or splits calls on its own.
    case reportedGroup = "22b"
    /// A call is split from its group.
    case split = "23"
    /// Limits of a provider: its groups, and the calls of a group.
    case providerLimits = "24"
    /// Limits of the host: its calls, held groups and ringing calls.
    case hostLimits = "25"
    /// A provider's process exits.
    case providerExited = "26"
    /// A provider's connection is lost, or its grace period ends.
    case providerLost = "27"
    /// The broker restarts: calls are recovered or adopted.
    case brokerRestarted = "28"
    /// A reply to an action that is already settled.
    case lateAnswer = "29"
    /// A repeated request, or one whose goal is already reached.
    case repeated = "30"
    /// A report arrives before the fulfillment, or would move a call backward.
    case reportOvertakes = "30a"
    /// The call or provider is unknown or gone, or the id is in use.
    case unknownCall = "31"
    /// The call was declared not to support the action.
    case notSupported = "31a"
    /// Block list, do not disturb, and screeners.
    case filters = "32"
    /// Permissions: the calls that each client may act on.
    case rights = "33"
    /// Mute has one value per group.
    case mute = "34"
    /// DTMF tones require an active call.
    case tones = "35"
    /// A call rings for too long.
    case ringTimeout = "36"
    /// A call is answered, declined or over before it rings here.
    case elsewhere = "37"
    /// A press of the headset button or of a hot key.
    case button = "38"
    /// The history entry of an ended call.
    case history = "39"
    /// The user silences a ringing call.
    case silence = "40"
    /// A call is transferred or deflected.
    case transfer = "41"
    /// The user chooses where the sound of a call comes out.
    case endpoint = "42"
    /// A call is from a priority caller.
    case priorityCaller = "43"
    /// A background call makes way for all others.
    case background = "44"
    /// Video is added to a call with the consent of the user.
    case videoRequest = "45"
    /// Real-time text is added to a call with the consent of the user.
    case text = "46"
    /// A call is live on another device, and may be pulled here.
    case external = "47"
}
