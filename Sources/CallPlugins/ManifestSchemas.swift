package import CallProtocol

/// The schema of a manifest.
package enum ManifestSchemas {
    /// The only version of the format.
    static let version: Int64 = 1

    private static let name = Schema.string(bytes: 1...128)
    private static let text = Schema.string(bytes: 0...1_024)
    private static let path = Schema.string(bytes: 1...4_096)
    private static let budget = Schema.integer(100...5_000)

    private static let priority = Schema.integer(-1_000...1_000)

    private static let majors = Schema.object([
        .required("min", .integer(0...1_000_000), "the oldest version"),
        .required("max", .integer(0...1_000_000), "the newest version"),
    ])

    /// The members of `provider.register`, of which the name is optional: the manifest has one.
    private static let provider = Schema.object(
        ProviderSchemas.configuration.map { member in
            "\(member.name)" == "display_name"
                ? .optional(member.name, member.schema, member.summary) : member
        })

    private static let screener = Schema.object([
        .optional(
            "fail", .choice(["open", "closed"], isOpen: false),
            "the decision without a reply; open if left out"
        ),
        .optional("budget_ms", budget, "the time that a call waits for a reply; 1,500 if left out"),
    ])

    private static let directory = Schema.object([
        .optional(
            "budget_ms", budget,
            "the time that a call waits for a reply before it rings; 700 if left out"),
        .optional(
            "priority", priority, "of several answers the highest priority counts; 0 if left out"),
    ])

    private static let ui = Schema.object([
        .optional(
            "priority", priority, "the screen with the highest presents calls; 0 if left out"),
        .optional("sound", .boolean, "whether the screen plays the ringtone; false if left out"),
    ])

    private static let option = Schema.object([
        .required("option", name, "the name"),
        .required("type", words(PluginOption.Kind.self), "the type of its values"),
        .optional("default", .any, "the value if none is set; none if left out"),
        .optional("description", text, "what the option does"),
        .optional("dynamic", .boolean, "whether a change needs no restart; false if left out"),
        .optional("setup", .boolean, "whether callbroker setup asks for it; false if left out"),
    ])

    private static let thing: [Member] = [
        .optional("program", name, "a program in PATH, or in /usr/sbin"),
        .optional("module", name, "a Python library"),
        .optional("bus_name", name, "a name on a D-Bus, which has an owner or can be activated"),
        .optional(
            "bus", words(PluginManifest.Need.Bus.self), "the bus of the name; session if left out"),
        .optional("package", name, "the Debian package that brings it"),
    ]

    private static let alternative = Schema.object(
        thing + [
            .optional(
                "options", .map,
                "strings that setup sets the plugin's options to if this is what it drives")
        ])

    private static let need = Schema.object(
        thing + [
            .optional(
                "one_of", .array(alternative, count: 2...8),
                "things of which one is enough; the first that is there counts")
        ])

    package static let members: [Member] = [
        .required("manifest", .integer(version...version), "the version of the format"),
        .required(
            "identity", .pattern(.identity),
            "the id of the plugin, which is also the name of the file"),
        .optional("name", name, "the name that people see; the identity if left out"),
        .optional("version", .string(bytes: 1...64), "the release of the plugin"),
        .optional("description", text, "what the plugin is for"),
        .optional(
            "protocol", majors,
            "the major versions of the protocol that it supports; the broker's if left out"),
        .required(
            "roles", .array(words(Role.self), count: 1...8), "its roles, as in broker.hello"),
        .optional(
            "exec", .array(path, count: 1...64),
            "program and arguments, relative to the manifest; without it the app connects itself"
        ),
        .optional(
            "transport", words(PluginManifest.Program.Transport.self),
            "its connection to the broker; stdio if left out"),
        .optional(
            "handshake", words(PluginManifest.Handshake.self),
            "whether it sends broker.hello; explicit if left out"),
        .optional(
            "start", words(PluginManifest.Start.self), "when it is started; demand if left out"),
        .optional(
            "restart", words(PluginManifest.Restart.self),
            "when it is restarted; on_failure if left out"),
        .optional("provider", provider, "its provider configuration"),
        .optional("screener", screener, "its part in screening calls"),
        .optional("directory", directory, "its part in identifying callers"),
        .optional("ui", ui, "how it presents calls"),
        .optional(
            "events", .array(.string(bytes: 1...64), count: 0...32),
            "topics that it is subscribed to"),
        .optional("options", .array(option, count: 0...64), "settings for its user"),
        .optional(
            "needs", .array(need, count: 0...16),
            "what it drives and runs with, one of program, module, bus_name and one_of each; callbroker setup "
                + "looks for it"),
        .optional("env", .map, "its environment variables"),
        .optional(
            "env_pass", .array(name, count: 0...64),
            "variables that it inherits from the broker"),
        .optional("cwd", path, "the working directory; the folder of the manifest if left out"),
        .optional(
            "stop_timeout_ms", .integer(0...600_000),
            "the time to exit after broker.goodbye; 5,000 if left out"),
        .optional("ping", .boolean, "whether it is pinged when it is silent; true if left out"),
        .optional(
            "memory_mb", .integer(16...1_048_576),
            "the limit of its address space; none if left out"),
        .optional(
            "nofile", .integer(16...1_048_576),
            "the limit of its descriptors; the broker's if left out"),
        .optional(
            "children", words(PluginManifest.Program.Children.self),
            "detached child processes when it exits; end if left out"),
    ]

    private static func words<Words: RawRepresentable & CaseIterable>(
        _: Words.Type
    ) -> Schema where Words.RawValue == String {
        .choice(Words.allCases.map(\.rawValue), isOpen: false)
    }
}
