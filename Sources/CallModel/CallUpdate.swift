/// A change of one property: none, a new value, or a reset to the default.
public enum Change<Value: Hashable & Sendable>: Hashable, Sendable {
    /// Leaves the property as it is.
    case unchanged
    /// Sets the property to the value.
    case set(Value)
    /// Resets the property to its default.
    case cleared
}

/// An update of a call's properties by its provider. Only properties that are set or cleared change
/// (as in CallKit's `CXCallUpdate`).
public struct CallUpdate: Hashable, Sendable {
    /// The maximum length of a display name, in bytes of UTF-8.
    public static let displayNameBytesMax = 128
    /// The maximum length of the name of another device, in bytes of UTF-8.
    public static let elsewhereBytesMax = 128
    /// The maximum length of an external id, in bytes of UTF-8.
    public static let externalIDBytesMax = 256

    /// The remote address.
    public var remote: Change<Handle> = .unchanged
    /// The caller's name as the app shows it; at most `displayNameBytesMax` bytes.
    public var displayName: Change<String> = .unchanged
    /// Indicates whether the call has video.
    public var hasVideo: Change<Bool> = .unchanged
    /// Indicates whether the call can be held.
    public var supportsHolding: Change<Bool> = .unchanged
    /// Indicates whether the call can join a group.
    public var supportsGrouping: Change<Bool> = .unchanged
    /// Indicates whether the call can leave its group.
    public var supportsUngrouping: Change<Bool> = .unchanged
    /// Indicates whether the call can send DTMF tones.
    public var supportsDTMF: Change<Bool> = .unchanged
    /// Indicates whether the call can be transferred to an address.
    public var supportsTransfer: Change<Bool> = .unchanged
    /// Indicates whether the call can be joined with another one, by an attended transfer.
    public var supportsAttendedTransfer: Change<Bool> = .unchanged
    /// Indicates whether the call can be sent to another address before an answer.
    public var supportsDeflect: Change<Bool> = .unchanged
    /// Indicates whether the remote side holds the call.
    public var isRemoteHeld: Change<Bool> = .unchanged
    /// Indicates whether the remote side sends sound before it answers, such as its own ringback tone
    /// or an announcement.
    public var hasEarlyMedia: Change<Bool> = .unchanged
    /// The urgency of the call.
    public var priority: Change<Priority> = .unchanged
    /// The id of the call's line.
    public var line: Change<String> = .unchanged
    /// The party that the call was meant for, before it was forwarded here.
    public var forwardedFrom: Change<Handle> = .unchanged
    /// The network's verdict about the caller's number.
    public var verification: Change<Verification> = .unchanged
    /// The id of the call in the app's protocol, such as the Call-ID of SIP; at most
    /// `externalIDBytesMax` bytes.
    public var externalID: Change<String> = .unchanged
    /// The endpoints that the app has for the sound of the call, as a whole; at most
    /// `AudioEndpoint.countMax`.
    public var endpoints: Change<[AudioEndpoint]> = .unchanged
    /// The name of the other device that has the call, or that has answered or declined it; at most
    /// `elsewhereBytesMax` bytes.
    public var elsewhere: Change<String> = .unchanged
    /// Indicates whether the call can be pulled here from the other device that has it.
    public var supportsPull: Change<Bool> = .unchanged
    /// The direction of the call's video; counts beside `hasVideo`.
    public var video: Change<VideoDirection> = .unchanged
    /// Indicates whether video can be added to the call, changed and taken away.
    public var supportsSetVideo: Change<Bool> = .unchanged
    /// The video that the remote side asks for; cleared once it no longer does.
    public var videoRequest: Change<VideoDirection> = .unchanged
    /// Indicates whether the call has real-time text.
    public var hasText: Change<Bool> = .unchanged
    /// Indicates whether real-time text can be added to the call and taken away.
    public var supportsSetText: Change<Bool> = .unchanged
    /// Indicates whether the remote side asks for real-time text.
    public var textRequest: Change<Bool> = .unchanged

    /// Creates an update that changes nothing.
    public init() {}
}

