package import BrokerJSON
internal import CallModel

/// The choices of the host as they stand on the wire, in the configuration file too.
package enum PolicySchemas {
    /// The whole policy.
    static let policy = Schema.object(
        choices.map { .required($0.name, $0.schema, $0.summary) }
            + [
                .required(
                    "do_not_disturb", .object(quiet.map(\.required)),
                    "when calls do not reach the user"),
                .required("history", .object(history.map(\.required)), "how much of it is kept"),
                .required(
                    "emergency",
                    .object(
                        emergency.map(\.required) + [
                            .required(
                                "claims",
                                .dictionary(
                                    .identity, .object(claims.map(\.required)), count: 0...1_024),
                                "of the providers that the host has decided about")
                        ]),
                    "which calls are emergencies beside those that the user marks, and who places them"
                ),
                .required(
                    "authorization",
                    .dictionary(.identity, .words(Authorization.self), count: 0...1_024),
                    "the providers that the user has spoken about"),
                .required("limits", .object(limits.map(\.required)), "of the host"),
                .required(
                    "default_provider",
                    .dictionary(.scheme, .identity, count: 0...64),
                    "whose call it becomes, by the scheme that is dialled"),
            ])

    /// A part of it: what is left out stays.
    static let changes: [Member] =
        choices + [
            .optional(
                "do_not_disturb", .object(quiet),
                "when calls do not reach the user; what is left out stays"),
            .optional("history", .object(history), "how much of it is kept"),
            .optional(
                "authorization",
                .dictionary(
                    .identity,
                    .nullable(
                        .choice(
                            [Authorization.authorized, .denied].map(\.rawValue), isOpen: false)),
                    count: 0...1_024),
                "by provider; null takes a word back, what is left out stays"),
            .optional(
                "emergency",
                .object(
                    emergency + [
                        .optional(
                            "claims",
                            .dictionary(.identity, .nullable(.object(claims)), count: 0...1_024),
                            "by provider; null takes one away, what is left out stays")
                    ]),
                "which calls are emergencies beside those that the user marks, and who places them; "
                    + "what is left out stays"),
            .optional("limits", .object(limits), "of the host; what is left out stays"),
            .optional(
                "default_provider",
                .dictionary(.scheme, .nullable(.identity), count: 0...64),
                "by scheme; null takes one away, what is left out stays"),
        ]

    /// Checks a part of a policy, as in the configuration file.
    package static func check(_ value: JSONValue) throws(SchemaFault) {
        try Schema.check(value, changes)
    }

    private static let choices: [Member] = [
        .optional(
            "on_hold_failure", .choice(["keep", "end"], isOpen: false),
            "a call whose hold fails: keep it and refuse what waited, or end it"),
        .optional(
            "on_cannot_hold", .choice(["refuse", "end"], isOpen: false),
            "a plain answer while the live call cannot be held: refuse it, or end that call"),
        .optional(
            "resume_after_user_end", .boolean,
            "whether a group comes back when the user ends the call that it was held for"),
        .optional(
            "resume_after_remote_end", .boolean,
            "the same when that call ends in another way"),
        .optional(
            "busy_in_call", .boolean,
            "whether a call that comes in while another is live is refused and missed; favourites, "
                + "contacts that break through and emergencies ring all the same"),
        .optional(
            "dial_while_ringing", .choice(["allow", "refuse"], isOpen: false),
            "a start while another call rings or waits; emergencies are always started"),
        .optional(
            "button_active", .choice(["end", "mute"], isOpen: false),
            "what a short press does to one active call"),
        .optional("allows_emergency", .boolean, "whether there can be emergency calls"),
        .optional(
            "timeouts", .choice(["default", "compatible"], isOpen: false),
            "compatible: CallKit's, where a start may take ten minutes"),
        .optional(
            "unknown_callers", .choice(["ring", "silence"], isOpen: false),
            "whoever is in no contact: rings, or rings without sound"),
        .optional(
            "region", .pattern(.region),
            "the country of numbers without a country code; empty: they stay as they are"),
        .optional(
            "new_providers", .words(NewProviders.self),
            "what becomes of providers that the user has said nothing about"),
        .optional(
            "heartbeat_ms", .integer(0...86_400_000),
            "how long a provider with calls may be silent before it is pinged; 0: it is not"),
    ]

    private static let quiet: [Member] = [
        .optional("on", .boolean, "by hand"),
        .optional("until_at_ms", .nullable(.count), "when that ends; null: when it is taken back"),
        .optional(
            "schedule", .array(.object(period), count: 0...64), "when it is on by itself"),
        .optional(
            "repeated_calls_pass", .boolean,
            "whether a second call within three minutes gets through"),
    ]

    private static let period: [Member] = [
        .optional(
            "days", .array(.choice(DoNotDisturb.days, isOpen: false), count: 1...7),
            "on which it begins; every day if left out"),
        .required("from", .pattern(.timeOfDay), "when it begins, in the time zone of the broker"),
        .required("to", .pattern(.timeOfDay), "when it ends; not after `from`: on the next day"),
    ]

    private static let history: [Member] = [
        .optional("days", .integer(1...36_500), "what is older goes"),
        .optional("entries", .integer(0...10_000_000), "what is more goes, the oldest first"),
    ]

    private static let emergency: [Member] = [
        .optional(
            "numbers", .array(.pattern(.digits), count: 0...64),
            "numbers of emergency services beside 112, 911 and those of the region, as they are dialled"
        ),
        .optional(
            "providers", .array(.identity, count: 0...64),
            "the providers that are the first to place one, in this order"),
    ]

    private static let claims: [Member] = [
        .optional(
            "outgoing", .choice(["allowed", "ask", "denied"], isOpen: false),
            "whether its word counts for calls that it starts by itself; ask: not for the call at hand"
        ),
        .optional(
            "incoming", .choice(["allowed", "ask", "denied"], isOpen: false),
            "the same for calls that come in"),
    ]

    private static let limits: [Member] = [
        .optional("held_groups", .integer(0...1_000_000), "groups that are held at a time"),
        .optional("ringing", .integer(1...1_000_000), "calls that ring or wait at a time"),
        .optional("dialing", .integer(1...1_000_000), "calls that are dialled at a time"),
        .optional("calls_per_provider", .integer(1...1_000_000), "calls of one provider"),
        .optional("calls", .integer(1...1_000_000), "calls in all"),
    ]
}

extension Member {
    fileprivate var required: Member {
        .required(name, schema, summary)
    }
}
