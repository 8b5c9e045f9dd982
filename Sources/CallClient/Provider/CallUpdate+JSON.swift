package import BrokerJSON
package import CallModel
internal import CallProtocol

extension JSONWriter {
    /// Writes the members of an update: values that are set, and null for values that are cleared.
    package mutating func members(of update: CallUpdate, withRemote: Bool = true) {
        if withRemote { change("remote", update.remote) { $0.member("remote", $1) } }
        change("display_name", update.displayName) { $0.member("display_name", $1) }
        change("has_video", update.hasVideo) { $0.member("has_video", $1) }
        change("supports_holding", update.supportsHolding) { $0.member("supports_holding", $1) }
        change("supports_grouping", update.supportsGrouping) { $0.member("supports_grouping", $1) }
        change("supports_ungrouping", update.supportsUngrouping) {
            $0.member("supports_ungrouping", $1)
        }
        change("supports_dtmf", update.supportsDTMF) { $0.member("supports_dtmf", $1) }
        change("supports_transfer", update.supportsTransfer) { $0.member("supports_transfer", $1) }
        change("supports_attended_transfer", update.supportsAttendedTransfer) {
            $0.member("supports_attended_transfer", $1)
        }
        change("supports_deflect", update.supportsDeflect) { $0.member("supports_deflect", $1) }
        change("remote_held", update.isRemoteHeld) { $0.member("remote_held", $1) }
        change("has_early_media", update.hasEarlyMedia) { $0.member("has_early_media", $1) }
        change("priority", update.priority) { $0.member("priority", $1.word) }
        change("line", update.line) { $0.member("line", $1) }
        change("forwarded_from", update.forwardedFrom) { $0.member("forwarded_from", $1) }
        change("verification", update.verification) { $0.member("verification", $1.rawValue) }
        change("external_id", update.externalID) { $0.member("external_id", $1) }
        change("elsewhere", update.elsewhere) { $0.member("elsewhere", $1) }
        change("supports_pull", update.supportsPull) { $0.member("supports_pull", $1) }
        change("endpoints", update.endpoints) { $0.member("endpoints", endpoints: $1) }
        change("video", update.video) { $0.member("video", $1.rawValue) }
        change("supports_set_video", update.supportsSetVideo) {
            $0.member("supports_set_video", $1)
        }
        change("has_text", update.hasText) { $0.member("has_text", $1) }
        change("supports_set_text", update.supportsSetText) {
            $0.member("supports_set_text", $1)
        }
    }

    private mutating func change<Value>(
        _ name: StaticString, _ change: Change<Value>,
        _ write: (inout JSONWriter, Value) -> Void
    ) {
        switch change {
        case .unchanged: break
        case .set(let value): write(&self, value)
        case .cleared:
            self.name(name)
            null()
        }
    }
}

extension CallUpdate {
    /// Applies a later update to this one.
    mutating func merge(_ later: CallUpdate) {
        merge(\.remote, later)
        merge(\.displayName, later)
        merge(\.hasVideo, later)
        merge(\.supportsHolding, later)
        merge(\.supportsGrouping, later)
        merge(\.supportsUngrouping, later)
        merge(\.supportsDTMF, later)
        merge(\.supportsTransfer, later)
        merge(\.supportsAttendedTransfer, later)
        merge(\.supportsDeflect, later)
        merge(\.isRemoteHeld, later)
        merge(\.hasEarlyMedia, later)
        merge(\.priority, later)
        merge(\.line, later)
        merge(\.forwardedFrom, later)
        merge(\.verification, later)
        merge(\.externalID, later)
        merge(\.elsewhere, later)
        merge(\.supportsPull, later)
        merge(\.endpoints, later)
        merge(\.video, later)
        merge(\.supportsSetVideo, later)
        merge(\.hasText, later)
        merge(\.supportsSetText, later)
    }

    private mutating func merge<Value>(
        _ property: WritableKeyPath<CallUpdate, Change<Value>>, _ later: CallUpdate
    ) {
        if later[keyPath: property] != .unchanged {
            self[keyPath: property] = later[keyPath: property]
        }
    }
}
