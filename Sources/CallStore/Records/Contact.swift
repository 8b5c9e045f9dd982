package import CallModel

/// Somebody the user knows.
package struct Contact: Hashable, Sendable {
    /// Bytes of a name and of an id at most, handles of one contact at most.
    package static let nameBytesMax = 256
    package static let idBytesMax = 128
    package static let handlesMax = 32

    /// Chosen by whoever creates it: a UUID as text, or the `UID` of a vCard.
    package var id: String
    package var name: String
    package var handles: [Handle]
    package var isFavorite = false
    /// Rings despite do-not-disturb.
    package var breaksThrough = false
    /// The app to call them with.
    package var provider: ProviderID?

    package init(id: String, name: String, handles: [Handle]) {
        self.id = id
        self.name = name
        self.handles = handles
    }
}

/// Which contacts are wanted.
package struct ContactFilter: Hashable, Sendable {
    /// Part of a name or of an address.
    package var text: String?
    package var favorites = false

    package init(text: String? = nil, favorites: Bool = false) {
        self.text = text
        self.favorites = favorites
    }
}

/// A part of a list.
package struct Page<Item: Sendable>: Sendable {
    package var items: [Item]
    /// Where to go on; nil at the end.
    package var next: String?

    package init(items: [Item], next: String?) {
        self.items = items
        self.next = next
    }

    /// Items of a page at most, whatever is asked for; at least one.
    static func limit(_ wanted: Int) -> Int {
        min(max(wanted, 1), 1_000)
    }
}

extension Page: Equatable where Item: Equatable {}
