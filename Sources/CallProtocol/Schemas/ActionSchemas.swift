package import BrokerJSON
internal import BrokerRPC
package import CallModel

/// Actions and transactions as they stand on the wire.
package enum ActionSchemas {
    static let deadline = Schema.integer(1...600_000)
    static let kind = Schema.words(ActionKind.self, isOpen: true)

    /// What an action of a kind needs to know; the same members stand flat in the method of the
    /// same name, and in the `arguments` of `transaction.request` and `provider.perform`.
    package static func arguments(of kind: ActionKind) -> [Member] {
        switch kind {
        case .start: start
        case .answer, .end: []
        case .setHeld: [.required("held", .boolean, "whether it shall be held")]
        case .setMuted: [.required("muted", .boolean, "whether the microphone shall be off")]
        case .setGroup:
            [
                .required(
                    "with", .nullable(.id),
                    "a call of the group it shall join; null: it leaves its own")
            ]
        case .playDTMF:
            [
                .required(
                    "digits", .pattern(.digits),
                    "the keys, in order; , and p are pauses, ; and w wait for the user"),
                .optional(
                    "style", .words(DTMFStyle.self), "how they came about; single if left out"),
            ]
        }
    }

    /// Checks the `arguments` of an action as the method of the same name checks its params. The
    /// pointer of a fault begins below `arguments`.
    package static func check(
        _ arguments: JSONValue?, of kind: ActionKind
    ) throws(SchemaFault) {
        try Schema.check(arguments, self.arguments(of: kind))
    }

    private static let start: [Member] = [
        .required("remote", .handle, "whom to call"),
        .optional("has_video", .boolean, "whether it begins with video; false if left out"),
        .optional("contact", .string(bytes: 1...256), "the id of a contact, for the app"),
        .optional(
            "emergency", .boolean,
            "an emergency call; counts only if the provider and the policy allow it"),
    ]

    /// What every request may say about how it is carried out.
    static let options: [Member] = [
        .optional(
            "transaction", .id, "chosen by the client, so that it can ask twice; made if left out"),
        .optional(
            "deadline_ms", deadline, "per action, from its dispatch; the provider's if left out"),
        .optional("dry_run", .boolean, "say what would happen, and change nothing"),
        .optional(
            "on_conflict", .choice(["hold", "end"], isOpen: false),
            "what becomes of a live call that cannot be held; the user alone may say end; hold if "
                + "left out"),
        .optional(
            "wait", .choice(["accepted", "completed"], isOpen: false),
            "when to reply: once it is checked, or once all is done; accepted if left out"),
    ]

    static let choice = Member.optional(
        "choice",
        .choice(
            ["answer", "hold_and_answer", "end_and_answer", "end_held_and_answer"], isOpen: false),
        "what becomes of the call in the way; answer if left out")

    /// One thing that a client asks for.
    static let requested = Schema.object([
        .required("kind", kind, "what to do"),
        .optional("call", .id, "which call; for a start it is made if left out"),
        .optional("provider", .identity, "start: whose call it becomes"),
        .optional("arguments", .map, "what the kind needs, as in the method of the same name"),
        choice,
    ])

    /// One thing that is done, or would be.
    static let entry = Schema.object([
        .optional("action", .id, "names the action; nothing that is only planned has a name"),
        .required("kind", kind, "what is done"),
        .required("call", .id, "to which call"),
        .required("provider", .identity, "by whom"),
        .required("implied", .boolean, "whether the broker put it in front of what was asked for"),
        .required("state", .words(ActionState.self), "where it is"),
        .optional("failure", failure, "why it has failed, as the app says; of the first eight"),
    ])

    /// What an app says to people.
    static let message = Schema.string(bytes: 0...1_024)

    static let failure = Schema.object([
        .required("code", .integer(-9_007_199_254_740_991...9_007_199_254_740_991), "its number"),
        .required("reason", .string(bytes: 0...128), "a stable word"),
        .optional("message", message, "a sentence for people"),
    ])

    /// What every request for actions is answered.
    static let outcome: [Member] =
        report + [
            .optional("seq", .count, "every event up to this number has been sent")
        ]

    /// What a transaction does, or did.
    static let report: [Member] = [
        .optional("transaction", .id, "names the transaction; a dry run has none"),
        .optional("state", .words(TransactionState.self), "where it is"),
        .optional("dry_run", .boolean, "true if nothing was done"),
        .required(
            "actions", .array(entry, count: 0...1_024), "in the order in which they are sent"),
        .optional("would_hold", .callIDs, "the calls that it holds"),
        .optional("would_end", .callIDs, "the calls that it ends without being asked to"),
        .optional("would_activate", .callIDs, "the calls that speak afterwards, and do not now"),
        .optional(
            "refusal", .nullable(error),
            "dry run: why it would be refused, null if it would not; of one that is over: why it failed"
        ),
        .optional("joined", .boolean, "true if the same request was under way already"),
        .optional("replayed", .boolean, "true if this is the reply of an earlier request"),
    ]

    /// An error as a part of something else.
    static let error = Schema.object([
        .required("code", .integer(-32_768...0), "its number"),
        .required("message", .string(bytes: 0...1_024), "a sentence"),
        .required("data", .map, "as in an error"),
    ])

    static let errors: [ErrorCode] = [
        .permissionDenied, .notFound, .alreadyExists, .invalidState, .limitReached,
        .deadlineExceeded, .cancelled, .providerFailed, .providerGone, .stopping,
    ]
}
