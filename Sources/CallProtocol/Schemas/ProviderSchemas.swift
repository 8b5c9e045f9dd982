internal import CallModel

/// Providers as they stand on the wire.
package enum ProviderSchemas {
    static let ringTimeout = Schema.integer(5_000...120_000)
    static let grace = Schema.integer(0...30_000)
    private static let size = Schema.integer(1...1_000_000)
    private static let name = Schema.string(bytes: 1...CallUpdate.displayNameBytesMax)
    private static let file = Schema.string(bytes: 1...1_024)
    private static let handleTypes = Schema.array(
        .choice(["phone", "email", "generic"], isOpen: true), count: 1...16)
    private static let urlSchemes = Schema.array(.pattern(.scheme), count: 0...32)
    private static let appProcess = Schema.choice(["self", "separate"], isOpen: false)

    /// How long an action may take, by its kind.
    static let actionDeadlines = Schema.object(
        ActionKind.allCases.map {
            .optional($0.name, .integer(1_000...600_000), "milliseconds")
        })

    /// What a provider says of itself when it registers.
    package static let configuration: [Member] = [
        .required("display_name", name, "what people call the app"),
        .required("handle_types", handleTypes, "the kinds of address that it can call"),
        .optional(
            "url_schemes", urlSchemes, "the schemes of addresses that it can dial, such as tel"),
        .optional("supports_video", .boolean, "whether its calls may have video; no"),
        .optional("max_call_groups", size, "its groups at a time; 2"),
        .optional("max_calls_per_group", size, "the calls of one group; 5"),
        .optional("includes_in_recents", .boolean, "whether the history shows its calls; yes"),
        .optional("ringtone", file, "a name or path"),
        .optional("icon", file, "a name or path"),
        .optional(
            "action_deadlines", actionDeadlines, "milliseconds per action; else the policy's"),
        .optional("ring_timeout_ms", ringTimeout, "how long its calls ring; else the policy's"),
        .optional(
            "grace_ms", grace, "how long its calls wait for it to come back; else the policy's"),
        .optional(
            "resume_when_freed", .boolean,
            "whether its held calls come back when the one they were held for ends; yes"),
        .optional(
            "takes_transactions", .boolean,
            "whether it is asked to carry out several actions as a whole; no"),
        .optional(
            "app_process", appProcess,
            "separate: an adapter; the app talks on when this process ends"),
    ]

    /// What may change later. Null goes back to the default of what has no plain value for it.
    static let changes: [Member] = configuration.map { member in
        switch "\(member.name)" {
        case "ringtone", "icon", "action_deadlines", "ring_timeout_ms", "grace_ms":
            .optional(member.name, .nullable(member.schema), member.summary)
        default: .optional(member.name, member.schema, member.summary)
        }
    }

    /// A call that a provider has while it registers.
    static let liveCall = Schema.object(
        [
            .required("call", .id, "names the call"),
            .required("direction", .words(Direction.self), "who called whom"),
            .required(
                "state",
                .choice(["ringing", "dialing", "connecting", "active", "held"], isOpen: false),
                "where it is"),
            .required("remote", .nullable(.handle), "whom it is with; null if that is not known"),
        ] + CallSchemas.properties + [
            .optional("connected_at_ms", .count, "since when both sides can talk")
        ])

    /// What was accepted.
    static let limits = Schema.object([
        .required("max_call_groups", size, "its groups at a time"),
        .required("max_calls_per_group", size, "the calls of one group"),
        .required("grace_ms", .count, "how long its calls wait for it to come back"),
        .required("ring_timeout_ms", .count, "how long its calls ring"),
        .required("action_deadlines", actionDeadlines, "milliseconds per action"),
    ])

    static let authorization = Schema.choice(
        ["not_determined", "authorized", "denied"], isOpen: false)

    /// A provider as everybody sees it.
    static let provider: [Member] = [
        .required("provider", .identity, "names the provider"),
        .required("display_name", name, "what people call the app"),
        .required("handle_types", handleTypes, "the kinds of address that it can call"),
        .required("url_schemes", urlSchemes, "the schemes of addresses that it can dial"),
        .required("supports_video", .boolean, "whether its calls may have video"),
        .required("max_call_groups", size, "its groups at a time"),
        .required("max_calls_per_group", size, "the calls of one group"),
        .required("includes_in_recents", .boolean, "whether the history shows its calls"),
        .optional("ringtone", file, "a name or path"),
        .optional("icon", file, "a name or path"),
        .required("action_deadlines", actionDeadlines, "those it has set itself"),
        .optional("ring_timeout_ms", ringTimeout, "if it has set it itself"),
        .optional("grace_ms", grace, "if it has set it itself"),
        .required("resume_when_freed", .boolean, "whether its held calls come back"),
        .required("takes_transactions", .boolean, "whether it may carry out several as a whole"),
        .required("app_process", appProcess, "whether the app is this process"),
        .required("authorization", authorization, "whether the user lets it have calls"),
        .required("connected", .boolean, "whether it can be reached"),
        .required("calls", .count, "how many calls it has"),
    ]
}
