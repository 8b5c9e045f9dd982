/// What an update says of one property: nothing, a value, or "no value any more".
public enum Change<Value: Hashable & Sendable>: Hashable, Sendable {
    case unchanged
    case set(Value)
    case cleared
}

/// What a provider tells about a call. Only what is set counts (CallKit's `CXCallUpdate`); a
/// cleared property goes back to its default.
public struct CallUpdate: Hashable, Sendable {
    /// Bytes of a display name at most.
    public static let displayNameBytesMax = 128

    public var remote: Change<Handle> = .unchanged
    public var displayName: Change<String> = .unchanged
    public var hasVideo: Change<Bool> = .unchanged
    public var supportsHolding: Change<Bool> = .unchanged
    public var supportsGrouping: Change<Bool> = .unchanged
    public var supportsUngrouping: Change<Bool> = .unchanged
    public var supportsDTMF: Change<Bool> = .unchanged
    public var isRemoteHeld: Change<Bool> = .unchanged
    public var priority: Change<Priority> = .unchanged

    public init() {}
}

/// The properties of a call that its provider sets, with their defaults: everything is supported
/// until said otherwise, and there is no video.
public struct CallProperties: Hashable, Sendable {
    public var remote: Handle?
    public var displayName: String?
    public var hasVideo = false
    public var supportsHolding = true
    public var supportsGrouping = true
    public var supportsUngrouping = true
    public var supportsDTMF = true
    public var isRemoteHeld = false
    public var priority = Priority.normal

    public init() {}

    /// Takes over what the update sets. The properties that really changed.
    public mutating func apply(_ update: CallUpdate) -> ChangedProperties {
        let before = self
        Self.apply(update.remote, to: &remote)
        Self.apply(update.displayName, to: &displayName)
        Self.apply(update.hasVideo, to: &hasVideo, default: false)
        Self.apply(update.supportsHolding, to: &supportsHolding, default: true)
        Self.apply(update.supportsGrouping, to: &supportsGrouping, default: true)
        Self.apply(update.supportsUngrouping, to: &supportsUngrouping, default: true)
        Self.apply(update.supportsDTMF, to: &supportsDTMF, default: true)
        Self.apply(update.isRemoteHeld, to: &isRemoteHeld, default: false)
        Self.apply(update.priority, to: &priority, default: .normal)
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
        if isRemoteHeld != before.isRemoteHeld { changes.insert(.remoteHeld) }
        if priority != before.priority { changes.insert(.priority) }
        return changes
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
