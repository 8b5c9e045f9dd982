internal import ArgumentParser
internal import BrokerJSON
internal import BrokerSocket
internal import CallProtocol

/// `callbroker block`: whose calls shall not ring.
struct BlockCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "block", abstract: "Show whose calls do not ring, or change that.",
        subcommands: [Show.self, Add.self, Remove.self], defaultSubcommand: Show.self)

    struct Who: ParsableArguments {
        @Argument(help: "The number or address, or its beginning.") var address: String
        @Flag(help: "Everybody whose address begins so.") var prefix = false
        @Option(help: "What the address is.") var type: AddressKind?

        func write(_ writer: inout JSONWriter) {
            writer.member(prefix ? "prefix" : "handle", address: address, type)
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show the blocks.")

        @OptionGroup var client: ClientOptions

        func run() throws {
            let session = try client.open(.observer)
            try session.showList(.listBlocks, "blocks") { blocks in
                guard !blocks.isEmpty else { return "nobody is blocked" }
                return TextTable(["WHO", "SINCE", "WHY"], blocks.map(Self.row)).description
            }
        }

        private static func row(_ block: JSONValue) -> [String] {
            let prefix = block["prefix"]?["value"]?.string.map { $0.printable + "..." }
            return [
                prefix ?? block["handle"]?["value"]?.string?.printable ?? "",
                ClockTime.dayAndTime(unixMS: block["added_at_ms"]?.integer ?? 0),
                block["reason"]?.string?.printable ?? "",
            ]
        }
    }

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Block somebody.")

        @OptionGroup var who: Who
        @Option(help: "Why, for yourself.") var reason: String?
        @OptionGroup var client: ClientOptions

        func run() throws {
            let session = try client.open(.controller)
            let reply = try session.ask(.addBlock) { writer in
                who.write(&writer)
                writer.member("reason", ifSet: reason)
            }
            session.show(reply) { _ in "blocked" }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Let somebody ring again.")

        @OptionGroup var who: Who
        @OptionGroup var client: ClientOptions

        func run() throws {
            let reply = try client.open(.controller).ask(.removeBlock) { who.write(&$0) }
            client.output.show(count: "removed", reply.result)
        }
    }
}
