package import BrokerJSON

/// The choices of the host as they stand on the wire, in the configuration file too.
package enum PolicySchemas {
    /// The whole policy.
    static let policy = Schema.object(
        choices.map { .required($0.name, $0.schema, $0.summary) }
            + [
                .required("limits", .object(limits.map(\.required)), "of the host"),
                .required(
                    "default_provider",
                    .dictionary(.scheme, .identity, count: 0...64),
                    "whose call it becomes, by the scheme that is dialled"),
            ])

    /// A part of it: what is left out stays.
    static let changes: [Member] =
        choices + [
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
            "button_active", .choice(["end", "mute"], isOpen: false),
            "what a short press does to one active call"),
        .optional("allows_emergency", .boolean, "whether there can be emergency calls"),
        .optional(
            "timeouts", .choice(["default", "compatible"], isOpen: false),
            "compatible: CallKit's, where a start may take ten minutes"),
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
