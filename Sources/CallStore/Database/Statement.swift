internal import CSQLite

/// A value to bind to a statement.
enum Field {
    case integer(Int64)
    case text(String)
    case null

    static func integer(_ value: Int) -> Field { .integer(Int64(value)) }
    static func flag(_ value: Bool) -> Field { .integer(value ? 1 : 0) }
    static func optional(_ value: String?) -> Field { value.map { .text($0) } ?? .null }
    static func optional(_ value: Int64?) -> Field { value.map { .integer($0) } ?? .null }
}

/// A prepared statement, used on one thread by one caller at a time.
final class Statement {
    private let handle: OpaquePointer
    private unowned let connection: Connection

    init(_ handle: OpaquePointer, of connection: Connection) {
        self.handle = handle
        self.connection = connection
    }

    func finalize() {
        sqlite3_finalize(handle)
    }

    /// Runs the statement to its end.
    func run(_ values: [Field] = []) throws(StoreError) {
        defer { sqlite3_reset(handle) }
        bind(values)
        while try step() {}
    }

    func rows<Item>(
        _ values: [Field], _ read: (Row) throws(StoreError) -> Item
    ) throws(StoreError) -> [Item] {
        defer { sqlite3_reset(handle) }
        bind(values)
        var items: [Item] = []
        while try step() { items.append(try read(Row(statement: handle))) }
        return items
    }

    func first<Item>(
        _ values: [Field], _ read: (Row) throws(StoreError) -> Item
    ) throws(StoreError) -> Item? {
        defer { sqlite3_reset(handle) }
        bind(values)
        return try step() ? try read(Row(statement: handle)) : nil
    }

    /// Calls `read` with the row of a number, if there is one. A fast path for frequent lookups.
    func lookUp(_ number: Int64, _ read: (Row) -> Void) throws(StoreError) {
        defer { sqlite3_reset(handle) }
        bind(.integer(number), at: 1)
        if try step() { read(Row(statement: handle)) }
    }

    private func bind(_ values: [Field]) {
        for (index, value) in values.enumerated() { bind(value, at: Int32(index + 1)) }
    }

    /// Binds a value. That fails only for a parameter that the statement does not have, which is a
    /// bug.
    private func bind(_ value: Field, at place: Int32) {
        let code =
            switch value {
            case .integer(let number): sqlite3_bind_int64(handle, place, number)
            case .null: sqlite3_bind_null(handle, place)
            case .text(let text): bind(text, at: place)
            }
        precondition(
            code == SQLITE_OK, "the statement has no parameter \(place), or memory is short")
    }

    private func bind(_ text: String, at place: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                guard let start = characters.baseAddress else {
                    return csqlite_bind_text(handle, place, "", 0)
                }
                return csqlite_bind_text(handle, place, start, Int32(characters.count))
            }
        }
    }

    /// Moves to the next row; returns false at the end.
    private func step() throws(StoreError) -> Bool {
        let code = sqlite3_step(handle)
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw connection.error(code)
        }
    }
}

/// The current row of a statement; values are copied when they are read.
struct Row {
    fileprivate let statement: OpaquePointer

    func integer(_ column: Int32) -> Int64 {
        sqlite3_column_int64(statement, column)
    }

    func flag(_ column: Int32) -> Bool {
        integer(column) != 0
    }

    func optionalInteger(_ column: Int32) -> Int64? {
        isNull(column) ? nil : integer(column)
    }

    func text(_ column: Int32) -> String {
        guard let start = sqlite3_column_text(statement, column) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    func optionalText(_ column: Int32) -> String? {
        isNull(column) ? nil : text(column)
    }

    private func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(statement, column) == SQLITE_NULL
    }
}
