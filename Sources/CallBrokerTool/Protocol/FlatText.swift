internal import BrokerJSON
internal import CallProtocol

/// A value as lines of `path=value`, for grep and for simple tables.
struct FlatText: CustomStringConvertible {
    private(set) var rows: [(path: String, value: String)] = []

    init(_ value: JSONValue) {
        collect(value, at: "")
    }

    var description: String {
        rows.map { "\($0.path)=\($0.value)" }.joined(separator: "\n")
    }

    /// Two columns, the first as wide as its longest entry.
    var aligned: String {
        let width = Padding.width(of: rows.map(\.path))
        return rows.map { row in
            row.path.isEmpty ? row.value : row.path.padded(to: width) + "  " + row.value
        }.joined(separator: "\n")
    }

    private mutating func collect(_ value: JSONValue, at path: String) {
        switch value.kind {
        case .object where value.count > 0:
            let prefix = path.isEmpty ? "" : path + "."
            value.forEachMember { name, member in
                collect(member, at: prefix + String(decoding: name, as: UTF8.self).printable)
            }
        case .array where value.count > 0:
            for (index, element) in value.elements.enumerated() {
                collect(element, at: "\(path)[\(index)]")
            }
        default: rows.append((path, Self.inline(value)))
        }
    }

    /// A value on one line: a string without quotes, anything else as JSON.
    static func inline(_ value: JSONValue) -> String {
        if let string = value.string { return string.printable }
        var writer = JSONWriter()
        writer.value(value)
        return writer.text
    }
}
