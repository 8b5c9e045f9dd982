internal import ArgumentParser
internal import BrokerJSON
internal import BrokerSocket
internal import CallProtocol

/// `callbroker block`: the block list.
struct BlockCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "block", abstract: "Manage the block list.",
        subcommands: [Show.self, Add.self, Remove.self, BlockImport.self, BlockExport.self],
        defaultSubcommand: Show.self)

    struct Who: ParsableArguments {
        @Argument(help: "The number or address, or a prefix.") var address: String
        @Flag(help: "All addresses with this prefix.") var prefix = false
        @Option(help: "The type of the address.") var type: AddressKind?

        func write(_ writer: inout JSONWriter) {
            writer.member(prefix ? "prefix" : "handle", address: address, type)
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "List the blocks.")

        @OptionGroup var client: ClientOptions

        func run() throws {
            let session = try client.open(.observer)
            try session.showList(.listBlocks, "blocks") { blocks in
                guard !blocks.isEmpty else { return Messages.emptyBlocks }
                let names = session.contactNames()
                return TextTable(
                    [
                        .text(Messages.headingWho), .text(Messages.headingName),
                        .plain(Messages.headingSince), .text(Messages.headingWhy),
                    ],
                    blocks.map { BlockSummary($0, names).row(nowMS: session.nowMS) }
                ).description
            }
        }
    }

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Block an address.")

        @OptionGroup var who: Who
        @Option(help: "A note for yourself.") var reason: String?
        @OptionGroup var client: ClientOptions

        func run() throws {
            let session = try client.open(.controller)
            let reply = try session.request(.addBlock) { writer in
                who.write(&writer)
                writer.member("reason", ifSet: reason)
            }
            session.show(reply) { _ in Messages.userBlocked }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Unblock an address.",
            discussion: "Also takes what the list shows: a prefix, or the name of a contact.")

        @OptionGroup var who: Who
        @OptionGroup var client: ClientOptions

        func run() throws {
            let session = try client.open(.controller)
            let reply = try session.request(.removeBlock) { who.write(&$0) }
            if reply.result["removed"]?.boolean ?? false { return show(reply) }
            guard let block = try session.block(shownAs: who.address) else {
                throw ToolFailure(
                    .errorReply, Messages.userNotBlocked(address: who.address.printable))
            }
            show(try session.request(.removeBlock, block.write))
        }

        private func show(_ reply: borrowing Reply) {
            client.output.show(count: "removed", reply.result, Messages.userRemoved)
        }
    }
}

/// The members of a block that the tool needs.
struct BlockSummary {
    let type: String
    let address: String
    let isPrefix: Bool
    let reason: String?
    let addedAtMS: Int64
    /// The name of the contact with the address.
    let name: String?

    /// - Parameter names: of contacts, by their plain addresses.
    init(_ block: JSONValue, _ names: [String: String] = [:]) {
        isPrefix = block["prefix"] != nil
        let who = block["prefix"] ?? block["handle"]
        type = who?["type"]?.string ?? ""
        address = who?["value"]?.string ?? ""
        reason = block["reason"]?.string
        addedAtMS = block["added_at_ms"]?.integer ?? 0
        name = isPrefix ? nil : names[address.plainAddress]
    }

    /// The address as the list shows it.
    private var shown: String {
        address.printable + (isPrefix ? "..." : "")
    }

    func row(nowMS: Int64) -> [String] {
        [
            shown, name?.printable ?? "", RelativeTime(unixMS: addedAtMS, nowMS: nowMS).description,
            reason?.printable ?? "",
        ]
    }

    var line: String {
        [shown, name?.printable, reason?.printable].compactMap(\.self).joined(separator: " ")
    }

    /// True if the list shows the block under these words.
    func isShown(as words: String) -> Bool {
        shown == words || name?.lowercased() == words.lowercased()
    }

    func write(_ writer: inout JSONWriter) {
        writer.name(isPrefix ? "prefix" : "handle")
        writer.object { writer in
            writer.member("type", type)
            writer.member("value", address)
        }
    }
}

extension Session {
    /// Returns the names of contacts by their plain addresses.
    fileprivate func contactNames() -> [String: String] {
        var names: [String: String] = [:]
        _ = try? forEachPage(.listContacts) { page in
            for contact in page.result["contacts"]?.elements.map(ContactSummary.init) ?? [] {
                for handle in contact.handles { names[handle.value.plainAddress] = contact.name }
            }
        }
        return names
    }

    /// Returns the block that the list shows under these words; nil if there is none.
    fileprivate func block(shownAs words: String) throws -> BlockSummary? {
        let names = contactNames()
        var found: [BlockSummary] = []
        try forEachPage(.listBlocks) { page in
            let blocks = page.result["blocks"]?.elements.map { BlockSummary($0, names) } ?? []
            found += blocks.filter { $0.isShown(as: words) }
        }
        guard found.count <= 1 else {
            throw ToolFailure.ambiguous(
                Messages.userSeveralBlocks(words: words.printable), found.map(\.line))
        }
        return found.first
    }
}
