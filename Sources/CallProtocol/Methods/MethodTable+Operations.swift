internal import BrokerRPC
internal import CallModel

/// The methods of those who operate a broker: figures for monitoring, the state for a
/// report, and backups.
extension MethodTable {
    static let operationsRows = [metrics, dump, backup, listConnections]

    /// The providers whose calls are counted one by one.
    package static let providersMeasured = 64
    /// The entries of a list in `broker.dump`.
    package static let entriesDumped = 64

    private static let latency = Schema.object([
        .required(
            "counts", .array(.count, count: 0...64),
            "the number of durations in each bucket; the last one has all above the last bound"),
        .required("sum_us", .count, "the sum of the durations"),
    ])

    private static func counts(
        _ name: StaticString, _ word: Schema, most: Int, _ summary: String
    ) -> Schema {
        .array(
            .object([.required(name, word, summary), .required("count", .count, "how often")]),
            count: 0...most)
    }

    private static let word = Schema.string(bytes: 1...64)

    private static let callFigures: [Member] = [
        .required(
            "calls",
            .array(
                .object([
                    .required("provider", .identity, "the app"),
                    .required(
                        "states", counts("state", word, most: 16, "the state"),
                        "its calls by state"),
                ]), count: 0...providersMeasured),
            "open calls; the apps with most calls first"),
        .required("other_calls", .count, "open calls of further apps"),
        .required("pending", .count, "requests that are not answered or not completed"),
        .required(
            "transactions", counts("state", word, most: 8, "the outcome"),
            "transactions that were carried out"),
        .required("transaction_latency", latency, "from the request to the last action"),
        .required(
            "refusals", counts("rule", word, most: 128, "the rule"),
            "requests that a rule has refused"),
        .required("other_refusals", .count, "requests refused without a rule"),
        .required(
            "actions",
            .array(
                .object([
                    .required("kind", word, "the kind of the action"),
                    .required(
                        "results", counts("state", word, most: 16, "the result"), "by result"),
                    .required("latency", latency, "from the request to the result"),
                ]), count: 0...16), "actions that apps were requested to perform"),
        .required(
            "anomalies", counts("anomaly", word, most: 64, "the anomaly"),
            "events that should not happen"),
    ]

    private static let hostFigures: [Member] = [
        .required("turn_latency", latency, "turns of the loop"),
        .required(
            "journal",
            .object([
                .required("is_kept", .boolean, "whether calls would survive a restart"),
                .required("bytes", .count, "its length"),
                .required("written_bytes", .count, "all that was written"),
                .required("snapshots", .count, "how often it was begun anew"),
                .required("latency", latency, "its writes"),
            ]), "the journal"),
        .required(
            "store",
            .object([
                .required("is_kept", .boolean, "whether contacts and history are available"),
                .required("waiting", .count, "jobs without a result"),
                .required("latency", latency, "its jobs, with the time that they wait"),
            ]), "the store"),
        .required(
            "plugins", counts("state", word, most: 16, "the state"), "installed plugins"),
        .required("memory_bytes", .count, "resident memory; 0 if unknown"),
        .required("stats", .object(StatsResult.members), "as in broker.stats"),
    ]

    private static let metrics = Method(
        name: .metrics, direction: .toBroker(.bare(.operations(.metrics))),
        form: .request(
            result: [
                .required("version", .string(bytes: 1...64), "the broker's release"),
                .required("uptime_ms", .count, "the time since the start"),
                .required(
                    "bounds_us", .array(.count, count: 1...64),
                    "the upper bounds of the buckets of every latency"),
            ] + callFigures + hostFigures, deadlineMS: 5_000),
        roles: .admin,
        summary: "Returns figures for monitoring",
        details: """
            Counters since the start, latencies in buckets, and the state of journal, store and \
            plugins. `callbroker metrics` writes them for Prometheus. No caller is named.
            """,
        errors: [.permissionDenied],
        examples: [Method.Example("a call is active", params: "{}", result: figures)])

