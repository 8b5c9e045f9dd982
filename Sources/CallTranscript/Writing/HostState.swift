public import CallArbitration
public import CallModel

/// The state of the host in a transcript: its facts, and the owner of the audio.
public struct HostState: Hashable, Sendable {
    /// The facts that `host.changed` reports, too.
    public var facts: HostFacts
    /// The group that has microphone and speaker.
    public var audioGroup: CallID?

    /// Creates a state.
    public init(facts: HostFacts, audioGroup: CallID?) {
        self.facts = facts
        self.audioGroup = audioGroup
    }
}
