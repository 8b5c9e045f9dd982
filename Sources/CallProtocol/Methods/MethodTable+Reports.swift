internal import BrokerRPC
internal import CallModel

/// The methods with which providers report changes of their calls.
extension MethodTable {
    static let reportRows = [
        reportIncoming, reportAlerting, reportConnecting, reportConnected, reportHeld, reportMuted,
        reportGroup,
        reportMissed, reportUpdate, reportEnded, reportExternal, reportQuality, reportVideoRequest,
    ]

    private static let errors: [ErrorCode] = [.permissionDenied, .notFound, .invalidState]

    private static func report(
        _ name: MethodName, _ decoding: Decoding, _ summary: String, _ details: String,
        _ params: [Member], errors: [ErrorCode] = errors, examples: [Method.Example]
    ) -> Method {
        Method(
            name: name, direction: .toBroker(decoding),
            form: .request(result: [.seq], deadlineMS: 5_000), roles: .provider, summary: summary,
            details: details, params: params, errors: errors,
            examples: examples)
    }

    private static let incomingResult: [Member] = [
        .call,
        .required(
            "state", .choice(["ringing", "waiting"], isOpen: true),
            "`waiting`: behind another call"),
        .required(
            "presentation", .words(Presentation.self, isOpen: true),
            "how the app may ring; `tone`: the user is in a call, so at most a short tone"),
        .optional("dry_run", .boolean, "true for a dry run"),
        .optional("rule", .string(bytes: 1...8), "in a dry run: the rule that decides"),
        .optional(
            "unasked", .array(.identity, count: 0...64),
            "in a dry run: the filters that a report would start; they may decide otherwise"),
        .seq,
    ]

    static let mayRing = Method(
        name: .mayRing, direction: .toBroker(.request { .controller(.mayRing($0)) }),
        form: .request(result: incomingResult, deadlineMS: 10_000), roles: .asking,
        summary: "Asks whether a call would ring",
        details: """
            For programs beside an app, such as the dial plan of a PBX: the reply, or the error, is \
            that of a dry run of `call.report_incoming` by the app, also by one that a call can start \
            and that does not run. Its `call` is of this request only. Nothing is recorded, \
            published or started.
            """,
        params: [
            .required("provider", .identity, "the app that would report the call"),
            .required("remote", .handle, "the caller"),
        ] + CallSchemas.properties,
        errors: [
            .permissionDenied, .notFound, .invalidState, .limitReached, .filtered, .stopping,
        ],
        examples: [
            Method.Example(
                "beside a live call",
                params: #"{"provider":"\#(Sample.provider)","remote":\#(Sample.remote)}"#,
                result: """
                    {"dry_run":true,"call":"\(Sample.call)","state":"waiting",\
                    "presentation":"tone","rule":"2","seq":42}
                    """)
        ])

    private static let reportIncoming = Method(
        name: .reportIncoming, direction: .toBroker(.request { .report(.incoming($0)) }),
        form: .request(result: incomingResult, deadlineMS: 10_000),
        roles: .provider,
        summary: "Reports an incoming call",
        details: """
            The provider chooses the id of the call, and never reuses it. The app rings only after the \
            reply, and as the reply says. An error means that the call must not ring: the reason \
            names the filter, the limit or the emergency in the way. A dry run asks the filters that \
            run, and replies as a report would: nothing is recorded, published or started.
            """,
        params: [
            .required("call", .id, "the id of the call, never used again"),
            .required("remote", .handle, "the caller"),
        ] + CallSchemas.properties + [
            .optional("received_at_ms", .count, "when the provider received the call"),
            .optional("dry_run", .boolean, "whether to return only what would happen"),
        ],
        errors: [
            .permissionDenied, .notFound, .alreadyExists, .invalidState, .limitReached, .filtered,
            .stopping,
        ],
        examples: [
            Method.Example(
                "an idle host",
                params: """
                    {"call":"\(Sample.call)","remote":\(Sample.remote),"display_name":"Ada",\
                    "supports_grouping":false}
                    """,
                result: """
                    {"call":"\(Sample.call)","state":"ringing","presentation":"ring","seq":42}
                    """),
            Method.Example(
                "a dry run beside a live call",
                params: """
                    {"call":"\(Sample.call)","remote":\(Sample.remote),"dry_run":true}
                    """,
                result: """
                    {"dry_run":true,"call":"\(Sample.call)","state":"waiting",\
                    "presentation":"tone","rule":"2","seq":42}
                    """),
        ])

