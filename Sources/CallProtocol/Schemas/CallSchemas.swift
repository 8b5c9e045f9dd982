internal import CallModel

/// The words and small shapes that many methods share.
extension Schema {
    static func words<Word: CaseIterable & RawRepresentable<String>>(
        _ type: Word.Type, isOpen: Bool = false
    ) -> Schema {
        .choice(type.allCases.map(\.rawValue), isOpen: isOpen)
    }

    static let id = Schema.pattern(.uuid)
    static let identity = Schema.pattern(.identity)
    /// The number of a rule, such as 5a.
    static let rule = Schema.string(bytes: 1...8)
    /// A stable word in snake_case.
    static let reason = Schema.string(bytes: 1...64)

    static let handle = Schema.object([
        .required("type", .choice(["phone", "email", "generic"], isOpen: true), "its kind"),
        .required("value", .string(bytes: 1...Handle.valueBytesMax), "the number or address"),
    ])

    private static let callerText = Schema.string(bytes: 0...Caller.textBytesMax)

    static let caller = Schema.object([
        .optional("name", callerText, "as the user, or a directory, calls them"),
        .optional("label", callerText, "what kind of caller it is"),
        .required("source", callerText, "contacts, or the directory that says so"),
    ])

    /// Why something happened.
    static let cause = Schema.object([
        .required("origin", .words(Origin.self), "who caused it"),
        .optional("rule", .rule, "the rule that decided"),
        .optional("transaction", .id, "the transaction it belongs to"),
        .optional("because_of", .id, "the other call that made it necessary"),
    ])

    static let blocking = Schema.array(
        .object([
            .required("call", .id, "the call"),
            .required("provider", .identity, "whose it is"),
        ]), count: 0...1_024)

    /// The calls of one answer; there are as many as fit into a frame.
    static let callIDs = Schema.array(.id, count: 0...4_096)
    static let call = Schema.object(CallSchemas.call)
}

extension Member {
    static let seq = Member.required("seq", .count, "every event up to this number has been sent")
    static let atMS = Member.optional("at_ms", .count, "when it happened, if not just now")
}

/// Calls as they stand on the wire.
package enum CallSchemas {
    /// What a provider says about a call. Null takes a value back; what is left out stays.
    static let update: [Member] =
        [.optional("remote", .nullable(.handle), "whom the call is with")] + properties

    /// An update without the remote address.
    static let properties: [Member] = [
        .optional(
            "display_name", .nullable(.string(bytes: 0...CallUpdate.displayNameBytesMax)),
            "what the provider calls the other side"),
        .optional("has_video", .nullable(.boolean), "whether there is video; false at first"),
        .optional(
            "supports_holding", .nullable(.boolean), "whether it can be held; true at first"),
        .optional(
            "supports_grouping", .nullable(.boolean),
            "whether it can join a group; true at first"),
        .optional(
            "supports_ungrouping", .nullable(.boolean),
            "whether it can leave a group; true at first"),
        .optional(
            "supports_dtmf", .nullable(.boolean), "whether it can play tones; true at first"),
        .optional(
            "remote_held", .nullable(.boolean), "whether the other side holds; false at first"),
        .optional(
            "priority",
            .nullable(
                .choice(
                    Priority.allCases.filter { $0 != .emergencyCallback }.map(\.rawValue),
                    isOpen: false)), "how urgent it is; normal at first"),
    ]

    /// A call as everybody sees it.
    static let call = identity + state + described + times

    private static let identity: [Member] = [
        .required("call", .id, "names the call"),
        .required("provider", .identity, "whose call it is"),
        .required("direction", .words(Direction.self), "who called whom"),
    ]

    private static let state: [Member] = [
        .required("state", .words(CallState.self), "where it is in its life"),
        .optional(
            "pending_action", .words(PendingAction.self, isOpen: true),
            "what is being done to it right now"),
        canHoldNow,
        .optional("held_because_of", .id, "the call that its group was held for"),
        .optional(
            "resume_offered", .boolean,
            "true: nothing is in its way any more, and it waits for somebody to resume it"),
        .required("muted", .boolean, "whether the microphone is off"),
        .required("silenced", .boolean, "whether it rings without sound"),
        .required("group", .id, "the oldest member of its group; alone, the call itself"),
    ]

    private static let described: [Member] =
        [
            .optional("remote", .handle, "whom the call is with"),
            .optional(
                "display_name", .string(bytes: 0...CallUpdate.displayNameBytesMax),
                "what the provider calls the other side"),
            .required("has_video", .boolean, "whether there is video"),
            .required("supports_holding", .boolean, "whether it can be held"),
            .required("supports_grouping", .boolean, "whether it can join a group"),
            .required("supports_ungrouping", .boolean, "whether it can leave a group"),
            .required("supports_dtmf", .boolean, "whether it can play tones"),
            .required("remote_held", .boolean, "whether the other side holds"),
            .required("priority", .words(Priority.self, isOpen: true), "how urgent it is"),
            .optional("caller", .caller, "who the other side is, as far as the host has found out"),
            .required("provider_connected", .boolean, "whether its provider can be reached"),
        ] + verbs

    /// What the user may do with it.
    static let choices = [Member.call] + verbs + [canHoldNow]

    private static let verbs: [Member] = [
        .required(
            "allowed", .array(.words(Verb.self, isOpen: true), count: 0...64),
            "what could be asked for right now and would not be refused"),
        .optional(
            "merge_with", .array(.id, count: 0...64),
            "merge: with which groups, each by its oldest call; left out if with none"),
    ]

    private static let canHoldNow = Member.required(
        "can_hold_now", .boolean, "whether a hold would be sent this moment")

    private static let times: [Member] = [
        .required("created_at_ms", .count, "when it came, or was started"),
        .optional("connecting_at_ms", .count, "when the other side took it"),
        .optional("connected_at_ms", .count, "when both sides could talk"),
        .optional("ended_at_ms", .count, "when it was over"),
        .optional("end_reason", .words(EndReason.self, isOpen: true), "why it is over"),
        .optional("end_cause", .cause, "who ended it"),
        .optional("failure", ActionSchemas.failure, "why its app would not go on, as it says"),
        .optional(
            "missed_reasons",
            .array(
                .choice(MissedReasons(rawValue: .max).names, isOpen: true), count: 0...64),
            "why it was missed; several may apply"),
        .required("rev", .count, "grows with each change of the call; take the higher one"),
    ]
}

extension Schema {
    /// Where a page of a list ends; made by the broker.
    static let cursor = Schema.string(bytes: 1...128)
}

extension Member {
    static let call = Member.required("call", .id, "which call")
    static let after = Member.optional("after", .cursor, "the `next` of the page before")
    static let includeEnded = Member.optional(
        "include_ended", .boolean,
        "whether calls that are over are listed, as far as they are kept; false if left out")
    static let limit = Member.optional(
        "limit", .integer(1...1_000), "how many at most; as many as fit if left out")
}
