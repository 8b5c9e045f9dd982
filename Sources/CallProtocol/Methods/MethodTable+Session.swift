internal import BrokerRPC

/// What every client has to do with: the session, the protocol itself, the broker.
extension MethodTable {
    static let sessionRows = [
        hello, ping, info, describe, discover, cancel, progress, log, warning, goodbye, stats,
        shutdown,
    ]

    private static let hello = Method(
        name: .hello, direction: .toBroker,
        form: .request(result: HelloResult.members, deadlineMS: 10_000),
        stage: .always, isAllowedInBatch: false,
        summary: "Opens the session",
        details: """
            The first request of a connection. It agrees on the protocol version, grants roles and \
            tells every limit. Requests sent behind it in the same write are handled after it. A \
            hello that failed may be repeated; a connection that says neither hello nor ping for \
            10 s is closed.
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
                    "granted_roles":["controller"],"denied_roles":[],"limits":{"frame_bytes":65536},\
                    "epoch":"6f3c2f0e-6d0c-4d6a-9f0a-0c4b1f0d7a11","seq":0,\
                    "clock":{"now_at_ms":1763712000000,"mono_ms":86400000},"options":{},\
                    "heartbeat_ms":10000}
                    """)
        ])

    private static let ping = Method(
        name: .ping, direction: .both,
        form: .request(
            result: [.optional("payload", .any, "what the ping carried, unchanged")],
            deadlineMS: 10_000),
        stage: .always,
        summary: "Asks whether the other side is alive",
        details: "Works in both directions and before the hello. Any reply counts as alive.",
        params: [.optional("payload", .any, "comes back unchanged")],
        examples: [
            Method.Example(
                "with a payload", params: #"{"payload":42}"#, result: #"{"payload":42}"#),
            Method.Example("bare", params: "{}", result: "{}"),
        ])

    private static let info = Method(
        name: .info, direction: .toBroker,
        form: .request(
            result: [
                .required("name", .string(bytes: 1...64), "the broker's name"),
                .required("version", .string(bytes: 1...64), "the broker's release"),
                .required("instance", .pattern(.uuid), "changes with every start"),
                .required(
                    "epoch", .pattern(.uuid), "names the lineage of states that seq counts in"),
                .required("seq", .count, "the number of the latest event"),
                .required("uptime_ms", .count, "how long this instance has run"),
                .required(
                    "counts",
                    .object([
                        .required("connections", .count, "open connections, this one too"),
                        .optional("providers", .count, "registered providers"),
                        .optional("calls", .count, "calls that are not over"),
                        .optional("subscriptions", .count, "subscriptions of all clients"),
                    ]),
                    "how much there is of what"),
                .optional("screen", .identity, "who gets the next call to present"),
                .required(
                    "journal",
                    .object([
                        .required(
                            "state", .choice(["kept", "failing", "off"], isOpen: true),
                            "whether calls would survive a restart now: only if it is kept"),
                        .required("bytes", .count, "its length, as far as it could be written"),
                        .optional(
                            "message", .string(bytes: 1...4_096), "why it cannot be written"),
                        .optional(
                            "folder", .string(bytes: 1...4_096),
                            "where it lies, and any that could not be gone on with; for admin"),
                    ]),
                    "what brings calls through a restart of the broker"),
                .optional(
                    "store",
                    .object([
                        .required(
                            "state", .choice(["kept", "failing", "off"], isOpen: true),
                            "whether blocks, contacts and history can be asked for and kept"),
                        .optional("message", .string(bytes: 1...4_096), "why not"),
                    ]),
                    "what the user knows: contacts, blocks, history, caller directories"),
            ], deadlineMS: 5_000),
        summary: "Tells who is serving",
        details:
            "Name, release and age of the broker, how much it has to do, its journal and its store.",
        examples: [
            Method.Example(
                "any time", params: "{}",
                result: """
                    {"name":"callbroker","version":"0.1.0",\
                    "instance":"6f3c2f0e-6d0c-4d6a-9f0a-0c4b1f0d7a11",\
                    "epoch":"6f3c2f0e-6d0c-4d6a-9f0a-0c4b1f0d7a11","seq":0,"uptime_ms":5000,\
                    "counts":{"connections":1,"providers":0,"calls":0,"subscriptions":0},\
                    "journal":{"state":"kept","bytes":312},"store":{"state":"kept"}}
                    """)
        ])

    private static let describe = Method(
        name: .describe, direction: .toBroker, form: .document(deadlineMS: 5_000),
        stage: .always,
        summary: "Describes one method or event",
        details: """
            The entry of that name in the OpenRPC document. An author looks here before using a \
            member that an older broker may not know.
            """,
        params: [.required("name", .string(bytes: 1...128), "the name on the wire")],
        errors: [.notFound],
        examples: [Method.Example("ping", params: #"{"name":"broker.ping"}"#)])

    private static let discover = Method(
        name: .discover, direction: .toBroker, form: .document(deadlineMS: 5_000),
        stage: .always,
        summary: "The whole protocol as an OpenRPC document",
        details: "The only reply that may be longer than a frame: up to 1 MiB.",
        examples: [Method.Example("any time", params: "{}")])

    private static let cancel = Method(
        name: .cancel, direction: .both, form: .notification,
        summary: "Takes a request back",
        details: """
            Names a request that went the same way as this notification. It is still answered \
            exactly once: with its result if that was quicker, else with the error cancelled. \
            Unknown ids are ignored.
            """,
        params: [
            .required("request", .requestID, "the id of the request"),
            .optional(
                "action", .id, "from the broker: which action, where the request has several"),
            .optional("reason", .string(bytes: 0...256), "why, for the log"),
        ],
        examples: [Method.Example("request 7", params: #"{"request":7}"#)])

    private static let progress = Method(
        name: .progress, direction: .both, form: .notification,
        summary: "A request is being worked on",
        details: """
            Names a request that came the other way. A provider asks for more time with it; in all \
            it gets twice what it had at first.
            """,
        params: [
            .required("request", .requestID, "the id of the request"),
            .optional("phase", .string(bytes: 1...64), "a stable word"),
            .optional("percent", .integer(0...100), "how far it is"),
            .optional("message", .string(bytes: 0...1_024), "a sentence"),
            .optional("extend_ms", .integer(1...600_000), "how much more time is needed"),
        ],
        examples: [
            Method.Example(
                "an answer takes longer",
                params: #"{"request":7,"phase":"media","extend_ms":10000}"#)
        ])

    private static let log = Method(
        name: .log, direction: .toBroker, form: .notification,
        summary: "Writes a line to the broker's log",
        details: """
            Control characters are replaced and long runs of digits are masked: a log is no place \
            for telephone numbers. At most 100 lines a second are kept per connection.
            """,
        params: [
            .required(
                "level",
                .choice(["debug", "info", "notice", "warning", "error"], isOpen: false),
                "how serious it is"),
            .required("message", .string(bytes: 1...4_096), "the line"),
            .optional("fields", .map, "kept out of the log; reserved for tools"),
        ],
        examples: [
            Method.Example("a notice", params: #"{"level":"notice","message":"trunk is back"}"#)
        ])

    private static let warning = Method(
        name: .warning, direction: .toClient, form: .notification,
        summary: "Something the client should mend",
        details: "A notification nobody knows, deprecated use, output that is no frame.",
        params: [
            .required("reason", .string(bytes: 1...64), "a stable word"),
            .required("message", .string(bytes: 1...1_024), "a sentence"),
            .optional("ref", .string(bytes: 1...128), "what it is about"),
        ],
        examples: [
            Method.Example(
                "a notification nobody knows",
                params: """
                    {"reason":"unknown_notification","message":"the broker knows no notification \
                    of that name; it was dropped"}
                    """)
        ])

    private static let goodbye = Method(
        name: .goodbye, direction: .both, form: .notification, stage: .always,
        summary: "The last frame before a connection closes",
        details: "From a client it means: answer what is open, then close.",
        params: [
            .required("reason", .string(bytes: 1...64), "a stable word"),
            .optional("message", .string(bytes: 0...1_024), "a sentence"),
            .optional("resumable", .boolean, "whether the session can be taken up again"),
            .optional("reconnect_after_ms", .count, "when to try again"),
        ],
        examples: [
            Method.Example(
                "the broker stops",
                params: """
                    {"reason":"stopping","message":"the broker is stopping","resumable":false}
                    """)
        ])

    private static let stats = Method(
        name: .stats, direction: .toBroker,
        form: .request(result: StatsResult.members, deadlineMS: 5_000),
        roles: .admin,
        summary: "Counters since the start",
        details: "For tools and tests; nothing here names a client or a caller.",
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
        name: .shutdown, direction: .toBroker,
        form: .request(result: [], deadlineMS: 5_000),
        roles: .admin,
        summary: "Stops the broker",
        details: """
            The reply comes first; then everybody gets a goodbye. What was asked for before is \
            answered, for 2 s at most.
            """,
        params: [.optional("reason", .string(bytes: 0...256), "why, for the log")],
        errors: [.permissionDenied, .stopping],
        examples: [Method.Example("any time", params: "{}", result: "{}")])
}
