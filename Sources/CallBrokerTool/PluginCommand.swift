internal import ArgumentParser

/// `callbroker plugin`: for authors of plugins.
struct PluginCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plugin", abstract: "Write plugins, and check them.",
        subcommands: [PluginNew.self, PluginCheck.self])
}
