internal import BrokerRPC

/// How changes are watched.
extension MethodTable {
    static let observerRows = [subscribe, unsubscribe, event, gap, getHost]

    private static let subscription = Member.required(
        "subscription", .count, "names the subscription, on this connection; from 1")
    private static let epoch = Member.required(
        "epoch", .id, "names the lineage of states that seq counts in")

    private static let subscribe = Method(
        name: .subscribe, direction: .toBroker,
        form: .request(
            result: [
                subscription, epoch,
                .required("seq", .count, "the number of the latest event"),
                .required(
                    "resync", .boolean,
                    "true if the cursor was too old: forget everything, here is the state"),
                .optional(
                    "snapshot",
                    .object(callPage + [.required("host", .object(HostSchemas.host), "the host")]),
                    "the host, and the calls, or the first of them"),
            ], deadlineMS: 5_000),
        roles: .watching, isAllowedInBatch: false,
        summary: "Watches topics",
        details: """
            A topic is named exactly, by noun.* for all of its noun, or by * for all; plugin.log by its \
            name only, by an admin. With a cursor \
            whose events are still there they are sent again, and no snapshot; otherwise the reply \
            has one. Whoever wants no snapshot says so. The providers are listed by provider.list, \
            the policy by policy.get.
            """,
        params: [
            .required(
                "topics", .array(.string(bytes: 1...64), count: 1...32), "names and patterns"),
            .optional(
                "cursor",
                .object([
                    .required("epoch", .id, "of the last event that was received"),
                    .required("seq", .count, "of the last event that was received"),
                ]), "where to go on"),
            .optional(
                "snapshot", .boolean,
                "whether the reply has the host and the calls; true if left out"),
            .includeEnded,
        ],
        errors: [.permissionDenied, .limitReached],
        examples: [
            Method.Example(
                "all about calls", params: #"{"topics":["call.*","host.changed"]}"#,
                result: """
                    {"subscription":1,"epoch":"\(Sample.epoch)","seq":42,"resync":false,\
                    "snapshot":{"calls":[\(Sample.ringing)],"host":{"held_groups":0,"ringing":1,\
                    "busy":false,"emergency":false}}}
                    """),
            Method.Example(
                "going on",
                params: #"{"topics":["*"],"cursor":{"epoch":"\#(Sample.epoch)","seq":40}}"#,
                result: """
                    {"subscription":2,"epoch":"\(Sample.epoch)","seq":42,"resync":false}
                    """),
        ])

    private static let unsubscribe = Method(
        name: .unsubscribe, direction: .toBroker,
        form: .request(result: [.seq], deadlineMS: 5_000),
        roles: .watching,
        summary: "Ends a subscription",
        details: "No event of it follows the reply.",
        params: [subscription], errors: [.permissionDenied, .notFound],
        examples: [
            Method.Example("the first", params: #"{"subscription":1}"#, result: Sample.seq)
        ])

    private static let event = Method(
        name: .event, direction: .toClient, form: .notification,
        roles: .watching,
        summary: "Something has changed",
        details: """
            Every change has one number; a subscriber sees a part of them, in order. If prev is not \
            the seq of the event before, something is missing. What `data` holds, the entry of the \
            topic says.
            """,
        params: eventMembers(of: .words(Topic.self, isOpen: true), data: .map),
        examples: TopicTable.rows.first.map { [$0.example] } ?? [])

    /// The members of an event about a topic.
    static func eventMembers(of topic: Schema, data: Schema) -> [Member] {
        [
            .optional(
                "subscription", .count,
                "the subscription; missing where one's own transaction is told of without any"),
            epoch,
            .required("seq", .count, "the number of this event"),
            .optional(
                "prev", .count,
                "what the subscription was told before: its event's number, or where it began"),
            .required("at_ms", .count, "when it happened"),
            .required("topic", topic, "what it is about"),
            .optional("call", .id, "the call that it is about"),
            .optional("provider", .identity, "the provider that it is about"),
            .required("data", data, "what is to be known"),
        ]
    }

    private static let gap = Method(
        name: .gap, direction: .toClient, form: .notification,
        roles: .watching,
        summary: "Events were lost",
        details: "The client was too slow. It subscribes again and gets a snapshot.",
        params: [
            subscription,
            .required(
                "from", .count,
                "the number of the first event that is missing; above `to` if only lines of plugins are"
            ),
            .required("to", .count, "the number of the last"),
            .required("reason", .choice(["overflow", "expired"], isOpen: true), "a stable word"),
        ],
        examples: [
            Method.Example(
                "too slow", params: #"{"subscription":1,"from":40,"to":1000,"reason":"overflow"}"#)
        ])

    private static let getHost = Method(
        name: .getHost, direction: .toBroker,
        form: .request(result: HostSchemas.host + [.seq], deadlineMS: 5_000),
        roles: .watching,
        summary: "The host as it is now",
        details:
            "What host.changed and audio.changed have told. The snapshot of a subscription has it, too.",
        errors: [.permissionDenied],
        examples: [
            Method.Example(
                "nothing is going on", params: "{}",
                result: """
                    {"held_groups":0,"ringing":0,"busy":false,"emergency":false,"seq":42}
                    """)
        ])
}
