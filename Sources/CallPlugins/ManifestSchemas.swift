package import CallProtocol

/// The members of a manifest.
package enum ManifestSchemas {
    /// The only form of manifests that there is.
    static let version: Int64 = 1

    private static let name = Schema.string(bytes: 1...128)
    private static let text = Schema.string(bytes: 0...1_024)
    private static let path = Schema.string(bytes: 1...4_096)
    private static let budget = Schema.integer(100...5_000)

    private static let priority = Schema.integer(-1_000...1_000)

    private static let majors = Schema.object([
        .required("min", .integer(0...1_000_000), "the oldest"),
        .required("max", .integer(0...1_000_000), "the newest"),
    ])

    /// As in `provider.register`; the manifest has a name already.
    private static let provider = Schema.object(
        ProviderSchemas.configuration.map { member in
            "\(member.name)" == "display_name"
                ? .optional(member.name, member.schema, member.summary) : member
        })

    private static let screener = Schema.object([
        .optional("fail", .choice(["open", "closed"], isOpen: false), "what silence means; open"),
        .optional("budget_ms", budget, "how long it is waited for; 1,500"),
    ])

    private static let directory = Schema.object([
        .optional("budget_ms", budget, "how long it is waited for before the ring; 700"),
        .optional("priority", priority, "of several the highest says who it is; 0"),
    ])

    private static let ui = Schema.object([
        .optional("priority", priority, "the highest presents calls; 0"),
        .optional("sound", .boolean, "whether it rings for what it presents; no"),
    ])

    private static let option = Schema.object([
        .required("option", name, "how it is called"),
        .required("type", words(PluginOption.Kind.self), "what values it has"),
        .optional("default", .any, "the value as long as nobody sets one"),
        .optional("description", text, "what it does"),
        .optional("dynamic", .boolean, "whether it changes without a restart; no"),
    ])

    package static let members: [Member] = [
        .required("manifest", .integer(version...version), "the form of the file; 1"),
        .required("identity", .pattern(.identity), "names the plugin, and its file"),
        .optional("name", name, "what people call it; its identity"),
        .optional("version", .string(bytes: 1...64), "its release"),
        .optional("description", text, "what it is for"),
        .optional("protocol", majors, "the protocol majors that it speaks"),
        .required(
            "roles", .array(words(Role.self), count: 1...7), "what it does, as in hello"),
        .optional(
            "exec", .array(path, count: 1...64),
            "program and arguments, relative to the manifest; left out: the app connects itself"),
        .optional(
            "transport", words(PluginManifest.Program.Transport.self),
            "how it talks to the broker; stdio"),
        .optional(
            "handshake", words(PluginManifest.Handshake.self), "whether it says hello; explicit"),
        .optional("start", words(PluginManifest.Start.self), "when it is started; demand"),
        .optional(
            "restart", words(PluginManifest.Restart.self), "when it is started again; on_failure"),
        .optional("provider", provider, "what it registers with"),
        .optional("screener", screener, "how it is asked about calls"),
        .optional("directory", directory, "how it is asked about names"),
        .optional("ui", ui, "how it presents calls"),
        .optional(
            "events", .array(.string(bytes: 1...64), count: 0...32),
            "topics that are subscribed on its behalf"),
        .optional("options", .array(option, count: 0...64), "what its user may choose"),
        .optional("env", .map, "variables of its environment"),
        .optional(
            "env_pass", .array(name, count: 0...64),
            "variables that it gets of the broker's environment"),
        .optional("cwd", path, "its folder; that of the manifest"),
        .optional(
            "stop_timeout_ms", .integer(0...600_000),
            "how long it may take after its goodbye; 5,000"),
        .optional("ping", .boolean, "whether its silence is broken; yes"),
        .optional("memory_mb", .integer(16...1_048_576), "its address space"),
        .optional("nofile", .integer(16...1_048_576), "its descriptors"),
        .optional(
            "children", words(PluginManifest.Program.Children.self),
            "what becomes of processes that it has detached, when it ends; end"),
    ]

    private static func words<Words: RawRepresentable & CaseIterable>(
        _: Words.Type
    ) -> Schema where Words.RawValue == String {
        .choice(Words.allCases.map(\.rawValue), isOpen: false)
    }
}
