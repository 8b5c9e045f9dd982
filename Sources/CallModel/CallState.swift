/// Direction of a call.
public enum Direction: String, CaseIterable, Sendable {
    /// The remote side calls this host.
    case incoming
    /// This host calls the remote side.
    case outgoing
}

/// The sound that an app may play for an incoming call.
public enum Presentation: String, CaseIterable, Sendable {
    /// The full ringtone.
    case ring
    /// A short tone at most, because another call is live.
    case tone
    /// No sound: a filter or the user silenced the call.
    case silent
}

/// States of a call.
///
/// ```
///   incoming:  ringing <-> waiting --answer--> active <-> held --> ending -> ended
///   outgoing:  starting -> dialing -> alerting -> connecting -> active <-> held --> ending
///              -> ended
///   elsewhere: external --answer--> active <-> held --> ending -> ended
/// ```
/// States may be skipped forward; a report that would go backward is refused (rule 30a). Only
/// active and held, and ringing and waiting, alternate.
public enum CallState: String, CaseIterable, Sendable {
    /// Outgoing; the provider has not fulfilled the start yet.
    case starting
    /// Outgoing; the invitation has been sent.
    case dialing
    /// Outgoing; the remote side rings.
    case alerting
    /// Incoming and audible unless silenced.
    case ringing
    /// Incoming and queued behind another call.
    case waiting
    /// Accepted by the remote side; media is being set up.
    case connecting
    /// Connected; both sides can talk.
    case active
    /// Connected, without audio.
    case held
    /// An end action has been sent to the provider.
    case ending
    /// Over; a final state.
    case ended
    /// Live on another device of the same account; an answer pulls the call here (rule 47).
    case external
}

/// The operation in progress on a call, in addition to its state.
public enum PendingAction: String, CaseIterable, Sendable {
    /// Planned, and waiting for something else such as another call's hold.
    case queued
    /// A start is with the provider.
    case starting
    /// An answer is with the provider.
    case answering
    /// A hold is with the provider.
    case holding
    /// A resume is with the provider.
    case resuming
    /// An end is with the provider.
    case ending
    /// A mute or unmute is with the provider.
    case muting
    /// A group change is with the provider.
    case grouping
    /// DTMF tones are with the provider.
    case sendingDTMF = "sending_dtmf"
    /// A change of the audio endpoint is with the provider.
    case switchingEndpoint = "switching_endpoint"
    /// A change of the video is with the provider.
    case changingVideo = "changing_video"
    /// A change of the real-time text is with the provider.
    case changingText = "changing_text"
    /// A transfer is with the provider.
    case transferring
    /// A deflection is with the provider.
    case deflecting
}

/// Urgency of a call, lowest first.
public enum Priority: String, CaseIterable, Sendable {
    /// A call that may be missed without harm.
    case background
    /// The default.
    case normal
    /// A call from a person whom the app considers important.
    case priorityCaller = "priority_caller"
    /// An emergency call (rule 20).
    case emergency
    /// A call back after an emergency call of the same provider (rule 20). Set by the broker only.
    case emergencyCallback = "emergency_callback"
}

/// Verdicts of a network about a caller's number (STIR/SHAKEN, RFC 8224), by their words on the wire.
public enum Verification: String, CaseIterable, Sendable {
    /// The number belongs to the caller.
    case passed
    /// The number was not verified, or is false.
    case failed
    /// There is no verdict.
    case unverified = "none"
}

/// Actions that a call's `allowed` lists, by their words on the wire.
public enum Verb: String, CaseIterable, Sendable {
    /// Answers, holding the live group if there is one.
    case answer
    /// Holds the live group, then answers.
    case holdAndAnswer = "hold_and_answer"
    /// Ends the live group, then answers.
    case endAndAnswer = "end_and_answer"
    /// Ends the group that was held last, holds the live one, then answers.
    case endHeldAndAnswer = "end_held_and_answer"
    /// Refuses an incoming call.
    case decline
    /// Stops the ringing without declining.
    case silence
    /// Ends the call.
    case end
    /// Holds the call's group.
    case hold
    /// Resumes the call's group.
    case resume
    /// Exchanges the live group and a held one.
    case swap
    /// Mutes the call's group.
    case mute
    /// Unmutes the call's group.
    case unmute
    /// Joins two groups into one.
    case merge
    /// Takes the call out of its group.
    case split
    /// Sends DTMF tones.
    case playDTMF = "play_dtmf"
    /// Moves the sound of the call to another endpoint.
    case setEndpoint = "set_endpoint"
    /// Adds video, changes its direction, takes it away, or replies to a request for it.
    case setVideo = "set_video"
    /// Adds real-time text, takes it away, or replies to a request for it.
    case setText = "set_text"
    /// Transfers the call to an address.
    case transfer
    /// Joins the remote party with that of another call of the provider.
    case attendedTransfer = "attended_transfer"
    /// Sends the incoming call to another address.
    case deflect
    /// Brings a call from another device here.
    case pull
}
