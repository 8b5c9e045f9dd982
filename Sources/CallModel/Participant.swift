/// A participant of a conference that the far end runs, such as a meeting: the broker knows the
/// conference as one call.
public struct Participant: Hashable, Sendable {
    /// The states of a participant.
    public enum State: String, CaseIterable, Sendable {
        /// Invited or being connected.
        case joining
        /// In the conference.
        case joined
        /// Waits in the lobby until somebody admits them.
        case waiting
        /// Holds the conference.
        case held
    }

    /// What a user may change about a participant, by its word on the wire.
    public enum Member: String, CaseIterable, Sendable {
        /// Whether the participant is muted in the conference.
        case muted
        /// Whether the participant has raised a hand.
        case handRaised = "hand_raised"
    }

    /// The length of an id in bytes.
    public static let idBytesMax = 128
    /// The number of participants of a call that are kept.
    public static let countMax = 1_000
    /// The number of participants in one report.
    public static let reportedMax = 128

    /// An id of the app's own, unique in the call.
    public var id: String
    /// The name to show, up to 512 bytes; nil if it is unknown.
    public var name: String?
    /// The address; nil if it is unknown.
    public var handle: Handle?
    /// The state.
    public var state = State.joined
    /// Indicates whether the participant is muted in the conference.
    public var isMuted = false
    /// Indicates whether the participant has raised a hand.
    public var isHandRaised = false
    /// Indicates the participant who sits at this host.
    public var isSelf = false
    /// What the user of this host may change about the participant, with `participant.update`.
    public var changeable: [Member] = []

    /// Creates a participant who has joined.
    ///
    /// - Parameters:
    ///   - id: an id of the app's own, unique in the call, of 1 to 128 bytes.
    ///   - name: the name to show; nil if it is unknown.
    public init(id: String, name: String? = nil) {
        self.id = id
        self.name = name
    }
}

/// A change of the participants of a call.
public struct ParticipantsChange: Hashable, Sendable {
    /// Those who are new or have changed, each as a whole; up to 128.
    public var changed: [Participant]
    /// The ids of those who have left; up to 128.
    public var removed: [String]
    /// True if all who were reported before are forgotten first.
    public var replacesAll: Bool

    /// Creates a change.
    ///
    /// - Parameters:
    ///   - changed: those who are new or have changed.
    ///   - removed: the ids of those who have left.
    ///   - replacesAll: true to forget all who were reported before.
    public init(
        changed: [Participant] = [], removed: [String] = [], replacesAll: Bool = false
    ) {
        self.changed = changed
        self.removed = removed
        self.replacesAll = replacesAll
    }
}
