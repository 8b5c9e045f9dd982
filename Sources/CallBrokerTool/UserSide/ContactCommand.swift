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
        static let configuration = CommandConfiguration(abstract: "List the contacts.")

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
                    guard !contacts.isEmpty else { return "no contacts" }
                    return TextTable(
                        ["CONTACT", "NAME", "", "ADDRESSES"], contacts.map(Self.row)
                    ).description
                })
        }

        private static func row(_ contact: JSONValue) -> [String] {
            let marks = [
                contact["favorite"]?.boolean ?? false ? "favorite" : nil,
                contact["breakthrough"]?.boolean ?? false ? "breaks through" : nil,
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
            abstract: "Add or replace a contact.")

        @Argument(help: "The name.") var name: String
        @Argument(help: "The numbers and addresses.") var addresses: [String]
        @Option(name: .customLong("id"), help: "The id of the contact to replace.") var contact:
            String?
        @Flag(help: "Mark as a favorite.") var favorite = false
        @Flag(help: "Let the contact ring despite do-not-disturb.") var breakthrough = false
        @Option(help: "The app for calls to the contact.") var provider: String?
        @OptionGroup var client: ClientOptions

        func run() throws {
            let session = try client.open(.controller)
            let reply = try session.request(.putContact) { writer in
                writer.member("contact", ifSet: contact)
                writer.member("name", name)
                writer.name("handles")
                writer.array { writer in
                    for address in addresses { writer.value(address: address) }
                }
                if favorite { writer.member("favorite", true) }
                if breakthrough { writer.member("breakthrough", true) }
                writer.member("provider", ifSet: provider)
            }
            session.show(reply) { $0["contact"]?.string?.printable ?? "" }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Remove a contact.")

        @Argument(help: "The id of the contact, as listed.") var contact: String
        @OptionGroup var client: ClientOptions

        func run() throws {
            let reply = try client.open(.controller).request(.removeContact) {
                $0.member("contact", contact)
            }
            client.output.show(count: "removed", reply.result)
        }
    }
}
