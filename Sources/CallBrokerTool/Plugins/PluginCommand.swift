internal import ArgumentParser
internal import BrokerJSON
internal import CallProtocol

/// `callbroker plugin`: the management of plugins.
struct PluginCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plugin", abstract: "Manage plugins.",
        discussion: "Name a plugin by its identity, or by an unambiguous part of it.",
        subcommands: subcommands, defaultSubcommand: List.self)

    private static let subcommands: [any ParsableCommand.Type] = [
        List.self, Show.self, StartPlugin.self, StopPlugin.self, RestartPlugin.self,
        EnablePlugin.self, DisablePlugin.self, InstallPlugin.self, UpdatePlugin.self,
        RemovePlugin.self, SetOption.self, PluginLogs.self, Rescan.self, PluginDoctor.self,
        PluginNew.self, PluginCheck.self,
    ]

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the plugins.",
            discussion: "Plugins with an invalid manifest are listed with the error.")

        @Flag(help: "List the plugins that came with the program; see enable.")
        var available = false
        @OptionGroup var client: ClientOptions

        func run() throws {
            guard !available else {
                let bundled = BundledPlugins.list(try PluginFolderOptions.installed(in: nil))
                return try client.output.show(list: bundled, BundledPlugins.table)
            }
            let session = try client.open(.admin)
            try session.showList(.listPlugins, "plugins") { elements in
                guard !elements.isEmpty else { return Messages.pluginNone }
                let table = TextTable(
                    [
                        .plain(Messages.headingPlugin), .plain(Messages.headingState),
                        .plain(Messages.headingStart), .plain(Messages.headingProcess),
                        .text(Messages.headingName),
                    ],
                    elements.map(Self.row))
                let faults = elements.compactMap { PluginText.fault($0["fault"]) }
                return ([table.description] + faults).joined(separator: "\n")
            }
        }

        private static func row(_ plugin: JSONValue) -> [String] {
            [
                plugin["plugin"]?.string?.printable ?? "", PluginText.state(plugin),
                plugin["start"]?.string?.printable ?? "",
                plugin["pid"]?.integer.map(String.init) ?? "",
                plugin["name"]?.string?.printable ?? "",
            ]
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show the details of a plugin.")

        @Argument(help: PluginText.help, completion: Suggestions.plugins) var plugin: String
        @OptionGroup var client: ClientOptions

        func run() throws {
            let session = try client.open(.admin)
            let name = try session.pluginName(plugin)
            let reply = try session.request(.listPlugins) { $0.member("plugin", name) }
            guard let row = reply.result["plugins"]?[0] else { return }
            switch session.output.form {
            case .table: StandardOutput.line(FlatText(row).aligned)
            case .json: StandardOutput.line(ClientOptions.oneLine(row))
            case .flat: StandardOutput.line(FlatText(row).description)
            case .raw: StandardOutput.line(String(decoding: reply.frame, as: UTF8.self))
            }
        }
    }

    struct Rescan: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rescan",
            abstract: "Read the manifests again.",
            discussion: "The broker also does this when a plugin folder changes.")

        @OptionGroup var client: ClientOptions

        func run() throws {
            let session = try client.open(.admin)
            session.show(try session.request(.rescanPlugins)) { result in
                let count = result["plugins"]?.integer ?? 0
                let broken = result["broken"]?.integer ?? 0
                return broken > 0
                    ? Messages.pluginRescannedInvalid(count: count, invalid: String(broken))
                    : Messages.pluginRescanned(count: count)
            }
        }
    }

    struct SetOption: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Set an option of a plugin.",
            discussion: """
                The value is kept across restarts. If the option is not dynamic, the plugin is \
                restarted as soon as it has no calls. "callbroker plugin show NAME" lists the options.
                """)

        @Argument(help: PluginText.help, completion: Suggestions.plugins) var plugin: String
        @Argument(help: "The option.") var option: String
        @Argument(
            help: "The value, or the values of a list; - reads standard input.")
        var values: [String] = []
        @Flag(name: .customLong("default"), help: "Restore the default.") var isDefault = false
        @OptionGroup var client: ClientOptions

        func run() throws {
            let session = try client.open(.admin)
            let name = try session.pluginName(plugin)
            let value = try isDefault ? Array("null".utf8) : value(OptionKinds(of: name, session))
            let reply = try session.setOption(option, of: name, to: value)
            session.show(reply) { result in
                switch result["applies"]?.string {
                case "now": Messages.pluginSet
                case "when_idle": Messages.pluginSetWhenIdle
                default: Messages.pluginSetAtStart
                }
            }
        }

        /// Returns the value as JSON of the option's type.
        private func value(_ kinds: OptionKinds) throws -> [UInt8] {
            let kind = try kinds.kind(of: option)
            if kind == "list" { return OptionValue.list(values) }
            guard values.count == 1, let word = values.first else {
                throw ToolFailure(.usage, Messages.pluginOptionOneValue)
            }
            return try OptionValue.json(word == "-" ? PluginText.readInput() : word, kind)
        }
    }

    struct PluginDoctor: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "doctor", abstract: "Find problems with plugins.",
            discussion: """
                Also lists what looks like a plugin in a plugin folder, and is none. Exits with 1 if there \
                is an error.
                """)

        @Argument(help: PluginText.help, completion: Suggestions.plugins) var plugin: String?
        @OptionGroup var client: ClientOptions

        func run() throws {
            let session = try client.open(.admin)
            let name = try plugin.map { try session.pluginName($0) }
            let reply = try session.request(.pluginDoctor) { $0.member("plugin", ifSet: name) }
            let findings = reply.result["findings"].map { Array($0.elements) } ?? []
            session.show(reply) { result in
                let strays = result["ignored"].map { $0.elements.map(PluginText.stray) } ?? []
                let lines = findings.map(PluginText.finding) + strays
                return lines.isEmpty ? Messages.pluginNoProblems : lines.joined(separator: "\n")
            }
            if findings.contains(where: { $0["level"]?.string == "error" }) {
                throw ExitCode(ToolFailure.Code.errorReply.rawValue)
            }
        }
    }
}
