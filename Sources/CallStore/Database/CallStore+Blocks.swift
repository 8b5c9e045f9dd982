package import CallModel

/// Blocked callers.
extension CallStore {
    /// Adds a block. An existing one with the same pattern keeps its place and gets the new reason.
    package func add(_ block: Block) throws(StoreError) {
        try checkValue(block.pattern.value)
        guard (block.reason ?? "").utf8.count <= Block.reasonBytesMax else {
            throw StoreError(.invalid, "a reason has at most \(Block.reasonBytesMax) bytes")
        }
        let (key, known) = try identify(block.pattern)
        guard !key.text.isEmpty else {
            throw StoreError(.invalid, "the pattern is empty without its separators")
        }
        let kind = Field.text(block.pattern.kind.name)
        try atomically { (connection) throws(StoreError) in
            try connection.run(
                "UPDATE block SET kind = ?, value = ?, reason = ?" + Self.isSame,
                [kind, .text(block.pattern.value), .optional(block.reason)] + known)
            guard connection.changedRows == 0 else { return }
            try connection.run(
                """
                INSERT INTO block(kind, prefix, value, key, reason, added_at)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
                [
                    kind, .flag(block.pattern.isPrefix), .text(block.pattern.value),
                    .text(key.text), .optional(block.reason), .integer(block.addedAtMS),
                ])
        }
    }

    /// Removes a block; returns false if there is none.
    @discardableResult
    package func removeBlock(_ pattern: Block.Pattern) throws(StoreError) -> Bool {
        let (_, known) = try identify(pattern)
        return try atomically { (connection) throws(StoreError) in
            try connection.run("DELETE FROM block" + Self.isSame, known)
            return connection.changedRows > 0
        }
    }

    private static let isSame = " WHERE prefix = ? AND key = ? AND kind IN (?, ?, ?)"

    /// Returns the key of a pattern, and the values that `isSame` needs to find it in any spelling.
    private func identify(
        _ pattern: Block.Pattern
    ) throws(StoreError) -> (key: HandleKey, known: [Field]) {
        let key = Self.key(of: pattern, region: try region)
        let kinds =
            pattern.isPrefix ? [key.kind, key.kind, key.kind] : key.kinds(besides: pattern.kind)
        return (
            key, [.flag(pattern.isPrefix), .text(key.text)] + kinds.map { .text($0.name) }
        )
    }

    /// Returns a page of blocks, in the order of their addition.
    package func blocks(
        after: String? = nil, limit: Int = 100
    ) throws(StoreError) -> Page<Block> {
        let limit = Page<Block>.limit(limit)
        let place = try Cursor(numbers: after, parts: 1)?.number(0) ?? 0
        let found = try database().rows(
            Self.blockColumns + "WHERE id > ? ORDER BY id LIMIT ?",
            [.integer(place), .integer(limit + 1)]
        ) { ($0.integer(5), Self.block($0)) }
        let items = found.prefix(limit)
        let next = found.count > limit ? items.last.map { Cursor(["\($0.0)"]).text } : nil
        return Page(items: items.map(\.1), next: next)
    }

    /// Returns the block that matches an address best: the address itself, else the longest prefix.
    package func block(matching handle: Handle) throws(StoreError) -> Block? {
        let key = HandleKey(handle, region: try region)
        let exact = try database().first(
            Self.blockColumns + "WHERE kind IN (?, ?, ?) AND prefix = 0 AND key = ?",
            key.fields(besides: handle.kind) + [.text(key.text)], Self.block)
        if let exact { return exact }
        for name in HandleKey.names(of: handle, region: try region) {
            if let prefix = try longestPrefix(of: name) { return prefix }
        }
        return nil
    }

    /// Finds the longest prefix. The greatest one that does not sort after the address either is a
    /// prefix of it, or shows how much of the address the longest prefix can have at most.
    private func longestPrefix(of key: HandleKey) throws(StoreError) -> Block? {
        var wanted = Array(key.text.utf8)
        while !wanted.isEmpty {
            let found = try database().first(
                Self.blockColumns
                    + "WHERE kind = ? AND prefix = 1 AND key <= ? ORDER BY key DESC LIMIT 1",
                [.text(key.kind.name), .text(String(decoding: wanted, as: UTF8.self))]
            ) { (key: $0.text(6), block: Self.block($0)) }
            guard let found else { return nil }
            let common = zip(found.key.utf8, wanted).prefix { $0 == $1 }.count
            if common == found.key.utf8.count { return found.block }
            wanted = Array(wanted.prefix(common))
        }
        return nil
    }

    /// Recomputes the keys of all blocks for a region.
    func recomputeBlockKeys(in connection: Connection, region: String?) throws(StoreError) {
        let known = try connection.rows(
            Self.blockColumns + "WHERE kind != 'email' ORDER BY id"
        ) { ($0.integer(5), Self.block($0)) }
        // Keys must be unique in the meantime, too.
        try connection.run("UPDATE block SET key = 'former ' || id WHERE kind != 'email'", [])
        var keys: Set<PatternKey> = []
        for (id, block) in known {
            let key = Self.key(of: block.pattern, region: region)
            // Of blocks that have become equal the first one stays.
            if keys.insert(PatternKey(key: key, isPrefix: block.pattern.isPrefix)).inserted {
                try connection.run(
                    "UPDATE block SET key = ? WHERE id = ?", [.text(key.text), .integer(id)])
            } else {
                try connection.run("DELETE FROM block WHERE id = ?", [.integer(id)])
            }
        }
    }

    private struct PatternKey: Hashable {
        let key: HandleKey
        let isPrefix: Bool
    }

    private static func key(of pattern: Block.Pattern, region: String?) -> HandleKey {
        switch pattern {
        case .handle(let handle): HandleKey(handle, region: region)
        case .prefix(let kind, let value): HandleKey(prefix: value, of: kind, region: region)
        }
    }

    private static let blockColumns =
        "SELECT kind, prefix, value, reason, added_at, id, key FROM block "

    private static func block(_ row: Row) -> Block {
        let (kind, value) = (Handle.Kind(name: row.text(0)), row.text(2))
        let pattern: Block.Pattern =
            row.flag(1) ? .prefix(kind, value) : .handle(Handle(kind: kind, value: value))
        return Block(pattern, reason: row.optionalText(3), addedAtMS: row.integer(4))
    }
}
