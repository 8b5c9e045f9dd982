internal import ArgumentParser
internal import BrokerJSON
internal import CallModel
internal import CallProtocol
internal import CallStore

/// `callbroker contact import`: contacts from vCards.
struct ContactImport: ParsableCommand {
    private static let bytesMax = 256 << 20

    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import contacts from vCards (3.0 and 4.0).",
        discussion: """
            A contact with the same UID is replaced. If a line is invalid, nothing is imported. Cards \
            without a number or an address are skipped.
            """)

    @Argument(help: "The file. Default, and -: standard input.", completion: .file())
    var file: String?
    @OptionGroup var client: ClientOptions

    func run() throws {
        let cards = try read()
        let contacts = cards.filter { !$0.handles.isEmpty }
        let session = try client.open(.controller, waiting: 600)
        for contact in contacts {
            _ = try session.request(.putContact) { writer in
                writer.member("contact", contact.id)
                writer.member("name", contact.name)
                writer.name("handles")
                writer.array { writer in for handle in contact.handles { writer.value(handle) } }
                if contact.isFavorite { writer.member("favorite", true) }
                if contact.breaksThrough { writer.member("breakthrough", true) }
                writer.member("provider", ifSet: contact.provider?.name)
            }
        }
        var writer = JSONWriter()
        writer.object { $0.member("imported", contacts.count) }
        try client.output.show(count: "imported", writer.bytes, Messages.userImported)
        let others = cards.count - contacts.count
        guard others > 0 else { return }
        StandardError.write(
            "callbroker: \(Messages.userCardsSkipped(number: String(others)))\n")
    }

    private func read() throws -> [Contact] {
        do {
            var reader = VCard.Reader()
            try Terminal.readPieces(file, bytesMax: Self.bytesMax) { try reader.read($0) }
            return try reader.finish()
        } catch let error as VCardError {
            let message = Messages.importFileNotImported(
                file: file ?? Messages.fileStandardInput, problem: error.words)
            throw ToolFailure(.errorReply, message)
        }
    }
}

/// `callbroker contact export`: contacts as vCards.
struct ContactExport: ParsableCommand {
    enum Version: String, CaseIterable, ExpressibleByArgument {
        case v3 = "3"
        case v4 = "4"
    }

    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export all contacts as vCards to standard output.")

    @Option(name: .customLong("vcard"), help: "The version of the format.") var version = Version.v4
    @OptionGroup var client: ClientOptions

    func run() throws {
        let session = try client.open(.observer, waiting: 600)
        var contacts: [Contact] = []
        try session.forEachPage(.listContacts) { page in
            for contact in page.result["contacts"].map({ Array($0.elements) }) ?? [] {
                contacts.append(Contact(contact))
            }
        }
        let text = VCard.text(of: contacts, version: version == .v3 ? .v3 : .v4)
        StandardOutput.line(String(text.dropLast(text.hasSuffix("\r\n") ? 1 : 0)))
    }
}

extension Contact {
    /// Reads a contact as the broker lists it.
    fileprivate init(_ value: JSONValue) {
        self.init(
            id: value["contact"]?.string ?? "", name: value["name"]?.string ?? "",
            handles: value["handles"].map { $0.elements.map(Handle.init(checked:)) } ?? [])
        isFavorite = value["favorite"]?.boolean ?? false
        breaksThrough = value["breakthrough"]?.boolean ?? false
        provider = value["provider"]?.string.map { ProviderID($0) }
    }
}
