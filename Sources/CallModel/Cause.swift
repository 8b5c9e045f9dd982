/// Who caused an action or a change.
public enum Origin: String, CaseIterable, Sendable {
    /// A person: screen, tool, headset.
    case user
    /// A controller on a provider's own connection, as `CXCallController`.
    case app
    /// The provider's reports.
    case provider
    /// The other side of the call.
    case remote
    /// These rules.
    case arbitration
    case timeout
    /// A choice of the host.
    case policy
    case admin
}

/// Why something happened: who caused it, by which rule, in which transaction, because of which
/// other call. Every automatic step carries one.
public struct Cause: Hashable, Sendable {
    public var origin: Origin
    public var rule: Rule?
    public var transaction: TransactionID?
    public var becauseOf: CallID?

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

/// The rules of arbitration, by the numbers that the reference and the errors use.
public enum Rule: String, CaseIterable, Sendable {
    /// An incoming call with nothing else there rings.
    case incomingAlone = "1"
    /// An incoming call behind one that speaks waits; nobody is held for it.
    case incomingWhileActive = "2"
    /// Of several incoming calls the oldest rings, the others wait; so many at most.
    case incomingWhileRinging = "3"
    /// An incoming call behind one that is being dialled waits.
    case incomingWhileDialing = "4"
    /// An answer holds the live group first.
    case answerHoldsFirst = "5"
    /// A hold that something waits for is refused by its provider.
    case holdFailed = "5a"
    /// A hold that something waits for is met with silence.
    case holdTimedOut = "5b"
    /// An answer while the live group cannot be held.
    case answerCannotHold = "6"
    /// What an answer does about the live call and the held ones is a choice.
    case answerVariants = "7"
    /// The call that the choice was about has gone.
    case variantTargetGone = "7a"
    /// A start holds the live group first.
    case startHoldsFirst = "8"
    /// A start while the live group cannot be held.
    case startCannotHold = "9"
    /// One call is started or dialled at a time.
    case alreadyDialing = "10"
    /// What is ending already is waited for.
    case waitForEnding = "10a"
    /// A start while another call rings.
    case startWhileRinging = "11"
    /// The call in the way belongs to the same provider.
    case sameProvider = "12"
    /// A provider says that a call speaks which nobody asked to speak.
    case reportedActive = "13"
    /// A hold, or a resume, which holds the live group first.
    case resumeHoldsFirst = "14"
    /// One thing waits for room, or becomes live, at a time.
    case busy = "15"
    /// The user ended the call that a group was held for: the group comes back.
    case resumeAfterUserEnd = "16"
    /// That call ended in another way: its group is offered.
    case resumeOffered = "17"
    /// What a group was held for did not come about: the group comes back.
    case restored = "17a"
    /// One call of several in a group ends.
    case memberEnds = "18"
    /// The live call and a held one change places.
    case swap = "19"
    /// An emergency call goes before everything.
    case emergency = "20"
    /// Video goes with the audio, if the provider declared it.
    case video = "21"
    /// Calls of one provider become one group.
    case merge = "22"
    /// What is done to a group is done to every member, or to none.
    case groupActions = "22a"
    /// A provider has grouped or split calls by itself.
    case reportedGroup = "22b"
    /// A call leaves its group.
    case split = "23"
    /// The groups of a provider, and the calls of a group.
    case providerLimits = "24"
    /// The calls and held groups of the host.
    case hostLimits = "25"
    /// A provider's process is gone.
    case providerExited = "26"
    /// A provider's connection is gone, or its time to come back is over.
    case providerLost = "27"
    /// The broker was away; calls are recovered or adopted.
    case brokerRestarted = "28"
    /// An answer to an action that is settled.
    case lateAnswer = "29"
    /// The same request again, or one for what is so already.
    case repeated = "30"
    /// A report comes before the fulfilment, or would go backwards.
    case reportOvertakes = "30a"
    /// The call or provider is unknown or gone, or the id is taken.
    case unknownCall = "31"
    /// The call has declared that it cannot.
    case notSupported = "31a"
    /// Block list, do-not-disturb, screeners.
    case filters = "32"
    /// Who may act on which call.
    case rights = "33"
    /// Mute is one truth per group.
    case mute = "34"
    /// Tones need an active call.
    case tones = "35"
    /// It rang for too long.
    case ringTimeout = "36"
    /// Answered, declined or over before it rang here.
    case elsewhere = "37"
    /// A headset or hot key.
    case button = "38"
    /// What is kept of a call that is over.
    case history = "39"
    /// The user silences a ringing call.
    case silence = "40"
}
