/// Plugins as they stand on the wire.
enum PluginSchemas {
    static let state = Schema.choice(
        [
            "disabled", "masked", "stopped", "starting", "ready", "unresponsive", "backoff",
            "failed",
        ], isOpen: true)

    /// How a process ended.
    static let exit = Schema.object([
        .optional("code", .integer(0...255), "the status, if it ended by itself"),
        .optional("signal", .integer(1...64), "the signal that ended it"),
    ])

    static let failure = Schema.choice(
        [
            "not_spawned", "exited", "hello_missing", "registration_missing", "connection_lost",
            "unresponsive",
        ], isOpen: true)

    /// The last lines that it wrote.
    static let lastLines = Schema.array(.string(bytes: 0...512), count: 0...5)
    /// Something that it wrote.
    static let logLine: [Member] = [
        .required("number", .count, "counts the lines of this plugin, from 1"),
        .required("at_ms", .count, "when it came"),
        .required("text", .string(bytes: 0...8_192), "without its end"),
        .optional(
            "dropped", .count,
            "so many lines came too fast, and are left out: this line says so instead of them"),
    ]
    private static let path = Schema.string(bytes: 1...4_096)

    private static let fault = Schema.object([
        .required("file", path, "the manifest"),
        .required("line", .integer(1...1_000_000), "where"),
        .required("message", .string(bytes: 1...1_024), "what is wrong"),
    ])

    private static let option = Schema.object([
        .required("option", .string(bytes: 1...128), "how it is called"),
        .required(
            "type", .choice(["string", "int", "bool", "list", "secret"], isOpen: true),
            "what values it has"),
        .required("dynamic", .boolean, "whether it changes without a restart"),
        .required("is_set", .boolean, "whether somebody has set it"),
        .optional("value", .any, "what it is now; a secret is not told"),
        .optional("description", .string(bytes: 0...1_024), "what it does"),
    ])

    /// One plugin, with all that is known of it.
    static let plugin = Schema.object([
        .required("plugin", .identity, "its identity"),
        .required("name", .string(bytes: 1...128), "what people call it"),
        .required("state", state, "what its process does"),
        .required("manifest", path, "the file that describes it"),
        .optional("version", .string(bytes: 1...64), "its release"),
        .optional("description", .string(bytes: 0...1_024), "what it is for"),
        .required("roles", .array(.string(bytes: 1...32), count: 0...16), "what it does"),
        .required(
            "start", .choice(["boot", "demand", "manual", "external"], isOpen: true),
            "when it is started; external: it connects by itself"),
        .required("enabled", .boolean, "whether its user wants it"),
        .optional("pid", .integer(1...4_194_304), "its process"),
        .optional("stopping", .boolean, "its process has been told to go"),
        .optional("reloads", .boolean, "it is started anew as soon as it has no calls"),
        .required("starts", .count, "how often it was started"),
        .optional("failure", failure, "why it failed the last time"),
        .optional("failure_message", .string(bytes: 0...1_024), "a sentence about that"),
        .optional("exit", exit, "how its last process ended"),
        .optional("retry_after_ms", .count, "when it is started again"),
        .optional("fault", fault, "why the manifest cannot be used"),
        .optional("options", .array(option, count: 0...64), "what its user may choose"),
        .required("stderr", lastLines, "the last lines that it wrote"),
    ])

    /// What is not as it should be.
    static let finding = Schema.object([
        .required("plugin", .identity, "its identity"),
        .required("level", .choice(["error", "warning"], isOpen: true), "how bad it is"),
        .required("message", .string(bytes: 1...2_048), "what is wrong"),
        .optional("hint", .string(bytes: 1...1_024), "what to do"),
        .required("stderr", lastLines, "the last lines that it wrote"),
    ])
}
