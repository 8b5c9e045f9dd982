internal import BrokerRPC
internal import CallModel

/// The requests and notifications that providers receive, and those that answer them.
extension MethodTable {
    static let performingRows = [
        perform, execute, settleAction, timedOut, reset, audioActivated, audioDeactivated,
        presentation, authorizationChanged,
    ]

    private static let action: [Member] = [
        .required("action", .id, "the id of the action; the same id means the same action"),
        .required("kind", ActionSchemas.kind, "the kind of action"),
        .call,
        .required("arguments", .map, "the arguments, as in the method for the kind"),
    ]

    private static let age = Member.optional(
        "age_ms", .count, "the time since the request, which waited for something else")

    private static let perform = Method(
        name: .perform, direction: .toClient,
        form: .request(
            result: [.optional("at_ms", .count, "when it was done; now if left out")],
            deadlineMS: 60_000),
        roles: .provider,
        summary: "Asks a provider to perform an action",
        details: """
            A result means that the action was performed, an error that it failed: `data.reason`, \
            `data.app_code` (such as `SIP 486`) and `message` of the error, cut to 256 bytes, are \
            passed on to the requesting client, to observers and to the history; of a start or an \
            answer they are the `end_detail` of its call. A provider returns -32601 for an unknown kind; for set_held \
            this means that the call can never be held. Each call has at most one pending action, \
            except for an end, which can be sent at any time, and a hold, which stops a tone. After a \
            reconnection the same action may be sent again with a higher `attempt`.
            """,
        params: action + [
            .required("transaction", .id, "its transaction"),
            .required("cause", .cause, "the cause"),
            .required("deadline_ms", ActionSchemas.deadline, "the deadline, from now"),
            .required(
                "attempt", .integer(1...1_000_000), "1; higher when sent again after a reconnection"
            ),
            age,
        ],
        errors: [.methodNotFound, .brokerError, .cancelled],
        examples: [
            Method.Example(
                "a hold",
                params: """
                    {"action":"\(Sample.action)","kind":"set_held","call":"\(Sample.call)",\
                    "arguments":{"held":true},"transaction":"\(Sample.transaction)",\
                    "cause":{"origin":"arbitration","rule":"5","because_of":"\(Sample.otherCall)"},\
                    "deadline_ms":5000,"attempt":1,"age_ms":0}
                    """,
                result: "{}")
        ])

