package import BrokerJSON
internal import BrokerRPC
package import CallModel

/// The schemas of actions and transactions.
package enum ActionSchemas {
    static let deadline = Schema.integer(1...600_000)
    static let kind = Schema.words(ActionKind.self, isOpen: true)

    /// The arguments of an action. The method for the kind has them as params;
    /// `transaction.request` and `provider.perform` have them in `arguments`.
    package static func arguments(of kind: ActionKind) -> [Member] {
        switch kind {
        case .start: start
        case .answer, .end: []
        case .setHeld: [.required("held", .boolean, "whether to hold or to resume")]
        case .setMuted: [.required("muted", .boolean, "whether to mute or to unmute")]
        case .setGroup:
            [
                .required(
                    "with", .nullable(.id),
                    "a call of the group to join; null: leave the group")
            ]
        case .playDTMF:
            [
                .required(
                    "digits", .pattern(.digits),
                    "the tones, in order; , and p are pauses, ; and w wait for the user"),
                .optional(
                    "style", .words(DTMFStyle.self),
                    "how the user entered the tones; single if left out"),
            ]
        case .setEndpoint:
            [.required("endpoint", .endpointID, "the id of one of the call's `endpoints`")]
        case .setVideo:
            [
                .required(
                    "video", .words(VideoDirection.self),
                    "the direction of the video, as seen from here")
            ]
        case .setText:
            [.required("text", .boolean, "whether the call has real-time text")]
        case .transfer: [.required("to", .handle, "the address of the new party")]
        case .attendedTransfer: [.required("with", .id, "the call whose remote party is joined")]
        case .deflect: [.required("to", .handle, "the address that the call is sent to")]
        }
    }

    /// Checks the `arguments` of an action as the method of the same name checks its params. The
    /// pointer of a fault starts below `arguments`.
    package static func check(
        _ arguments: JSONValue?, of kind: ActionKind
    ) throws(SchemaFault) {
        try Schema.check(arguments, self.arguments(of: kind))
    }

    private static let start: [Member] = [
        .required("remote", .handle, "the address to call"),
        .optional("has_video", .boolean, "whether the call starts with video; false if left out"),
        .optional(
            "has_text", .boolean, "whether the call starts with real-time text; false if left out"),
        .optional("contact", .string(bytes: 1...256), "the id of a contact, for the app"),
        .optional(
            "line", .lineID,
            "the line that places the call; the provider's default, or its choice, if left out"),
        .optional(
            "emergency", .boolean,
            "whether to mark the call as an emergency; calls to emergency numbers are emergencies "
                + "anyway, and an app's mark counts only with `emergency.claims` of the policy"),
        .optional(
            "background", .boolean,
            "whether to mark the call as one that makes way for all others: it is refused while "
                + "another is live or rings"),
    ]

    /// The options of every request for actions.
    static let options: [Member] = [
        .optional(
            "transaction", .id,
            "an id chosen by the client: a repeated request with the same id is executed once; generated if left out"
        ),
        .optional(
            "deadline_ms", deadline,
            "the deadline of each action, from its dispatch; the provider's if left out"),
        .optional("dry_run", .boolean, "whether to return only what would happen"),
        .optional(
            "on_conflict", .choice(["hold", "end"], isOpen: false),
            "if the live call cannot be held, or a start exceeds `max_call_groups`: refuse (`hold`), "
                + "or end the call in the way (`end`, only for the user); hold if left out"),
        .optional(
            "wait", .choice(["accepted", "completed"], isOpen: false),
            "when to reply: after the checks (`accepted`), or when all actions are done (`completed`); accepted if left out"
        ),
    ]

    static let choice = Member.optional(
        "choice",
        .choice(
            ["answer", "hold_and_answer", "end_and_answer", "end_held_and_answer"], isOpen: false),
        "what happens to the live call; `answer` if left out")

    /// A requested action.
    static let requested = Schema.object([
        .required("kind", kind, "the kind of action"),
        .optional("call", .id, "the call; for a start, generated if left out"),
        .optional("provider", .identity, "start: the provider that places the call"),
        .optional("arguments", .map, "the arguments, as in the method for the kind"),
        choice,
    ])

    /// An action of a transaction or of a dry run.
    static let entry = Schema.object([
        .optional("action", .id, "the id of the action; absent while only planned"),
        .required("kind", kind, "the kind of action"),
        .required("call", .id, "the call"),
        .required("provider", .identity, "the provider"),
        .required("implied", .boolean, "whether the broker added the action"),
        .required("state", .words(ActionState.self), "the state"),
        .optional(
            "failure", failure, "the app's reason for the failure; for the first eight actions"),
    ])

    /// A message from an app for people.
    static let message = Schema.string(bytes: 0...1_024)

    static let failure = Schema.object([
        .required(
            "code", .integer(-9_007_199_254_740_991...9_007_199_254_740_991), "the error code"),
        .required("reason", .string(bytes: 0...128), "a stable word"),
        .optional("message", message, "a sentence for people"),
        .optional("app_code", .endCode, "the code of the app's protocol or network"),
    ])

    /// The result of every request for actions.
    static let outcome: [Member] =
        report + [
            .optional("seq", .count, "all events up to this number have been sent")
        ]

    /// The members of a transaction.
    static let report: [Member] = [
        .optional("transaction", .id, "the id of the transaction; absent in a dry run"),
        .optional("state", .words(TransactionState.self), "the state"),
        .optional("dry_run", .boolean, "true for a dry run"),
        .required(
            "actions", .array(entry, count: 0...1_024),
            "the actions, in the order in which they are sent"),
        .optional("would_hold", .callIDs, "the calls that would be held"),
        .optional("would_end", .callIDs, "the calls that would be ended without being requested"),
        .optional("would_activate", .callIDs, "the calls that would become active"),
        .optional(
            "would_start", .array(.identity, count: 0...1_024),
            "the providers that would be started first"),
        .optional(
            "refusal", .nullable(error),
            "dry run: why it would be refused, or null; completed: why it failed"
        ),
        .optional(
            "video_fallback", .choice(["audio"], isOpen: true),
            "the call is started without the requested video, which its app does not have"),
        .optional("joined", .boolean, "true if an equal request was pending already"),
        .optional("replayed", .boolean, "true if this repeats the reply to an earlier request"),
    ]

    /// An error inside another value.
    static let error = Schema.object([
        .required("code", .integer(-32_768...0), "the error code"),
        .required("message", .string(bytes: 0...1_024), "a sentence for people"),
        .required("data", .map, "as in an error"),
    ])

    static let errors: [ErrorCode] = [
        .permissionDenied, .notFound, .alreadyExists, .invalidState, .limitReached,
        .deadlineExceeded, .cancelled, .providerFailed, .providerGone, .stopping,
    ]
}
