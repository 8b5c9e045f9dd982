public import CallModel

/// Every limit and every choice that the arbiter makes: data, so that a host can decide otherwise.
public struct ArbitrationPolicy: Hashable, Sendable {
    /// The consequence of a failed hold that something waits for (rule 5a).
    public enum OnHoldFailure: String, CaseIterable, Sendable {
        /// The call goes on, what waited is refused.
        case keep
        /// The call is ended, what waited goes on; for requests of the user only.
        case end
    }

    /// The meaning of a plain answer of the user when the live call cannot be held (rule 6).
    public enum OnCannotHold: String, CaseIterable, Sendable {
        case refuse, end
    }

    /// The meaning of a short press with one active call (rule 38).
    public enum ButtonActive: String, CaseIterable, Sendable {
        case end, mute
    }

    /// The fate of a start while another call rings (rule 11).
    public enum DialWhileRinging: String, CaseIterable, Sendable {
        case allow, refuse
    }

    public struct Limits: Hashable, Sendable {
        public var heldGroups = 4
        public var ringing = 4
        public var dialing = 1
        public var callsPerProvider = 16
        public var calls = 64

        public init() {}
    }

    /// Milliseconds that an action may take, by kind.
    public struct Deadlines: Hashable, Sendable {
        public var start = 60_000
        public var answer = 60_000
        public var end = 5_000
        public var setHeld = 5_000
        public var setMuted = 5_000
        public var setGroup = 5_000
        public var playDTMF = 5_000

        public init() {}

        /// CallKit's: a start may take ten minutes.
        public static let compatible: Deadlines = {
            var deadlines = Deadlines()
            deadlines.start = 600_000
            return deadlines
        }()

        public subscript(kind: ActionKind) -> Int {
            switch kind {
            case .start: start
            case .answer: answer
            case .end: end
            case .setHeld: setHeld
            case .setMuted: setMuted
            case .setGroup: setGroup
            case .playDTMF: playDTMF
            }
        }
    }

    public var onHoldFailure = OnHoldFailure.keep
    public var onCannotHold = OnCannotHold.refuse
    public var resumeAfterUserEnd = true
    public var resumeAfterRemoteEnd = false
    /// True if no other call comes in while a group is live (rule 2).
    public var busyInCall = false
    public var dialWhileRinging = DialWhileRinging.allow
    public var buttonActive = ButtonActive.end
    public var allowsEmergency = true
    public var limits = Limits()
    public var deadlines = Deadlines()
    /// The length of an extended deadline, at most, in percent of the first one.
    public var extensionPercentMax = 200
    public var ringTimeoutMS = 60_000
    /// Dialing or connecting without a sign of progress.
    public var dialTimeoutMS = 120_000
    /// A start without any sign, after which another start may take its place (rule 10).
    public var startSilenceMS = 5_000
    /// The time for which a start waits for a call that is already ending (rule 10a).
    public var endingWaitMS = 5_000
    /// For a provider to say whether it takes a transaction as a whole.
    public var offerMS = 5_000
    public var graceMS = 5_000
    public var separateAppGraceMS = 15_000
    public var restartGraceMS = 15_000
    public var screeningMS = 1_500
    /// For so long after an emergency, calls of its provider ring as call-backs (rule 20).
    public var emergencyCallbackMS = 300_000
    /// A missed call that rang for less is marked `short_ring`.
    public var shortRingMS = 5_000
    /// The age of a missed call, or of the connection of a call that is taken over, at most, as its
    /// provider reports.
    public var reportAgeMS = 604_800_000
    /// Ended ids that are remembered, and for how long.
    public var endedCallsMax = 65_536
    public var endedCallsMS = 600_000

    public init() {}
}
