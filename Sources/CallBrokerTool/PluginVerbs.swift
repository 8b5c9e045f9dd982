internal import ArgumentParser
internal import BrokerJSON
internal import BrokerSocket
internal import CallProtocol

/// A verb that changes whether a plugin runs.
protocol PluginVerb: ParsableCommand {
    static var method: MethodName { get }
    var plugin: String { get }
    var client: ClientOptions { get }
}

extension PluginVerb {
    func run() throws {
        let session = try client.open(.admin)
        let name = try session.pluginName(plugin)
        let reply = try session.ask(Self.method) { $0.member("plugin", name) }
        session.show(reply) { "\(name.printable): \($0["state"]?.string?.printable ?? "")" }
    }
}

struct StartPlugin: PluginVerb {
    static let method = MethodName.startPlugin
    static let configuration = CommandConfiguration(
        commandName: "start", abstract: "Start a plugin.")

    @Argument(help: PluginText.help) var plugin: String
    @OptionGroup var client: ClientOptions
}

struct StopPlugin: PluginVerb {
    static let method = MethodName.stopPlugin
    static let configuration = CommandConfiguration(
        commandName: "stop", abstract: "Stop a plugin, and its calls with it.",
        discussion: "A call that needs it starts it again; see disable.")

    @Argument(help: PluginText.help) var plugin: String
    @OptionGroup var client: ClientOptions
}

struct RestartPlugin: PluginVerb {
    static let method = MethodName.restartPlugin
    static let configuration = CommandConfiguration(
        commandName: "restart",
        abstract: "Stop a plugin and start it again, also one that has failed.")

    @Argument(help: PluginText.help) var plugin: String
    @OptionGroup var client: ClientOptions
}

struct EnablePlugin: PluginVerb {
    static let method = MethodName.enablePlugin
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Take a plugin into use again.")

    @Argument(help: PluginText.help) var plugin: String
    @OptionGroup var client: ClientOptions
}

struct DisablePlugin: PluginVerb {
    static let method = MethodName.disablePlugin
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Stop a plugin, and let nothing start it.")

    @Argument(help: PluginText.help) var plugin: String
    @OptionGroup var client: ClientOptions
}

/// `callbroker plugin logs`: what a plugin wrote for people.
struct PluginLogs: ParsableCommand {
    /// Often enough for who watches.
    private static let pauseMS = 500

    static let configuration = CommandConfiguration(
        commandName: "logs", abstract: "Show what a plugin wrote.",
        discussion: """
            Its standard error, and what else it wrote that was not for the broker. The broker keeps \
            the last 1,000 lines.
            """)

    @Argument(help: PluginText.help) var plugin: String
    @Option(name: .shortAndLong, help: "How many of the latest lines.") var lines = 100
    @Flag(name: .shortAndLong, help: "Go on with what comes.") var follow = false
    @OptionGroup var client: ClientOptions

    func run() throws {
        var session = try client.open(.admin)
        let name = try session.pluginName(plugin)
        var last = try show(session, name, after: nil)
        while follow {
            HostProcess.pause(milliseconds: Self.pauseMS)
            // Each look has its own time.
            session = try client.open(.admin)
            last = try show(session, name, after: last)
        }
    }

    /// The number to go on after.
    private func show(_ session: Session, _ name: String, after: Int64?) throws -> Int64 {
        let reply = try session.ask(.pluginLogs) { writer in
            writer.member("plugin", name)
            if let after { writer.member("after", after) }
            writer.member("limit", max(1, min(lines, 1_000)))
        }
        let elements = reply.result["lines"].map { Array($0.elements) } ?? []
        for line in elements {
            switch session.output.form {
            case .table: StandardOutput.line(PluginText.logLine(line))
            case .json: StandardOutput.line(ClientOptions.oneLine(line))
            case .flat: StandardOutput.line(FlatText(line).description)
            case .raw: break
            }
        }
        if session.output.form == .raw {
            StandardOutput.line(String(decoding: reply.frame, as: UTF8.self))
        }
        return elements.last?["number"]?.integer ?? after ?? reply.result["last"]?.integer ?? 0
    }
}
