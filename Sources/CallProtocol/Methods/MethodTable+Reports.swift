internal import BrokerRPC
internal import CallModel

/// What providers report about their calls.
extension MethodTable {
    static let reportRows = [
        reportIncoming, reportConnecting, reportConnected, reportHeld, reportMuted, reportGroup,
        reportMissed, reportUpdate, reportEnded,
    ]

    private static let errors: [ErrorCode] = [.permissionDenied, .notFound, .invalidState]

    private static func report(
        _ name: MethodName, _ summary: String, _ details: String, _ params: [Member],
        errors: [ErrorCode] = errors, examples: [Method.Example]
    ) -> Method {
        Method(
            name: name, direction: .toBroker, form: .request(result: [.seq], deadlineMS: 5_000),
            roles: .provider, summary: summary, details: details, params: params, errors: errors,
            examples: examples)
    }

    private static let reportIncoming = Method(
        name: .reportIncoming, direction: .toBroker,
        form: .request(
            result: [
                .call,
                .required(
                    "state", .choice(["ringing", "waiting"], isOpen: true),
                    "waiting: behind another call"),
                .required(
                    "presentation", .words(Presentation.self, isOpen: true),
                    "what the app may sound; tone: somebody talks already, so at most a short tone"),
                .seq,
            ], deadlineMS: 10_000),
        roles: .provider,
        summary: "A call comes in",
        details: """
            The provider chooses the call's id and never uses it again. It rings only after the \
            reply, and as the reply says. An error means that the call must not ring: the reason \
            tells whether a filter, a limit or an emergency is in the way.
            """,
        params: [
            .required("call", .id, "names the call, and no other ever after"),
            .required("remote", .handle, "who calls"),
        ] + CallSchemas.properties + [
            .optional("received_at_ms", .count, "when the provider learnt of it")
        ],
        errors: [
            .permissionDenied, .notFound, .alreadyExists, .invalidState, .limitReached, .filtered,
            .stopping,
        ],
        examples: [
            Method.Example(
                "nothing else is there",
                params: """
                    {"call":"\(Sample.call)","remote":\(Sample.remote),"display_name":"Ada",\
                    "supports_grouping":false}
                    """,
                result: """
                    {"call":"\(Sample.call)","state":"ringing","presentation":"ring","seq":42}
                    """)
        ])

    private static let reportConnecting = report(
        .reportConnecting, "The other side has taken the call",
        "Media is being set up. Fulfils a start that is still open.", [.call, .atMS],
        examples: [one("just now")])

    private static let reportConnected = report(
        .reportConnected, "Both sides can talk",
        """
        Fulfils a start or an answer that is still open. For a call that rings or is held, and that \
        nobody asked to speak, it is a request for the audio: if the live call cannot be held, the \
        provider is told to hold this one.
        """, [.call, .atMS], examples: [one("just now")])

    private static let reportHeld = report(
        .reportHeld, "The app has held or resumed a call by itself",
        """
        It is recorded, and not sent back as an action. That a held call speaks again is a request \
        for the audio, as with call.report_connected.
        """,
        [.call, .required("held", .boolean, "whether it is held now"), .atMS],
        examples: [one("held", #","held":true"#)])

    private static let reportMuted = report(
        .reportMuted, "The app has muted or unmuted a call by itself",
        "Mute belongs to a group: the other members are muted or unmuted too.",
        [.call, .required("muted", .boolean, "whether the microphone is off now"), .atMS],
        examples: [one("muted", #","muted":true"#)])

    private static let reportGroup = report(
        .reportGroup, "The app has grouped or split its calls by itself",
        "It is recorded as it is, beyond the limits of the provider too.",
        [
            .call,
            .required(
                "with", .nullable(.id), "a call of the group it is in now; null: it is alone"),
            .atMS,
        ],
        examples: [
            one("joined", #","with":"\#(Sample.otherCall)""#), one("split off", #","with":null"#),
        ])

    private static let reportMissed = report(
        .reportMissed, "A call was over before it could ring",
        "It goes into the history and nowhere else.",
        [
            .required("call", .id, "names the call, and no other ever after"),
            .required("remote", .handle, "who called"),
        ] + CallSchemas.properties + [
            .required(
                "reason", .choice(MissedReasons(rawValue: .max).names, isOpen: false),
                "why it did not ring"),
            .required("at_ms", .count, "when it came"),
        ],
        errors: [.permissionDenied, .notFound, .alreadyExists],
        examples: [
            one(
                "the caller gave up",
                #","remote":\#(Sample.remote),"reason":"caller_gave_up","at_ms":\#(Sample.at)"#)
        ])

    private static let reportUpdate = report(
        .reportUpdate, "Something about a call has changed",
        "What is left out stays, null goes back to the default. Say early what cannot be done.",
        [.call] + CallSchemas.update,
        examples: [
            one("a name, and no hold", #","display_name":"Ada","supports_holding":false"#)
        ])

    private static let reportEnded = report(
        .reportEnded, "The other side has ended the call, or it failed",
        "Not for the app's own user hanging up: that is a request for call.end.",
        [
            .call,
            .required(
                "reason",
                .choice(
                    EndReason.allCases.filter(\.isReportable).map(\.rawValue), isOpen: false),
                "why it is over"),
            .atMS,
        ],
        examples: [one("hung up", #","reason":"remote_ended""#)])

    private static func one(_ name: String, _ members: String = "") -> Method.Example {
        Method.Example(
            name, params: #"{"call":"\#(Sample.call)"\#(members)}"#, result: Sample.seq)
    }
}
