internal import ArgumentParser
internal import BrokerJSON
internal import BrokerSocket
internal import CallProtocol

/// A command that starts or stops a plugin.
protocol PluginVerb: ParsableCommand {
    static var method: MethodName { get }
    var plugin: String { get }
    var client: ClientOptions { get }
}

extension PluginVerb {
    func run() throws {
        try requestVerb()
    }

    fileprivate func requestVerb() throws {
        let session = try client.open(.admin)
        let name = try session.pluginName(plugin)
        let reply = try session.request(Self.method) { $0.member("plugin", name) }
        session.show(reply) { result in
            Messages.pluginState(plugin: name.printable, state: PluginText.state(result))
        }
    }
}

struct StartPlugin: PluginVerb {
    static let method = MethodName.startPlugin
    static let configuration = CommandConfiguration(
        commandName: "start", abstract: "Start a plugin.")

    @Argument(help: PluginText.help, completion: Suggestions.plugins) var plugin: String
    @OptionGroup var client: ClientOptions
}

struct StopPlugin: PluginVerb {
    static let method = MethodName.stopPlugin
    static let configuration = CommandConfiguration(
        commandName: "stop", abstract: "Stop a plugin, and end its calls.",
        discussion: "An on-demand plugin is started again when a call needs it; see disable.")

    @Argument(help: PluginText.help, completion: Suggestions.plugins) var plugin: String
    @OptionGroup var client: ClientOptions
}

struct RestartPlugin: PluginVerb {
    static let method = MethodName.restartPlugin
    static let configuration = CommandConfiguration(
        commandName: "restart",
        abstract: "Restart a plugin, also after it has failed.")

    @Argument(help: PluginText.help, completion: Suggestions.plugins) var plugin: String
    @OptionGroup var client: ClientOptions
}

struct EnablePlugin: PluginVerb {
    static let method = MethodName.enablePlugin
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Enable a plugin.",
        discussion: """
            Enables a disabled plugin, or one that came with the program ("plugin list --available"), \
            which is linked into the user's plugin folder. For the latter no broker need run, unless \
            options are set.
            """)

    @Argument(help: PluginText.help, completion: Suggestions.plugins) var plugin: String
    @Argument(help: "Options to set with it, each as NAME=VALUE.") var options: [String] = []
    @OptionGroup var target: PluginFolderOptions
    @OptionGroup var client: ClientOptions

    func run() throws {
        let settings = try options.map { word throws(ToolFailure) in try OptionSetting(word) }
        let installed = try target.installed()
        guard let bundled = try BundledPlugins.toEnable(plugin, in: installed) else {
            return try enable(settings)
        }
        // Before it is linked, as a plugin may start at once.
        let kinds = OptionKinds(bundled.manifest)
        for setting in settings { _ = try setting.value(kinds) }
        try installed.link(bundled)
        try enable(bundled.identity, settings)
    }

    private func enable(_ settings: [OptionSetting]) throws {
        let session = try client.open(.admin)
        try enable(session.pluginName(plugin), settings, session)
    }

    /// Enables a plugin that was just linked. It may have been disabled before.
    private func enable(_ identity: String, _ settings: [OptionSetting]) throws {
        let session: Session
        do throws(ToolFailure) {
            session = try client.open(.admin)
        } catch {
            guard error.code == .noConnection, settings.isEmpty else { throw error }
            return try showLinked(identity)
        }
        _ = try session.request(.rescanPlugins)
        try enable(identity, settings, session)
    }

    private func enable(
        _ name: String, _ settings: [OptionSetting], _ session: Session
    ) throws {
        try session.set(settings, of: name)
        let reply = try session.request(Self.method) { $0.member("plugin", name) }
        session.show(reply) { result in
            Messages.pluginState(plugin: name.printable, state: PluginText.state(result))
        }
    }

    private func showLinked(_ identity: String) throws {
        var writer = JSONWriter()
        writer.object { $0.member("plugin", identity) }
        try client.output.show(writer.bytes) { _ in
            Messages.pluginEnabledWithoutBroker(plugin: identity)
        }
    }
}

