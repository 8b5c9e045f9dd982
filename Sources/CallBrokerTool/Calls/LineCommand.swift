internal import ArgumentParser
internal import BrokerJSON
internal import CallModel
internal import CallProtocol

/// `callbroker line`: the accounts of apps, and what their networks keep for them.
struct LineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "line",
        abstract: "Show the lines of apps, and change call forwarding and waiting.",
        discussion: """
            Settings are kept by the network of a line, such as that of a modem, and count for calls \
            to come, also while this host is off.
            """,
        subcommands: [List.self, Set.self], defaultSubcommand: List.self, aliases: ["lines"])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the lines of all apps, with their settings.")

        @OptionGroup var client: ClientOptions

        func run() throws {
            let session = try client.open(.observer)
            try session.showList(.listProviders, "providers") { providers in
                guard let lines = LineText.table(providers) else { return Messages.lineNone }
                return [lines, LineText.settings(providers)].compactMap(\.self)
                    .joined(separator: "\n\n")
            }
        }
    }

    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Change a setting, and wait for the network.",
            discussion: """
                Examples:
                  callbroker line set forward_busy on --to +15550199
                  callbroker line set forward_no_reply on --to +15550199 --after 20
                  callbroker line set call_waiting off
                """)

        @Argument(help: "The setting, as the list has it.", completion: .list(Self.kinds))
        var setting: String
        @Argument(help: "on or off.", completion: .list(["on", "off"])) var state: Switch
        @Option(help: "Where calls are forwarded: a number, an address or a contact.")
        var to: String?
        @Option(help: "The time after which forward_no_reply forwards, in seconds.")
        var after: Int?
        @Option(help: "The line; needed if several have the setting.") var line: String?
        @Option(help: "The app that has the line.", completion: Suggestions.providers)
        var app: String?
        @OptionGroup var client: ClientOptions

        enum Switch: String, ExpressibleByArgument {
            case on, off
        }

        private static let kinds = LineSetting.Kind.allCases.map(\.rawValue)

        func run() throws {
            let session = try client.open(
                .controller, waiting: Double(MethodTable.changeLineSettingMS / 1_000 + 5))
            let changed = try change(in: session)
            let place = try place(in: session)
            let reply = try session.request(.setLineSetting) { writer in
                writer.member("provider", place.app)
                writer.member("line", place.line)
                writer.members(of: changed)
            }
            session.show(reply) { _ in
                Messages.lineChanged(setting: setting, state: LineText.state(of: changed))
            }
        }

        private func change(in session: Session) throws -> LineSetting {
            guard let kind = LineSetting.Kind(rawValue: setting) else {
                throw ToolFailure(.usage, Messages.lineNoSetting(setting: setting.printable))
            }
            let address = try to.map { Handle(link: try session.link(of: $0)) }
            return LineSetting(
                kind, isOn: state == .on, to: address, afterMS: after.map { $0 * 1_000 })
        }

        /// Returns the only line that has the setting and was not excluded.
        private func place(in session: Session) throws -> (app: String, line: String) {
            var found: [(app: String, line: String)] = []
            try session.forEachPage(.listProviders) { page in
                page.result["providers"]?.elements.forEach { found += places(at: $0) }
            }
            guard let only = found.first else {
                throw ToolFailure(.errorReply, Messages.lineNoSetting(setting: setting))
            }
            guard found.count == 1 else {
                throw ToolFailure.ambiguous(
                    Messages.lineSeveral(setting: setting),
                    found.map { "\($0.app.printable) \($0.line.printable)" })
            }
            return only
        }

        private func places(at provider: JSONValue) -> [(app: String, line: String)] {
            let name = provider["provider"]?.string ?? ""
            guard app ?? name == name else { return [] }
            let lines = provider["lines"]?.elements.map { Line(checked: $0) } ?? []
            return lines.filter { candidate in
                line ?? candidate.id == candidate.id
                    && candidate.settings.contains { $0.kind.rawValue == setting }
            }.map { (name, $0.id) }
        }
    }
}
