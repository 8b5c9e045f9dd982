internal import ArgumentParser
internal import BrokerJSON
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
    static let configuration = CommandConfiguration(
        commandName: "logs", abstract: "Show what a plugin wrote.",
        discussion: """
            Its standard error, and what else it wrote that was not for the broker. The broker keeps \
            the last 1,000 lines. With --follow each line is shown as it comes, also when the \
            connection was lost.
            """)

    @Argument(help: PluginText.help) var plugin: String
    @Option(name: .shortAndLong, help: "How many of the latest lines.") var lines = 100
    @Flag(name: .shortAndLong, help: "Go on with what comes.") var follow = false
    @OptionGroup var client: ClientOptions

    func run() throws {
        let name = try client.open(.admin).pluginName(plugin)
        var last: Int64?
        guard follow else { return try show(name, after: &last) }
        var follower = EventFollower(
            topics: [Topic.pluginLog.rawValue], cursor: nil, client.connection,
            roles: [.observer, .admin])
        // What was written before, or while nobody listened, is asked for; events go on from there.
        let begin: () throws -> Void = { try show(name, after: &last) }
        try follower.run(begin: begin) { params in
            guard let line = params["data"], line["plugin"]?.string == name,
                let number = line["number"]?.integer, number > last ?? 0
            else { return }
            last = number
            show(line)
        }
    }

    /// - Parameter seen: The number to go on after, then of the latest line.
    private func show(_ name: String, after seen: inout Int64?) throws {
        let session = try client.open(.admin)
        let count = max(1, min(lines, 1_000))
        // So many may be more than a page takes: the pages begin so far before the latest.
        var last = try seen ?? max(0, session.latestLine(of: name) - Int64(count))
        var latest: Int64
        repeat {
            let reply = try session.ask(.pluginLogs) { writer in
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
            // A broker that was started anew counts from 1.
            let isAnew = latest < last
            last = isAnew ? 0 : page.last?["number"]?.integer ?? latest
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
    /// The number of the latest line that a plugin wrote; 0 if it wrote none.
    fileprivate func latestLine(of plugin: String) throws(ToolFailure) -> Int64 {
        let reply = try ask(.pluginLogs) { writer in
            writer.member("plugin", plugin)
            writer.member("limit", 1)
        }
        return max(0, reply.result["last"]?.integer ?? 0)
    }
}