extension InstalledPlugins {
    /// Enables a bundled plugin by a link to it.
    func link(_ bundled: PluginSource) throws(ToolFailure) {
        try ToolFailure.wrapping { () throws(SocketError) in
            try bundled.checkProgram()
            _ = try install(bundled, asLink: true)
        }
    }
}

extension Session {
    fileprivate func set(_ settings: [OptionSetting], of plugin: String) throws(ToolFailure) {
        guard !settings.isEmpty else { return }
        let kinds = try OptionKinds(of: plugin, self)
        for setting in settings {
            _ = try setOption(setting.name, of: plugin, to: setting.value(kinds))
        }
    }

    /// Lets the broker find a plugin that was just linked, and enables it.
    func enableLinked(_ identity: String) throws(ToolFailure) -> Reply {
        _ = try request(.rescanPlugins)
        return try request(.enablePlugin) { $0.member("plugin", identity) }
    }
}

struct DisablePlugin: PluginVerb {
    static let method = MethodName.disablePlugin
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Disable a plugin.")

    @Argument(help: PluginText.help, completion: Suggestions.plugins) var plugin: String
    @OptionGroup var client: ClientOptions
}

/// `callbroker plugin logs`: the standard error of a plugin.
struct PluginLogs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logs", abstract: "Show the output of a plugin.",
        discussion: """
            Shows standard error, and lines on standard output that are not JSON. The broker keeps the \
            last 1,000 lines. --follow shows new lines, and reconnects when the connection is lost.
            """)

    @Argument(help: PluginText.help, completion: Suggestions.plugins) var plugin: String
    @Option(name: .shortAndLong, help: "The number of lines.") var lines = 100
    @Flag(name: .shortAndLong, help: "Show new lines as they are written.") var follow = false
    @OptionGroup var client: ClientOptions

    func run() throws {
        let name = try client.open(.admin).pluginName(plugin)
        var last: Int64?
        guard follow else { return try show(name, after: &last) }
        var follower = EventFollower(
            topics: [Topic.pluginLog.rawValue], cursor: nil, client.connection,
            roles: [.observer, .admin])
        // Lines from before the subscription are requested; events continue from there.
        let begin: () throws -> Void = { try show(name, after: &last) }
        try follower.run(begin: begin) { params in
            guard let line = params["data"], line["plugin"]?.string == name,
                let number = line["number"]?.integer, number > last ?? 0
            else { return }
            last = number
            show(line)
        }
    }

    /// - Parameter seen: the number of the last line shown, updated to that of the latest.
    private func show(_ name: String, after seen: inout Int64?) throws {
        let session = try client.open(.admin)
        let count = max(1, min(lines, 1_000))
        // The lines may not fit into one page, so the pages begin that far before the latest line.
        var last = try seen ?? max(0, session.latestLine(of: name) - Int64(count))
        var latest: Int64
        repeat {
            let reply = try session.request(.pluginLogs) { writer in
                writer.member("plugin", name)
                writer.member("after", last)
                writer.member("limit", count)
            }
            latest = reply.result["last"]?.integer ?? 0
            let page = reply.result["lines"].map { Array($0.elements) } ?? []
            if session.output.form == .raw {
                StandardOutput.line(String(decoding: reply.frame, as: UTF8.self))
            } else {
                page.forEach(show)
            }
            // A restarted broker numbers lines from 1.
            let hasRestarted = latest < last
            last = hasRestarted ? 0 : page.last?["number"]?.integer ?? latest
        } while last < latest
        seen = last
    }

    private func show(_ line: JSONValue) {
        switch client.output.form {
        case .table: StandardOutput.line(PluginText.logLine(line))
        case .json: StandardOutput.line(ClientOptions.oneLine(line))
        case .flat: StandardOutput.line(FlatText(line).description)
        case .raw: StandardOutput.line(ClientOptions.oneLine(line))
        }
    }
}

extension Session {
    /// Returns the number of a plugin's latest line; 0 if there is none.
    fileprivate func latestLine(of plugin: String) throws(ToolFailure) -> Int64 {
        let reply = try request(.pluginLogs) { writer in
            writer.member("plugin", plugin)
            writer.member("limit", 1)
        }
        return max(0, reply.result["last"]?.integer ?? 0)
    }
}
