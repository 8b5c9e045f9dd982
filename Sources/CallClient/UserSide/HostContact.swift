internal import BrokerJSON
public import CallModel
internal import CallProtocol

/// A contact of the user. Calls of a contact show its name, and are not silenced as unknown.
public struct HostContact: Hashable, Sendable, Identifiable {
    /// The id of the contact, chosen by the client that adds it or by the broker; at most 128
    /// bytes.
    public let id: String
    /// The name that the host shows.
    public var name: String
    /// Numbers and addresses: 1 to 32.
    public var handles: [Handle]
    /// True if the contact is a favorite, whose calls also ring while another call is active and
    /// the policy refuses others.
    public var isFavorite: Bool
    /// True if calls ring despite do-not-disturb.
    public var breaksThrough: Bool
    /// The app to call the contact with; nil leaves the choice to the broker.
    public var provider: ProviderID?

    /// Makes a contact, which `putContact` stores.
    public init(
        id: String, name: String, handles: [Handle], isFavorite: Bool = false,
        breaksThrough: Bool = false, provider: ProviderID? = nil
    ) {
        self.id = id
        self.name = name
        self.handles = handles
        self.isFavorite = isFavorite
        self.breaksThrough = breaksThrough
        self.provider = provider
    }
}

extension CallController {
    /// Adds a contact with an id that the broker chooses.
    ///
    /// - Returns: the contact as it was stored.
    @discardableResult
    public func addContact(
        _ name: String, handles: [Handle], isFavorite: Bool = false, breaksThrough: Bool = false,
        provider: ProviderID? = nil
    ) async throws(CallError) -> HostContact {
        let contact = HostContact(
            id: "", name: name, handles: handles, isFavorite: isFavorite,
            breaksThrough: breaksThrough, provider: provider)
        return try await link.request(.putContact, { $0.members(of: contact) }) {
            HostContact($0)
        }
    }

    /// Adds a contact, or replaces the one with its id.
    ///
    /// - Returns: the contact as it was stored.
    @discardableResult
    public func putContact(_ contact: HostContact) async throws(CallError) -> HostContact {
        try await link.request(
            .putContact,
            { writer in
                writer.member("contact", contact.id)
                writer.members(of: contact)
            }
        ) { HostContact($0) }
    }

    /// Removes a contact.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    public func removeContact(_ id: HostContact.ID) async throws(CallError) -> Bool {
        try await link.request(.removeContact, { $0.member("contact", id) }) {
            $0["removed"]?.boolean
        }
    }

    /// Returns the contacts in the order of their names.
    ///
    /// - Parameters:
    ///   - text: a part of a name or a number; nil returns all.
    ///   - favoritesOnly: whether other contacts are left out.
    public func contacts(
        text: String? = nil, favoritesOnly: Bool = false
    ) async throws(CallError) -> [HostContact] {
        try await all(
            .listContacts, "contacts",
            { writer in
                writer.member("text", ifSet: text)
                if favoritesOnly { writer.member("favorites", true) }
            }
        ) { HostContact($0) }
    }
}

extension HostContact {
    fileprivate init?(_ value: JSONValue) {
        guard let id = value["contact"]?.string, let name = value["name"]?.string else {
            return nil
        }
        self.init(
            id: id, name: name,
            handles: value["handles"].map { $0.elements.map { Handle(checked: $0) } } ?? [],
            isFavorite: value["favorite"]?.boolean ?? false,
            breaksThrough: value["breakthrough"]?.boolean ?? false,
            provider: ProviderID(value["provider"]))
    }
}

extension JSONWriter {
    /// Writes the members of a contact, except its id.
    fileprivate mutating func members(of contact: HostContact) {
        member("name", contact.name)
        name("handles")
        array { writer in for handle in contact.handles { writer.value(handle) } }
        if contact.isFavorite { member("favorite", true) }
        if contact.breaksThrough { member("breakthrough", true) }
        if let provider = contact.provider { member("provider", provider) }
    }
}