    private static let figures = """
        {"version":"0.1.0","uptime_ms":5000,"bounds_us":[1000,10000],\
        "calls":[{"provider":"org.example.phone","states":[{"state":"active","count":1}]}],\
        "other_calls":0,"pending":0,"transactions":[{"state":"completed","count":1}],\
        "transaction_latency":{"counts":[0,1,0],"sum_us":7131},\
        "refusals":[{"rule":"10","count":1}],"other_refusals":0,\
        "actions":[{"kind":"answer","results":[{"state":"fulfilled","count":1}],\
        "latency":{"counts":[0,1,0],"sum_us":7131}}],"anomalies":[],\
        "turn_latency":{"counts":[12,1,0],"sum_us":4195},\
        "journal":{"is_kept":true,"bytes":812,"written_bytes":812,"snapshots":1,\
        "latency":{"counts":[4,0,0],"sum_us":195}},\
        "store":{"is_kept":true,"waiting":0,"latency":{"counts":[1,2,0],"sum_us":5439}},\
        "plugins":[{"state":"ready","count":1}],"memory_bytes":21147648,\
        "stats":{"connections":1,"connections_accepted":1,"connections_refused":0,\
        "frames_received":2,"frames_sent":1,"frames_bad":0,"requests":2,\
        "notifications":0,"responses_ignored":0,"errors_sent":0,\
        "bytes_received":190,"bytes_sent":1100,"bytes_queued":0,"timers":0,"turns":13,\
        "longest_turn_ms":2,"stalls":[]}}
        """

