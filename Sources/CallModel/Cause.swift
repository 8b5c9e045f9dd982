/// Who caused an action or a change.
public enum Origin: String, CaseIterable, Sendable {
    /// A person: screen, tool, headset.
    case user
    /// A controller on a provider's own connection, as `CXCallController`.
    case app
    /// The provider's reports.
    case provider
    case remote
    case arbitration
    case timeout
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
    case incomingAlone = "1"
    case incomingWhileActive = "2"
    case incomingWhileRinging = "3"
    case incomingWhileDialing = "4"
    case answerHoldsFirst = "5"
    case holdFailed = "5a"
    case holdTimedOut = "5b"
    case answerCannotHold = "6"
    case answerVariants = "7"
    case variantTargetGone = "7a"
    case startHoldsFirst = "8"
    case startCannotHold = "9"
    case alreadyDialing = "10"
    case waitForEnding = "10a"
    case startWhileRinging = "11"
    case sameProvider = "12"
    case reportedActive = "13"
    case resumeHoldsFirst = "14"
    case busy = "15"
    case resumeAfterUserEnd = "16"
    case resumeOffered = "17"
    case restored = "17a"
    case memberEnds = "18"
    case swap = "19"
    case emergency = "20"
    case video = "21"
    case merge = "22"
    case groupActions = "22a"
    case reportedGroup = "22b"
    case split = "23"
    case providerLimits = "24"
    case hostLimits = "25"
    case providerExited = "26"
    case providerLost = "27"
    case brokerRestarted = "28"
    case lateAnswer = "29"
    case repeated = "30"
    case reportOvertakes = "30a"
    case unknownCall = "31"
    case notSupported = "31a"
    case filters = "32"
    case rights = "33"
    case mute = "34"
    case tones = "35"
    case ringTimeout = "36"
    case elsewhere = "37"
    case button = "38"
    case history = "39"
    case silence = "40"
}
