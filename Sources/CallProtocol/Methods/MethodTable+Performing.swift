internal import BrokerRPC
internal import CallModel

/// What providers are asked and told, and what they say about it.
extension MethodTable {
    static let performingRows = [
        perform, execute, settleAction, timedOut, reset, audioActivated, audioDeactivated,
        presentation, authorizationChanged,
    ]

    private static let action: [Member] = [
        .required("action", .id, "names the action; the same again means the same action"),
        .required("kind", ActionSchemas.kind, "what to do"),
        .call,
        .required("arguments", .map, "what the kind needs, as in the method of the same name"),
    ]

    private static let age = Member.optional(
        "age_ms", .count, "how long ago it was asked for: what was in its way took so long")

    private static let perform = Method(
        name: .perform, direction: .toClient,
        form: .request(
            result: [.optional("at_ms", .count, "when it was done, if not just now")],
            deadlineMS: 60_000),
        roles: .provider,
        summary: "One action for one call",
        details: """
            A result means done, an error means no: its data.reason and its message are passed on to \
            whoever asked, to those who watch and to the history, cut to 256 bytes. To a kind it does not know a provider answers \
            -32601; for set_held that says that the call can never be held. At most one action per \
            call is open, but for an end, which may come at any time, and a hold, which stops a \
            tone. After a reconnection the same action may come again with a higher attempt.
            """,
        params: action + [
            .required("transaction", .id, "what it is a part of"),
            .required("cause", .cause, "who wanted it, and why"),
            .required("deadline_ms", ActionSchemas.deadline, "how long it may take from now"),
            .required("attempt", .integer(1...1_000_000), "1, or more after a reconnection"),
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
            result: [.required("taken", .boolean, "whether it carries them out as a whole")],
            deadlineMS: 5_000),
        roles: .provider,
        summary: "Several actions, to be carried out as a whole",
        details: """
            Comes before the performs, only to a provider that registered takes_transactions. \
            Whoever takes it settles each action with action.settle and gets no performs for it; \
            whoever does not, or says nothing in time, gets them one by one.
            """,
        params: [
            .required("transaction", .id, "names the transaction"),
            .required(
                "actions",
                .array(
                    .object(action + [.required("cause", .cause, "who wanted it, and why"), age]),
                    count: 1...1_024),
                "in order"),
            .required("deadline_ms", ActionSchemas.deadline, "how long the answer may take"),
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
        name: .settleAction, direction: .toBroker,
        form: .request(result: [.seq], deadlineMS: 5_000),
        roles: .provider,
        summary: "Tells how an action of a transaction that was taken went",
        details: """
            Once per action, in any order. Whoever settles one before provider.execute is answered \
            takes the transaction with it.
            """,
        params: [
            .required("action", .id, "from provider.execute"),
            .required(
                "outcome", .choice(["fulfilled", "failed"], isOpen: false), "how it went"),
            .atMS,
            .optional("reason", .reason, "failed: a stable word"),
            .optional("message", ActionSchemas.message, "failed: a sentence for people"),
        ],
        errors: [.permissionDenied, .notFound, .invalidState],
        examples: [
            Method.Example(
                "done", params: #"{"action":"\#(Sample.action)","outcome":"fulfilled"}"#,
                result: Sample.seq),
            Method.Example(
                "not done",
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
        .timedOut, "An action took too long",
        "It is over: a late answer changes nothing. A broker.cancel came before.",
        [
            .required("action", .id, "which action"),
            .required("kind", ActionSchemas.kind, "what it was"),
            .call,
        ],
        Method.Example(
            "an answer",
            params: """
                {"action":"\(Sample.action)","kind":"answer","call":"\(Sample.call)"}
                """))

    private static let reset = notice(
        .reset, "Drop all calls",
        """
        The broker has none of this provider any more. It is for a provider that is denied while it has \
        calls (admin), and for one that comes back and says nothing of its calls; one that names them in provider.register finds in dropped what it has \
        to tear down. Back in time: broker_reset, and its calls are over. With a session in resume \
        that is over: grace_expired, or, of a session that the broker never had, broker_reset.
        """,
        [
            .required(
                "reason", .choice(["broker_reset", "admin", "grace_expired"], isOpen: true),
                "a stable word")
        ],
        Method.Example("back too late", params: #"{"reason":"grace_expired"}"#))

    private static let audio: [Member] = [
        .required("group", .id, "the group whose turn it is, by its oldest call"),
        .required("calls", .callIDs, "its calls"),
    ]
    private static let audioExample = Method.Example(
        "one call", params: #"{"group":"\#(Sample.call)","calls":["\#(Sample.call)"]}"#)

    private static let audioActivated = notice(
        .audioActivated, "Microphone and speaker may be used",
        "Until audio.deactivated for the same group, and never without.", audio, audioExample)

    private static let audioDeactivated = notice(
        .audioDeactivated, "Microphone and speaker must be left alone",
        "Comes before the next group, of whichever provider, gets its audio.activated.", audio,
        audioExample)

    private static let presentation = notice(
        .presentation, "How a call that comes in is to sound is different now",
        """
        Sent to an app that has named the feature presentation in its hello, for a call that rings or waits: \
        a screen rings for it, or does no longer, the user has silenced it, or somebody talks. What the reply \
        to call.report_incoming said counts until then. After a reconnection each such call is told once.
        """,
        [
            .call,
            .required(
                "presentation", .words(Presentation.self, isOpen: true),
                "ring, a short tone, or silent"),
        ],
        Method.Example(
            "a screen rings", params: #"{"call":"\#(Sample.call)","presentation":"silent"}"#))

    private static let authorizationChanged = notice(
        .authorizationChanged, "The user has said whether the app may be a provider",
        """
        An app that may not gets unentitled for every call that it reports. One that is denied loses the \
        calls that it has: provider.reset follows.
        """,
        [.required("status", .words(Authorization.self), "how it is now")],
        Method.Example("no", params: #"{"status":"denied"}"#))
}
