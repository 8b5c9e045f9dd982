package import CallModel

/// The part of the store that calls must not pass without: blocks, and contacts that break through
/// do not disturb.
package struct ScreeningFacts: Sendable {
    package let blocks: [Block.Pattern]
    package let breakingThrough: [Handle]
}

extension CallStore {
    /// Returns up to `limit` blocks, and up to `limit` addresses of contacts that break through.
    package func screeningFacts(limit: Int) throws(StoreError) -> ScreeningFacts {
        let connection = try database()
        let blocks = try connection.rows(
            "SELECT kind, prefix, value FROM block ORDER BY id LIMIT ?", [.integer(limit)]
        ) { row -> Block.Pattern in
            let (kind, value) = (Handle.Kind(name: row.text(0)), row.text(2))
            return row.flag(1) ? .prefix(kind, value) : .handle(Handle(kind: kind, value: value))
        }
        let breakingThrough = try connection.rows(
            """
            SELECT kind, value FROM contact_handle
            WHERE contact IN (SELECT id FROM contact WHERE breaks_through != 0) LIMIT ?
            """, [.integer(limit)]
        ) { Handle(kind: Handle.Kind(name: $0.text(0)), value: $0.text(1)) }
        return ScreeningFacts(blocks: blocks, breakingThrough: breakingThrough)
    }
}
