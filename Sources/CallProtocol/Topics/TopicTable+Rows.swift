internal import CallModel

extension TopicTable {
    private static let cause = Member.required("cause", .cause, "the cause")
    private static let changed = Member.required(
        "changed",
        .array(.choice(ChangedProperties(rawValue: .max).names, isOpen: true), count: 0...64),
        "the changed members")
    private static let aboutCall = #","call":"\#(Sample.call)""#
    private static let aboutProvider = #","provider":"\#(Sample.provider)""#
    private static let aboutBoth = aboutCall + aboutProvider

    // MARK: - Calls

    static let callRows = [
        TopicRow(
            .callAdded, "A call was added",
            "A call that is being filtered is added when it may ring.",
            data: CallSchemas.call + [cause],
            example: ringing + #","cause":{"origin":"provider","rule":"1"}"#, about: aboutCall),
        TopicRow(
            .callChanged, "A call has changed",
            """
            Contains the whole call. For a subscriber with `detail` changes `data` has, instead, the \
            members with new values (`set`) and the names of those that are gone (`removed`), unless \
            the broker has no event of the call before. A change of `allowed` alone is published as \
            call.allowed_changed.
            """,
            data: CallSchemas.call + [changed, cause],
            changes: [
                .required("set", .map, "the members of the call with new values"),
                .optional(
                    "removed", .array(.string(bytes: 1...64), count: 1...64),
                    "the members that the call has no more"),
                changed, cause,
            ],
            example: ringing + #","changed":["state"],"cause":\#(Sample.cause)"#,
            about: aboutCall),
        TopicRow(
            .allowedChanged, "The allowed actions of a call have changed",
            """
            Published when only `allowed` has changed, for example because of another call. Not \
            numbered: after a gap or with a cursor, it is sent for every call. Not published while \
            there are more than 32 calls.
            """,
            data: CallSchemas.choices,
            example: """
                "call":"\(Sample.call)","allowed":["end","hold"],"can_hold_now":true
                """, about: aboutCall),
        TopicRow(
            .callRemoved, "A call was removed",
            "Published directly after the last call.changed, which has the end reason.",
            data: [.call, cause],
            example: #""call":"\#(Sample.call)","cause":\#(Sample.cause)"#, about: aboutCall),
        TopicRow(
            .callRefused, "An incoming call was refused, or the headset button could not answer it",
            """
            A call that was refused before it could ring was not added; it is in the history as missed \
            if the rules say so. If a rule refuses to let the button answer a call, the call rings on, \
            and a screen can ask the user (rule 38).
            """,
            data: [
                .call,
                .required("rule", .rule, "the deciding rule"),
                .required("reason", .reason, "the reason, as in the provider's error"),
                cause,
                .optional("because_of", .id, "the call in the way"),
            ],
            example: """
                "call":"\(Sample.call)","rule":"3","reason":"max_ringing",\
                "cause":{"origin":"arbitration","rule":"3"}
                """, about: aboutBoth),
        TopicRow(
            .dialRefused, "A request for call.dial was refused or has failed",
            """
            For screens: a user who follows a link sees no error otherwise. The address is left out, \
            since it can contain anything. Not published for dry runs, nor while the broker is \
            stopping. The origin `app` is an app that requested the call itself, and got the error.
            """,
            data: [
                .required("reason", .reason, "the reason, as in the client's error"),
                .required("message", .string(bytes: 0...1_024), "a sentence for people"),
                .optional("hint", .string(bytes: 0...4_096), "a remedy"),
                .optional("scheme", .string(bytes: 1...64), "the URI scheme, if there is one"),
                .optional(
                    "transaction", .id,
                    "present if the call was started, and transaction.completed was published before"
                ),
                cause,
            ],
            example: """
                "reason":"unknown_provider","message":"there is no such provider",\
                "hint":"start an app that can place the call; provider.list shows what is there",\
                "scheme":"tel","cause":{"origin":"user"}
                """),
        TopicRow(
            .resumeOffered, "A held call can be resumed",
            """
            The host is quiet, and a group that was held for another call is not resumed automatically \
            (rules 16 and 17). Published once; the call has `resume_offered` while the offer stands.
            """,
            data: [
                .call,
                .required("rule", .rule, "the deciding rule"),
                cause,
                .optional("because_of", .id, "the ended call"),
            ],
            example: """
                "call":"\(Sample.call)","rule":"17","cause":{"origin":"remote","rule":"17"},\
                "because_of":"\(Sample.otherCall)"
                """, about: aboutCall),
        quality, participants, text,
    ]

    private static let participants = TopicRow(
        .participantsChanged, "The participants of a conference have changed",
        """
        Of a conference that the far end runs. `replace`: all who were known before are gone, but for \
        those in `changed`. Published by the app's reports, so a long list comes in several; \
        participant.list has all of them.
        """,
        data: [.call, .required("count", .count, "the number of participants now")]
            + ParticipantSchemas.change,
        example: """
            "call":"\(Sample.call)","count":2,"changed":[{"participant":"9","name":"Grace","state":"joined",\
            "muted":true,"hand_raised":false,"self":false}],"removed":[]
            """, about: aboutCall)

    private static let text = TopicRow(
        .callText, "Real-time text of a call",
        """
        What was typed on either side, in order; a backspace (U+0008) erases one character, a line \
        separator (U+2028) begins a line. For clients that have named the feature `text` and see \
        numbers and names. The broker keeps no text beyond its latest events.
        """,
        data: [.call] + TextSchemas.text,
        example: #""call":"\#(Sample.call)","from":"remote","text":"hel""#, about: aboutCall)

    private static let quality = TopicRow(
        .callQuality, "The quality of a call was reported",
        """
        As its app measures it, for screens; about once in a few seconds, once in a second at most. \
        Not numbered: after a gap the next one follows.
        """,
        data: [.call] + CallSchemas.quality,
        example: #""call":"\#(Sample.call)","loss_permille":12,"jitter_ms":8"#, about: aboutCall)

    private static let ringing = Sample.members(
        ofCall: Sample.call, "ringing", Sample.answers)

    // MARK: - Transactions and actions

    static let transactionRows = [
        TopicRow(
            .transactionAccepted, "A transaction was accepted",
            "Contains the planned actions; more may be added later.",
            data: ActionSchemas.report + [cause],
            example: Sample.members(ofTransaction: "answer") + #","cause":{"origin":"user"}"#),
        TopicRow(
            .transactionCompleted, "A transaction was completed",
            """
            Successfully or not: see `state`. The requesting client gets the event without a \
            subscription. After a failure, `refusal` is the error of the first failed action, as in the \
            reply with `wait` `completed`; its `data.provider_error` has the app's reason.
            """,
            data: ActionSchemas.report + [cause],
            example: Sample.members(ofTransaction: "answer", "completed", action: "fulfilled")
                + #","cause":{"origin":"user"}"#),
    ]

    static let actionRows = [
        action(.actionDispatched, "An action was sent to its provider", "dispatched"),
        action(.actionFulfilled, "An action was performed", "fulfilled"),
        action(.actionFailed, "An action has failed: its provider refused, or is gone", "failed"),
        action(.actionTimedOut, "An action has timed out", "timed_out"),
        TopicRow(
            .actionLate, "A late reply to an action",
            """
            The result of the action stays. A late success is reconciled (rule 29): a call that was \
            started or answered too late is ended at its provider, and a late hold or resume counts as \
            a report. For an action that was settled long ago only the id is known.
            """,
            data: [
                .required("action", .id, "the action"),
                .required("provider", .identity, "the provider"),
                .optional("kind", ActionSchemas.kind, "the kind"),
                .optional("call", .id, "the call"),
                .optional("transaction", .id, "its transaction"),
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
            "arguments", .map, "the arguments, as in the method for the kind")
        return TopicRow(
            topic, summary, "The effect on the call is published as call.changed.",
            data: [
                .required("action", .id, "the action"),
                .required("kind", ActionSchemas.kind, "the kind"),
                .required("call", .id, "the call"),
                .required("provider", .identity, "the provider"),
                .required("transaction", .id, "its transaction"),
                .required("state", .words(ActionState.self), "the state"),
                .required("attempt", .count, "1; higher when sent again after a reconnection"),
                .optional("failure", ActionSchemas.failure, "the reason"),
            ] + (topic == .actionDispatched ? [arguments] : []),
            example: """
                "action":"\(Sample.action)","kind":"answer","call":"\(Sample.call)",\
                "provider":"\(Sample.provider)","transaction":"\(Sample.transaction)",\
                "state":"\(state)","attempt":1\(more ?? "")
                """, about: aboutBoth)
    }

    // MARK: - Providers

    static let providerRows = [
        provider(.providerAdded, "A provider has registered", "The provider can have calls now."),
        provider(
            .providerChanged, "A provider has changed its registration",
            "Contains the whole provider."),
        provider(
            .providerResumed, "A provider has reconnected",
            "Within its grace period. Changes of its calls are published for each call."),
        TopicRow(
            .providerLost, "A provider has disconnected",
            "Its calls are kept for its grace period.",
            data: [
                .required("provider", .identity, "the provider"),
                .required("grace_ms", .count, "how long its calls are kept"),
                .required("calls", .callIDs, "its calls"),
            ],
            example: """
                "provider":"\(Sample.provider)","grace_ms":5000,"calls":["\(Sample.call)"]
                """,
            about: aboutProvider),
        TopicRow(
            .providerRemoved, "A provider was removed",
            """
            Its calls end, each with an event of its own. `grace_expired`: it had calls, and did not \
            reconnect in time. `disconnected`: it had no calls.
            """,
            data: [
                .required("provider", .identity, "the provider"),
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
            .hostChanged, "The state of the host has changed",
            "Screens read the calls that they show again.",
            data: HostSchemas.facts, example: HostSchemas.sample),
        TopicRow(
            .hostPresence, "What the user of the host is doing has changed",
            """
            One word for all calls, as for a busy light. Published at the end of what happens at one \
            moment: a swap changes nothing. Not numbered: after a gap or with a cursor, the current \
            presence is sent. The member `presence` of host.get.
            """,
            data: HostSchemas.presence,
            example: #""state":"in_call","since_ms":1763712000000"#),
        TopicRow(
            .audioChanged, "The audio was granted to another group",
            "Published after the messages to the providers.",
            data: [
                .required("from", .nullable(.id), "the group that had the audio; null for none"),
                .required("to", .nullable(.id), "the group that has the audio; null for none"),
                cause,
            ],
            example: #""from":null,"to":"\#(Sample.call)","cause":\#(Sample.cause)"#),
        TopicRow(
            .endpointsChanged, "The audio endpoints of the host have changed",
            "Contains all of them. The endpoints of an app are in its calls (call.changed).",
            data: [
                .required("endpoints", .endpoints, "the endpoints; none if nobody reports them")
            ],
            example: #""endpoints":[\#(Sample.speaker),\#(Sample.headset)]"#),
        TopicRow(
            .screenChanged, "Another screen is offered calls first",
            "Calls that are presented stay where they are. The member `screen` of host.get.",
            data: [
                .optional(
                    "screen", .identity, "the screen; left out if there is none")
            ],
            example: #""screen":"org.example.screen""#),
        TopicRow(
            .policyChanged, "The policy has changed",
            "Contains the whole policy.",
            data: [
                .required(
                    "changed", .array(.string(bytes: 1...64), count: 0...64),
                    "the changed members"),
                .required("policy", PolicySchemas.policy, "the policy"),
            ],
            example: #""changed":["on_cannot_hold"],"policy":\#(Sample.policy)"#),
        TopicRow(
            .historyChanged, "The history has changed",
            "Contains the number of missed calls that the user has not seen.",
            data: [.required("missed", .count, "missed calls that the user has not seen")],
            example: #""missed":2"#),
        TopicRow(
            .anomaly, "An anomaly occurred",
            "The words are stable, so that anomalies can be counted.",
            data: [
                .required("anomaly", .choice(anomalies, isOpen: true), "the kind"),
                .optional("call", .id, "the call"),
                .optional("provider", .identity, "the provider"),
                .optional("detail", .string(bytes: 0...1_024), "a sentence for people"),
            ],
            example: #""anomaly":"provider_silent","call":"\#(Sample.call)""#, about: aboutCall),
        TopicRow(
            .bookmark, "No events have occurred",
            "Published after 30 s of silence, so that cursors advance; seq is the latest number.",
            data: [.required("seq", .count, "the latest number")], example: #""seq":42"#),
        TopicRow(
            .stopping, "The broker is stopping",
            "A broker.goodbye follows.",
            data: [
                .required("reason", .reason, "the reason of the goodbye"),
                .optional("detail", .string(bytes: 0...1_024), "a sentence for people"),
            ],
            example: #""reason":"stopping""#),
        TopicRow(
            .pluginState, "The state of a plugin has changed",
            "After a failure, with the last lines of output.",
            data: [
                .required("plugin", .identity, "the plugin"),
                .required("state", PluginSchemas.state, "the new state"),
                .required("previous", PluginSchemas.state, "the former state"),
                .optional("exit", PluginSchemas.exit, "the exit of its process, if it has exited"),
                .optional("failure", PluginSchemas.failure, "the reason of a failure"),
                .required("stderr", PluginSchemas.lastLines, "its last lines of output"),
            ],
            example: """
                "plugin":"\(Sample.provider)","state":"backoff","previous":"ready",\
                "exit":{"code":1},"failure":"exited","stderr":["no audio device"]
                """),
        TopicRow(
            .pluginLog, "A plugin has written a line",
            """
            For admins who subscribe to the exact name; no pattern matches it. Lines are not numbered: \
            seq is that of the latest event. A slow reader gets kept lines later, and a gap for lost \
            ones. If a plugin writes too fast, a line with `dropped` reports once per second how many \
            lines were dropped. plugin.logs returns earlier lines.
            """,
            data: [.required("plugin", .identity, "the plugin")] + PluginSchemas.logLine,
            example: """
                "plugin":"\(Sample.provider)","number":7,"at_ms":\(Sample.at),\
                "text":"no audio device"
                """),
    ]

    static let anomalies = [
        "start_silent", "dial_stuck", "provider_silent", "group_over_limit", "video_undeclared",
        "active_unasked", "provider_hung", "emergency_claimed",
    ]
}
