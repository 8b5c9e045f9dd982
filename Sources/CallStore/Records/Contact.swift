package import CallModel

/// A contact of the user.
package struct Contact: Hashable, Sendable {
    /// The maximum length of a name, in bytes.
    package static let nameBytesMax = 256
    /// The maximum length of an id, in bytes.
    package static let idBytesMax = 128
    /// The maximum number of handles of a contact.
    package static let handlesMax = 32

    /// The id, chosen by its creator: a UUID as text, or the `UID` of a vCard.
    package var id: String
    package var name: String
    package var handles: [Handle]
    package var isFavorite = false
    /// Indicates that calls of the contact ring despite do not disturb.
    package var breaksThrough = false
    /// The preferred app for calls to the contact.
    package var provider: ProviderID?

    package init(id: String, name: String, handles: [Handle]) {
        self.id = id
        self.name = name
        self.handles = handles
    }
}

/// A filter of contacts.
package struct ContactFilter: Hashable, Sendable {
    /// A part of a name or of an address.
    package var text: String?
    package var favorites = false

    package init(text: String? = nil, favorites: Bool = false) {
        self.text = text
        self.favorites = favorites
    }
}

/// A page of a list.
package struct Page<Item: Sendable>: Sendable {
    package var items: [Item]
    /// The position of the next page; nil at the end.
    package var next: String?

    package init(items: [Item], next: String?) {
        self.items = items
        self.next = next
    }

    /// Returns the size of a page: the requested one, limited to 1 to 1,000.
    static func limit(_ wanted: Int) -> Int {
        min(max(wanted, 1), 1_000)
    }
}

extension Page: Equatable where Item: Equatable {}
