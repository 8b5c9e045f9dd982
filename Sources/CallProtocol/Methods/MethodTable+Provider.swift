internal import BrokerRPC

/// The methods with which providers register.
extension MethodTable {
    static let providerRows = [
        register, updateProvider, unregister, requestAuthorization, listProviders,
    ]

    private static let register = Method(
        name: .register, direction: .toBroker(.request { .provider(.register($0)) }),
        form: .request(
            result: [
                .required("provider", .identity, "the identity of the connection"),
                .required(
                    "authorization", ProviderSchemas.authorization,
                    "the user's authorization"),
                .required("limits", ProviderSchemas.limits, "the accepted limits"),
                .required("calls", .callIDs, "its calls after the registration"),
                .optional(
                    "more", .boolean, "true if there are more calls than listed: see call.list"),
                .required(
                    "dropped", .callIDs,
                    "listed calls for which there is no room: the provider has to end them"),
                .seq,
            ], deadlineMS: 10_000),
        roles: .provider,
        summary: "Registers the provider of this connection",
        details: """
            A provider is the identity of its connection: one per identity, and one per connection. \
            After a reconnection, a provider lists all of its live calls in `calls`: calls that are not \
            listed end; calls that the broker does not know are adopted if the limits allow, and \
            returned in `dropped` otherwise. If there are too many for one frame, set `more`, and \
            register again with the others, the last time without `more`. Another registration on the \
            same connection replaces the former one as a whole (provider.update changes members); its \
            calls are compared in the same way, but none ends because it is not listed.
            """,
        params: ProviderSchemas.registration + [
            .optional(
                "calls", .array(ProviderSchemas.liveCall, count: 0...256),
                "all live calls, after a reconnection"),
            .optional("more", .boolean, "whether another registration with more calls follows"),
        ],
        errors: [.alreadyExists, .permissionDenied, .invalidState, .limitReached, .stopping],
        examples: [
            Method.Example(
                "a telephone",
                params: """
                    {"display_name":"Phone","handle_types":["phone"],"url_schemes":["tel"],\
                    "action_deadlines":{"answer":30000}}
                    """,
                result: registered(calls: "")),
            Method.Example(
                "an app that calls can start",
                params: """
                    {"display_name":"Phone","handle_types":["phone"],\
                    "start_by":{"dbus":"org.example.Phone"}}
                    """,
                result: registered(calls: "")),
            Method.Example(
                "after a reconnection, with a call",
                params: """
                    {"display_name":"Phone","handle_types":["phone"],"calls":[{\
                    "call":"\(Sample.call)","direction":"incoming","state":"active",\
                    "remote":\(Sample.remote)}]}
                    """,
                result: registered(calls: #""\#(Sample.call)""#)),
        ])

    private static func registered(calls: String) -> String {
        """
        {"provider":"\(Sample.provider)","authorization":"authorized","limits":{\
        "max_call_groups":2,"max_calls_per_group":5,"grace_ms":5000,"ring_timeout_ms":60000,\
        "action_deadlines":{"start":60000,"answer":30000,"end":5000,"set_held":5000,\
        "set_muted":5000,"set_group":5000,"play_dtmf":5000,"set_endpoint":10000,"set_video":30000,"set_text":30000,"transfer":60000,\
        "attended_transfer":15000,"deflect":5000}},"calls":[\(calls)],"dropped":[],\
        "seq":42}
        """
    }

    private static let updateProvider = Method(
        name: .updateProvider, direction: .toBroker(.request { .provider(.update($0)) }),
        form: .request(result: [.seq], deadlineMS: 5_000),
        roles: .provider,
        summary: "Changes the provider's registration",
        details: "Absent members keep their values; null restores the default.",
        params: ProviderSchemas.changes,
        errors: [.notFound, .permissionDenied, .invalidState, .limitReached],
        examples: [
            Method.Example(
                "a new name, and the default ring time-out",
                params: #"{"display_name":"Desk phone","ring_timeout_ms":null}"#,
                result: Sample.seq)
        ])

    private static let unregister = Method(
        name: .unregister, direction: .toBroker(.bare(.provider(.unregister))),
        form: .request(result: [.seq], deadlineMS: 5_000),
        roles: .provider,
        summary: "Removes the provider",
        details: "Its calls end as failed. The connection stays open.",
        errors: [.notFound, .permissionDenied],
        examples: [Method.Example("any time", params: "{}", result: Sample.seq)])

    private static let requestAuthorization = Method(
        name: .requestAuthorization,
        direction: .toBroker(.bare(.provider(.requestAuthorization))),
        form: .request(
            result: [
                .required("status", ProviderSchemas.authorization, "the user's authorization"),
                .required(
                    "asked", .boolean,
                    "whether the user is being asked; false if that is decided, or was put off"),
            ], deadlineMS: 5_000),
        roles: .provider,
        summary: "Has the user asked whether the provider may have calls",
        details: """
            For a provider that is `not_determined`, which is also asked about when it registers. The             user's decision comes as provider.authorization_changed. After `later`, or no answer, the             user is not asked again for ten minutes.
            """,
        errors: [.notFound, .permissionDenied],
        examples: [
            Method.Example(
                "before the first call", params: "{}",
                result: #"{"status":"not_determined","asked":true}"#)
        ])

    private static let listProviders = Method(
        name: .listProviders, direction: .toBroker(.request { .call(.listProviders($0)) }),
        form: .request(
            result: [
                .required(
                    "providers", .array(.object(ProviderSchemas.provider), count: 0...1_000),
                    "ordered by name"),
                .optional("next", .cursor, "present if there are more: pass it as `after`"),
                .optional(
                    "startable",
                    .array(ProviderSchemas.startable, count: 0...ProviderSchemas.startableMax),
                    "first page: the apps that do not run and that a call can start (`start_by`)"),
                .seq,
            ], deadlineMS: 5_000),
        roles: .watching,
        summary: "Lists the providers",
        details: "A page has as many as fit into a frame.",
        params: [.after, .limit],
        errors: [.permissionDenied],
        examples: [
            Method.Example(
                "all", params: "{}",
                result: #"{"providers":[{\#(Sample.providerMembers)}],"seq":42}"#)
        ])
}
