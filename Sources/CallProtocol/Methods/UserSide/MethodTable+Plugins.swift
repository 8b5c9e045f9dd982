internal import BrokerRPC

/// The methods of plugins: programs that the broker starts and supervises.
extension MethodTable {
    static let pluginRows =
        [
            listPlugins,
            row(
                .startPlugin, .request { .plugin(.start($0)) }, "Starts a plugin",
                """
                Does not wait for the next automatic attempt. Use plugin.restart for a plugin that has failed \
                too often, and plugin.enable for a disabled one.
                """, "starting"),
            row(
                .stopPlugin, .request { .plugin(.stop($0)) }, "Stops a plugin",
                """
                Sends a goodbye, then ends the process and the plugin's calls. An on-demand plugin is \
                started again when a call needs it, unless it is disabled.
                """, "stopped"),
            row(
                .restartPlugin, .request { .plugin(.restart($0)) }, "Restarts a plugin",
                "Earlier failures are cleared.", "starting"),
            row(
                .enablePlugin, .request { .plugin(.enable($0)) }, "Enables a plugin",
                "It is started if it starts with the broker. Kept across restarts.", "stopped"),
            row(
                .disablePlugin, .request { .plugin(.disable($0)) }, "Disables a plugin",
                "It is stopped, and not started again. Kept across restarts.", "disabled"),
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
        name: .listPlugins, direction: .toBroker(.request { .plugin(.list($0)) }),
        form: .request(
            result: [
                .required(
                    "plugins", .array(PluginSchemas.plugin, count: 0...4_096), "ordered by name"),
                .optional(
                    "next", .string(bytes: 1...128), "present if there are more: pass it as `after`"
                ),
                .seq,
            ], deadlineMS: 5_000),
        roles: .admin,
        summary: "Lists the plugins",
        details: """
            Running or not. A plugin with an invalid manifest is listed with the error.
            """,
        params: [
            .optional("plugin", .identity, "only this plugin"),
            .optional("after", .string(bytes: 1...128), "`next` of the page before"),
            .optional("limit", .integer(1...1_000), "the greatest number"),
        ],
        errors: [.permissionDenied, .notFound],
        examples: [
            Method.Example("all", params: "{}", result: #"{"plugins":[\#(sample)],"seq":42}"#)
        ])

    private static func row(
        _ name: MethodName, _ decoding: Decoding, _ summary: String, _ details: String,
        _ state: String
    ) -> Method {
        Method(
            name: name, direction: .toBroker(decoding),
            form: .request(
                result: [
                    plugin, .required("state", PluginSchemas.state, "the present state"),
                    .optional("stopping", .boolean, "whether its process is being stopped"), .seq,
                ],
                deadlineMS: 5_000),
            roles: .admin, summary: summary,
            details: details + " The reply does not wait: plugin.state reports the progress.",
            params: [plugin], errors: [.permissionDenied, .notFound, .invalidState],
            examples: [
                Method.Example(
                    "the plugin", params: #"{"plugin":"\#(Sample.provider)"}"#,
                    result: #"{"plugin":"\#(Sample.provider)","state":"\#(state)","seq":42}"#)
            ])
    }

    private static let rescan = Method(
        name: .rescanPlugins, direction: .toBroker(.bare(.plugin(.rescan))),
        form: .request(
            result: [
                .required("plugins", .count, "the number of plugins"),
                .required("broken", .count, "the number of plugins with an invalid manifest"), .seq,
            ], deadlineMS: 5_000),
        roles: .admin,
        summary: "Rereads the manifests",
        details: """
            The reply is sent when all manifests are read. The broker also rereads them when a folder \
            changes, and every minute. A plugin whose manifest has changed is restarted as soon as it \
            has no calls.
            """,
        errors: [.permissionDenied],
        examples: [
            Method.Example(
                "any time", params: "{}", result: #"{"plugins":1,"broken":0,"seq":42}"#)
        ])

    private static let pluginLogs = Method(
        name: .pluginLogs, direction: .toBroker(.request { .plugin(.logs($0)) }),
        form: .request(
            result: [
                .required(
                    "lines", .array(.object(PluginSchemas.logLine), count: 0...1_000),
                    "oldest first"),
                .required("last", .count, "the number of the latest line; 0 if there is none"),
                .required("dropped", .count, "lines that were dropped because they came too fast"),
            ], deadlineMS: 5_000),
        roles: .admin,
        summary: "Returns the output of a plugin",
        details: """
            Standard error, and lines on standard output that are not JSON: the last 1,000 lines of up \
            to 8 KiB, across restarts. A page has as many lines as fit into a frame: with `after` the \
            next ones, without it the latest. The event plugin.log publishes each line as it is written.
            """,
        params: [
            plugin, .optional("after", .count, "only lines with a higher number"),
            .optional(
                "limit", .integer(1...1_000),
                "the number of lines, the latest ones; 100 if left out"),
        ],
        errors: [.permissionDenied, .notFound],
        examples: [
            Method.Example(
                "the latest lines", params: #"{"plugin":"\#(Sample.provider)","limit":1}"#,
                result: """
                    {"lines":[{"number":7,"at_ms":\(Sample.at),"text":"no audio device"}],\
                    "last":7,"dropped":0}
                    """)
        ])

    private static let pluginDoctor = Method(
        name: .pluginDoctor, direction: .toBroker(.request { .plugin(.doctor($0)) }),
        form: .request(
            result: [
                .required(
                    "findings", .array(PluginSchemas.finding, count: 0...4_096),
                    "the problems, ordered by plugin"),
                .required("plugins", .count, "the number of plugins checked"),
                .optional(
                    "ignored", .array(PluginSchemas.stray, count: 0...64),
                    "what looks like a plugin, and is none; only without `plugin`"),
            ], deadlineMS: 5_000),
        roles: .admin,
        summary: "Lists problems of plugins",
        details: """
            Invalid manifests, programs that fail or do not respond, dropped output; folders without a \
            manifest.
            """,
        params: [.optional("plugin", .identity, "only this plugin")],
        errors: [.permissionDenied, .notFound],
        examples: [
            Method.Example("all", params: "{}", result: #"{"findings":[],"plugins":1}"#)
        ])

    private static let setOption = Method(
        name: .setPluginOption, direction: .toBroker(.request { .plugin(.setOption($0)) }),
        form: .request(
            result: [
                plugin, .required("option", .string(bytes: 1...128), "the option"),
                .required(
                    "applies",
                    .choice(["now", "when_idle", "with_next_start"], isOpen: true),
                    "when the value takes effect: an option that is not dynamic needs a restart"),
                .seq,
            ], deadlineMS: 5_000),
        roles: .admin,
        summary: "Sets an option of a plugin",
        details: """
            Kept across restarts, in a file that only the user can read. A running plugin is notified \
            with plugin.options_changed, or restarted as soon as it has no calls.
            """,
        params: [
            plugin, .required("option", .string(bytes: 1...128), "the option"),
            .required("value", .any, "a value of the option's type; null: the default"),
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
        summary: "Notifies a plugin of changed options",
        details: "Only dynamic options that have changed.",
        params: [.required("options", .map, "the new values, by name")],
        examples: [Method.Example("a number", params: #"{"options":{"volume":3}}"#)])
}
