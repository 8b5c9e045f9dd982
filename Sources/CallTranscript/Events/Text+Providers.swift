internal import CallArbitration
internal import CallModel

/// Configurations of providers, and the calls that they register with.

extension ProviderConfiguration: TranscriptRecord {
    func writeMembers(to writer: inout TranscriptWriter) {
        writer.member("display_name", displayName)
        writer.member("handle_types", handleKinds, default: [])
        writer.member("url_schemes", urlSchemes, default: [])
        writer.member("supports_video", supportsVideo, default: false)
        writer.member("supports_text", supportsText, default: false)
        writer.member("max_call_groups", maxCallGroups, default: 2)
        writer.member("max_calls_per_group", maxCallsPerGroup, default: 5)
        writer.member("includes_in_recents", includesInRecents, default: true)
        writer.member("ringtone", ringtone)
        writer.member("icon", icon)
        writer.member(
            "action_deadlines", ActionDeadlines(byKind: actionDeadlinesMS), default: .none)
        writer.member("ring_timeout_ms", ringTimeoutMS)
        writer.member("grace_ms", graceMS)
        writer.member("resume_when_freed", resumesWhenFreed, default: true)
        writer.member("takes_transactions", takesTransactions, default: false)
        writer.member("app_process", AppProcess(isSeparate: appIsSeparate), default: .`self`)
        writer.member("kind", kind, default: .app)
        writer.member("lines", lines, default: [])
        writer.member("push_types", pushTypes, default: [])
        writer.member("start_by", startBy)
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        self.init(
            displayName: try members.required("display_name"),
            handleKinds: try members.optional("handle_types", default: []))
        try members.read("url_schemes", into: &urlSchemes)
        try members.read("supports_video", into: &supportsVideo)
        try members.read("supports_text", into: &supportsText)
        try members.read("max_call_groups", into: &maxCallGroups)
        try members.read("max_calls_per_group", into: &maxCallsPerGroup)
        try members.read("includes_in_recents", into: &includesInRecents)
        try members.read("ringtone", into: &ringtone)
        try members.read("icon", into: &icon)
        let deadlines = try members.optional("action_deadlines", default: ActionDeadlines.none)
        actionDeadlinesMS = deadlines.byKind
        try members.read("ring_timeout_ms", into: &ringTimeoutMS)
        try members.read("grace_ms", into: &graceMS)
        try members.read("resume_when_freed", into: &resumesWhenFreed)
        try members.read("takes_transactions", into: &takesTransactions)
        appIsSeparate = try members.optional("app_process", default: AppProcess.`self`) == .separate
        try members.read("kind", into: &kind)
        try members.read("lines", into: &lines)
        try members.read("push_types", into: &pushTypes)
        try members.read("start_by", into: &startBy)
    }
}

extension StartBy: TranscriptRecord {
    func writeMembers(to writer: inout TranscriptWriter) {
        switch self {
        case .dbus(let name): writer.member("dbus", name)
        case .desktop(let name): writer.member("desktop", name)
        }
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        if let name: String = try members.optional("dbus") {
            self = .dbus(name)
        } else {
            self = .desktop(try members.required("desktop"))
        }
    }
}

extension Line: TranscriptRecord {
    func writeMembers(to writer: inout TranscriptWriter) {
        writer.member("line", id)
        writer.member("label", label)
        writer.member("handle", handle)
        writer.member("url_schemes", urlSchemes, default: [])
        writer.member("default", isDefault, default: false)
        writer.member("state", state, default: .registered)
        writer.member("reason", reason)
        writer.member("max_calls", maxCalls)
        writer.member("messages_waiting", messagesWaiting)
        writer.member("voicemail", voicemail)
        writer.member("settings", settings, default: [])
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        self.init(id: try members.required("line"), label: try members.required("label"))
        try members.read("handle", into: &handle)
        try members.read("url_schemes", into: &urlSchemes)
        try members.read("default", into: &isDefault)
        try members.read("state", into: &state)
        try members.read("reason", into: &reason)
        try members.read("max_calls", into: &maxCalls)
        try members.read("messages_waiting", into: &messagesWaiting)
        try members.read("voicemail", into: &voicemail)
        try members.read("settings", into: &settings)
    }
}

extension LineSetting: TranscriptRecord {
    func writeMembers(to writer: inout TranscriptWriter) {
        writer.member("setting", kind)
        writer.member("on", isOn)
        writer.member("to", to)
        writer.member("after_ms", afterMS)
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        self.init(try members.required("setting"), isOn: try members.required("on"))
        try members.read("to", into: &to)
        try members.read("after_ms", into: &afterMS)
    }
}

extension Line.State: TranscriptWord {}
extension ProviderKind: TranscriptWord {}

extension LineSetting.Kind: TranscriptWord {}

/// The process of an app, by the words of the wire.
private enum AppProcess: String, TranscriptWord {
    case `self`, separate

    init(isSeparate: Bool) {
        self = isSeparate ? .separate : .`self`
    }
}

/// Deadlines by kind, written in the order of the kinds.
private struct ActionDeadlines: TranscriptRecord, Equatable {
    static let none = ActionDeadlines(byKind: [:])

    var byKind: [ActionKind: Int]

    init(byKind: [ActionKind: Int]) {
        self.byKind = byKind
    }

    func writeMembers(to writer: inout TranscriptWriter) {
        for kind in ActionKind.allCases { writer.member(Self.name(of: kind), byKind[kind]) }
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        byKind = [:]
        for kind in ActionKind.allCases {
            try members.read(Self.name(of: kind), into: &byKind[kind])
        }
    }

    private static func name(of kind: ActionKind) -> StaticString {
        switch kind {
        case .start: "start"
        case .answer: "answer"
        case .end: "end"
        case .setHeld: "set_held"
        case .setMuted: "set_muted"
        case .setGroup: "set_group"
        case .playDTMF: "play_dtmf"
        case .setEndpoint: "set_endpoint"
        case .setVideo: "set_video"
        case .setText: "set_text"
        case .transfer: "transfer"
        case .attendedTransfer: "attended_transfer"
        case .deflect: "deflect"
        }
    }
}

extension ProviderRegistration: TranscriptRecord {
    func writeMembers(to writer: inout TranscriptWriter) {
        writer.member("token", token)
        writer.member("provider", provider)
        configuration.writeMembers(to: &writer)
        writer.member("calls", calls)
        writer.member("more", hasMore, default: false)
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        self.init(
            token: try members.token(), provider: try members.required("provider"),
            configuration: try ProviderConfiguration(members: &members),
            calls: try members.optional("calls"),
            hasMore: try members.optional("more", default: false))
    }
}

extension LiveCall: TranscriptRecord {
    func writeMembers(to writer: inout TranscriptWriter) {
        writer.member("call", call)
        writer.member("direction", direction)
        writer.member("state", state)
        update.writeMembers(to: &writer)
        writer.member("connected_at_ms", connectedAt)
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        self.init(
            call: try members.required("call"), direction: try members.required("direction"),
            state: try members.required("state"), update: try CallUpdate(members: &members),
            connectedAt: try members.optional("connected_at_ms"))
    }
}
