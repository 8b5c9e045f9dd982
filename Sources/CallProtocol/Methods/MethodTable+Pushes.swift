internal import BrokerRPC

/// The methods of pushes: what an app's server sends it, by a gateway, so that it reports a call.
extension MethodTable {
    static let pushRows = [
        deliverPush, receivePush, unreportedPush, resetPushes, setPushToken, pushToken,
    ]

    /// The time for an app to handle a push, in milliseconds.
    package static let receivePushMS = 30_000

    private static let provider = Member.required("provider", .identity, "the app's provider")
    private static let sampleType = """
        "provider":"\(Sample.provider)","type":"voip"
        """

    private static let deliverPush = Method(
        name: .deliverPush, direction: .toBroker(.request { .push(.deliver($0)) }),
        form: .request(
            result: [
                PushSchemas.push,
                .required("delivered", .boolean, "whether it was sent to the app; false: it waits"),
                .optional("started", .boolean, "true if the app is being started for it"),
                .optional(
                    "reported_call", .boolean,
                    "with `wait` `completed`: whether the app has reported a call since"),
            ], deadlineMS: 640_000),
        roles: .controller,
        summary: "Delivers a push to an app",
        details: """
            The app gets push.received. One that does not run is started as for a call, and one that is \
            not connected, or has not registered the type, gets the push when it has; after `ttl_ms` the \
            push is dropped. With `wait` `completed` the reply comes when the app has handled the push; \
            then -32009 says that it did not register, or did not answer, in time. Pushes are kept in \
            memory only. Beyond 32 for one app and 256 for all the reason is `push_queue_full`. An app \
            that has handled 5 VoIP pushes in a row without reporting a call gets no more: \
            `pushes_stopped`, until push.reset.
            """,
        params: [
            provider, PushSchemas.payload,
            .optional("type", PushSchemas.type, "the type of push; voip if left out"),
            .optional(
                "ttl_ms", .integer(0...600_000),
                "how long it waits for the app; 30000 if left out, 0: not at all"),
            .optional(
                "wait", .choice(["accepted", "completed"], isOpen: false),
                "when to reply: at once, or when the app has handled it; accepted if left out"),
        ],
        errors: [
            .permissionDenied, .notFound, .invalidState, .overloaded, .deadlineExceeded, .cancelled,
            .providerFailed, .providerGone,
        ],
        examples: [
            Method.Example(
                "a call",
                params: """
                    {"provider":"\(Sample.provider)","payload":{"caller":"Ada"},"ttl_ms":20000}
                    """,
                result: #"{"push":"\#(Sample.call)","delivered":false,"started":true}"#)
        ])

    private static let receivePush = Method(
        name: .receivePush, direction: .toClient,
        form: .request(result: [], deadlineMS: receivePushMS),
        roles: .provider,
        summary: "Delivers a push of the app's server",
        details: """
            Sent only for the `push_types` that the provider has registered. The result says that the \
            push is handled. An app that gets a VoIP push reports an incoming call before that \
            (call.report_incoming, which may be refused), with any provider of its process; one that does \
            not, or does not answer in time, gets push.unreported.
            """,
        params: [
            PushSchemas.push, .required("type", PushSchemas.type, "the type"), PushSchemas.payload,
            .required("deadline_ms", .integer(1...600_000), "the deadline of the reply, from now"),
        ],
        errors: [.methodNotFound, .brokerError, .cancelled],
        examples: [
            Method.Example(
                "a call",
                params: """
                    {"push":"\(Sample.call)","type":"voip","payload":{"caller":"Ada"},\
                    "deadline_ms":\(receivePushMS)}
                    """, result: "{}")
        ])

    private static let unreportedPush = Method(
        name: .unreportedPush, direction: .toClient, form: .notification, roles: .provider,
        summary: "The app never posted an incoming call after a VoIP push",
        details: """
            After five in a row VoIP pushes are no longer delivered to the app (`stopped`), until \
            push.reset or a restart of the broker.
            """,
        params: [
            PushSchemas.push, .required("in_a_row", .count, "how many such pushes in a row"),
            .required("stopped", .boolean, "whether VoIP pushes are no longer delivered"),
        ],
        examples: [
            Method.Example(
                "the first",
                params: #"{"push":"\#(Sample.call)","in_a_row":1,"stopped":false}"#)
        ])

    private static let resetPushes = Method(
        name: .resetPushes, direction: .toBroker(.request { .push(.reset($0)) }),
        form: .request(result: [], deadlineMS: 5_000), roles: .admin,
        summary: "Has VoIP pushes delivered again to an app that has reported no calls for them",
        details: "Also sets its `unreported_pushes` to 0.",
        params: [provider], errors: [.permissionDenied],
        examples: [
            Method.Example(
                "after an update of the app", params: #"{"provider":"\#(Sample.provider)"}"#,
                result: "{}")
        ])

    private static let setPushToken = Method(
        name: .setPushToken, direction: .toBroker(.request { .push(.setToken($0)) }),
        form: .request(result: [], deadlineMS: 5_000), roles: .controller,
        summary: "Reports the address at which a server can push to an app",
        details: """
            For gateways, which deliver what comes there with push.deliver. It is kept in memory as long \
            as the connection lives; of several gateways the last one counts. The app gets push.token.
            """,
        params: [
            provider, .required("type", PushSchemas.type, "the type of push"),
            .optional("token", .nullable(PushSchemas.token), "the address; none: no longer valid"),
        ],
        errors: [.permissionDenied, .notFound, .limitReached],
        examples: [
            Method.Example(
                "an endpoint of UnifiedPush",
                params: "{\(sampleType),\"token\":\"https://push.example/UP?id=7\"}",
                result: "{}"),
            Method.Example(
                "no longer valid", params: "{\(sampleType),\"token\":null}", result: "{}"),
        ])

    private static let pushToken = Method(
        name: .pushToken, direction: .toClient, form: .notification, roles: .provider,
        summary: "The address at which the app's server can push to it",
        details: """
            For each of the registered `push_types`: after each registration, and when it changes. \
            Without a gateway it is the app's identity, for push.deliver on this host. Null: the former \
            one is no longer valid.
            """,
        params: [
            .required("type", PushSchemas.type, "the type of push"),
            .required("token", .nullable(PushSchemas.token), "the address; null: no longer valid"),
        ],
        examples: [
            Method.Example(
                "without a gateway", params: #"{"type":"voip","token":"\#(Sample.provider)"}"#)
        ])
}
