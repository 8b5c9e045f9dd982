/// Which properties of a call have changed.
public struct ChangedProperties: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    public static let state = ChangedProperties(rawValue: 1)
    public static let pendingAction = ChangedProperties(rawValue: 1 << 1)
    public static let group = ChangedProperties(rawValue: 1 << 2)
    public static let muted = ChangedProperties(rawValue: 1 << 3)
    public static let silenced = ChangedProperties(rawValue: 1 << 4)
    public static let providerConnected = ChangedProperties(rawValue: 1 << 5)
    public static let remote = ChangedProperties(rawValue: 1 << 6)
    public static let displayName = ChangedProperties(rawValue: 1 << 7)
    public static let hasVideo = ChangedProperties(rawValue: 1 << 8)
    public static let supportsHolding = ChangedProperties(rawValue: 1 << 9)
    public static let supportsGrouping = ChangedProperties(rawValue: 1 << 10)
    public static let supportsUngrouping = ChangedProperties(rawValue: 1 << 11)
    public static let supportsDTMF = ChangedProperties(rawValue: 1 << 12)
    public static let remoteHeld = ChangedProperties(rawValue: 1 << 13)
    public static let priority = ChangedProperties(rawValue: 1 << 14)
    public static let endReason = ChangedProperties(rawValue: 1 << 15)
    public static let endCause = ChangedProperties(rawValue: 1 << 16)
    public static let heldBecauseOf = ChangedProperties(rawValue: 1 << 17)
    public static let caller = ChangedProperties(rawValue: 1 << 18)
    public static let resumeOffered = ChangedProperties(rawValue: 1 << 19)

    private static let table: [(property: ChangedProperties, name: StaticString)] = [
        (.state, "state"), (.pendingAction, "pending_action"),
        (.heldBecauseOf, "held_because_of"), (.resumeOffered, "resume_offered"),
        (.group, "group"),
        (.muted, "muted"), (.silenced, "silenced"), (.providerConnected, "provider_connected"),
        (.remote, "remote"), (.displayName, "display_name"), (.hasVideo, "has_video"),
        (.supportsHolding, "supports_holding"), (.supportsGrouping, "supports_grouping"),
        (.supportsUngrouping, "supports_ungrouping"), (.supportsDTMF, "supports_dtmf"),
        (.remoteHeld, "remote_held"), (.priority, "priority"), (.caller, "caller"),
        (.endReason, "end_reason"), (.endCause, "end_cause"),
    ]

    /// The words of the wire, in fixed order.
    public var names: [String] {
        Self.table.filter { contains($0.property) }.map { String(describing: $0.name) }
    }

    /// Calls `body` with each word of the wire, in fixed order.
    package func forEachName(_ body: (StaticString) -> Void) {
        for entry in Self.table where contains(entry.property) { body(entry.name) }
    }

    /// Nil for a word that names no property.
    public init?(name: String) {
        guard let entry = Self.table.first(where: { String(describing: $0.name) == name }) else {
            return nil
        }
        self = entry.property
    }
}
