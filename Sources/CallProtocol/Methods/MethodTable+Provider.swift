internal import BrokerRPC

/// What providers say of themselves.
extension MethodTable {
    static let providerRows = [register, updateProvider, unregister, listProviders]

    private static let register = Method(
        name: .register, direction: .toBroker,
        form: .request(
            result: [
                .required("provider", .identity, "the identity of the connection"),
                .required(
                    "authorization", ProviderSchemas.authorization,
                    "whether the host lets it have calls"),
                .required("limits", ProviderSchemas.limits, "what was accepted"),
                .required("calls", .callIDs, "its calls that the broker has now"),
                .optional(
                    "more", .boolean, "true if it has more calls than are listed: see call.list"),
                .required(
                    "dropped", .callIDs, "calls it named for which there is no place: end them"),
                .seq,
            ], deadlineMS: 10_000),
        roles: .provider,
        summary: "Registers the provider of this connection",
        details: """
            A provider is the identity of its connection: one per identity, one per connection. \
            Whoever comes back after its connection was lost lists all its live calls in `calls`: \
            what is not listed ends, what is unknown here is taken over if the limits allow, and \
            comes back in `dropped` otherwise. Too many for one frame: `more`, and further \
            registrations, the last of them without it. Said again on the same connection it takes \
            the place of what was said before, as a whole (provider.update changes a part); what it \
            names of calls is compared as above, but none ends because it is not named.
            """,
        params: ProviderSchemas.configuration + [
            .optional(
                "calls", .array(ProviderSchemas.liveCall, count: 0...256),
                "all live calls, after coming back"),
            .optional("more", .boolean, "whether further registrations follow with more calls"),
        ],
        errors: [.alreadyExists, .permissionDenied, .invalidState, .stopping],
        examples: [
            Method.Example(
                "a telephone",
                params: """
                    {"display_name":"Phone","handle_types":["phone"],"url_schemes":["tel"],\
                    "action_deadlines":{"answer":30000}}
                    """,
                result: registered(calls: "")),
            Method.Example(
                "after coming back, with a call",
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
        "set_muted":5000,"set_group":5000,"play_dtmf":5000}},"calls":[\(calls)],"dropped":[],\
        "seq":42}
        """
    }

    private static let updateProvider = Method(
        name: .updateProvider, direction: .toBroker,
        form: .request(result: [.seq], deadlineMS: 5_000),
        roles: .provider,
        summary: "Changes what the provider said when it registered",
        details: "What is left out stays, null goes back to the host's choice.",
        params: ProviderSchemas.changes, errors: [.notFound, .permissionDenied],
        examples: [
            Method.Example(
                "another name, and the host's time to ring",
                params: #"{"display_name":"Desk phone","ring_timeout_ms":null}"#,
                result: Sample.seq)
        ])

    private static let unregister = Method(
        name: .unregister, direction: .toBroker,
        form: .request(result: [.seq], deadlineMS: 5_000),
        roles: .provider,
        summary: "Takes the provider away",
        details: "Calls that it still has end as failed. The connection stays open.",
        errors: [.notFound, .permissionDenied],
        examples: [Method.Example("any time", params: "{}", result: Sample.seq)])

    private static let listProviders = Method(
        name: .listProviders, direction: .toBroker,
        form: .request(
            result: [
                .required(
                    "providers", .array(.object(ProviderSchemas.provider), count: 0...1_000),
                    "in the order of their names"),
                .optional("next", .cursor, "there are more: pass it as `after`"),
                .seq,
            ], deadlineMS: 5_000),
        roles: .watching,
        summary: "Lists the providers",
        details: "A page ends early rather than be longer than a frame.",
        params: [.after, .limit],
        errors: [.permissionDenied],
        examples: [
            Method.Example(
                "all", params: "{}",
                result: #"{"providers":[{\#(Sample.providerMembers)}],"seq":42}"#)
        ])
}
