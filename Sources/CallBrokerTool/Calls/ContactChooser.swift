internal import BrokerJSON
internal import CallProtocol

/// The members of a contact that the tool needs.
struct ContactSummary {
    let contact: String
    let name: String
    let handles: [Address]
    let isFavorite: Bool
    let breaksThrough: Bool
    let provider: String?

    /// An address, with its type.
    struct Address {
        let type: String
        let value: String
    }

    init(_ value: JSONValue) {
        contact = value["contact"]?.string ?? ""
        name = value["name"]?.string ?? ""
        handles =
            value["handles"]?.elements.map { handle in
                Address(
                    type: handle["type"]?.string ?? "", value: handle["value"]?.string ?? "")
            } ?? []
        isFavorite = value["favorite"]?.boolean ?? false
        breaksThrough = value["breakthrough"]?.boolean ?? false
        provider = value["provider"]?.string
    }

    /// The addresses that can be dialed: the telephone numbers, or all if there are none.
    fileprivate var links: [String] {
        let numbers = handles.filter { $0.type == "phone" }.map { "tel:" + $0.value }
        return numbers.isEmpty ? handles.map(\.link) : numbers
    }

    var line: String {
        "\(contact.printable) \(name.printable) "
            + handles.map(\.value.printable).joined(separator: " ")
    }
}

extension ContactSummary.Address {
    /// The address with a scheme.
    fileprivate var link: String {
        type == "email" && !value.contains(":") ? "mailto:" + value : value
    }
}

extension Session {
    /// Returns the contacts with exactly this name, in any case.
    func contacts(named name: String) throws -> [ContactSummary] {
        try contacts(with: name).filter { $0.name.lowercased() == name.lowercased() }
    }

    /// Returns the contact that the user means: the one with that name, or with that part of it;
    /// nil if there is none.
    func contact(meaning words: String) throws -> ContactSummary? {
        let parts = try contacts(with: words).filter {
            $0.name.lowercased().contains(words.lowercased())
        }
        let whole = parts.filter { $0.name.lowercased() == words.lowercased() }
        let found = whole.isEmpty ? parts : whole
        guard found.count <= 1 else {
            throw ToolFailure.ambiguous(
                Messages.userSeveralContacts(words: words.printable),
                found.map(\.line))
        }
        return found.first
    }

    /// Returns the address to dial for a contact.
    func link(ofContact words: String) throws -> String? {
        guard let contact = try contact(meaning: words) else { return nil }
        let links = contact.links
        guard let first = links.first else {
            throw ToolFailure(.usage, Messages.userNoAddress(name: contact.name.printable))
        }
        guard links.count == 1 else {
            throw ToolFailure.ambiguous(
                Messages.userSeveralAddresses(name: contact.name.printable),
                links.map(\.printable))
        }
        return first
    }

    private func contacts(with text: String) throws -> [ContactSummary] {
        var contacts: [ContactSummary] = []
        try forEachPage(.listContacts, { $0.member("text", text) }) { page in
            contacts += page.result["contacts"]?.elements.map(ContactSummary.init) ?? []
        }
        return contacts
    }
}
