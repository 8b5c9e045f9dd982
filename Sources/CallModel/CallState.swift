public enum Direction: String, CaseIterable, Sendable {
    case incoming, outgoing
}

/// What an app may sound for a call that comes in.
public enum Presentation: String, CaseIterable, Sendable {
    /// It rings.
    case ring
    /// Somebody talks already: a short tone at most.
    case tone
    /// The user, or a filter, wants no sound.
    case silent
}

/// Where a call is in its life.
///
/// ```
///   incoming:  ringing <-> waiting --answer--> active <-> held --> ending -> ended
///   outgoing:  starting -> dialing -> connecting -> active <-> held --> ending -> ended
/// ```
/// States may be skipped forwards, never backwards (rule 30a); only active and held, ringing and
/// waiting alternate.
public enum CallState: String, CaseIterable, Sendable {
    /// Outgoing: the provider has not fulfilled the start yet.
    case starting
    /// Outgoing: the invitation is sent.
    case dialing
    /// Incoming and audible, if nothing silences it.
    case ringing
    /// Incoming, behind another call.
    case waiting
    /// The other side has taken the call; media is being set up.
    case connecting
    /// Both sides can talk.
    case active
    /// Connected, without audio.
    case held
    /// An end was dispatched to the provider.
    case ending
    /// Over; never changes again.
    case ended
}

/// What is being done to a call right now, beside its state.
public enum PendingAction: String, CaseIterable, Sendable {
    /// Planned; waits for something else, such as another call's hold.
    case queued
    case starting, answering, holding, resuming, ending, muting, grouping
    case sendingDTMF = "sending_dtmf"
}

/// How urgent a call is.
public enum Priority: String, CaseIterable, Sendable {
    case background
    case normal
    case priorityCaller = "priority_caller"
    case emergency
    /// Set by the broker: a call of the provider of an emergency call, soon after it (rule 20).
    case emergencyCallback = "emergency_callback"
}

/// What a client could ask for right now.
public enum Verb: String, CaseIterable, Sendable {
    case answer
    case holdAndAnswer = "hold_and_answer"
    case endAndAnswer = "end_and_answer"
    case endHeldAndAnswer = "end_held_and_answer"
    case decline, silence, end, hold, resume, swap, mute, unmute, merge, split
    case playDTMF = "play_dtmf"
}
