/// Kinds of action that a provider performs, by their words on the wire.
public enum ActionKind: String, CaseIterable, Sendable {
    /// Dials an outgoing call.
    case start
    /// Answers an incoming call.
    case answer
    /// Ends or declines a call.
    case end
    /// Holds or resumes a call.
    case setHeld = "set_held"
    /// Mutes or unmutes a call.
    case setMuted = "set_muted"
    /// Moves a call into a group or out of one.
    case setGroup = "set_group"
    /// Sends DTMF tones.
    case playDTMF = "play_dtmf"
    /// Moves the sound of a call to another endpoint.
    case setEndpoint = "set_endpoint"
    /// Adds video to a call, changes its direction, or takes it away.
    case setVideo = "set_video"
    /// Adds real-time text to a call, or takes it away.
    case setText = "set_text"
    /// Transfers a call to an address (a blind transfer), which ends it here.
    case transfer
    /// Joins the remote parties of two calls (an attended transfer), which ends both here.
    case attendedTransfer = "attended_transfer"
    /// Sends an incoming call to another address before it is answered, which ends it here.
    case deflect
}

/// An action for a provider to perform on one of its calls, with its arguments.
public enum CallAction: Hashable, Sendable {
    /// Dials an outgoing call.
    indirect case start(StartArguments)
    /// Answers an incoming call.
    case answer
    /// Ends or declines a call.
    case end
    /// Holds the call (true) or resumes it (false).
    case setHeld(Bool)
    /// Mutes the call (true) or unmutes it (false).
    case setMuted(Bool)
    /// Moves the call into the group of another call or, with nil, out of its group.
    case setGroup(with: CallID?)
    /// Sends tones: 1 to 64 of `0`-`9`, `A`-`D`, `*`, `#` and the pauses `,`, `;`, `p` and `w`.
    case playDTMF(digits: String, DTMFStyle)
    /// Moves the sound of the call to one of its endpoints, by the endpoint's id.
    case setEndpoint(String)
    /// Gives the call video in a direction, or none. While the far end asks for video, the action is the
    /// reply to it (rule 45).
    case setVideo(VideoDirection)
    /// Gives the call real-time text (true) or takes it away (false). While the far end asks for text,
    /// the action is the reply to it (rule 46).
    case setText(Bool)
    /// Transfers the call to an address, as with `REFER` of SIP.
    indirect case transfer(to: Handle)
    /// Joins the remote party with that of another call of the provider.
    case attendedTransfer(with: CallID)
    /// Sends the incoming call to another address, as with `302 Moved Temporarily` of SIP.
    indirect case deflect(to: Handle)

    /// The address that the call is sent to; nil for all actions but a start, a transfer and a deflection.
    package var address: Handle? {
        switch self {
        case .start(let start): start.remote
        case .transfer(let address), .deflect(let address): address
        case .answer, .end, .setHeld, .setMuted, .setGroup, .playDTMF, .setEndpoint, .setVideo,
            .setText,
            .attendedTransfer:
            nil
        }
    }

    /// The kind of action, without its arguments.
    public var kind: ActionKind {
        switch self {
        case .start: .start
        case .answer: .answer
        case .end: .end
        case .setHeld: .setHeld
        case .setMuted: .setMuted
        case .setGroup: .setGroup
        case .playDTMF: .playDTMF
        case .setEndpoint: .setEndpoint
        case .setVideo: .setVideo
        case .setText: .setText
        case .transfer: .transfer
        case .attendedTransfer: .attendedTransfer
        case .deflect: .deflect
        }
    }
}

/// Arguments of a start action.
public struct StartArguments: Hashable, Sendable {
    /// The address to dial.
    public var remote: Handle
    /// Indicates whether the call starts with video.
    public var hasVideo: Bool
    /// Indicates whether the call starts with real-time text.
    public var hasText: Bool
    /// The id of the contact to call, if the requester has it.
    public var contact: String?
    /// The id of the line that places the call; nil leaves the choice to the app.
    public var line: String?
    /// Marks the call as an emergency. Honored only if the provider and the policy allow it (rule
    /// 20).
    public var isEmergency: Bool
    /// Marks the call as one that makes way for all others (rule 44).
    public var isBackground: Bool

    /// Creates the arguments of a start; by default an ordinary audio call to no known contact.
    public init(
        remote: Handle, hasVideo: Bool = false, hasText: Bool = false, contact: String? = nil,
        line: String? = nil, isEmergency: Bool = false, isBackground: Bool = false
    ) {
        self.remote = remote
        self.hasVideo = hasVideo
        self.hasText = hasText
        self.contact = contact
        self.line = line
        self.isEmergency = isEmergency
        self.isBackground = isBackground
    }
}

/// Kinds of DTMF string: a key press, or digits after a pause (`CXPlayDTMFCallAction.ActionType`).
public enum DTMFStyle: String, CaseIterable, Sendable {
    /// A key that the user presses during the call.
    case single
    /// Digits to send after a fixed pause (`,` in a dial string).
    case softPause = "soft_pause"
    /// Digits to send after the user confirms (`;` in a dial string).
    case hardPause = "hard_pause"

    /// The raw value of CallKit's `CXPlayDTMFCallAction.ActionType`.
    public var callKitNumber: Int {
        switch self {
        case .single: 1
        case .softPause: 2
        case .hardPause: 3
        }
    }
}

/// States of an action.
public enum ActionState: String, CaseIterable, Sendable {
    /// Would be performed; used in the reply to a dry run only.
    case planned
    /// Waits for earlier actions of its plan.
    case queued
    /// Was sent to the provider, which has not replied yet.
    case dispatched
    /// Succeeded.
    case fulfilled
    /// Failed: the provider replied with an error or was lost.
    case failed
    /// Got no reply within its deadline.
    case timedOut = "timed_out"
    /// Was not sent, because an earlier action of its transaction failed.
    case skipped
    /// Was withdrawn, or superseded by another request.
    case cancelled
}

/// States of a transaction.
public enum TransactionState: String, CaseIterable, Sendable {
    /// The actions are queued or in progress.
    case accepted
    /// Every action succeeded.
    case completed
    /// An action failed, timed out or was cancelled.
    case failed
}