/// The properties of a call that its provider sets. By default everything is supported but
/// transfers, deflection and pulls, and there is no video and no text.
public struct CallProperties: Hashable, Sendable {
    /// The remote address; nil if it is withheld or not known.
    public var remote: Handle?
    /// The caller's name as the app shows it.
    public var displayName: String?
    /// The direction of the call's video. Of a held call: the one that was agreed, and counts again
    /// with the resume.
    public var video = VideoDirection.off
    /// Indicates whether the call can be held.
    public var supportsHolding = true
    /// Indicates whether the call can join a group.
    public var supportsGrouping = true
    /// Indicates whether the call can leave its group.
    public var supportsUngrouping = true
    /// Indicates whether the call can send DTMF tones.
    public var supportsDTMF = true
    /// Indicates whether the call can be transferred to an address.
    public var supportsTransfer = false
    /// Indicates whether the call can be joined with another one, by an attended transfer.
    public var supportsAttendedTransfer = false
    /// Indicates whether the call can be sent to another address before an answer.
    public var supportsDeflect = false
    /// Indicates whether the remote side holds the call.
    public var isRemoteHeld = false
    /// Indicates whether the remote side sends sound before it answers, such as its own ringback tone
    /// or an announcement.
    public var hasEarlyMedia = false
    /// The urgency of the call.
    public var priority = Priority.normal
    /// The id of the call's line; nil if the app has none.
    public var line: String?
    /// The party that the call was meant for, before it was forwarded here.
    public var forwardedFrom: Handle?
    /// The network's verdict about the caller's number.
    public var verification = Verification.unverified
    /// The id of the call in the app's protocol, such as the Call-ID of SIP.
    public var externalID: String?
    /// The endpoints that the app has for the sound of the call; empty if the host has them.
    public var endpoints: [AudioEndpoint] = []
    /// The name of the other device that has the call, or that has answered or declined it.
    public var elsewhere: String?
    /// Indicates whether the call can be pulled here from the other device that has it.
    public var supportsPull = false
    /// Indicates whether video can be added to the call, changed and taken away.
    public var supportsSetVideo = false
    /// The video that the remote side asks for, and the user has not decided about; nil if it does not.
    public var videoRequest: VideoDirection?
    /// Indicates whether the call has real-time text. Of a held call: whether it was agreed, and counts
    /// again with the resume.
    public var hasText = false
    /// Indicates whether real-time text can be added to the call and taken away.
    public var supportsSetText = false
    /// Indicates whether the remote side asks for real-time text, and the user has not decided.
    public var textRequest = false

    /// Creates properties with their defaults.
    public init() {}

    /// Indicates whether the call has video in any direction. Setting it to true gives a call without
    /// video both directions.
    public var hasVideo: Bool {
        get { video != .off }
        set { if newValue != hasVideo { video = newValue ? .both : .off } }
    }

    /// Applies an update, and returns the properties whose values differ afterwards.
    public mutating func apply(_ update: CallUpdate) -> ChangedProperties {
        let before = self
        Self.apply(update.remote, to: &remote)
        Self.apply(update.displayName, to: &displayName)
        Self.apply(update.hasVideo, to: &hasVideo, default: false)
        Self.apply(update.supportsHolding, to: &supportsHolding, default: true)
        Self.apply(update.supportsGrouping, to: &supportsGrouping, default: true)
        Self.apply(update.supportsUngrouping, to: &supportsUngrouping, default: true)
        Self.apply(update.supportsDTMF, to: &supportsDTMF, default: true)
        Self.apply(update.supportsTransfer, to: &supportsTransfer, default: false)
        Self.apply(update.supportsAttendedTransfer, to: &supportsAttendedTransfer, default: false)
        Self.apply(update.supportsDeflect, to: &supportsDeflect, default: false)
        Self.apply(update.isRemoteHeld, to: &isRemoteHeld, default: false)
        Self.apply(update.hasEarlyMedia, to: &hasEarlyMedia, default: false)
        Self.apply(update.priority, to: &priority, default: .normal)
        Self.apply(update.line, to: &line)
        Self.apply(update.forwardedFrom, to: &forwardedFrom)
        Self.apply(update.verification, to: &verification, default: .unverified)
        Self.apply(update.externalID, to: &externalID)
        Self.apply(update.endpoints, to: &endpoints, default: [])
        Self.apply(update.elsewhere, to: &elsewhere)
        Self.apply(update.supportsPull, to: &supportsPull, default: false)
        Self.apply(update.video, to: &video, default: .off)
        Self.apply(update.supportsSetVideo, to: &supportsSetVideo, default: false)
        applyVideoRequest(update, before)
        applyText(update)
        return changes(since: before)
    }

