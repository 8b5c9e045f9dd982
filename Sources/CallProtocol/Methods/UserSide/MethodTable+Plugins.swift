internal import BrokerRPC

/// The programs that the broker starts and watches.
extension MethodTable {
    static let pluginRows =
        [
            listPlugins,
            row(
                .startPlugin, "Starts a plugin",
                """
                Also one that waits for its next attempt. One that has failed for good is brought \
                back by plugin.restart, a disabled one by plugin.enable.
                """, "starting"),
            row(
                .stopPlugin, "Stops a plugin",
                """
                It is told goodbye, has its time, and is ended then; its calls with it. A call that \
                needs it starts it again, unless it is disabled.
                """, "stopped"),
            row(
                .restartPlugin, "Stops a plugin, and starts it again",
                "What it has done wrong before is forgotten.", "starting"),
            row(
                .enablePlugin, "Takes a plugin into use again",
                "It is started if it starts with the broker. It stays so over restarts.", "stopped"),
            row(
                .disablePlugin, "Takes a plugin out of use",
                "It is stopped, and nothing starts it. It stays so over restarts.", "disabled"),
            rescan, pluginLogs, pluginDoctor, setOption, optionsChanged,
        ]

    private static let plugin = Member.required("plugin", .identity, "its identity")
    private static let sample = """
        {"plugin":"\(Sample.provider)","name":"Phone","state":"ready",\
        "manifest":"/etc/xdg/callbroker/plugins/\(Sample.provider).plugin.json",\
        "roles":["provider"],"start":"boot","enabled":true,"pid":4711,"starts":1,"options":[],\
        "stderr":[]}
        """

    private static let listPlugins = Method(
        name: .listPlugins, direction: .toBroker,
        form: .request(
            result: [
                .required("plugins", .array(PluginSchemas.plugin, count: 0...4_096), "by name"),
                .optional("next", .string(bytes: 1...128), "where the next page begins: after"),
                .seq,
            ], deadlineMS: 5_000),
        roles: .admin,
        summary: "The plugins",
        details: """
            Those that run and those that do not; a manifest that cannot be used is listed with what \
            is wrong in it.
            """,
        params: [
            .optional("plugin", .identity, "this one only"),
            .optional("after", .string(bytes: 1...128), "what next said"),
            .optional("limit", .integer(1...1_000), "at most so many"),
        ],
        errors: [.permissionDenied, .notFound],
        examples: [
            Method.Example("all", params: "{}", result: #"{"plugins":[\#(sample)],"seq":42}"#)
        ])

    private static func row(
        _ name: MethodName, _ summary: String, _ details: String, _ state: String
    ) -> Method {
        Method(
            name: name, direction: .toBroker,
            form: .request(
                result: [plugin, .required("state", PluginSchemas.state, "as it is now"), .seq],
                deadlineMS: 5_000),
            roles: .admin, summary: summary,
            details: details + " The reply does not wait: plugin.state tells how it goes on.",
            params: [plugin], errors: [.permissionDenied, .notFound, .invalidState],
            examples: [
                Method.Example(
                    "by its identity", params: #"{"plugin":"\#(Sample.provider)"}"#,
                    result: #"{"plugin":"\#(Sample.provider)","state":"\#(state)","seq":42}"#)
            ])
    }

    private static let rescan = Method(
        name: .rescanPlugins, direction: .toBroker,
        form: .request(
            result: [
                .required("plugins", .count, "how many there are"),
                .required("broken", .count, "how many of them cannot be used"), .seq,
            ], deadlineMS: 5_000),
        roles: .admin,
        summary: "Reads the manifests again",
        details: """
            The reply comes when all are read; if there are many, that takes some turns of the broker. \
            It reads them by itself when a folder changes, and every minute. A plugin whose \
            manifest is another now is started anew as soon as it has no calls.
            """,
        errors: [.permissionDenied],
        examples: [
            Method.Example(
                "any time", params: "{}", result: #"{"plugins":1,"broken":0,"seq":42}"#)
        ])

    private static let pluginLogs = Method(
        name: .pluginLogs, direction: .toBroker,
        form: .request(
            result: [
                .required(
                    "lines", .array(.object(PluginSchemas.logLine), count: 0...1_000),
                    "oldest first"),
                .required("last", .count, "the number of the latest line; 0 if there is none"),
                .required("dropped", .count, "lines that came too fast, and were not kept"),
            ], deadlineMS: 5_000),
        roles: .admin,
        summary: "What a plugin wrote",
        details: """
            Its standard error, and what else it wrote that is not for the broker: the last 1,000 \
            lines of up to 8 KiB, across its restarts. Rather than exceed the frame a page ends early; \
            without after it begins late. The event plugin.log tells of each line as it comes.
            """,
        params: [
            plugin, .optional("after", .count, "only lines with a higher number"),
            .optional("limit", .integer(1...1_000), "at most so many, the latest; 100"),
        ],
        errors: [.permissionDenied, .notFound],
        examples: [
            Method.Example(
                "the latest", params: #"{"plugin":"\#(Sample.provider)","limit":1}"#,
                result: """
                    {"lines":[{"number":7,"at_ms":\(Sample.at),"text":"no audio device"}],\
                    "last":7,"dropped":0}
                    """)
        ])

    private static let pluginDoctor = Method(
        name: .pluginDoctor, direction: .toBroker,
        form: .request(
            result: [
                .required(
                    "findings", .array(PluginSchemas.finding, count: 0...4_096),
                    "what is not as it should be; by name"),
                .required("plugins", .count, "how many were looked at"),
            ], deadlineMS: 5_000),
        roles: .admin,
        summary: "What is wrong with the plugins",
        details: "Broken manifests, programs that fail or do not answer, logs that were dropped.",
        params: [.optional("plugin", .identity, "this one only")],
        errors: [.permissionDenied, .notFound],
        examples: [
            Method.Example("all", params: "{}", result: #"{"findings":[],"plugins":1}"#)
        ])

    private static let setOption = Method(
        name: .setPluginOption, direction: .toBroker,
        form: .request(
            result: [
                plugin, .required("option", .string(bytes: 1...128), "which option"),
                .required(
                    "applies",
                    .choice(["now", "when_idle", "with_next_start"], isOpen: true),
                    "when it counts: an option that is not dynamic needs a restart"), .seq,
            ], deadlineMS: 5_000),
        roles: .admin,
        summary: "Sets an option of a plugin",
        details: """
            Kept over restarts, in a file that only the user can read. A running plugin is told by \
            plugin.options_changed, or started anew as soon as it has no calls.
            """,
        params: [
            plugin, .required("option", .string(bytes: 1...128), "which option"),
            .required("value", .any, "of the option's type; null: the default again"),
        ],
        errors: [.permissionDenied, .notFound, .invalidParams],
        examples: [
            Method.Example(
                "a number",
                params: #"{"plugin":"\#(Sample.provider)","option":"volume","value":3}"#,
                result: """
                    {"plugin":"\(Sample.provider)","option":"volume","applies":"now","seq":42}
                    """)
        ])

    private static let optionsChanged = Method(
        name: .pluginOptionsChanged, direction: .toClient, form: .notification,
        summary: "Options of the plugin have changed",
        details: "Those that are dynamic, and only those that have changed.",
        params: [.required("options", .map, "the new values, by name")],
        examples: [Method.Example("a number", params: #"{"options":{"volume":3}}"#)])
}
