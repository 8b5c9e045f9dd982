public import CallModel

/// The settings of a host: the limits, times and choices of the arbiter, as data.
public struct ArbitrationPolicy: Hashable, Sendable {
    /// The consequence of a failed hold that something waits for (rule 5a).
    public enum OnHoldFailure: String, CaseIterable, Sendable {
        /// Keeps the call, and refuses the action that waits.
        case keep
        /// Ends the call, and continues the plan; for requests of the user only.
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

    /// The fate of the user's start with video at an app that has none (rule 21).
    public enum VideoFallback: String, CaseIterable, Sendable {
        case audio, refuse
    }

    /// Limits of the host (rules 3, 10 and 25). A provider registers its own (rule 24).
    public struct Limits: Hashable, Sendable {
        /// Groups that can be held at a time. The default is 4; beyond it requests get `max_held`.
        public var heldGroups = 4
        /// Calls that ring, wait or are being screened (rule 3). The default is 4; beyond it
        /// `max_ringing`.
        public var ringing = 4
        /// Calls that are starting or dialing (rule 10). The default is 1; beyond it
        /// `already_dialing`.
        public var dialing = 1
        /// Calls of one provider. The default is 16; beyond it requests get `max_calls`.
        public var callsPerProvider = 16
        /// Calls of all providers. The default is 64; beyond it requests get `max_calls`.
        public var calls = 64

        /// Creates the default limits.
        public init() {}
    }

    /// The times that actions may take, in milliseconds, by kind.
    public struct Deadlines: Hashable, Sendable {
        /// The time to start a call. The default is 60,000; after it the call ends as `failed`.
        public var start = 60_000
        /// The time to answer a call. The default is 60,000; after it the call ends as `failed`.
        public var answer = 60_000
        /// The time to end a call. The default is 5,000; after it the call ends on this host all
        /// the same.
        public var end = 5_000
        /// The time to hold or resume a call. The default is 5,000. A call whose hold another
        /// action waits for ends after it (rule 5b).
        public var setHeld = 5_000
        /// The time to mute or unmute a call. The default is 5,000; after it the call is as before.
        public var setMuted = 5_000
        /// The time to change a call's group. The default is 5,000; after it the group is as
        /// before.
        public var setGroup = 5_000
        /// The time to send tones. The default is 5,000.
        public var playDTMF = 5_000
        /// The time to move the sound of a call. The default is 10,000, as a headset may have to be
        /// connected first.
        public var setEndpoint = 10_000
        /// The time to change the video of a call. The default is 30,000, as the remote side may have to
        /// consent; after it the video is as before.
        public var setVideo = 30_000
        /// The time to change the real-time text of a call. The default is 30,000, as the remote side may
        /// have to consent; after it the text is as before.
        public var setText = 30_000
        /// The time to transfer a call to an address. The default is 60,000, as the new party may be
        /// rung first; after it the call stays as it was.
        public var transfer = 60_000
        /// The time to join the remote parties of two calls. The default is 15,000; after it the calls
        /// stay as they were.
        public var attendedTransfer = 15_000
        /// The time to send an incoming call to another address. The default is 5,000; after it the
        /// call rings on.
        public var deflect = 5_000

        /// Creates the default deadlines.
        public init() {}

        /// CallKit's deadlines: a start may take ten minutes.
        public static let compatible: Deadlines = {
            var deadlines = Deadlines()
            deadlines.start = 600_000
            return deadlines
        }()

        /// The deadline of a kind of action, in milliseconds.
        public subscript(kind: ActionKind) -> Int {
            switch kind {
            case .start: start
            case .answer: answer
            case .end: end
            case .setHeld: setHeld
            case .setMuted: setMuted
            case .setGroup: setGroup
            case .playDTMF: playDTMF
            case .setEndpoint: setEndpoint
            case .setVideo: setVideo
            case .setText: setText
            case .transfer: transfer
            case .attendedTransfer: attendedTransfer
            case .deflect: deflect
            }
        }
    }