    private static let backup = Method(
        name: .backup, direction: .toBroker(.bare(.operations(.backup))),
        form: .request(
            result: [
                .required(
                    "folder", .string(bytes: 1...4_096),
                    "the folder that has the copies, until the next backup")
            ], deadlineMS: 600_000),
        roles: .admin,
        summary: "Copies the user's data into a folder",
        details: """
            Contacts, blocks, history, caller directories, policy and the settings of plugins, into a \
            folder of the state folder that only the user can read. The broker stays in use. \
            `callbroker backup` makes one file of it and removes the folder.
            """,
        errors: [.permissionDenied, .invalidState, .overloaded],
        examples: [
            Method.Example(
                "any time", params: "{}",
                result: #"{"folder":"/home/ann/.local/state/callbroker/backup"}"#)
        ])

    private static let timers = Schema.array(
        .object([
            .required("what", word, "the purpose"),
            .required("count", .count, "the number of timers"),
            .optional("next_ms", .count, "the time until the first one"),
        ]), count: 0...64)

    private static let connections = Schema.array(
        .object(
            client + [
                .required("unread_bytes", .count, "bytes that it has not read"),
                .required("unanswered", .count, "requests of the broker that it has not answered"),
                .required(
                    "subscriptions",
                    .array(
                        .object([
                            .required("topics", .array(word, count: 0...64), "the topics"),
                            .required("seq", .count, "the latest event that it was sent"),
                            .required(
                                "behind", .boolean, "whether it waits for the client to read"),
                        ]), count: 0...64), "its subscriptions"),
            ]), count: 0...entriesDumped)

    private static let text = Schema.string(bytes: 1...4_096)

    /// A client, and the process that connected.
    private static let client: [Member] = [
        .required("client", .count, "the number of the connection, as in the log"),
        .required("pid", .integer(-1 ... .max), "the process that connected"),
        .required("uid", .count, "its user"),
        .optional(
            "sandbox",
            .choice(["none", "flatpak", "snap", "other", "unknown"], isOpen: true),
            "the sandbox of the process; `unknown` if it has ended; left out before the hello"),
        .optional(
            "executable", text,
            "the path of its program, where the kernel shows it to the broker"),
        .optional("app", text, "the id of its Flatpak, or the name of its snap"),
        .optional("unit", text, "the service or scope of systemd that it runs in"),
        .optional("identity", .identity, "the identity of its hello"),
        .required("roles", .array(word, count: 0...16), "its roles"),
        .optional("calls", .choice(["own"], isOpen: true), "present if it sees its own calls only"),
        .optional("redacted", .boolean, "true if numbers and names are kept from it"),
        .optional("grant", text, "the name of the grant whose credential it has sent"),
    ]

    private static let listConnections = Method(
        name: .listConnections,
        direction: .toBroker(.request { .operations(.listConnections($0)) }),
        form: .request(
            result: [
                .required(
                    "connections", .array(.object(client), count: 0...4_096), "the clients"),
                .optional("next", .cursor, "the end of this page, if there are more"),
            ], deadlineMS: 5_000),
        roles: .admin,
        summary: "Lists the connected clients, and which programs they are",
        details: """
            The kernel describes the process that connected, also through namespaces; identity and \
            roles are those of the hello. A page ends where the frame would become too long.
            """,
        params: [.after, .limit],
        errors: [.permissionDenied, .invalidParams],
        examples: [
            Method.Example(
                "a Flatpak and the tool", params: "{}",
                result: """
                    {"connections":[{"client":2,"pid":4711,"uid":1000,"sandbox":"flatpak",\
                    "executable":"/app/bin/phone","app":"org.example.Phone",\
                    "unit":"app-flatpak-org.example.Phone-4711.scope",\
                    "identity":"org.example.phone","roles":["provider"]},\
                    {"client":3,"pid":4712,"uid":1000,"sandbox":"none",\
                    "executable":"/usr/bin/callbroker","unit":"session-2.scope",\
                    "roles":["admin"]}]}
                    """)
        ])

    private static let dump = Method(
        name: .dump, direction: .toBroker(.bare(.operations(.dump))),
        form: .request(
            result: [
                .required(
                    "transactions",
                    .array(
                        .object([
                            .optional("transaction", .id, "its id, if the client chose one"),
                            .optional("client", .count, "the number of the client's connection"),
                            .required("accepted", .boolean, "whether its acceptance was sent"),
                            .required("age_ms", .count, "the time since the request"),
                        ]), count: 0...entriesDumped),
                    "requests that are not answered or not completed, the oldest first"),
                .required(
                    "actions",
                    .array(
                        .object([
                            .required("action", .id, "the action"),
                            .required("kind", word, "its kind"),
                            .required("call", .id, "its call"),
                            .required("provider", .identity, "the app"),
                            .required("transaction", .id, "its transaction"),
                            .required("attempt", .count, "the number of the attempt"),
                            .required("age_ms", .count, "the time since it was sent"),
                        ]), count: 0...entriesDumped),
                    "actions that apps have not settled, the oldest first"),
                .required("timers", timers, "running timers, by purpose"),
                .required(
                    "screens",
                    .array(
                        .object([
                            .required("client", .count, "the number of its connection"),
                            .optional("identity", .identity, "its identity"),
                            .required("primary", .boolean, "whether it gets the next call"),
                            .required("calls", .count, "the calls that it presents"),
                        ]), count: 0...entriesDumped), "screens, in their order"),
                .required("connections", connections, "clients, with their subscriptions"),
                .required(
                    "anomalies", counts("anomaly", word, most: 64, "the anomaly"),
                    "events that should not happen"),
                .required(
                    "refusals", counts("rule", word, most: 128, "the rule"),
                    "requests that a rule has refused"),
                .optional("more", .boolean, "whether a list was cut"),
            ], deadlineMS: 5_000),
        roles: .admin,
        summary: "Returns what the broker is doing",
        details: """
            For bug reports, as a part of `callbroker dump`. Each list has at most 64 entries. No \
            caller is named.
            """,
        errors: [.permissionDenied],
        examples: [
            Method.Example(
                "a call is being answered", params: "{}",
                result: """
                    {"transactions":[{"client":2,"accepted":true,"age_ms":1200}],\
                    "actions":[{"action":"\(Sample.action)","kind":"answer",\
                    "call":"\(Sample.call)","provider":"org.example.phone",\
                    "transaction":"\(Sample.transaction)","attempt":1,"age_ms":1200}],\
                    "timers":[{"what":"action","count":1,"next_ms":58800}],\
                    "screens":[{"client":3,"identity":"org.example.screen","primary":true,\
                    "calls":1}],\
                    "connections":[{"client":2,"pid":4711,"uid":1000,"sandbox":"none",\
                    "executable":"/usr/bin/python3","roles":["controller"],\
                    "unread_bytes":0,"unanswered":0,\
                    "subscriptions":[{"topics":["call.added"],"seq":7,"behind":false}]}],\
                    "anomalies":[],"refusals":[]}
                    """)
        ])
}