    private static let reportAlerting = report(
        .reportAlerting, .request { .report(.alerting($0)) },
        "Reports that the remote party's device rings",
        "Fulfills a pending start. May be repeated, as sound may begin later.",
        [
            .call,
            .optional(
                "has_early_media", .boolean,
                "whether the remote side sends sound before its answer; unchanged if left out"),
            .atMS,
        ],
        examples: [
            one("it rings"),
            one("with the network's own ringback tone", #","has_early_media":true"#),
        ])

    private static let reportConnecting = report(
        .reportConnecting, .request { .report(.connecting($0)) },
        "Reports that the remote party has answered",
        "Media is being set up. Fulfills a pending start.", [.call, .atMS],
        examples: [one("now")])

    private static let reportConnected = report(
        .reportConnected, .request { .report(.connected($0)) }, "Reports that both sides can talk",
        """
        Fulfills a pending start or answer. Without one, for a ringing or held call, the report is a \
        request for the audio: if the live call cannot be held, the provider is asked to hold this one.
        """, [.call, .atMS], examples: [one("now")])

    private static let reportVideoRequest = report(
        .reportVideoRequest, .request { .report(.videoRequest($0)) },
        "Reports that the remote party asks for video",
        """
        The user is asked: the call has `video_request` until the user has decided, which is the \
        action set_video, or for `video_request_ms` of the policy. No camera is sent before that. \
        Null withdraws the request.
        """,
        [
            .call,
            .required(
                "video", .nullable(.choice(["send", "receive", "both"], isOpen: false)),
                "the direction that this side would have; null: no longer"),
            .atMS,
        ],
        examples: [
            one("both would see each other", #","video":"both""#),
            one("withdrawn", #","video":null"#),
        ])

    private static let reportHeld = report(
        .reportHeld, .request { .report(.held($0)) },
        "Reports that the app has held or resumed a call on its own",
        """
        The state is recorded, and not sent back as an action. Resuming a held call is a request for \
        the audio, as in call.report_connected.
        """,
        [.call, .required("held", .boolean, "whether the call is held"), .atMS],
        examples: [one("held", #","held":true"#)])

    private static let reportMuted = report(
        .reportMuted, .request { .report(.muted($0)) },
        "Reports that the app has muted or unmuted a call on its own",
        "Applies to the group: the other members are muted or unmuted, too.",
        [.call, .required("muted", .boolean, "whether the call is muted"), .atMS],
        examples: [one("muted", #","muted":true"#)])

    private static let reportGroup = report(
        .reportGroup, .request { .report(.group($0)) },
        "Reports that the app has merged or split its calls on its own",
        "Accepted as it is, even beyond the provider's limits.",
        [
            .call,
            .required(
                "with", .nullable(.id), "a call of the group that it belongs to; null: it is alone"),
            .atMS,
        ],
        examples: [
            one("joined", #","with":"\#(Sample.otherCall)""#),
            one("a call split off", #","with":null"#),
        ])

    private static let reportMissed = report(
        .reportMissed, .request { .report(.missed($0)) },
        "Reports a call that was missed while the provider was away",
        "The call is added to the history only.",
        [
            .required("call", .id, "the id of the call, never used again"),
            .required("remote", .handle, "the caller"),
        ] + CallSchemas.properties + [
            .required(
                "reason", .choice(MissedReasons(rawValue: .max).names, isOpen: false),
                "why the call was missed"),
            .required("at_ms", .count, "when the call arrived"),
        ],
        errors: [.permissionDenied, .notFound, .alreadyExists],
        examples: [
            one(
                "the caller hung up",
                #","remote":\#(Sample.remote),"reason":"caller_gave_up","at_ms":\#(Sample.at)"#)
        ])

    private static let reportUpdate = report(
        .reportUpdate, .request { .report(.update($0)) }, "Reports changed properties of a call",
        "Absent members keep their values; null restores the default. Report missing capabilities early.",
        [.call] + CallSchemas.update,
        examples: [
            one("a name, without hold", #","display_name":"Ada","supports_holding":false"#)
        ])

    private static let reportEnded = report(
        .reportEnded, .request { .report(.ended($0)) },
        "Reports that the remote party has ended the call, or that it failed",
        "Not for a user who hangs up in the app: send call.end for that.",
        [
            .call,
            .required(
                "reason",
                .choice(
                    EndReason.allCases.filter(\.isReportable).map(\.rawValue), isOpen: false),
                "why the call ended"),
            .optional("end_detail", .endDetail, "the app's own words for it"),
            .optional(
                "elsewhere", .elsewhere, "the device that has answered or declined it instead"),
            .atMS,
        ],
        examples: [
            one("the remote party hung up", #","reason":"remote_ended""#),
            one("busy", #","reason":"remote_ended","end_detail":{"code":"SIP 486"}"#),
            one(
                "on another device",
                #","reason":"answered_elsewhere","elsewhere":"Kitchen phone""#),
        ])

    private static let reportExternal = report(
        .reportExternal, .request { .report(.external($0)) },
        "Reports a call that is live on another device of the same account",
        """
        The call is listed, in the state external, and takes no part in anything else. With \
        supports_pull the user may pull it here, which is an answer: the provider gets the action \
        answer. A further report changes its properties; call.report_ended removes it.
        """,
        [
            .required("call", .id, "the id of the call, never used for another"),
            .optional(
                "direction", .words(Direction.self), "the direction there; incoming if left out"),
            .optional("remote", .nullable(.handle), "the remote party"),
        ] + CallSchemas.properties + [
            .optional("at_ms", .count, "when the call began; now if left out")
        ],
        errors: errors + [.alreadyExists, .limitReached],
        examples: [
            one(
                "a call in the kitchen",
                #","remote":\#(Sample.remote),"elsewhere":"Kitchen phone","supports_pull":true"#)
        ])

    private static func one(_ name: String, _ members: String = "") -> Method.Example {
        Method.Example(
            name, params: #"{"call":"\#(Sample.call)"\#(members)}"#, result: Sample.seq)
    }
}

extension MethodTable {
    private static let reportQuality = report(
        .reportQuality, .request { .report(.quality($0)) },
        "Reports how well the sound of a call is transmitted",
        """
        Published as call.quality, and a part of the call's time line. Every few seconds, as RTCP \
        measures it: of several reports about a call within a second the first counts.
        """,
        [.call] + CallSchemas.quality,
        examples: [
            one("as measured", #","loss_permille":12,"jitter_ms":8,"round_trip_ms":45"#)
        ])
}
