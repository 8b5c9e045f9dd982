/// A set of call properties, used to report changes.
public struct ChangedProperties: OptionSet, Hashable, Sendable {
    /// The bits of the set. They are stored: a bit never changes its meaning.
    public let rawValue: UInt64

    /// Creates a set from its bits.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// `CallState`.
    public static let state = ChangedProperties(rawValue: 1)
    /// `PendingAction`.
    public static let pendingAction = ChangedProperties(rawValue: 1 << 1)
    /// The group that the call belongs to.
    public static let group = ChangedProperties(rawValue: 1 << 2)
    /// Mute of the call's group.
    public static let muted = ChangedProperties(rawValue: 1 << 3)
    /// Silenced ringing.
    public static let silenced = ChangedProperties(rawValue: 1 << 4)
    /// Indicates a change of the connection to the call's provider.
    public static let providerConnected = ChangedProperties(rawValue: 1 << 5)
    /// The remote address.
    public static let remote = ChangedProperties(rawValue: 1 << 6)
    /// The display name.
    public static let displayName = ChangedProperties(rawValue: 1 << 7)
    /// Video.
    public static let hasVideo = ChangedProperties(rawValue: 1 << 8)
    /// Support for holding.
    public static let supportsHolding = ChangedProperties(rawValue: 1 << 9)
    /// Support for joining a group.
    public static let supportsGrouping = ChangedProperties(rawValue: 1 << 10)
    /// Support for leaving a group.
    public static let supportsUngrouping = ChangedProperties(rawValue: 1 << 11)
    /// Support for DTMF tones.
    public static let supportsDTMF = ChangedProperties(rawValue: 1 << 12)
    /// Hold by the remote side.
    public static let remoteHeld = ChangedProperties(rawValue: 1 << 13)
    /// The urgency.
    public static let priority = ChangedProperties(rawValue: 1 << 14)
    /// `EndReason`.
    public static let endReason = ChangedProperties(rawValue: 1 << 15)
    /// The cause of the end.
    public static let endCause = ChangedProperties(rawValue: 1 << 16)
    /// The call that this one is held for.
    public static let heldBecauseOf = ChangedProperties(rawValue: 1 << 17)
    /// The identity of the remote side.
    public static let caller = ChangedProperties(rawValue: 1 << 18)
    /// The offer to resume the call.
    public static let resumeOffered = ChangedProperties(rawValue: 1 << 19)
    /// `EndDetail`.
    public static let endDetail = ChangedProperties(rawValue: 1 << 20)
    /// Sound of the remote side before its answer.
    public static let hasEarlyMedia = ChangedProperties(rawValue: 1 << 21)
    /// The line.
    public static let line = ChangedProperties(rawValue: 1 << 22)
    /// The party that the call was meant for.
    public static let forwardedFrom = ChangedProperties(rawValue: 1 << 23)
    /// The verdict about the caller's number.
    public static let verification = ChangedProperties(rawValue: 1 << 24)
    /// The id in the app's protocol.
    public static let externalID = ChangedProperties(rawValue: 1 << 25)
    /// Support for transfers to an address.
    public static let supportsTransfer = ChangedProperties(rawValue: 1 << 26)
    /// Support for attended transfers.
    public static let supportsAttendedTransfer = ChangedProperties(rawValue: 1 << 27)
    /// Support for deflection.
    public static let supportsDeflect = ChangedProperties(rawValue: 1 << 28)
    /// The audio endpoints.
    public static let endpoints = ChangedProperties(rawValue: 1 << 29)
    /// The other device that has the call.
    public static let elsewhere = ChangedProperties(rawValue: 1 << 30)
    /// Support for pulling the call here.
    public static let supportsPull = ChangedProperties(rawValue: 1 << 31)
    /// The direction of the video.
    public static let video = ChangedProperties(rawValue: 1 << 32)
    /// Support for changes of the video.
    public static let supportsSetVideo = ChangedProperties(rawValue: 1 << 33)
    /// The video that the remote side asks for.
    public static let videoRequest = ChangedProperties(rawValue: 1 << 34)
    /// Real-time text.
    public static let hasText = ChangedProperties(rawValue: 1 << 35)
    /// Support for changes of the real-time text.
    public static let supportsSetText = ChangedProperties(rawValue: 1 << 36)
    /// The remote side's request for real-time text.
    public static let textRequest = ChangedProperties(rawValue: 1 << 37)

    private static let table: [(property: ChangedProperties, name: StaticString)] = [
        (.state, "state"), (.pendingAction, "pending_action"),
        (.heldBecauseOf, "held_because_of"), (.resumeOffered, "resume_offered"),
        (.group, "group"),
        (.muted, "muted"), (.silenced, "silenced"), (.providerConnected, "provider_connected"),
        (.remote, "remote"), (.displayName, "display_name"), (.hasVideo, "has_video"),
        (.supportsHolding, "supports_holding"), (.supportsGrouping, "supports_grouping"),
        (.supportsUngrouping, "supports_ungrouping"), (.supportsDTMF, "supports_dtmf"),
        (.supportsTransfer, "supports_transfer"),
        (.supportsAttendedTransfer, "supports_attended_transfer"),
        (.supportsDeflect, "supports_deflect"),
        (.remoteHeld, "remote_held"), (.hasEarlyMedia, "has_early_media"), (.priority, "priority"),
        (.line, "line"), (.forwardedFrom, "forwarded_from"), (.verification, "verification"),
        (.externalID, "external_id"), (.endpoints, "endpoints"),
        (.elsewhere, "elsewhere"), (.supportsPull, "supports_pull"),
        (.video, "video"), (.supportsSetVideo, "supports_set_video"),
        (.videoRequest, "video_request"),
        (.hasText, "has_text"), (.supportsSetText, "supports_set_text"),
        (.textRequest, "text_request"),
        (.caller, "caller"),
        (.endReason, "end_reason"), (.endCause, "end_cause"), (.endDetail, "end_detail"),
    ]

    /// The wire names of the members, in a fixed order.
    public var names: [String] {
        Self.table.filter { contains($0.property) }.map { String(describing: $0.name) }
    }

    /// Calls `body` with the wire name of each member, in a fixed order.
    package func forEachName(_ body: (StaticString) -> Void) {
        for entry in Self.table where contains(entry.property) { body(entry.name) }
    }

    /// Creates a set of one property from its wire name; nil if there is no such property.
    public init?(name: String) {
        guard let entry = Self.table.first(where: { String(describing: $0.name) == name }) else {
            return nil
        }
        self = entry.property
    }
}
