internal import CallModel

extension TopicTable {
    private static let cause = Member.required("cause", .cause, "why")
    private static let aboutCall = #","call":"\#(Sample.call)""#
    private static let aboutProvider = #","provider":"\#(Sample.provider)""#
    private static let aboutBoth = aboutCall + aboutProvider

    // MARK: - Calls

    static let callRows = [
        TopicRow(
            .callAdded, "There is a new call",
            "A call that a filter looks at is not told of before it may ring.",
            data: CallSchemas.call + [cause],
            example: ringing + #","cause":{"origin":"provider","rule":"1"}"#, about: aboutCall),
        TopicRow(
            .callChanged, "A call has changed",
            "With the whole call. A change of `allowed` alone is none; call.allowed_changed tells of it.",
            data: CallSchemas.call + [
                .required(
                    "changed",
                    .array(
                        .choice(ChangedProperties(rawValue: .max).names, isOpen: true),
                        count: 0...64), "the members that are different now"),
                cause,
            ],
            example: ringing + #","changed":["state"],"cause":\#(Sample.cause)"#,
            about: aboutCall),
        TopicRow(
            .allowedChanged, "The user may do something else with a call",
            """
            Another call has changed, say, and this one has not. It has no number of its own: who was behind, \
            or goes on from a cursor, is told of every call. With more than 32 calls nobody is told.
            """,
            data: CallSchemas.choices,
            example: """
                "call":"\(Sample.call)","allowed":["end","hold"],"can_hold_now":true
                """, about: aboutCall),
        TopicRow(
            .callRemoved, "A call is over and forgotten",
            "Comes at once after its last call.changed, which has the reason.",
            data: [.call, cause],
            example: #""call":"\#(Sample.call)","cause":\#(Sample.cause)"#, about: aboutCall),
        TopicRow(
            .callRefused, "An incoming call was refused before it could ring",
            "Nobody has seen it; where the rules say so it is in the history as missed.",
            data: [
                .call,
                .required("rule", .rule, "by which rule"),
                .required("reason", .reason, "as in the error that the provider got"),
                cause,
                .optional("because_of", .id, "the call in the way"),
            ],
            example: """
                "call":"\(Sample.call)","rule":"3","reason":"max_ringing",\
                "cause":{"origin":"arbitration","rule":"3"}
                """, about: aboutBoth),
        TopicRow(
            .dialRefused, "An address was asked for with call.dial, and is not called",
            """
            Whoever follows a link sees no error: a screen shows this. The address is left out, as it \
            may be anything. A dry run tells nothing, nor does what is refused because the broker \
            stops. The origin app is an app that asked for itself, and knows.
            """,
            data: [
                .required("reason", .reason, "as in the error that whoever asked got"),
                .required("message", .string(bytes: 0...1_024), "a sentence for people"),
                .optional("hint", .string(bytes: 0...4_096), "what to do about it"),
                .optional("scheme", .string(bytes: 1...64), "of the address, if it has one"),
                .optional(
                    "transaction", .id, "if its call was begun: transaction.completed came before"),
                cause,
            ],
            example: """
                "reason":"unknown_provider","message":"there is no such provider",\
                "hint":"start an app that can place the call; provider.list shows what is there",\
                "scheme":"tel","cause":{"origin":"user"}
                """),
        TopicRow(
            .resumeOffered, "A held call could come back",
            "Nothing is in its way any more, and nobody here has ended what was (rules 16 and 17).",
            data: [
                .call,
                .required("rule", .rule, "by which rule"),
                cause,
                .optional("because_of", .id, "the call that has ended"),
            ],
            example: """
                "call":"\(Sample.call)","rule":"17","cause":{"origin":"remote","rule":"17"},\
                "because_of":"\(Sample.otherCall)"
                """, about: aboutCall),
    ]

    private static let ringing = Sample.members(
        ofCall: Sample.call, "ringing", Sample.answers)

    // MARK: - Transactions and actions

    static let transactionRows = [
        TopicRow(
            .transactionAccepted, "A transaction was checked and begins",
            "Its actions are those that were planned; some may come to be needed later.",
            data: ActionSchemas.report + [cause],
            example: Sample.members(ofTransaction: "answer") + #","cause":{"origin":"user"}"#),
        TopicRow(
            .transactionCompleted, "A transaction is over",
            """
            Well or not, as its state says. Whoever asked for it gets this without a subscription. If it \
            failed, refusal is the error of the first action that did, as the reply with wait completed \
            has it; what the app says of it is in its data as provider_error.
            """,
            data: ActionSchemas.report + [cause],
            example: Sample.members(ofTransaction: "answer", "completed", action: "fulfilled")
                + #","cause":{"origin":"user"}"#),
    ]

    static let actionRows = [
        action(.actionDispatched, "An action was sent to its provider", "dispatched"),
        action(.actionFulfilled, "An action is done", "fulfilled"),
        action(.actionFailed, "A provider said no to an action, or is gone", "failed"),
        action(.actionTimedOut, "A provider took too long for an action", "timed_out"),
        TopicRow(
            .actionLate, "An answer to an action that was over already",
            "It changes nothing. Of an action that was settled long ago only the id is known.",
            data: [
                .required("action", .id, "which action"),
                .required("provider", .identity, "who answered"),
                .optional("kind", ActionSchemas.kind, "what it was"),
                .optional("call", .id, "for which call"),
                .optional("transaction", .id, "what it was a part of"),
            ],
            example: """
                "action":"\(Sample.action)","provider":"\(Sample.provider)","kind":"answer",\
                "call":"\(Sample.call)","transaction":"\(Sample.transaction)"
                """,
            about: aboutProvider),
    ]

    private static func action(_ topic: Topic, _ summary: String, _ state: String) -> TopicRow {
        let failure = #","failure":{"code":-32000,"reason":"remote_refused","message":"refused"}"#
        let more = [Topic.actionFailed: failure, .actionDispatched: #","arguments":{}"#][topic]
        let arguments = Member.required(
            "arguments", .map, "what the kind needs, as in the method of the same name")
        return TopicRow(
            topic, summary, "What it means for the call comes as call.changed.",
            data: [
                .required("action", .id, "which action"),
                .required("kind", ActionSchemas.kind, "what it is"),
                .required("call", .id, "for which call"),
                .required("provider", .identity, "by whom"),
                .required("transaction", .id, "what it is a part of"),
                .required("state", .words(ActionState.self), "where it is now"),
                .required("attempt", .count, "1, or more after a reconnection"),
                .optional("failure", ActionSchemas.failure, "why not"),
            ] + (topic == .actionDispatched ? [arguments] : []),
            example: """
                "action":"\(Sample.action)","kind":"answer","call":"\(Sample.call)",\
                "provider":"\(Sample.provider)","transaction":"\(Sample.transaction)",\
                "state":"\(state)","attempt":1\(more ?? "")
                """, about: aboutBoth)
    }

    // MARK: - Providers

    static let providerRows = [
        provider(.providerAdded, "A provider has registered", "It may have calls from now on."),
        provider(
            .providerChanged, "A provider has changed what it says of itself",
            "With the whole provider."),
        provider(
            .providerResumed, "A provider has come back",
            "Within its grace. What becomes of its calls is told for each of them."),
        TopicRow(
            .providerLost, "The connection of a provider is gone",
            "Its calls wait for it to come back.",
            data: [
                .required("provider", .identity, "which provider"),
                .required("grace_ms", .count, "how long they wait"),
                .required("calls", .callIDs, "its calls"),
            ],
            example: """
                "provider":"\(Sample.provider)","grace_ms":5000,"calls":["\(Sample.call)"]
                """,
            about: aboutProvider),
        TopicRow(
            .providerRemoved, "A provider is gone",
            """
            The calls that it had end, each with an event of its own. The reason grace_expired says \
            that it had calls and did not come back in time, disconnected that it had none: then \
            nothing waits for it.
            """,
            data: [
                .required("provider", .identity, "which provider"),
                .required(
                    "reason",
                    .choice(
                        [
                            "unregistered", "process_exited", "grace_expired", "disconnected",
                            "revoked",
                        ], isOpen: true), "a stable word"),
            ],
            example: #""provider":"\#(Sample.provider)","reason":"unregistered""#,
            about: aboutProvider),
    ]

    private static func provider(
        _ topic: Topic, _ summary: String, _ details: String
    ) -> TopicRow {
        TopicRow(
            topic, summary, details, data: ProviderSchemas.provider,
            example: Sample.providerMembers, about: aboutProvider)
    }

    // MARK: - The host

    static let hostRows = [
        TopicRow(
            .hostChanged, "What could be asked for may be different now",
            "A screen reads again the calls that it shows.",
            data: HostSchemas.facts, example: HostSchemas.sample),
        TopicRow(
            .audioChanged, "Microphone and speaker belong to another group",
            "Its provider was told first.",
            data: [
                .required("from", .nullable(.id), "the group that had them; null for none"),
                .required("to", .nullable(.id), "the group that has them now; null for none"),
                cause,
            ],
            example: #""from":null,"to":"\#(Sample.call)","cause":\#(Sample.cause)"#),
        TopicRow(
            .policyChanged, "The policy has changed",
            "With the whole policy.",
            data: [
                .required(
                    "changed", .array(.string(bytes: 1...64), count: 0...64),
                    "the members that are different now"),
                .required("policy", PolicySchemas.policy, "as it is now"),
            ],
            example: #""changed":["on_cannot_hold"],"policy":\#(Sample.policy)"#),
        TopicRow(
            .historyChanged, "The history has changed",
            "How many missed calls the user has not seen yet: what a badge shows.",
            data: [.required("missed", .count, "missed calls that are new to the user")],
            example: #""missed":2"#),
        TopicRow(
            .anomaly, "Something that should not happen",
            "Its word never changes, so that it can be counted.",
            data: [
                .required("anomaly", .choice(anomalies, isOpen: true), "what it is"),
                .optional("call", .id, "which call"),
                .optional("provider", .identity, "which provider"),
                .optional("detail", .string(bytes: 0...1_024), "a sentence"),
            ],
            example: #""anomaly":"provider_silent","call":"\#(Sample.call)""#, about: aboutCall),
        TopicRow(
            .bookmark, "Nothing has happened",
            "Comes after 30 s of silence, so that a cursor moves on; its seq is the latest there is.",
            data: [.required("seq", .count, "the latest number")], example: #""seq":42"#),
        TopicRow(
            .stopping, "The broker is about to stop",
            "A broker.goodbye follows.",
            data: [
                .required("reason", .reason, "as in the goodbye"),
                .optional("detail", .string(bytes: 0...1_024), "a sentence"),
            ],
            example: #""reason":"stopping""#),
        TopicRow(
            .pluginState, "A plugin is in another state",
            "With what it wrote last, where it has failed.",
            data: [
                .required("plugin", .identity, "which plugin"),
                .required("state", PluginSchemas.state, "the state it is in"),
                .required("previous", PluginSchemas.state, "the state it was in"),
                .optional("exit", PluginSchemas.exit, "how its process ended, if it has"),
                .optional("failure", PluginSchemas.failure, "why it has failed, if it has"),
                .required("stderr", PluginSchemas.lastLines, "the last lines that it wrote"),
            ],
            example: """
                "plugin":"\(Sample.provider)","state":"backoff","previous":"ready",\
                "exit":{"code":1},"failure":"exited","stderr":["no audio device"]
                """),
        TopicRow(
            .pluginLog, "A plugin has written a line",
            """
            For admins who name this topic: no pattern does. A line takes no number: its seq is that \
            of the latest event. Lines that are kept are told to a slow reader later; a gap says that \
            some are not. Of a plugin that writes too fast a line with dropped tells, once in a second, \
            how many are left out. What came before is in plugin.logs.
            """,
            data: [.required("plugin", .identity, "which plugin")] + PluginSchemas.logLine,
            example: """
                "plugin":"\(Sample.provider)","number":7,"at_ms":\(Sample.at),\
                "text":"no audio device"
                """),
    ]

    private static let anomalies = [
        "start_silent", "dial_stuck", "provider_silent", "group_over_limit", "video_undeclared",
        "active_unasked", "provider_hung", "emergency_claimed",
    ]
}
