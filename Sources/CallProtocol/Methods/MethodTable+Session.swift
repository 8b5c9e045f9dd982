internal import BrokerRPC

/// The methods of every client: the session, the protocol itself, the broker.
extension MethodTable {
    static let sessionRows = [
        hello, ping, info, describe, discover, cancel, progress, log, warning, goodbye, stats,
        shutdown,
    ]

    private static let hello = Method(
        name: .hello, direction: .toBroker(.request { .session(.hello($0)) }),
        form: .request(result: HelloResult.members, deadlineMS: 10_000),
        stage: .always, isAllowedInBatch: false,
        summary: "Opens the session",
        details: """
            The first request of a connection: chooses the protocol version, grants roles, and returns \
            the limits. Requests sent after it in the same write are handled after it. A failed hello \
            can be repeated; a connection without a hello or a ping for 10 s is closed.
            """,
        params: HelloParams.members,
        errors: [.versionUnsupported, .permissionDenied, .alreadyExists, .invalidState],
        examples: [
            Method.Example(
                "a controller",
                params: """
                    {"protocol":{"min":1,"max":1},"client":{"name":"example","version":"1.0"},\
                    "roles":["controller"]}
                    """,
                result: """
                    {"protocol":1,"broker":{"name":"callbroker","version":"0.1.0",\
                    "instance":"6f3c2f0e-6d0c-4d6a-9f0a-0c4b1f0d7a11"},\
                    "session":{"session":"1b4e28ba-2fa1-4d2b-883f-0016d3cca427","secret":"\
                    8a1f0c9be2d34567890abcdef0123456","resumed":false,"grace_ms":0},\
                    "granted_roles":["controller"],"denied_roles":[],\
                    "features":{"alerting":{"version":1,"granted":false}},\
                    "rights":{"calls":"all","redacted":false},\
                    "limits":{"frame_bytes":65536},\
                    "epoch":"6f3c2f0e-6d0c-4d6a-9f0a-0c4b1f0d7a11","seq":0,\
                    "clock":{"now_at_ms":1763712000000,"mono_ms":86400000},"options":{},\
                    "heartbeat_ms":10000}
                    """)
        ])

