internal import CallModel

/// The schemas of providers.
package enum ProviderSchemas {
    static let ringTimeout = Schema.integer(5_000...120_000)
    static let grace = Schema.integer(0...30_000)
    private static let size = Schema.integer(1...1_000_000)
    private static let name = Schema.string(bytes: 1...CallUpdate.displayNameBytesMax)
    private static let file = Schema.string(bytes: 1...1_024)
    private static let handleTypes = Schema.array(
        .choice(["phone", "email", "generic"], isOpen: true), count: 0...16)
    private static let urlSchemes = Schema.array(.pattern(.scheme), count: 0...32)
    private static let appProcess = Schema.choice(["self", "separate"], isOpen: false)
    private static let kind = Schema.words(ProviderKind.self)

    private static let lineText = Schema.string(bytes: 1...Line.textBytesMax)

    /// An account of an app.
    private static let line = Schema.object([
        .required("line", .lineID, "the id of the line, unique in the app"),
        .required("label", lineText, "the name for people"),
        .optional("handle", .handle, "its own number or address"),
        .optional(
            "url_schemes", urlSchemes, "the URI schemes that it can dial; the app's if left out"),
        .optional(
            "default", .boolean,
            "whether calls for which no line is named are placed on it; false if left out"),
        .optional(
            "state", .words(Line.State.self, isOpen: true),
            "the state at its network; registered if left out"),
        .optional("reason", lineText, "the network's words for the state"),
        .optional(
            "max_calls", .integer(1...1_000), "the limit of its calls; the app's alone if left out"),
        .optional("messages_waiting", .integer(0...1_000_000), "the messages for the user"),
        .optional("voicemail", .handle, "the number or address of the voicemail"),
        .optional(
            "settings",
            .array(
                .object(LineSettingSchemas.setting), count: 0...LineSetting.Kind.allCases.count),
            "what its network keeps for it and line.set_setting changes, at most one of a kind; "
                + "none if left out"),
    ])
    private static let lines = Schema.array(line, count: 0...Line.countMax)

    /// The name by which an app is started.
    private static let startBy = Schema.object([
        .optional("dbus", .pattern(.busName), "a name for which the session bus starts a service"),
        .optional("desktop", .pattern(.desktopID), "the id of a desktop file"),
    ])

    /// The deadlines of actions, by kind.
    static let actionDeadlines = Schema.object(
        ActionKind.allCases.map {
            .optional($0.name, .integer(1_000...600_000), "milliseconds")
        })

    /// The configuration that a provider registers.
    static let registration: [Member] =
        configuration + [
            .optional(
                "start_by", startBy,
                "how a call starts the app when it does not run: one of `dbus` and `desktop`; not "
                    + "for plugins, which have a manifest; calls cannot start it if left out")
        ]

    /// The members of a registration that a manifest may have, too.
    package static let configuration: [Member] = [
        .required("display_name", name, "the app's display name"),
        .required(
            "handle_types", handleTypes,
            "the types of address that it offers to call; if empty, the app itself may still call "
                + "any address"),
        .optional(
            "url_schemes", urlSchemes, "the URI schemes that it can dial, such as tel"),
        .optional(
            "supports_video", .boolean, "whether its calls may have video; false if left out"),
        .optional(
            "supports_text", .boolean,
            "whether its calls may have real-time text; false if left out"),
        .optional("max_call_groups", size, "the limit of its call groups; 2 if left out"),
        .optional("max_calls_per_group", size, "the limit of calls in one group; 5 if left out"),
        .optional(
            "includes_in_recents", .boolean, "whether the history shows its calls; true if left out"
        ),
        .optional("ringtone", file, "a name or path"),
        .optional("icon", file, "a name or path"),
        .optional(
            "action_deadlines", actionDeadlines,
            "the deadline of each kind of action; the policy's if left out"),
        .optional(
            "ring_timeout_ms", ringTimeout, "how long its calls ring; the policy's if left out"),
        .optional(
            "grace_ms", grace,
            "how long its calls are kept after a disconnection; the policy's if left out"),
        .optional(
            "resume_when_freed", .boolean,
            "whether its held calls are resumed when the call they were held for ends; if false the "
                + "resume is offered to the user; true if left out"
        ),
        .optional(
            "takes_transactions", .boolean,
            "whether it is offered several actions as one transaction; false if left out"),
        .optional(
            "app_process", appProcess,
            "`separate`: an adapter, whose calls continue when this process ends"),
        .optional(
            "kind", kind,
            "an app with calls of its own, an adapter of an app, a modem, or an app that is only "
                + "`watched`; app if left out"),
        .optional("lines", lines, "its accounts, such as SIP addresses or SIM cards"),
        .optional(
            "push_types", PushSchemas.types,
            "the types of push that it takes, such as voip; none if left out"),
    ]

    /// The members of a later change. Null restores the default of a member that has no plain value
    /// for it.
    static let changes: [Member] = registration.map { member in
        switch "\(member.name)" {
        case "ringtone", "icon", "action_deadlines", "ring_timeout_ms", "grace_ms", "start_by":
            .optional(member.name, .nullable(member.schema), member.summary)
        default: .optional(member.name, member.schema, member.summary)
        }
    }

    /// A call that a provider lists when it registers.
    static let liveCall = Schema.object(
        [
            .required("call", .id, "the id of the call"),
            .required("direction", .words(Direction.self), "the direction"),
            .required(
                "state",
                .choice(
                    ["ringing", "dialing", "alerting", "connecting", "active", "held", "external"],
                    isOpen: false),
                "the state"),
            .required("remote", .nullable(.handle), "the remote party; null if unknown"),
        ] + CallSchemas.properties + [
            .optional("connected_at_ms", .count, "when the call was connected")
        ])

    /// The limits that the broker has accepted.
    static let limits = Schema.object([
        .required("max_call_groups", size, "the limit of its call groups"),
        .required("max_calls_per_group", size, "the limit of calls in one group"),
        .required("grace_ms", .count, "how long its calls are kept after a disconnection"),
        .required("ring_timeout_ms", .count, "how long its calls ring"),
        .required("action_deadlines", actionDeadlines, "the deadline of each kind of action"),
    ])

    static let authorization = Schema.choice(
        ["not_determined", "authorized", "denied"], isOpen: false)

    /// A provider as all clients see it.
    static let provider: [Member] = [
        .required("provider", .identity, "the identity of the provider"),
        .required("display_name", name, "the app's display name"),
        .required(
            "handle_types", handleTypes,
            "the types of address that it offers to call; if empty, the app itself may still call "
                + "any address"),
        .required("url_schemes", urlSchemes, "the URI schemes that it can dial"),
        .required("supports_video", .boolean, "whether its calls may have video"),
        .optional("supports_text", .boolean, "true if its calls may have real-time text"),
        .required("max_call_groups", size, "the limit of its call groups"),
        .required("max_calls_per_group", size, "the limit of calls in one group"),
        .required("includes_in_recents", .boolean, "whether the history shows its calls"),
        .optional("ringtone", file, "a name or path"),
        .optional("icon", file, "a name or path"),
        .required("action_deadlines", actionDeadlines, "the deadlines that it has declared"),
        .optional("ring_timeout_ms", ringTimeout, "if it has declared one"),
        .optional("grace_ms", grace, "if it has declared one"),
        .required("resume_when_freed", .boolean, "whether its held calls are resumed"),
        .required("takes_transactions", .boolean, "whether it is offered transactions as a whole"),
        .required("app_process", appProcess, "whether the app is the connected process"),
        .required("kind", .words(ProviderKind.self, isOpen: true), "the kind of the provider"),
        .optional("lines", lines, "its accounts, if it has told them apart"),
        .optional("push_types", PushSchemas.types, "the types of push that it takes, if any"),
        .optional("start_by", startBy, "how a call starts the app when it does not run"),
        .required("authorization", authorization, "the user's authorization"),
        .required("connected", .boolean, "whether it is connected"),
        .required("calls", .count, "the number of its calls"),
        .optional(
            "unreported_pushes", .count,
            "listed only, if any: the VoIP pushes after which it has reported no call"),
        .optional(
            "pushes_stopped", .boolean,
            "listed only: true if it gets no more VoIP pushes for that reason, until push.reset"),
    ]

    /// An app that does not run, and that a call can start.
    static let startable = Schema.object([
        .required("provider", .identity, "the identity of the provider"),
        .required("display_name", name, "the app's display name"),
        .required("start_by", startBy, "how a call starts it"),
        .optional("push_types", PushSchemas.types, "the types of push that it takes, if any"),
        .required("authorization", authorization, "the user's authorization"),
    ])

    /// The maximum number of apps that do not run and can be started.
    package static let startableMax = 64
}
