internal import ArgumentParser
internal import BrokerJSON
internal import BrokerSocket
internal import CallProtocol

/// `callbroker block`: the block list.
struct BlockCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "block", abstract: "Manage the block list.",
        subcommands: [Show.self, Add.self, Remove.self], defaultSubcommand: Show.self)

    struct Who: ParsableArguments {
        @Argument(help: "The number or address, or a prefix.") var address: String
        @Flag(help: "All addresses with this prefix.") var prefix = false
        @Option(help: "The type of the address.") var type: AddressKind?

        func write(_ writer: inout JSONWriter) {
            writer.member(prefix ? "prefix" : "handle", address: address, type)
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the blocks.")

        @OptionGroup var client: ClientOptions

        func run() throws {
            let session = try client.open(.observer)
            try session.showList(.listBlocks, "blocks") { blocks in
                guard !blocks.isEmpty else { return "no blocks" }
                return TextTable(
                    [.text("WHO"), "SINCE", .text("WHY")],
                    blocks.map { Self.row($0, nowMS: session.nowMS) }
                ).description
            }
        }

        private static func row(_ block: JSONValue, nowMS: Int64) -> [String] {
            let prefix = block["prefix"]?["value"]?.string.map { $0.printable + "..." }
            return [
                prefix ?? block["handle"]?["value"]?.string?.printable ?? "",
                RelativeTime(unixMS: block["added_at_ms"]?.integer ?? 0, nowMS: nowMS).description,
                block["reason"]?.string?.printable ?? "",
            ]
        }
    }

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Block an address.")

        @OptionGroup var who: Who
        @Option(help: "A note for yourself.") var reason: String?
        @OptionGroup var client: ClientOptions

        func run() throws {
            let session = try client.open(.controller)
            let reply = try session.request(.addBlock) { writer in
                who.write(&writer)
                writer.member("reason", ifSet: reason)
            }
            session.show(reply) { _ in "blocked" }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Unblock an address.")

        @OptionGroup var who: Who
        @OptionGroup var client: ClientOptions

        func run() throws {
            let reply = try client.open(.controller).request(.removeBlock) { who.write(&$0) }
            try client.output.showRemoved(
                reply.result,
                nothing:
                    "\(who.address.printable) is not blocked; callbroker block lists the blocks")
        }
    }
}