    private static let ping = Method(
        name: .ping, direction: .both(.request { .session(.ping($0)) }),
        form: .request(
            result: [.optional("payload", .any, "the payload of the ping")],
            deadlineMS: 10_000),
        stage: .always,
        summary: "Checks whether the other side responds",
        details: "Works in both directions and before the hello. Any reply counts.",
        params: [.optional("payload", .any, "returned unchanged")],
        examples: [
            Method.Example(
                "with a payload", params: #"{"payload":42}"#, result: #"{"payload":42}"#),
            Method.Example("bare", params: "{}", result: "{}"),
        ])

    private static let info = Method(
        name: .info, direction: .toBroker(.bare(.session(.info))),
        form: .request(
            result: [
                .required("name", .string(bytes: 1...64), "the broker's name"),
                .required("version", .string(bytes: 1...64), "the broker's release"),
                .required("instance", .pattern(.uuid), "a new one at every start"),
                .required(
                    "epoch", .pattern(.uuid),
                    "the id of the event sequence; seq counts within an epoch"),
                .required("seq", .count, "the number of the latest event"),
                .required("uptime_ms", .count, "the time since the start"),
                .required(
                    "counts",
                    .object([
                        .required("connections", .count, "open connections, including this one"),
                        .optional("providers", .count, "registered providers"),
                        .optional("calls", .count, "calls that have not ended"),
                        .optional("subscriptions", .count, "subscriptions of all clients"),
                    ]),
                    "counts"),
                .optional("screen", .identity, "the screen that gets the next call to present"),
                .required(
                    "journal",
                    .object([
                        .required(
                            "state", .choice(["kept", "failing", "off"], isOpen: true),
                            "whether calls would survive a restart: only if `kept`"),
                        .required("bytes", .count, "the length of the journal as written"),
                        .optional(
                            "message", .string(bytes: 1...4_096),
                            "why the journal cannot be written"),
                        .optional(
                            "folder", .string(bytes: 1...4_096),
                            "the folder of the journal, and of saved ones; for admins"),
                    ]),
                    "the journal, from which calls are restored after a restart"),
                .optional(
                    "store",
                    .object([
                        .required(
                            "state", .choice(["kept", "failing", "off"], isOpen: true),
                            "whether blocks, contacts and history are available"),
                        .optional("message", .string(bytes: 1...4_096), "the reason"),
                    ]),
                    "the store of contacts, blocks, history and caller directories"),
                .optional(
                    "checks",
                    .object([
                        .required("quiet", .boolean, "whether do-not-disturb is in effect now"),
                        .required(
                            "network", .boolean,
                            "whether the broker, and plugins in its service, may open network "
                                + "sockets"),
                        .required(
                            "plugin_folders", .array(.string(bytes: 0...4_096), count: 0...256),
                            "the folders of manifests, by increasing precedence"),
                    ]), "what callbroker doctor checks; for admins"),
            ], deadlineMS: 5_000),
        summary: "Returns the state of the broker",
        details:
            "Name, release, uptime, counts, journal and store.",
        examples: [
            Method.Example(
                "any time", params: "{}",
                result: """
                    {"name":"callbroker","version":"0.1.0",\
                    "instance":"6f3c2f0e-6d0c-4d6a-9f0a-0c4b1f0d7a11",\
                    "epoch":"6f3c2f0e-6d0c-4d6a-9f0a-0c4b1f0d7a11","seq":0,"uptime_ms":5000,\
                    "counts":{"connections":1,"providers":0,"calls":0,"subscriptions":0},\
                    "journal":{"state":"kept","bytes":312},"store":{"state":"kept"},\
                    "checks":{"quiet":false,"network":true,\
                    "plugin_folders":["/usr/share/callbroker/plugins"]}}
                    """)
        ])

    private static let describe = Method(
        name: .describe, direction: .toBroker(.request { .session(.describe($0)) }),
        form: .document(deadlineMS: 5_000),
        stage: .always,
        summary: "Describes a method or an event",
        details: """
            Returns the entry of that name in the OpenRPC document. Clients can check here whether an \
            older broker supports a member.
            """,
        params: [.required("name", .string(bytes: 1...128), "the name of a method or a topic")],
        errors: [.notFound],
        examples: [Method.Example("ping", params: #"{"name":"broker.ping"}"#)])

    private static let discover = Method(
        name: .discover, direction: .toBroker(.bare(.session(.discover))),
        form: .document(deadlineMS: 5_000),
        stage: .always,
        summary: "Returns the whole protocol as an OpenRPC document",
        details: "The only reply that can exceed a frame: up to 1 MiB.",
        examples: [Method.Example("any time", params: "{}")])

    private static let cancel = Method(
        name: .cancel, direction: .both(.notification { .cancel($0) }),
        form: .notification,
        summary: "Cancels a request",
        details: """
            Names a request sent in the same direction as this notification. The request still gets \
            exactly one reply: its result, if that was faster, else the error cancelled. Unknown ids \
            are ignored.
            """,
        params: [
            .required("request", .requestID, "the id of the request"),
            .optional(
                "action", .id, "from the broker: the action, if the request has several"),
            .optional("reason", .string(bytes: 0...256), "a reason for the log"),
        ],
        examples: [Method.Example("request 7", params: #"{"request":7}"#)])

    private static let progress = Method(
        name: .progress, direction: .both(.notification { .progress($0) }),
        form: .notification,
        summary: "Reports progress of a request",
        details: """
            Names a request sent in the other direction. Providers use it to extend the deadline of an \
            action, to the policy's extension_percent_max of the original in all.
            """,
        params: [
            .required("request", .requestID, "the id of the request"),
            .optional("phase", .string(bytes: 1...64), "a stable word"),
            .optional("percent", .integer(0...100), "the progress"),
            .optional("message", .string(bytes: 0...1_024), "a sentence for people"),
            .optional(
                "extend_ms", .integer(1...600_000), "the requested extension of the deadline"),
        ],
        examples: [
            Method.Example(
                "an answer takes longer",
                params: #"{"request":7,"phase":"media","extend_ms":10000}"#)
        ])

    private static let log = Method(
        name: .log, direction: .toBroker(.notification { .log($0) }),
        form: .notification,
        summary: "Writes a line to the broker's log",
        details: """
            Control characters are replaced, and long runs of digits are masked, because telephone \
            numbers must not be logged. At most 100 lines per second and connection are logged.
            """,
        params: [
            .required(
                "level",
                .choice(["debug", "info", "notice", "warning", "error"], isOpen: false),
                "the level"),
            .required("message", .string(bytes: 1...4_096), "the text"),
            .optional("fields", .map, "not logged; reserved for tools"),
        ],
        examples: [
            Method.Example("a notice", params: #"{"level":"notice","message":"trunk is back"}"#)
        ])

    private static let warning = Method(
        name: .warning, direction: .toClient, form: .notification,
        summary: "Warns a client of a mistake",
        details: "Such as an unknown notification, deprecated use, or output that is not a frame.",
        params: [
            .required("reason", .string(bytes: 1...64), "a stable word"),
            .required("message", .string(bytes: 1...1_024), "a sentence for people"),
            .optional("ref", .string(bytes: 1...128), "the name concerned"),
        ],
        examples: [
            Method.Example(
                "an unknown notification",
                params: """
                    {"reason":"unknown_notification","message":"the broker has no notification \
                    of that name; it was dropped"}
                    """)
        ])

    private static let goodbye = Method(
        name: .goodbye, direction: .both(.toNotification { _ in .goodbye }),
        form: .notification, stage: .always,
        summary: "Announces the end of a connection",
        details:
            "From the broker, the last frame; the reason tells whether to reconnect. From a client: reply to pending requests, then close.",
        params: [
            .required("reason", .string(bytes: 1...64), "a stable word"),
            .optional("message", .string(bytes: 0...1_024), "a sentence for people"),
            .optional("resumable", .boolean, "whether the session can be resumed"),
            .optional("reconnect_after_ms", .count, "when to reconnect"),
        ],
        examples: [
            Method.Example(
                "the broker stops",
                params: """
                    {"reason":"stopping","message":"the broker is stopping","resumable":false}
                    """)
        ])

    private static let stats = Method(
        name: .stats, direction: .toBroker(.bare(.session(.stats))),
        form: .request(result: StatsResult.members, deadlineMS: 5_000),
        roles: .admin,
        summary: "Returns counters since the start",
        details: "For tools and tests. No client and no caller is named.",
        errors: [.permissionDenied],
        examples: [
            Method.Example(
                "any time", params: "{}",
                result: """
                    {"connections":1,"connections_accepted":1,"connections_refused":0,\
                    "frames_received":2,"frames_sent":1,"frames_bad":0,"requests":2,\
                    "notifications":0,"responses_ignored":0,"errors_sent":0,\
                    "bytes_received":190,"bytes_sent":1100,"bytes_queued":0,"timers":0,"turns":3,\
                    "longest_turn_ms":2,"stalls":[]}
                    """)
        ])

    private static let shutdown = Method(
        name: .shutdown, direction: .toBroker(.bare(.session(.shutdown))),
        form: .request(result: [], deadlineMS: 5_000),
        roles: .admin,
        summary: "Stops the broker",
        details: """
            The reply is sent first, then a goodbye to every client. Pending requests are completed \
            within 2 s.
            """,
        params: [.optional("reason", .string(bytes: 0...256), "a reason for the log")],
        errors: [.permissionDenied, .stopping],
        examples: [Method.Example("any time", params: "{}", result: "{}")])
}
