internal import ArgumentParser
internal import BrokerJSON
internal import CallProtocol

/// `callbroker directory`: caller directories, which label or block numbers.
struct DirectoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "directory", abstract: "Manage caller directories.",
        subcommands: [Show.self, DirectoryLoad.self, Remove.self, Enable.self, Disable.self],
        defaultSubcommand: Show.self)

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "List the directories.")

        @OptionGroup var client: ClientOptions

        func run() throws {
            let session = try client.open(.observer)
            let reply = try session.request(.listDirectories)
            let sources = reply.result["sources"] ?? reply.result
            try client.output.show(list: Array(ClientOptions.oneLine(sources).utf8)) { list in
                guard !list.isEmpty else { return Messages.emptyDirectories }
                return TextTable(
                    [.text(Messages.userDirectory), "", .plain(Messages.userDirectoryEntries)],
                    list.map(Self.row)
                )
                .description
            }
        }

        private static func row(_ source: JSONValue) -> [String] {
            let isLoading = source["loading"] != nil
            let isOn = source["enabled"]?.boolean ?? false
            let state = isOn ? Messages.userDirectoryOn : Messages.userDirectoryOff
            return [
                source["source"]?.string?.printable ?? "",
                isLoading ? Messages.userDirectoryLoading(state: state) : state,
                source["entries"]?.integer.map(String.init) ?? "",
            ]
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a directory with all its entries.")

        @Argument(help: "The name of the directory.", completion: Suggestions.directories)
        var source: String
        @OptionGroup var client: ClientOptions

        func run() throws {
            let reply = try client.open(.admin).request(.clearDirectory) {
                $0.member("source", source)
            }
            try client.output.showRemoved(
                reply.result,
                nothing:
                    Messages.userNoDirectory(name: source.printable))
        }
    }

    struct Enable: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "enable", abstract: "Enable a directory.")

        @Argument(help: "The name of the directory.", completion: Suggestions.directories)
        var source: String
        @OptionGroup var client: ClientOptions

        func run() throws { try client.setDirectory(source, isEnabled: true) }
    }

    struct Disable: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "disable",
            abstract: "Disable a directory; its entries are kept.")

        @Argument(help: "The name of the directory.", completion: Suggestions.directories)
        var source: String
        @OptionGroup var client: ClientOptions

        func run() throws { try client.setDirectory(source, isEnabled: false) }
    }
}

extension ClientOptions {
    fileprivate func setDirectory(_ source: String, isEnabled: Bool) throws {
        let session = try open(.controller)
        let reply = try session.request(.enableDirectory) { writer in
            writer.member("source", source)
            writer.member("enabled", isEnabled)
        }
        session.show(reply) { _ in
            isEnabled ? Messages.userDirectoryOn : Messages.userDirectoryOff
        }
    }
}
