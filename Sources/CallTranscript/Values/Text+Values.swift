internal import CallModel

/// Values of the model.

/// A handle, written as `phone:+15550100`. Colons and percent signs in the name of a kind are
/// escaped as in a URL.
extension Handle: TranscriptValue {
    func write(to writer: inout TranscriptWriter) {
        switch kind {
        case .phone, .email, .generic: writer.append(string: kind.name, value)
        case .other(let name): writer.append(string: Self.escape(name), value)
        }
    }

    static func read(_ field: TranscriptField) throws(TranscriptError) -> Handle {
        let (kind, value) = try field.parts(expected: "a handle, such as phone:+15550100")
        return Handle(kind: Kind(name: unescape(kind.verbatim)), value: value.verbatim)
    }

    private static func escape(_ name: String) -> String {
        guard name.utf8.contains(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "%") })
        else { return name }
        var bytes: [UInt8] = []
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: ":"): bytes.append(contentsOf: "%3A".utf8)
            case UInt8(ascii: "%"): bytes.append(contentsOf: "%25".utf8)
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func unescape(_ name: String) -> String {
        guard name.utf8.contains(UInt8(ascii: "%")) else { return name }
        var bytes: [UInt8] = []
        var rest = Substring(name).utf8
        while let byte = rest.first {
            if rest.starts(with: "%3A".utf8) {
                bytes.append(UInt8(ascii: ":"))
                rest = rest.dropFirst(3)
            } else if rest.starts(with: "%25".utf8) {
                bytes.append(UInt8(ascii: "%"))
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Handle.Kind: TranscriptValue {
    func write(to writer: inout TranscriptWriter) {
        writer.append(string: name)
    }

    static func read(_ field: TranscriptField) throws(TranscriptError) -> Handle.Kind {
        Handle.Kind(name: try field.text())
    }
}

extension Cause: TranscriptRecord {
    func writeMembers(to writer: inout TranscriptWriter) {
        writer.member("origin", origin)
        writer.member("rule", rule)
        writer.member("because_of", becauseOf)
        writer.member("transaction", transaction)
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        self.init(try members.required("origin"))
        rule = try members.optional("rule")
        becauseOf = try members.optional("because_of")
        transaction = try members.optional("transaction")
    }
}

extension Caller: TranscriptRecord {
    func writeMembers(to writer: inout TranscriptWriter) {
        writer.member("caller_name", name)
        writer.member("caller_label", label)
        writer.member("caller_source", source)
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        self.init(
            name: try members.optional("caller_name"), label: try members.optional("caller_label"),
            source: try members.required("caller_source"))
    }

    /// Reads a caller; nil if there is none.
    static func optional(
        _ members: inout TranscriptMembers
    ) throws(TranscriptError) -> Caller? {
        let (name, label): (String?, String?) = (
            try members.optional("caller_name"), try members.optional("caller_label")
        )
        let source: String? = try members.optional("caller_source")
        return source.map { Caller(name: name, label: label, source: $0) }
    }
}

extension EndDetail: TranscriptRecord {
    func writeMembers(to writer: inout TranscriptWriter) {
        writer.member("reason", reason?.rawValue)
        writer.member("text", text)
        writer.member("code", code)
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        let word: String? = try members.optional("reason")
        self.init(
            word.map(Reason.init(rawValue:)), text: try members.optional("text"),
            code: try members.optional("code"))
    }
}

extension AudioEndpoint: TranscriptRecord {
    func writeMembers(to writer: inout TranscriptWriter) {
        writer.member("endpoint", id)
        writer.member("kind", kind.rawValue)
        writer.member("name", name)
        writer.member("state", state, default: .available)
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        self.init(
            id: try members.required("endpoint"),
            kind: Kind(rawValue: try members.required("kind")), name: try members.optional("name"),
            state: try members.optional("state", default: .available))
    }
}

extension AudioEndpoint.State: TranscriptWord {}

extension CallUpdate: TranscriptRecord {
    func writeMembers(to writer: inout TranscriptWriter) {
        writer.member("remote", remote)
        writer.member("display_name", displayName)
        writer.member("has_video", hasVideo)
        writer.member("supports_holding", supportsHolding)
        writer.member("supports_grouping", supportsGrouping)
        writer.member("supports_ungrouping", supportsUngrouping)
        writer.member("supports_dtmf", supportsDTMF)
        writer.member("supports_transfer", supportsTransfer)
        writer.member("supports_attended_transfer", supportsAttendedTransfer)
        writer.member("supports_deflect", supportsDeflect)
        writer.member("remote_held", isRemoteHeld)
        writer.member("has_early_media", hasEarlyMedia)
        writer.member("priority", priority)
        writer.member("line", line)
        writer.member("forwarded_from", forwardedFrom)
        writer.member("verification", verification)
        writer.member("external_id", externalID)
        writer.member("endpoints", endpoints)
        writer.member("elsewhere", elsewhere)
        writer.member("supports_pull", supportsPull)
        writer.member("video", video)
        writer.member("supports_set_video", supportsSetVideo)
        writer.member("video_request", videoRequest)
        writer.member("has_text", hasText)
        writer.member("supports_set_text", supportsSetText)
        writer.member("text_request", textRequest)
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        self.init()
        remote = try members.change("remote")
        displayName = try members.change("display_name")
        hasVideo = try members.change("has_video")
        supportsHolding = try members.change("supports_holding")
        supportsGrouping = try members.change("supports_grouping")
        supportsUngrouping = try members.change("supports_ungrouping")
        supportsDTMF = try members.change("supports_dtmf")
        supportsTransfer = try members.change("supports_transfer")
        supportsAttendedTransfer = try members.change("supports_attended_transfer")
        supportsDeflect = try members.change("supports_deflect")
        isRemoteHeld = try members.change("remote_held")
        hasEarlyMedia = try members.change("has_early_media")
        priority = try members.change("priority")
        line = try members.change("line")
        forwardedFrom = try members.change("forwarded_from")
        verification = try members.change("verification")
        externalID = try members.change("external_id")
        endpoints = try members.change("endpoints")
        elsewhere = try members.change("elsewhere")
        supportsPull = try members.change("supports_pull")
        video = try members.change("video")
        supportsSetVideo = try members.change("supports_set_video")
        videoRequest = try members.change("video_request")
        hasText = try members.change("has_text")
        supportsSetText = try members.change("supports_set_text")
        textRequest = try members.change("text_request")
    }
}

extension CallProperties: TranscriptRecord {
    func writeMembers(to writer: inout TranscriptWriter) {
        writer.member("remote", remote)
        writer.member("display_name", displayName)
        writer.member("has_video", hasVideo, default: false)
        writer.member("supports_holding", supportsHolding, default: true)
        writer.member("supports_grouping", supportsGrouping, default: true)
        writer.member("supports_ungrouping", supportsUngrouping, default: true)
        writer.member("supports_dtmf", supportsDTMF, default: true)
        writer.member("supports_transfer", supportsTransfer, default: false)
        writer.member("supports_attended_transfer", supportsAttendedTransfer, default: false)
        writer.member("supports_deflect", supportsDeflect, default: false)
        writer.member("remote_held", isRemoteHeld, default: false)
        writer.member("has_early_media", hasEarlyMedia, default: false)
        writer.member("priority", priority, default: .normal)
        writer.member("line", line)
        writer.member("forwarded_from", forwardedFrom)
        writer.member("verification", verification, default: .unverified)
        writer.member("external_id", externalID)
        writer.member("endpoints", endpoints, default: [])
        writer.member("elsewhere", elsewhere)
        writer.member("supports_pull", supportsPull, default: false)
        writer.member("video", video, default: hasVideo ? .both : .off)
        writer.member("supports_set_video", supportsSetVideo, default: false)
        writer.member("video_request", videoRequest)
        writer.member("has_text", hasText, default: false)
        writer.member("supports_set_text", supportsSetText, default: false)
        writer.member("text_request", textRequest, default: false)
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        self.init()
        try members.read("remote", into: &remote)
        try members.read("display_name", into: &displayName)
        try members.read("has_video", into: &hasVideo)
        try members.read("supports_holding", into: &supportsHolding)
        try members.read("supports_grouping", into: &supportsGrouping)
        try members.read("supports_ungrouping", into: &supportsUngrouping)
        try members.read("supports_dtmf", into: &supportsDTMF)
        try members.read("supports_transfer", into: &supportsTransfer)
        try members.read("supports_attended_transfer", into: &supportsAttendedTransfer)
        try members.read("supports_deflect", into: &supportsDeflect)
        try members.read("remote_held", into: &isRemoteHeld)
        try members.read("has_early_media", into: &hasEarlyMedia)
        try members.read("priority", into: &priority)
        try members.read("line", into: &line)
        try members.read("forwarded_from", into: &forwardedFrom)
        try members.read("verification", into: &verification)
        try members.read("external_id", into: &externalID)
        try members.read("endpoints", into: &endpoints)
        try members.read("elsewhere", into: &elsewhere)
        try members.read("supports_pull", into: &supportsPull)
        try members.read("video", into: &video)
        try members.read("supports_set_video", into: &supportsSetVideo)
        try members.read("video_request", into: &videoRequest)
        try members.read("has_text", into: &hasText)
        try members.read("supports_set_text", into: &supportsSetText)
        try members.read("text_request", into: &textRequest)
    }
}
