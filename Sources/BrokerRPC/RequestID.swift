package import BrokerJSON

/// The `id` of a request, chosen by its sender and echoed exactly. `1` and `"1"` differ.
///
/// JSON-RPC 2.0 also allows null and fractions. Both are refused on purpose, because such a request
/// cannot be told from a broken one.
package enum RequestID: Hashable, Sendable {
    case integer(Int64)
    case text(String)

    /// Compares by bytes: texts that are equivalent in Unicode, such as é in one scalar or two, are
    /// different ids.
    package static func == (one: RequestID, other: RequestID) -> Bool {
        switch (one, other) {
        case (.integer(let one), .integer(let other)): one == other
        case (.text(let one), .text(let other)): one.utf8.elementsEqual(other.utf8)
        case (.integer, .text), (.text, .integer): false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .integer(let integer): hasher.combine(integer)
        case .text(let text): for byte in text.utf8 { hasher.combine(byte) }
        }
    }

    /// Creates an id; nil for any other value: null, a Boolean, a fraction, a container, or a
    /// string of more than `bytesMax` bytes.
    package init?(_ value: JSONValue, bytesMax: Int) {
        if let integer = value.integer {
            self = .integer(integer)
        } else if let utf8 = value.utf8, utf8.count <= bytesMax {
            self = .text(String(decoding: utf8, as: UTF8.self))
        } else {
            return nil
        }
    }
}

extension JSONWriter {
    /// Writes an id, or null.
    package mutating func value(_ id: RequestID?) {
        switch id {
        case .integer(let integer): value(integer)
        case .text(let text): value(text)
        case nil: null()
        }
    }
}
