package import CallModel

/// Contacts of the user.
extension CallStore {
    /// Adds a contact, or replaces the one with its id.
    package func put(_ contact: Contact) throws(StoreError) {
        try put([contact])
    }

    /// Adds or replaces all of the contacts, or none.
    package func put(_ contacts: [Contact]) throws(StoreError) {
        for contact in contacts { try check(contact) }
        let region = try region
        try atomically { (connection) throws(StoreError) in
            for contact in contacts { try write(contact, region, to: connection) }
        }
    }

    /// Removes a contact; returns false if there is none.
    @discardableResult
    package func removeContact(_ id: String) throws(StoreError) -> Bool {
        try atomically { (connection) throws(StoreError) in
            try connection.run("DELETE FROM contact WHERE id = ?", [.text(id)])
            return connection.changedRows > 0
        }
    }

    /// Returns the contact with an id.
    package func contact(_ id: String) throws(StoreError) -> Contact? {
        let connection = try database()
        let found = try connection.first(
            Self.contactColumns + "WHERE id = ?", [.text(id)], Self.contact)
        return try found.map { (contact) throws(StoreError) in try withHandles(contact) }
    }

    /// Returns a page of contacts, sorted by name without regard to case. `after` is the `next` of
    /// the previous page.
    package func contacts(
        _ filter: ContactFilter = ContactFilter(), after: String? = nil, limit: Int = 100
    ) throws(StoreError) -> Page<Contact> {
        let limit = Page<Contact>.limit(limit)
        let place = try Cursor(after, parts: 2)
        let wanted = filter.text.map { $0.lowercased() }
        let found = try database().rows(
            Self.contactColumns + """
                WHERE (sort, id) > (?1, ?2) AND (?3 = 0 OR favorite = 1)
                AND (?4 IS NULL OR instr(sort, ?4) OR EXISTS(
                    SELECT 1 FROM contact_handle
                    WHERE contact = id AND (instr(lower(value), ?4) OR instr(key, ?4))))
                ORDER BY sort, id LIMIT ?5
                """,
            [
                .text(place?.parts[0] ?? ""), .text(place?.parts[1] ?? ""),
                .flag(filter.favorites), .optional(wanted), .integer(limit + 1),
            ], Self.contact)
        let items = try found.prefix(limit).map { (contact) throws(StoreError) in
            try withHandles(contact)
        }
        guard found.count > limit, let last = items.last else {
            return Page(items: items, next: nil)
        }
        return Page(items: items, next: Cursor([Self.sort(last.name), last.id]).text)
    }

    /// Returns the contact with an address; the first by name if there are several.
    package func contact(with handle: Handle) throws(StoreError) -> Contact? {
        let key = HandleKey(handle, region: try region)
        let found = try database().first(
            """
            SELECT id, name, favorite, breaks_through, provider
            FROM contact_handle JOIN contact ON id = contact
            WHERE kind IN (?, ?, ?) AND key = ? ORDER BY sort, id LIMIT 1
            """, key.fields(besides: handle.kind) + [.text(key.text)], Self.contact)
        return try found.map { (contact) throws(StoreError) in try withHandles(contact) }
    }

    /// Returns the contacts with a preferred app.
    func contactsWithApp() throws(StoreError) -> [Contact] {
        try database().rows(Self.contactColumns + "WHERE provider IS NOT NULL", [], Self.contact)
            .map { (contact) throws(StoreError) in try withHandles(contact) }
    }

    // MARK: rows

    private static let contactColumns =
        "SELECT id, name, favorite, breaks_through, provider FROM contact "

    private static func contact(_ row: Row) -> Contact {
        var contact = Contact(id: row.text(0), name: row.text(1), handles: [])
        contact.isFavorite = row.flag(2)
        contact.breaksThrough = row.flag(3)
        contact.provider = row.optionalText(4).map { ProviderID($0) }
        return contact
    }

    private func withHandles(_ contact: Contact) throws(StoreError) -> Contact {
        var contact = contact
        contact.handles = try database().rows(
            "SELECT kind, value FROM contact_handle WHERE contact = ? ORDER BY place",
            [.text(contact.id)]
        ) { Handle(kind: Handle.Kind(name: $0.text(0)), value: $0.text(1)) }
        return contact
    }

    private func write(
        _ contact: Contact, _ region: String?, to connection: Connection
    ) throws(StoreError) {
        try connection.run(
            """
            INSERT INTO contact VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
                name = excluded.name, sort = excluded.sort, favorite = excluded.favorite,
                breaks_through = excluded.breaks_through, provider = excluded.provider
            """,
            [
                .text(contact.id), .text(contact.name), .text(Self.sort(contact.name)),
                .flag(contact.isFavorite), .flag(contact.breaksThrough),
                .optional(contact.provider?.name),
            ])
        try connection.run("DELETE FROM contact_handle WHERE contact = ?", [.text(contact.id)])
        for (place, handle) in contact.handles.enumerated() {
            try connection.run(
                "INSERT INTO contact_handle VALUES (?, ?, ?, ?, ?)",
                [
                    .text(contact.id), .integer(place), .text(handle.kind.name),
                    .text(handle.value), .text(HandleKey(handle, region: region).text),
                ])
        }
    }

    /// Returns the sort key of a name.
    private static func sort(_ name: String) -> String {
        name.lowercased()
    }

    private func check(_ contact: Contact) throws(StoreError) {
        guard (1...Contact.idBytesMax).contains(contact.id.utf8.count) else {
            throw StoreError(.invalid, "a contact id must have 1 to \(Contact.idBytesMax) bytes")
        }
        guard (1...Contact.nameBytesMax).contains(contact.name.utf8.count) else {
            throw StoreError(
                .invalid, "a contact name must have 1 to \(Contact.nameBytesMax) bytes")
        }
        guard contact.handles.count <= Contact.handlesMax else {
            throw StoreError(.invalid, "a contact has at most \(Contact.handlesMax) handles")
        }
        for handle in contact.handles { try checkValue(handle.value) }
    }

    func checkValue(_ value: String) throws(StoreError) {
        guard (1...Handle.valueBytesMax).contains(value.utf8.count) else {
            throw StoreError(
                .invalid, "a handle value must have 1 to \(Handle.valueBytesMax) bytes")
        }
    }
}

/// The position in a list, as a text that its reader passes back.
struct Cursor {
    private static let separator: Character = "\u{1F}"
    let parts: [String]

    init(_ parts: [String]) {
        self.parts = parts
    }

    /// Parses a text; nil for nil.
    init?(_ text: String?, parts count: Int) throws(StoreError) {
        guard let text else { return nil }
        parts = text.split(separator: Self.separator, omittingEmptySubsequences: false)
            .map { String($0) }
        guard parts.count == count else {
            throw StoreError(.invalid, "expected the `next` of the previous page")
        }
    }

    /// Parses a text whose parts are integers; nil for nil.
    init?(numbers text: String?, parts count: Int) throws(StoreError) {
        try self.init(text, parts: count)
        guard parts.allSatisfy({ Int64($0) != nil }) else {
            throw StoreError(.invalid, "expected the `next` of the previous page")
        }
    }

    var text: String {
        parts.joined(separator: String(Self.separator))
    }

    func number(_ part: Int) -> Int64 {
        Int64(parts[part]) ?? 0
    }
}
