/// The schemas of plugins.
enum PluginSchemas {
    static let state = Schema.choice(
        [
            "disabled", "masked", "stopped", "starting", "ready", "unresponsive", "backoff",
            "failed",
        ], isOpen: true)

    /// The exit of a process.
    static let exit = Schema.object([
        .optional("code", .integer(0...255), "the exit status, if the process exited"),
        .optional("signal", .integer(1...64), "the signal, if one ended the process"),
    ])

    static let failure = Schema.choice(
        [
            "not_spawned", "exited", "hello_missing", "registration_missing", "connection_lost",
            "unresponsive",
        ], isOpen: true)

    /// The last lines of output.
    static let lastLines = Schema.array(.string(bytes: 0...512), count: 0...5)
    /// A line of output.
    static let logLine: [Member] = [
        .required("number", .count, "the number of the line, from 1"),
        .required("at_ms", .count, "when the line was written"),
        .required("text", .string(bytes: 0...8_192), "the text without line end"),
        .optional(
            "dropped", .count,
            "the number of lines dropped because they came too fast, in place of which this one stands"
        ),
    ]
    private static let path = Schema.string(bytes: 1...4_096)

    private static let fault = Schema.object([
        .required("file", path, "the manifest"),
        .required("line", .integer(1...1_000_000), "the line"),
        .required("message", .string(bytes: 1...1_024), "the problem"),
    ])

    private static let option = Schema.object([
        .required("option", .string(bytes: 1...128), "the name of the option"),
        .required(
            "type", .choice(["string", "int", "bool", "list", "secret"], isOpen: true),
            "the type of its values"),
        .required("dynamic", .boolean, "whether a change takes effect without a restart"),
        .required("is_set", .boolean, "whether the option has been set"),
        .optional("value", .any, "the value; left out for a secret"),
        .optional("description", .string(bytes: 0...1_024), "a description"),
    ])

    /// A plugin, with its complete state.
    static let plugin = Schema.object([
        .required("plugin", .identity, "its identity"),
        .required("name", .string(bytes: 1...128), "the display name"),
        .required("state", state, "the state"),
        .required("manifest", path, "its manifest"),
        .optional("version", .string(bytes: 1...64), "the release"),
        .optional("description", .string(bytes: 0...1_024), "its purpose"),
        .required("roles", .array(.string(bytes: 1...32), count: 0...16), "its roles"),
        .required(
            "start", .choice(["boot", "demand", "manual", "external"], isOpen: true),
            "when it is started; `external`: it connects on its own"),
        .required("enabled", .boolean, "whether it is enabled"),
        .optional("pid", .integer(1...4_194_304), "the process id"),
        .optional("stopping", .boolean, "whether its process is being stopped"),
        .optional("reloads", .boolean, "whether it will be restarted as soon as it has no calls"),
        .required("starts", .count, "the number of starts"),
        .optional("failure", failure, "the reason of the last failure"),
        .optional("failure_message", .string(bytes: 0...1_024), "a sentence about the failure"),
        .optional("exit", exit, "the exit of its last process"),
        .optional("retry_after_ms", .count, "the time until it is restarted"),
        .optional("fault", fault, "the error in the manifest"),
        .optional("options", .array(option, count: 0...64), "the options"),
        .required("stderr", lastLines, "its last lines of output"),
    ])

    /// A problem with a plugin.
    static let finding = Schema.object([
        .required("plugin", .identity, "its identity"),
        .required("level", .choice(["error", "warning"], isOpen: true), "the severity"),
        .required("message", .string(bytes: 1...2_048), "the problem"),
        .optional("hint", .string(bytes: 1...1_024), "a remedy"),
        .required("stderr", lastLines, "its last lines of output"),
    ])

    /// Something in a plugin folder that looks like a plugin, and is ignored.
    static let stray = Schema.object([
        .required("path", path, "the folder or file"),
        .required("message", .string(bytes: 1...2_048), "the reason"),
        .required("hint", .string(bytes: 1...1_024), "a remedy"),
    ])
}
