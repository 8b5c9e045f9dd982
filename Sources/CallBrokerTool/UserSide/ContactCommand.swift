internal import ArgumentParser
internal import BrokerJSON
internal import CallProtocol

/// `callbroker contact`: the contacts.
struct ContactCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contact", abstract: "Manage contacts.",
        subcommands: [
            Show.self, Put.self, Remove.self, ContactImport.self, ContactExport.self,
        ], defaultSubcommand: Show.self)

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "List the contacts.")

        @Argument(help: "A part of the name or of a number.") var text: String?
        @Flag(help: "Only favorites.") var favorites = false
        @OptionGroup var client: ClientOptions

        func run() throws {
            let session = try client.open(.observer)
            try session.showList(
                .listContacts, "contacts",
                { writer in
                    writer.member("text", ifSet: text)
                    if favorites { writer.member("favorites", true) }
                },
                { contacts in
                    guard !contacts.isEmpty else { return Messages.emptyContacts }
                    return TextTable(
                        [
                            .plain(Messages.headingContact), .text(Messages.headingName), "",
                            .text(Messages.headingAddresses),
                        ], contacts.map(Self.row)
                    ).description
                })
        }

        private static func row(_ contact: JSONValue) -> [String] {
            let marks = [
                contact["favorite"]?.boolean ?? false ? Messages.userContactFavorite : nil,
                contact["breakthrough"]?.boolean ?? false ? Messages.userContactBreaksThrough : nil,
            ]
            let handles = contact["handles"].map { Array($0.elements) } ?? []
            return [
                contact["contact"]?.string?.printable ?? "",
                contact["name"]?.string?.printable ?? "",
                marks.compactMap(\.self).joined(separator: ", "),
                handles.compactMap { $0["value"]?.string?.printable }.joined(separator: " "),
            ]
        }
    }

    struct Put: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "put",
            abstract: "Add or replace a contact.",
            discussion: """
                A contact that has the name already gets the addresses in addition, unless --id \
                replaces a contact or --another adds one.
                """)

        @Argument(help: "The name.") var name: String
        @Argument(help: "The numbers and addresses.") var addresses: [String]
        @Option(name: .customLong("id"), help: "The id of the contact to replace.") var contact:
            String?
        @Flag(help: "Add another contact with the same name.") var another = false
        @Flag(help: "Mark as a favorite.") var favorite = false
        @Flag(help: "Let the contact ring despite do-not-disturb.") var breakthrough = false
        @Option(help: "The app for calls to the contact.", completion: Suggestions.providers)
        var provider: String?
        @OptionGroup var client: ClientOptions

        func run() throws {
            let session = try client.open(.controller)
            let former = contact == nil && !another ? try former(session) : nil
            let provider = try provider.map(session.providerName) ?? former?.provider
            let reply = try session.request(.putContact) { writer in
                writer.member("contact", ifSet: contact ?? former?.contact)
                writer.member("name", name)
                writer.name("handles")
                writer.array { writer in
                    for handle in former?.handles ?? [] {
                        writer.object { writer in
                            writer.member("type", handle.type)
                            writer.member("value", handle.value)
                        }
                    }
                    for address in added(to: former) { writer.value(address: address) }
                }
                if favorite || former?.isFavorite ?? false { writer.member("favorite", true) }
                if breakthrough || former?.breaksThrough ?? false {
                    writer.member("breakthrough", true)
                }
                writer.member("provider", ifSet: provider)
            }
            session.show(reply) { $0["contact"]?.string?.printable ?? "" }
        }

        /// Returns the contact that has the name.
        private func former(_ session: Session) throws -> ContactSummary? {
            let found = try session.contacts(named: name)
            guard found.count <= 1 else {
                throw ToolFailure.ambiguous(
                    Messages.userSeveralContactsNamed(name: name.printable), found.map(\.line))
            }
            return found.first
        }

        /// Returns the addresses that a contact does not have yet, in any notation.
        private func added(to former: ContactSummary?) -> [String] {
            let known = Set(former?.handles.map(\.value.plainAddress) ?? [])
            return addresses.filter { !known.contains($0.plainAddress) }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove a contact.")

        @Argument(
            help: "The id or name of the contact, or a part of the name.",
            completion: Suggestions.contacts)
        var contact: String
        @OptionGroup var client: ClientOptions

        func run() throws {
            let session = try client.open(.controller)
            let byID = try remove(contact, session)
            if byID.result["removed"]?.boolean ?? false { return show(byID) }
            guard let found = try session.contact(meaning: contact) else {
                throw ToolFailure(.errorReply, Messages.userNoContact(words: contact.printable))
            }
            show(try remove(found.contact, session))
        }

        private func remove(_ id: String, _ session: Session) throws -> Reply {
            try session.request(.removeContact) { $0.member("contact", id) }
        }

        private func show(_ reply: borrowing Reply) {
            client.output.show(count: "removed", reply.result, Messages.userRemoved)
        }
    }
}
