internal import BrokerRPC

/// The methods and notifications of subscriptions.
extension MethodTable {
    static let observerRows = [subscribe, unsubscribe, event, gap, getHost]

    private static let subscription = Member.required(
        "subscription", .count, "the number of the subscription on this connection, from 1")
    private static let epoch = Member.required(
        "epoch", .id, "the id of the event sequence; seq counts within an epoch")

    private static let subscribe = Method(
        name: .subscribe, direction: .toBroker(.request { .events(.subscribe($0)) }),
        form: .request(
            result: [
                subscription, epoch,
                .required("seq", .count, "the number of the latest event"),
                .required(
                    "resync", .boolean,
                    "true if the cursor was too old: discard all state, and use this snapshot"),
                .optional(
                    "snapshot",
                    .object(callPage + [.required("host", .object(HostSchemas.host), "the host")]),
                    "the snapshot: the host, and the first page of calls"),
            ], deadlineMS: 5_000),
        roles: .watching, isAllowedInBatch: false,
        summary: "Subscribes to topics",
        details: """
            A topic is an exact name, noun.* for all topics of a noun, or * for all; plugin.log needs \
            its exact name and the role admin. With a cursor whose events are still kept, the missed \
            events are sent, without a snapshot; otherwise the reply has a snapshot, unless `snapshot` \
            is false. See provider.list and policy.get for providers and policy. With `detail` changes, \
            call.changed has only what has changed of a call since its event before; a client that \
            keeps the calls is sent less than half then. The feature call_changes tells whether a \
            broker has it.
            """,
        params: [
            .required(
                "topics", .array(.string(bytes: 1...64), count: 1...32),
                "topics: names and patterns"),
            .optional(
                "cursor",
                .object([
                    .required("epoch", .id, "from the last received event"),
                    .required("seq", .count, "from the last received event"),
                ]), "the event to continue after"),
            .optional(
                "snapshot", .boolean,
                "whether the reply contains a snapshot; true if left out"),
            .includeEnded,
            .optional(
                "detail", .choice(["full", "changes"], isOpen: false),
                "what call.changed has: the whole call (full, if left out), or its changes"),
        ],
        errors: [.permissionDenied, .limitReached],
        examples: [
            Method.Example(
                "all topics of calls", params: #"{"topics":["call.*","host.changed"]}"#,
                result: """
                    {"subscription":1,"epoch":"\(Sample.epoch)","seq":42,"resync":false,\
                    "snapshot":{"calls":[\(Sample.ringing)],"host":{"held_groups":0,"ringing":1,\
                    "busy":false,"emergency":false,\
                    "presence":{"state":"ringing","since_ms":1763712000000}}}}
                    """),
            Method.Example(
                "continuing after an event",
                params: #"{"topics":["*"],"cursor":{"epoch":"\#(Sample.epoch)","seq":40}}"#,
                result: """
                    {"subscription":2,"epoch":"\(Sample.epoch)","seq":42,"resync":false}
                    """),
        ])

    private static let unsubscribe = Method(
        name: .unsubscribe, direction: .toBroker(.request { .events(.unsubscribe($0)) }),
        form: .request(result: [.seq], deadlineMS: 5_000),
        roles: .watching,
        summary: "Ends a subscription",
        details: "No event of the subscription follows the reply.",
        params: [subscription], errors: [.permissionDenied, .notFound],
        examples: [
            Method.Example("the first", params: #"{"subscription":1}"#, result: Sample.seq)
        ])

    private static let event = Method(
        name: .event, direction: .toClient, form: .notification,
        roles: .watching,
        summary: "An event of a subscribed topic",
        details: """
            Events are numbered; a subscriber receives the events of its topics, in order. If `prev` \
            is not the `seq` of the event before, events are missing. `data` depends on the topic.
            """,
        params: eventMembers(of: .words(Topic.self, isOpen: true), data: .map),
        examples: TopicTable.rows.first.map { [$0.example] } ?? [])

    /// Returns the members of an event about a topic.
    static func eventMembers(of topic: Schema, data: Schema) -> [Member] {
        [
            .optional(
                "subscription", .count,
                "the subscription; absent for the client's own transaction without a subscription"),
            epoch,
            .required("seq", .count, "the number of this event"),
            .optional(
                "prev", .count,
                "the number of the subscription's previous event, or of its start"),
            .required("at_ms", .count, "the time of the event"),
            .required("topic", topic, "the topic"),
            .optional("call", .id, "the call concerned"),
            .optional("provider", .identity, "the provider concerned"),
            .required("data", data, "the data of the topic"),
        ]
    }

    private static let gap = Method(
        name: .gap, direction: .toClient, form: .notification,
        roles: .watching,
        summary: "Events were lost",
        details: "The client was too slow. It subscribes again for a snapshot.",
        params: [
            subscription,
            .required(
                "from", .count,
                "the number of the first lost event; above `to` if only lines of plugin.log are lost"
            ),
            .required("to", .count, "the number of the last lost event"),
            .required("reason", .choice(["overflow", "expired"], isOpen: true), "a stable word"),
        ],
        examples: [
            Method.Example(
                "too slow", params: #"{"subscription":1,"from":40,"to":1000,"reason":"overflow"}"#)
        ])

    private static let getHost = Method(
        name: .getHost, direction: .toBroker(.bare(.call(.getHost))),
        form: .request(result: HostSchemas.host + [.seq], deadlineMS: 5_000),
        roles: .watching,
        summary: "Returns the state of the host",
        details:
            "The same as in host.changed and audio.changed, and in the snapshot of a subscription.",
        errors: [.permissionDenied],
        examples: [
            Method.Example(
                "an idle host", params: "{}",
                result: """
                    {"held_groups":0,"ringing":0,"busy":false,"emergency":false,\
                    "presence":{"state":"free","since_ms":1763712000000},"seq":42}
                    """)
        ])
}