    /// The consequence of a failed hold that something waits for (rule 5a). The default is `keep`.
    public var onHoldFailure = OnHoldFailure.keep
    /// The meaning of the user's plain answer or start while the live group cannot be held (rules 6
    /// and 9). The default is `refuse`.
    public var onCannotHold = OnCannotHold.refuse
    /// Indicates whether the group held last resumes when the user ends a call (rule 16), instead
    /// of being offered. The default is true.
    public var resumeAfterUserEnd = true
    /// Indicates whether the group held last also resumes when a call ends in another way (rule
    /// 17). The default is false.
    public var resumeAfterRemoteEnd = false
    /// Indicates whether a call that comes in while a group is live is refused (rule 2). The
    /// default is false.
    public var busyInCall = false
    /// The fate of a start while another call rings (rule 11). The default is `allow`.
    public var dialWhileRinging = DialWhileRinging.allow
    /// The meaning of a short press with one active call (rule 38). The default is `end`.
    public var buttonActive = ButtonActive.end
    /// The fate of the user's start with video at an app that has none (rule 21). The default is
    /// `audio`: it goes on without video. An app's own start is refused either way.
    public var videoFallback = VideoFallback.audio
    /// Indicates whether calls can be emergencies (rule 20). The default is true; false makes them
    /// ordinary calls.
    public var allowsEmergency = true
    /// The providers whose claims that a caller has priority count (rule 43). The default is none.
    public var priorityClaims: [ProviderID] = []
    /// The limits of the host (rule 25).
    public var limits = Limits()
    /// The times for actions where neither request nor provider sets one.
    public var deadlines = Deadlines()
    /// The maximum length of an extended deadline, in percent of the first one. The default is 200.
    public var extensionPercentMax = 200
    /// The time after which a call that rings or waits ends as `unanswered`, in milliseconds (rule
    /// 36). The default is 60,000; a provider may register 5,000 to 120,000.
    public var ringTimeoutMS = 60_000
    /// The time for which a call may be dialing, and then connecting, in milliseconds. The default
    /// is 120,000; after it the call ends as `failed`.
    public var dialTimeoutMS = 120_000
    /// The time after which a start without a response may be replaced, in milliseconds (rules 10
    /// and 20). The default is 5,000.
    public var startSilenceMS = 5_000
    /// The time for which a plan waits for the end of a call, in milliseconds (rules 7 and 10a).
    /// The default is 5,000; after it the call ends on this host all the same.
    public var endingWaitMS = 5_000
    /// The time that a provider has to accept a transaction as a whole, in milliseconds. The
    /// default is 5,000; after it the actions are sent one by one.
    public var offerMS = 5_000
    /// The time that the user has to decide about video or text that the remote side asks for, in
    /// milliseconds (rules 45 and 46). The default is 30,000; after it the request is over, and nothing has changed.
    public var videoRequestMS = 30_000
    /// The time for which calls wait for a lost provider, in milliseconds (rule 27). The default is
    /// 5,000; a provider may request 0 to 30,000.
    public var graceMS = 5_000
    /// The time for which calls wait for a lost provider whose app is another process and continues
    /// without it, in milliseconds (rule 26). The default is 15,000; a provider may request
    /// another.
    public var separateAppGraceMS = 15_000
    /// The time for which recovered calls wait for their providers after a restart of the broker,
    /// in milliseconds (rule 28). The default is 15,000.
    public var restartGraceMS = 15_000
    /// The time that filters have to decide about a call, in milliseconds (rule 32). The default is
    /// 1,500; after it the call rings, and is marked.
    public var screeningMS = 1_500
    /// The time after an emergency for which its provider's incoming calls count as call-backs, in
    /// milliseconds (rule 20). The default is 300,000.
    public var emergencyCallbackMS = 300_000
    /// The time below which a missed call is marked `short_ring`, in milliseconds of audible
    /// ringing (rule 39). The default is 5,000.
    public var shortRingMS = 5_000
    /// The maximum age of a missed call, or of the connection of a call that is adopted, in
    /// milliseconds (rule 39); an older time is replaced by the current one. The default is
    /// 604,800,000, which is a week.
    public var reportAgeMS = 604_800_000
    /// The number of ended calls whose ids are remembered (rule 31). The default is 65,536.
    public var endedCallsMax = 65_536
    /// The time for which the id of an ended call is remembered, in milliseconds (rule 31). The
    /// default is 600,000.
    public var endedCallsMS = 600_000

    /// Creates the default policy.
    public init() {}
}
