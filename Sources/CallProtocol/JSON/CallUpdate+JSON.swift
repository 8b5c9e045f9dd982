package import BrokerJSON
package import CallModel

extension CallUpdate {
    /// Reads the members of an update from checked params: an absent member stays as it is, null
    /// clears it.
    package init(checked params: JSONValue) {
        self.init()
        remote = Change(params["remote"]) { Handle(checked: $0) }
        displayName = Change(params["display_name"], \.string)
        hasVideo = Change(params["has_video"], \.boolean)
        supportsHolding = Change(params["supports_holding"], \.boolean)
        supportsGrouping = Change(params["supports_grouping"], \.boolean)
        supportsUngrouping = Change(params["supports_ungrouping"], \.boolean)
        supportsDTMF = Change(params["supports_dtmf"], \.boolean)
        supportsTransfer = Change(params["supports_transfer"], \.boolean)
        supportsAttendedTransfer = Change(params["supports_attended_transfer"], \.boolean)
        supportsDeflect = Change(params["supports_deflect"], \.boolean)
        isRemoteHeld = Change(params["remote_held"], \.boolean)
        hasEarlyMedia = Change(params["has_early_media"], \.boolean)
        priority = Change(params["priority"]) { Priority($0) }
        line = Change(params["line"], \.string)
        forwardedFrom = Change(params["forwarded_from"]) { Handle(checked: $0) }
        verification = Change(params["verification"]) {
            $0.string.flatMap(Verification.init(rawValue:))
        }
        externalID = Change(params["external_id"], \.string)
        elsewhere = Change(params["elsewhere"], \.string)
        supportsPull = Change(params["supports_pull"], \.boolean)
        endpoints = Change(params["endpoints"]) { [AudioEndpoint](checked: $0) }
        video = Change(params["video"]) { $0.string.flatMap(VideoDirection.init(rawValue:)) }
        supportsSetVideo = Change(params["supports_set_video"], \.boolean)
        hasText = Change(params["has_text"], \.boolean)
        supportsSetText = Change(params["supports_set_text"], \.boolean)
    }
}

extension Change {
    /// Reads a member; unreadable values change nothing.
    fileprivate init(_ value: JSONValue?, _ read: (JSONValue) -> Value?) {
        guard let value else {
            self = .unchanged
            return
        }
        if value.isNull {
            self = .cleared
        } else {
            self = read(value).map(Change.set) ?? .unchanged
        }
    }
}

extension JSONWriter {
    /// Writes the members of an update with the call's current values.
    package mutating func members(of properties: CallProperties) {
        if let remote = properties.remote { member("remote", remote) }
        member("display_name", ifSet: properties.displayName)
        member("has_video", properties.hasVideo)
        member("supports_holding", properties.supportsHolding)
        member("supports_grouping", properties.supportsGrouping)
        member("supports_ungrouping", properties.supportsUngrouping)
        member("supports_dtmf", properties.supportsDTMF)
        if properties.supportsTransfer { member("supports_transfer", true) }
        if properties.supportsAttendedTransfer { member("supports_attended_transfer", true) }
        if properties.supportsDeflect { member("supports_deflect", true) }
        member("remote_held", properties.isRemoteHeld)
        if properties.hasEarlyMedia { member("has_early_media", true) }
        member("priority", properties.priority.word)
        member("line", ifSet: properties.line)
        if let party = properties.forwardedFrom { member("forwarded_from", party) }
        if properties.verification != .unverified {
            member("verification", properties.verification.rawValue)
        }
        member("external_id", ifSet: properties.externalID)
        member("elsewhere", ifSet: properties.elsewhere)
        if properties.supportsPull { member("supports_pull", true) }
        if !properties.endpoints.isEmpty { member("endpoints", endpoints: properties.endpoints) }
        if properties.hasVideo { member("video", properties.video.rawValue) }
        if properties.supportsSetVideo { member("supports_set_video", true) }
        if let request = properties.videoRequest { member("video_request", request.rawValue) }
        if properties.hasText { member("has_text", true) }
        if properties.supportsSetText { member("supports_set_text", true) }
        if properties.textRequest { member("text_request", true) }
    }

    /// Writes the names of the changed properties.
    package mutating func member(_ name: StaticString, _ changed: ChangedProperties) {
        self.name(name)
        array { writer in changed.forEachName { writer.value($0) } }
    }

    /// Writes the reasons why a call was missed.
    package mutating func member(_ name: StaticString, _ reasons: MissedReasons) {
        self.name(name)
        array { writer in reasons.forEachName { writer.value($0) } }
    }
}
