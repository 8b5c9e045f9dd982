/// The kinds of thing a provider can be asked to do.
public enum ActionKind: String, CaseIterable, Sendable {
    case start, answer, end
    case setHeld = "set_held"
    case setMuted = "set_muted"
    case setGroup = "set_group"
    case playDTMF = "play_dtmf"
}

/// One thing that a provider is to do to one of its calls, with what it needs to know.
public enum CallAction: Hashable, Sendable {
    indirect case start(StartArguments)
    case answer
    case end
    case setHeld(Bool)
    case setMuted(Bool)
    /// Into the group of another call, or, with nil, out of any group.
    case setGroup(with: CallID?)
    case playDTMF(digits: String, DTMFStyle)

    public var kind: ActionKind {
        switch self {
        case .start: .start
        case .answer: .answer
        case .end: .end
        case .setHeld: .setHeld
        case .setMuted: .setMuted
        case .setGroup: .setGroup
        case .playDTMF: .playDTMF
        }
    }
}

/// What a start needs.
public struct StartArguments: Hashable, Sendable {
    public var remote: Handle
    public var hasVideo: Bool
    /// The id of a contact, if the one who asks knows it.
    public var contact: String?
    /// Honoured only if provider and policy allow (rule 20).
    public var isEmergency: Bool

    public init(
        remote: Handle, hasVideo: Bool = false, contact: String? = nil, isEmergency: Bool = false
    ) {
        self.remote = remote
        self.hasVideo = hasVideo
        self.contact = contact
        self.isEmergency = isEmergency
    }
}

/// What a string of tones is: a key, or digits behind a pause (`CXPlayDTMFCallAction.ActionType`).
public enum DTMFStyle: String, CaseIterable, Sendable {
    case single
    case softPause = "soft_pause"
    case hardPause = "hard_pause"

    public var callKitNumber: Int {
        switch self {
        case .single: 1
        case .softPause: 2
        case .hardPause: 3
        }
    }
}

/// Where an action is.
public enum ActionState: String, CaseIterable, Sendable {
    /// In a dry run: it would be done.
    case planned
    case queued
    case dispatched
    case fulfilled
    case failed
    case timedOut = "timed_out"
    /// An earlier action of its transaction failed.
    case skipped
    case cancelled
}

/// Where a transaction is.
public enum TransactionState: String, CaseIterable, Sendable {
    case accepted, completed, failed
}