    private static let execute = Method(
        name: .execute, direction: .toClient,
        form: .request(
            result: [
                .required(
                    "taken", .boolean, "whether the provider executes the transaction as a whole")
            ],
            deadlineMS: 5_000),
        roles: .provider,
        summary: "Offers a provider a transaction to execute as a whole",
        details: """
            Sent only to providers that registered takes_transactions, instead of provider.perform. A \
            provider that accepts settles each action with action.settle; otherwise, or without a \
            timely reply, the actions are sent one by one.
            """,
        params: [
            .required("transaction", .id, "the id of the transaction"),
            .required(
                "actions",
                .array(
                    .object(action + [.required("cause", .cause, "the cause"), age]),
                    count: 1...1_024),
                "the actions, in order"),
            .required("deadline_ms", ActionSchemas.deadline, "how long the reply may take"),
        ],
        errors: [.methodNotFound, .brokerError, .cancelled],
        examples: [
            Method.Example(
                "an answer",
                params: """
                    {"transaction":"\(Sample.transaction)","actions":[{\
                    "action":"\(Sample.action)","kind":"answer","call":"\(Sample.call)",\
                    "arguments":{},"cause":\(Sample.cause),"age_ms":0}],"deadline_ms":5000}
                    """,
                result: #"{"taken":true}"#)
        ])

    private static let settleAction = Method(
        name: .settleAction, direction: .toBroker(.request { .provider(.settleAction($0)) }),
        form: .request(result: [.seq], deadlineMS: 5_000),
        roles: .provider,
        summary: "Reports the outcome of an action of an accepted transaction",
        details: """
            Once per action, in any order. Settling an action before replying to provider.execute \
            counts as accepting the transaction.
            """,
        params: [
            .required("action", .id, "from provider.execute"),
            .required(
                "outcome", .choice(["fulfilled", "failed"], isOpen: false), "the outcome"),
            .atMS,
            .optional("reason", .reason, "failed: a stable word"),
            .optional("message", ActionSchemas.message, "failed: a sentence for people"),
            .optional("app_code", .endCode, "failed: the code of the app's protocol or network"),
        ],
        errors: [.permissionDenied, .notFound, .invalidState],
        examples: [
            Method.Example(
                "done", params: #"{"action":"\#(Sample.action)","outcome":"fulfilled"}"#,
                result: Sample.seq),
            Method.Example(
                "a failed action",
                params: """
                    {"action":"\(Sample.action)","outcome":"failed","reason":"remote_refused",\
                    "message":"the other side has refused"}
                    """,
                result: Sample.seq),
        ])

    private static func notice(
        _ name: MethodName, _ summary: String, _ details: String, _ params: [Member],
        _ example: Method.Example
    ) -> Method {
        Method(
            name: name, direction: .toClient, form: .notification, roles: .provider,
            summary: summary, details: details, params: params, examples: [example])
    }

    private static let timedOut = notice(
        .timedOut, "An action has timed out",
        """
        The action has failed. A late success is reconciled (rule 29): the provider gets an end for a \
        call that was started or answered too late, and a late hold or resume counts as its report. A \
        broker.cancel was sent before.
        """,
        [
            .required("action", .id, "the action"),
            .required("kind", ActionSchemas.kind, "the kind"),
            .call,
        ],
        Method.Example(
            "an answer",
            params: """
                {"action":"\(Sample.action)","kind":"answer","call":"\(Sample.call)"}
                """))

    private static let reset = notice(
        .reset, "Instructs a provider to discard all of its calls",
        """
        The broker has no calls of this provider any more. Sent to a provider that is denied while it \
        has calls (`admin`), and to one that reconnects without listing its calls; a provider that \
        lists them in provider.register finds those to end in `dropped`. The reason is `broker_reset` \
        within the grace period or for an unknown session, and `grace_expired` for an ended session.
        """,
        [
            .required(
                "reason", .choice(["broker_reset", "admin", "grace_expired"], isOpen: true),
                "a stable word")
        ],
        Method.Example("reconnected too late", params: #"{"reason":"grace_expired"}"#))

    private static let audio: [Member] = [
        .required("group", .id, "the group, by its oldest call"),
        .required("calls", .callIDs, "its calls"),
    ]
    private static let audioExample = Method.Example(
        "one call", params: #"{"group":"\#(Sample.call)","calls":["\#(Sample.call)"]}"#)

    private static let audioActivated = notice(
        .audioActivated, "The group may use microphone and speaker",
        "The permission lasts until audio.deactivated for the same group.", audio, audioExample)

    private static let audioDeactivated = notice(
        .audioDeactivated, "The group may no longer use microphone and speaker",
        "Sent before the next group, of any provider, receives its audio.activated.", audio,
        audioExample)

    private static let presentation = notice(
        .presentation, "The way in which an app should ring has changed",
        """
        Sent to apps with the feature presentation, for a ringing or waiting call: a screen has begun or \
        stopped ringing for it, the user has silenced it, or another call became live. Until then the \
        reply to call.report_incoming applies. Sent once per call after a reconnection.
        """,
        [
            .call,
            .required(
                "presentation", .words(Presentation.self, isOpen: true),
                "ring aloud, with a short tone, or silently"),
        ],
        Method.Example(
            "a screen rings instead", params: #"{"call":"\#(Sample.call)","presentation":"silent"}"#
        ))

    private static let authorizationChanged = notice(
        .authorizationChanged, "The authorization of the provider has changed",
        """
        The reports of an unauthorized app fail with unentitled. A denied app loses its calls: \
        provider.reset follows.
        """,
        [.required("status", .words(Authorization.self), "the authorization")],
        Method.Example("no", params: #"{"status":"denied"}"#))
}