    private func changes(since before: CallProperties) -> ChangedProperties {
        var changes: ChangedProperties = []
        if remote != before.remote { changes.insert(.remote) }
        if displayName != before.displayName { changes.insert(.displayName) }
        if hasVideo != before.hasVideo { changes.insert(.hasVideo) }
        if supportsHolding != before.supportsHolding { changes.insert(.supportsHolding) }
        if supportsGrouping != before.supportsGrouping { changes.insert(.supportsGrouping) }
        if supportsUngrouping != before.supportsUngrouping { changes.insert(.supportsUngrouping) }
        if supportsDTMF != before.supportsDTMF { changes.insert(.supportsDTMF) }
        changes.formUnion(changesOfTransfers(since: before))
        if isRemoteHeld != before.isRemoteHeld { changes.insert(.remoteHeld) }
        if hasEarlyMedia != before.hasEarlyMedia { changes.insert(.hasEarlyMedia) }
        if priority != before.priority { changes.insert(.priority) }
        if line != before.line { changes.insert(.line) }
        if forwardedFrom != before.forwardedFrom { changes.insert(.forwardedFrom) }
        if verification != before.verification { changes.insert(.verification) }
        if externalID != before.externalID { changes.insert(.externalID) }
        if endpoints != before.endpoints { changes.insert(.endpoints) }
        if elsewhere != before.elsewhere { changes.insert(.elsewhere) }
        if supportsPull != before.supportsPull { changes.insert(.supportsPull) }
        changes.formUnion(changesOfVideo(since: before))
        changes.formUnion(changesOfText(since: before))
        return changes
    }

    private func changesOfTransfers(since before: CallProperties) -> ChangedProperties {
        var changes: ChangedProperties = []
        if supportsTransfer != before.supportsTransfer { changes.insert(.supportsTransfer) }
        if supportsAttendedTransfer != before.supportsAttendedTransfer {
            changes.insert(.supportsAttendedTransfer)
        }
        if supportsDeflect != before.supportsDeflect { changes.insert(.supportsDeflect) }
        return changes
    }

    private func changesOfVideo(since before: CallProperties) -> ChangedProperties {
        var changes: ChangedProperties = []
        if video != before.video { changes.insert(.video) }
        if supportsSetVideo != before.supportsSetVideo { changes.insert(.supportsSetVideo) }
        if videoRequest != before.videoRequest { changes.insert(.videoRequest) }
        return changes
    }

    private func changesOfText(since before: CallProperties) -> ChangedProperties {
        var changes: ChangedProperties = []
        if hasText != before.hasText { changes.insert(.hasText) }
        if supportsSetText != before.supportsSetText { changes.insert(.supportsSetText) }
        if textRequest != before.textRequest { changes.insert(.textRequest) }
        return changes
    }

    /// Applies a request of the remote side. It is over once the video changes, and was none if it asks
    /// for what the call has, or for no video, which needs no consent.
    private mutating func applyVideoRequest(_ update: CallUpdate, _ before: CallProperties) {
        Self.apply(update.videoRequest, to: &videoRequest)
        let isSettled = video != before.video && update.videoRequest == .unchanged
        if isSettled || videoRequest == video || videoRequest == .off { videoRequest = nil }
    }

    /// Applies real-time text. A request for it is over once the call has text, and with a report that
    /// it has none.
    private mutating func applyText(_ update: CallUpdate) {
        Self.apply(update.supportsSetText, to: &supportsSetText, default: false)
        Self.apply(update.hasText, to: &hasText, default: false)
        Self.apply(update.textRequest, to: &textRequest, default: false)
        let isSettled = update.hasText != .unchanged && update.textRequest == .unchanged
        if isSettled || hasText { textRequest = false }
    }

    private static func apply<Value>(_ change: Change<Value>, to property: inout Value?) {
        switch change {
        case .unchanged: break
        case .set(let value): property = value
        case .cleared: property = nil
        }
    }

    private static func apply<Value>(
        _ change: Change<Value>, to property: inout Value, default value: Value
    ) {
        switch change {
        case .unchanged: break
        case .set(let new): property = new
        case .cleared: property = value
        }
    }
}
