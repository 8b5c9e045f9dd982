package import BrokerJSON
internal import CallModel

/// The host's policy as JSON, on the wire and in the configuration file.
package enum PolicySchemas {
    /// The members that only an admin may change: the limits and times of the host, and the rights
    /// of providers.
    package static let adminMembers: [StaticString] =
        [
            "limits", "authorization", "new_providers", "heartbeat_ms", "emergency", "deadlines",
            "priority_claims", "rights", "handover",
        ]
        + times.map(\.name)

    /// The whole policy, as `policy.get` returns it.
    static let policy = Schema.object(
        (choices + times).map(\.required) + [
            .required(
                "do_not_disturb", .object(quiet.map(\.required)), "when calls do not ring"),
            .required("history", .object(history.map(\.required)), "how much history is kept"),
            .required(
                "emergency",
                .object(
                    emergency.map(\.required) + [
                        .required(
                            "claims",
                            .dictionary(
                                .identity, .object(claims.map(\.required)), count: 0...1_024),
                            "by provider; a provider without an entry is denied")
                    ]),
                "which calls are emergencies, and which providers place them"),
            .required(
                "authorization",
                .dictionary(.identity, .words(Authorization.self), count: 0...1_024),
                "by provider, where the user has decided"),
            .required("rights", rights, "rules about what programs may do"),
            .required(
                "handover", .object(handover.map(\.required)),
                "which clients may delay the audio of a call"),
            .required("limits", .object(limits.map(\.required)), "limits of the host"),
            .required(
                "deadlines", .object(deadlines.map(\.required)),
                "how long an action may take, by its kind, where the provider declares nothing else"
            ),
            .required(
                "default_provider", .dictionary(.scheme, .identity, count: 0...64),
                "the provider that places a call, by URI scheme"),
        ])

    /// A part of the policy, as `policy.set` takes it.
    static let changes: [Member] =
        choices + times + [
            .optional(
                "do_not_disturb", .object(quiet),
                "when calls do not ring; absent members keep their values"),
            .optional("history", .object(history), "how much history is kept"),
            .optional(
                "authorization",
                .dictionary(
                    .identity,
                    .nullable(
                        .choice(
                            [Authorization.authorized, .denied].map(\.rawValue), isOpen: false)),
                    count: 0...1_024),
                "by provider; null removes an entry, absent ones stay"),
            .optional(
                "emergency",
                .object(
                    emergency + [
                        .optional(
                            "claims",
                            .dictionary(.identity, .nullable(.object(claims)), count: 0...1_024),
                            "by provider; null removes an entry, absent ones stay")
                    ]),
                "which calls are emergencies, and which providers place them; absent members keep "
                    + "their values"),
            .optional(
                "rights", rights,
                "rules about what programs may do, instead of the former ones: the first that "
                    + "applies to a client counts"),
            .optional(
                "handover", .object(handover),
                "which clients may delay the audio of a call; absent members keep their values"),
            .optional(
                "limits", .object(limits), "limits of the host; absent members keep their values"),
            .optional(
                "deadlines", .object(deadlines),
                "how long an action may take, by its kind, where the provider declares nothing "
                    + "else; applied after `timeouts`, and absent members keep their values"),
            .optional(
                "default_provider", .dictionary(.scheme, .nullable(.identity), count: 0...64),
                "the provider that places a call, by URI scheme; null removes an entry, absent "
                    + "ones stay"),
        ]

    /// Checks a part of a policy, as in the configuration file.
    package static func check(_ value: JSONValue) throws(SchemaFault) {
        try Schema.check(value, changes)
    }

    private static let choices: [Member] = [
        .optional(
            "on_hold_failure", .choice(["keep", "end"], isOpen: false),
            "if a hold fails: keep the call and refuse what waited for the hold, or end the call"),
        .optional(
            "on_cannot_hold", .choice(["refuse", "end"], isOpen: false),
            "an answer or start while the live call cannot be held: refuse it, or end the call"),
        .optional(
            "resume_after_user_end", .boolean,
            "whether the group that is owed a resume is resumed when the user, or a call's app, ends "
                + "or declines the last other call; otherwise the resume is offered"),
        .optional(
            "resume_after_remote_end", .boolean,
            "whether it is resumed when that call ends in another way; otherwise it is offered"),
        .optional(
            "busy_in_call", .boolean,
            "whether an incoming call is refused, and missed, while a group is live; favorites, "
                + "priority callers, callers that a screener allows, emergencies and their "
                + "call-backs wait as usual"),
        .optional(
            "dial_while_ringing", .choice(["allow", "refuse"], isOpen: false),
            "a start while another call rings or waits; emergencies are always started"),
        .optional(
            "video_fallback", .choice(["audio", "refuse"], isOpen: false),
            "the user's start with video at an app without it: without video, or refused"),
        .optional(
            "button_active", .choice(["end", "mute"], isOpen: false),
            "what a short button press does to a single active call"),
        .optional("allows_emergency", .boolean, "whether calls can be emergencies"),
        .optional(
            "priority_claims", .array(.identity, count: 0...64),
            "the providers whose claims that a caller has priority count"),
        .optional(
            "timeouts", .choice(["default", "compatible"], isOpen: false),
            "sets all `deadlines`: to the defaults, or to CallKit's, where a start may take ten "
                + "minutes; reads `compatible` while the deadlines are exactly CallKit's"),
        .optional(
            "unknown_callers", .choice(["ring", "silence"], isOpen: false),
            "whether callers that are not in the contacts ring aloud or silently"),
        .optional(
            "region", .pattern(.region),
            "the country of numbers without a country code; empty: such numbers stay unchanged"),
        .optional(
            "new_providers", .words(NewProviders.self),
            "what happens to providers that the user has not decided about"),
        .optional(
            "heartbeat_ms", .integer(0...86_400_000),
            "how long a provider with calls may be silent before it is pinged; 0: never pinged"),
    ]

    /// Times and counts at the top of the policy.
    private static let times: [Member] = [
        .optional(
            "extension_percent_max", .integer(100...1_000),
            "how far progress may extend an action's deadline, in percent of the original"),
        .optional(
            "ring_timeout_ms", .integer(5_000...600_000),
            "how long a call rings, where its provider declares nothing else"),
        .optional(
            "video_request_ms", .integer(5_000...120_000),
            "how long the user has to decide about video or text that the remote party asks for"),
        .optional(
            "dial_timeout_ms", .integer(5_000...600_000),
            "how long a call may be dialing, alerting or connecting without progress"),
        .optional(
            "start_silence_ms", .integer(1_000...60_000),
            "how long a start may be silent before another start may replace it, or, if it is an "
                + "emergency, before the next provider places it"),
        .optional(
            "ending_wait_ms", .integer(1_000...60_000),
            "how long an action waits for a call in its way to end"),
        .optional(
            "grace_ms", .integer(0...30_000),
            "how long the calls of a disconnected provider are kept"),
        .optional(
            "separate_app_grace_ms", .integer(0...120_000),
            "`grace_ms` of providers whose app is a separate process"),
        .optional(
            "restart_grace_ms", .integer(1_000...120_000),
            "how long providers have to reconnect after a restart of the broker"),
        .optional(
            "screening_ms", .integer(100...30_000),
            "how long filters may take to decide about an incoming call"),
        .optional(
            "report_age_ms", .integer(60_000...31_536_000_000),
            "the greatest age of a missed or adopted call that is still believed"),
        .optional(
            "offer_ms", .integer(100...60_000),
            "how long a provider may take to accept a transaction as a whole"),
        .optional(
            "emergency_callback_ms", .integer(0...86_400_000),
            "how long after an emergency calls of the same provider ring as call-backs"),
        .optional(
            "short_ring_ms", .integer(0...60_000),
            "missed calls that rang for less are marked `short_ring`"),
        .optional(
            "ended_calls_max", .integer(256...262_144), "the number of ended call ids remembered"),
        .optional(
            "ended_calls_ms", .integer(60_000...86_400_000),
            "how long an ended call id is remembered"),
    ]

    private static let deadlines: [Member] = ActionKind.allCases.map {
        .optional($0.name, .integer(1_000...600_000), "milliseconds")
    }

    private static let quiet: [Member] = [
        .optional("on", .boolean, "whether the user has turned it on"),
        .optional(
            "until_at_ms", .nullable(.count), "when `on` ends; null: when it is turned off"),
        .optional("schedule", .array(.object(period), count: 0...64), "weekly periods"),
        .optional(
            "repeated_calls_pass", .boolean,
            "whether a second call within three minutes rings anyway"),
        .optional(
            "priority_callers_pass", .boolean, "whether calls of priority callers ring anyway"),
    ]

    private static let period: [Member] = [
        .optional(
            "days", .array(.choice(DoNotDisturb.days, isOpen: false), count: 1...7),
            "the days on which it begins; every day if left out"),
        .required("from", .pattern(.timeOfDay), "when it begins, in the broker's time zone"),
        .required(
            "to", .pattern(.timeOfDay), "when it ends; on the next day if not after `from`"),
    ]

    private static let history: [Member] = [
        .optional("days", .integer(1...36_500), "older entries are removed"),
        .optional(
            "entries", .integer(0...10_000_000), "the greatest number; the oldest are removed"),
    ]

    private static let emergency: [Member] = [
        .optional(
            "numbers", .array(.pattern(.digits), count: 0...64),
            "emergency numbers as dialed, in addition to 112, 911 and those of the region"),
        .optional(
            "providers", .array(.identity, count: 0...64),
            "the providers that place emergency calls, in order of preference"),
    ]

    private static let handover: [Member] = [
        .optional(
            "observers", .array(.identity, count: 0...8),
            "the clients that are asked when an answer is fulfilled or a dialed call connects, "
                + "before its app gets the audio"),
        .optional("wait_ms", .integer(100...10_000), "the longest wait for them"),
    ]

    private static let claims: [Member] = [
        .optional(
            "outgoing", .choice(["allowed", "ask", "denied"], isOpen: false),
            "whether the provider's claim makes a call that it starts an emergency; `ask`: counts as "
                + "`denied`, and the user is asked about later calls"),
        .optional(
            "incoming", .choice(["allowed", "ask", "denied"], isOpen: false),
            "the same for incoming calls"),
    ]

    private static let text = Schema.string(bytes: 1...4_096)

    /// Rules about programs. A rule applies to a client if all of its conditions hold.
    private static let rights = Schema.array(
        .object([
            .optional("identity", .identity, "condition: the identity that the client gives"),
            .optional("executable", text, "condition: the path of its program"),
            .optional(
                "sandbox",
                .choice(["none", "flatpak", "snap", "other", "unknown", "any"], isOpen: false),
                "condition: its sandbox; left out: `any` if there is `app`, else `none`"),
            .optional("app", text, "condition: the id of its Flatpak, or the name of its snap"),
            .optional(
                "unit", text,
                "condition: its service or scope of systemd, or the beginning of the name and `*`"),
            .optional(
                "roles", .array(.words(Role.self), count: 0...16),
                "the roles that it may have; all if left out"),
            .optional(
                "calls", .choice(["all", "own"], isOpen: false),
                "the calls that it sees and reaches; all if left out"),
            .optional(
                "redacted", .boolean,
                "whether numbers and names of remote parties are kept from it; false if left out"),
        ]), count: 0...64)

    private static let limits: [Member] = [
        .optional("held_groups", .integer(0...1_000_000), "held groups at a time"),
        .optional("ringing", .integer(1...1_000_000), "calls ringing or waiting at a time"),
        .optional("dialing", .integer(1...1_000_000), "calls being dialed at a time"),
        .optional("calls_per_provider", .integer(1...1_000_000), "calls of one provider"),
        .optional("calls", .integer(1...1_000_000), "calls of all providers"),
    ]
}

extension Member {
    fileprivate var required: Member {
        .required(name, schema, summary)
    }
}
