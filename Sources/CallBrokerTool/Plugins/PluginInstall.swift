internal import ArgumentParser
internal import BrokerJSON
internal import BrokerSocket
internal import CallPlugins
internal import CallProtocol

/// The folder that `plugin install`, `update`, `remove` and `enable` change.
struct PluginFolderOptions: ParsableArguments {
    @Option(
        name: .customLong("plugin-dir"),
        help: ArgumentHelp(
            "The plugin folder to change.",
            discussion: "Default: callbroker/plugins in the user's configuration folder."),
        completion: .directory)
    var folder: String?

    func installed() throws(ToolFailure) -> InstalledPlugins {
        try Self.installed(in: folder)
    }

    /// Returns the plugins in a folder; nil: in that of the user.
    static func installed(in folder: String?) throws(ToolFailure) -> InstalledPlugins {
        let user = PluginFolders.user(environment: Environment.current)
        guard let path = folder.map(HostProcess.absolute) ?? user else {
            throw ToolFailure(.errorReply, Messages.pluginNoFolder)
        }
        return InstalledPlugins(folder: path)
    }
}

/// `callbroker plugin install`.
struct InstallPlugin: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install", abstract: "Install a plugin from its folder.",
        discussion: """
            Copies the folder PATH, which has the manifest, into the user's plugin folder. A running \
            broker finds it by itself. Refuses a plugin that the broker could not start, and an \
            identity or a folder name that another plugin has.
            """)

    @Argument(help: "The folder of the plugin.", completion: .directory) var path: String
    @Flag(help: "Link to the folder instead of copying it, while the plugin is developed.")
    var link = false
    @OptionGroup var target: PluginFolderOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let installed = try target.installed()
        let (source, place) = try ToolFailure.wrapping { () throws(SocketError) in
            let source = try PluginSource(path)
            try source.checkProgram()
            return (source, try installed.install(source, asLink: link))
        }
        try output.show(source, at: place) {
            Messages.pluginInstalled(plugin: source.identity, path: place)
        }
    }
}

/// `callbroker plugin update`.
struct UpdatePlugin: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update", abstract: "Replace an installed plugin by its new version.",
        discussion: """
            Copies the folder again: PATH, or where the plugin NAME was installed from. A running \
            broker restarts the plugin as soon as it has no calls.
            """)

    @Argument(help: "The plugin, or the folder of its new version.", completion: .directory)
    var plugin: String
    @OptionGroup var target: PluginFolderOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let installed = try target.installed()
        let entry: InstalledPlugins.Entry
        let source: PluginSource
        if HostFile.isFolder(plugin) {
            source = try ToolFailure.wrapping { () throws(SocketError) in
                try PluginSource(plugin)
            }
            entry = try find(source, in: installed)
        } else {
            entry = try installed.find(plugin)
            source = try origin(of: entry, in: installed)
        }
        try checkIsCopy(entry)
        try ToolFailure.wrapping { () throws(SocketError) in
            try source.checkProgram()
            try installed.update(entry, from: source)
        }
        try output.show(source, at: entry.path) {
            Messages.pluginUpdated(plugin: source.identity, path: source.path)
        }
    }

    private func find(
        _ source: PluginSource, in installed: InstalledPlugins
    ) throws(ToolFailure) -> InstalledPlugins.Entry {
        if let entry = installed.entry(source.identity) { return entry }
        throw ToolFailure(
            .errorReply, Messages.pluginNotInstalled(plugin: source.identity, path: source.path))
    }

    private func origin(
        of entry: InstalledPlugins.Entry, in installed: InstalledPlugins
    ) throws(ToolFailure) -> PluginSource {
        try checkIsCopy(entry)
        guard let path = installed.origin(of: entry) else {
            throw ToolFailure(.errorReply, Messages.pluginOriginUnknown(plugin: entry.identity))
        }
        let source = try ToolFailure.wrapping { () throws(SocketError) in try PluginSource(path) }
        guard source.identity != entry.identity else { return source }
        throw ToolFailure(
            .errorReply,
            Messages.pluginAnotherNow(
                path: path, plugin: source.identity, former: entry.identity))
    }

    private func checkIsCopy(_ entry: InstalledPlugins.Entry) throws(ToolFailure) {
        if let link = entry.link {
            throw ToolFailure(.errorReply, Messages.pluginIsLink(path: entry.path, target: link))
        }
        guard !HostFile.isFolder(entry.path) else { return }
        throw ToolFailure(.errorReply, Messages.pluginNoOwnFolder(path: entry.path))
    }
}

/// `callbroker plugin remove`.
struct RemovePlugin: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove an installed plugin.",
        discussion: """
            Removes its copy, its link, or its manifest from the user's plugin folder. A running \
            broker stops it. Its options are kept for the next installation.
            """)

    @Argument(help: PluginText.help) var plugin: String
    @OptionGroup var target: PluginFolderOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let installed = try target.installed()
        let entry = try installed.find(plugin)
        try ToolFailure.wrapping { () throws(SocketError) in try installed.remove(entry) }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("plugin", entry.identity)
            writer.member("path", entry.path)
        }
        try output.show(writer.bytes) { _ in
            Messages.pluginRemoved(plugin: entry.identity.printable)
        }
    }
}

extension InstalledPlugins {
    /// Returns the plugin that the user means by its identity, its folder, or a part of them.
    func find(_ words: String) throws(ToolFailure) -> Entry {
        let entries = entries
        if let entry = entries.first(where: { $0.name == words }) { return entry }
        let names = entries.map(\.identity)
        if let name = try NameChoice(words, among: names, Messages.choicePlugins).name,
            let entry = entry(name)
        {
            return entry
        }
        let near = NearestName.find(words, in: names + entries.map(\.name))
        let plugin = words.printable
        let message =
            near.map {
                Messages.pluginNoneInstalledNear(
                    plugin: plugin, folder: folder, name: $0.printable)
            } ?? Messages.pluginNoneInstalled(plugin: plugin, folder: folder)
        throw ToolFailure(.errorReply, message)
    }
}

extension ToolFailure {
    /// Runs `body`, and turns its error into a failure.
    static func wrapping<Result>(
        _ code: Code = .errorReply, _ body: () throws(SocketError) -> Result
    ) throws(ToolFailure) -> Result {
        do throws(SocketError) {
            return try body()
        } catch {
            throw ToolFailure(code, "\(error)")
        }
    }
}

extension OutputOptions {
    /// Shows an installed plugin.
    fileprivate func show(_ source: PluginSource, at path: String, _ line: () -> String) throws {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("plugin", source.identity)
            writer.member("version", ifSet: source.manifest.version)
            writer.member("path", path)
            writer.member("source", source.path)
        }
        try show(writer.bytes) { _ in line().printable }
    }
}
