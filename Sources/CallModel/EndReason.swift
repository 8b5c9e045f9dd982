/// Why a call is over.
public enum EndReason: String, CaseIterable, Sendable {
    /// Something broke: an action, the provider, a time-out.
    case failed
    /// The other side hung up, or gave up.
    case remoteEnded = "remote_ended"
    /// Nobody took it in time.
    case unanswered
    /// Taken on another device of the user.
    case answeredElsewhere = "answered_elsewhere"
    case declinedElsewhere = "declined_elsewhere"
    /// Ended here, by the user or the call's own app.
    case localEnded = "local_ended"
    /// Declined here while it rang.
    case declined
    /// Ended here before the other side answered.
    case cancelled
    /// Never rang: a filter or a limit stood in the way.
    case filtered

    /// `CXCallEndedReason`'s number; nil for the reasons CallKit has no name for.
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

    /// Whether a provider may report it: CallKit's five. An app whose user hangs up asks for an end.
    public var isReportable: Bool {
        callKitNumber != nil
    }
}

/// Why a call was missed: several may apply at once (rule 39).
public struct MissedReasons: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Nobody took it in time, as the broker or its provider found.
    public static let unanswered = MissedReasons(rawValue: 1)
    /// It rang for less than the policy's `short_ring_ms`.
    public static let shortRing = MissedReasons(rawValue: 2)
    /// The user or a filter took its sound away.
    public static let silenced = MissedReasons(rawValue: 4)
    /// The other side ended it before anybody answered.
    public static let callerGaveUp = MissedReasons(rawValue: 8)
    public static let doNotDisturb = MissedReasons(rawValue: 16)
    /// Too many others rang or waited: it was never seen.
    public static let maxRinging = MissedReasons(rawValue: 32)
    /// An emergency call made it go, or kept it out.
    public static let emergency = MissedReasons(rawValue: 64)
    /// Its provider failed, or was gone.
    public static let providerLost = MissedReasons(rawValue: 128)
    /// No filter said anything in time: it rang unfiltered.
    public static let screeningTimedOut = MissedReasons(rawValue: 256)
    /// There were as many calls as there may be: it was never seen.
    public static let maxCalls = MissedReasons(rawValue: 512)
    /// The user was in a call, and wanted no other meanwhile: it was never seen.
    public static let inCall = MissedReasons(rawValue: 1_024)

    private static let table: [(reason: MissedReasons, name: StaticString)] = [
        (.unanswered, "unanswered"), (.shortRing, "short_ring"), (.silenced, "silenced"),
        (.callerGaveUp, "caller_gave_up"), (.doNotDisturb, "do_not_disturb"),
        (.maxRinging, "max_ringing"), (.emergency, "emergency"), (.providerLost, "provider_lost"),
        (.screeningTimedOut, "screening_timed_out"), (.maxCalls, "max_calls"),
        (.inCall, "in_call"),
    ]

    /// The words of the wire, in fixed order.
    public var names: [String] {
        Self.table.filter { contains($0.reason) }.map { String(describing: $0.name) }
    }

    /// Calls `body` with each word of the wire, in fixed order.
    package func forEachName(_ body: (StaticString) -> Void) {
        for entry in Self.table where contains(entry.reason) { body(entry.name) }
    }

    /// Nil for a word that is no reason.
    public init?(name: String) {
        guard let entry = Self.table.first(where: { String(describing: $0.name) == name }) else {
            return nil
        }
        self = entry.reason
    }
}
