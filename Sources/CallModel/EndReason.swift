/// Reasons for the end of a call, by their words on the wire.
public enum EndReason: String, CaseIterable, Sendable {
    /// An action or the provider failed, or a deadline passed.
    case failed
    /// The remote side hung up or gave up.
    case remoteEnded = "remote_ended"
    /// The call was not answered in time.
    case unanswered
    /// The user answered on another device.
    case answeredElsewhere = "answered_elsewhere"
    /// The user declined on another device.
    case declinedElsewhere = "declined_elsewhere"
    /// The user, or the call's own app, ended the call here.
    case localEnded = "local_ended"
    /// The user declined the ringing call here.
    case declined
    /// The call was ended here before the remote side answered.
    case cancelled
    /// A filter or a limit refused the call before it rang.
    case filtered

    /// The raw value of CallKit's `CXCallEndedReason`; nil for reasons that CallKit does not have.
    public var callKitNumber: Int? {
        switch self {
        case .failed: 1
        case .remoteEnded: 2
        case .unanswered: 3
        case .answeredElsewhere: 4
        case .declinedElsewhere: 5
        case .localEnded, .declined, .cancelled, .filtered: nil
        }
    }

    /// Indicates whether another device answered or declined the call.
    package var isElsewhere: Bool {
        self == .answeredElsewhere || self == .declinedElsewhere
    }

    /// Indicates whether a provider may report the reason: the five of CallKit. An app whose user
    /// hangs up requests an end action instead.
    public var isReportable: Bool {
        callKitNumber != nil
    }
}

/// Reasons why a call was missed; several may apply to one call (rule 39).
public struct MissedReasons: OptionSet, Hashable, Sendable {
    /// The bits of the set. They are stored: a bit never changes its meaning.
    public let rawValue: UInt16

    /// Creates a set from its bits.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The call was not answered in time, according to the broker or the provider.
    public static let unanswered = MissedReasons(rawValue: 1)
    /// The call rang for less than the policy's `short_ring_ms`.
    public static let shortRing = MissedReasons(rawValue: 2)
    /// The user or a filter silenced the call.
    public static let silenced = MissedReasons(rawValue: 4)
    /// The remote side gave up before an answer.
    public static let callerGaveUp = MissedReasons(rawValue: 8)
    /// Do not disturb was on.
    public static let doNotDisturb = MissedReasons(rawValue: 16)
    /// The limit of ringing and waiting calls was reached; the call was never shown.
    public static let maxRinging = MissedReasons(rawValue: 32)
    /// An emergency call ended this call, or kept it out.
    public static let emergency = MissedReasons(rawValue: 64)
    /// The call's provider failed or was gone.
    public static let providerLost = MissedReasons(rawValue: 128)
    /// No screener replied in time, and the call rang unfiltered.
    public static let screeningTimedOut = MissedReasons(rawValue: 256)
    /// The limit of calls was reached; the call was never shown.
    public static let maxCalls = MissedReasons(rawValue: 512)
    /// The user was in a call, and the policy lets no other call in; the call was never shown.
    public static let inCall = MissedReasons(rawValue: 1_024)

    private static let table: [(reason: MissedReasons, name: StaticString)] = [
        (.unanswered, "unanswered"), (.shortRing, "short_ring"), (.silenced, "silenced"),
        (.callerGaveUp, "caller_gave_up"), (.doNotDisturb, "do_not_disturb"),
        (.maxRinging, "max_ringing"), (.emergency, "emergency"), (.providerLost, "provider_lost"),
        (.screeningTimedOut, "screening_timed_out"), (.maxCalls, "max_calls"),
        (.inCall, "in_call"),
    ]

    /// The wire names of the members, in a fixed order.
    public var names: [String] {
        Self.table.filter { contains($0.reason) }.map { String(describing: $0.name) }
    }

    /// Calls `body` with the wire name of each member, in a fixed order.
    package func forEachName(_ body: (StaticString) -> Void) {
        for entry in Self.table where contains(entry.reason) { body(entry.name) }
    }

    /// Creates a set of one reason from its wire name; nil if there is no such reason.
    public init?(name: String) {
        guard let entry = Self.table.first(where: { String(describing: $0.name) == name }) else {
            return nil
        }
        self = entry.reason
    }
}
