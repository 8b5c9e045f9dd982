public import CallArbitration
public import CallModel

/// The host as a whole, as a transcript shows it: its facts, and who has the audio.
public struct HostState: Hashable, Sendable {
    public var facts: HostFacts
    /// The group that microphone and speaker belong to.
    public var audioGroup: CallID?

    public init(facts: HostFacts, audioGroup: CallID?) {
        self.facts = facts
        self.audioGroup = audioGroup
    }
}
