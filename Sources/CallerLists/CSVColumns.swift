/// The separator and the meaning of the columns of a CSV file.
struct CSVColumns {
    private let separator: UInt8
    private let number: Int
    private let label: Int?
    private let blocked: Int?

    /// Detects the columns from the first line, which is a heading if one of its columns is
    /// `number`.
    static func detect(
        in text: ArraySlice<UInt8>, line: Int
    ) throws(CallerListError) -> (columns: CSVColumns, isHeading: Bool) {
        let separator = Array(",;\t".utf8).first { text.contains($0) } ?? UInt8(ascii: ",")
        let names = try fields(text, separator, line).map { field in
            String(decoding: field, as: UTF8.self).lowercased()
        }
        guard let place = names.firstIndex(of: "number") else {
            return (CSVColumns(separator: separator, number: 0, label: 1, blocked: 2), false)
        }
        guard Set(names).count == names.count else {
            throw CallerListError(line: line, reason: .repeatedColumn)
        }
        let columns = CSVColumns(
            separator: separator, number: place, label: names.firstIndex(of: "label"),
            blocked: names.firstIndex(of: "blocked"))
        return (columns, true)
    }

    private init(separator: UInt8, number: Int, label: Int?, blocked: Int?) {
        self.separator = separator
        self.number = number
        self.label = label
        self.blocked = blocked
    }

    /// Parses a line.
    func row(_ text: ArraySlice<UInt8>, line: Int) throws(CallerListError) -> CallerListRow {
        let fields = try Self.fields(text, separator, line)
        var row = CallerListRow()
        if number < fields.count { row.number = fields[number] }
        if let label, label < fields.count { row.label = fields[label] }
        guard let blocked, blocked < fields.count else { return row }
        guard let isBlocked = Self.truth(fields[blocked]) else {
            throw CallerListError(line: line, reason: .notTruth(column: blocked + 1))
        }
        row.isBlocked = isBlocked
        return row
    }

    private static func truth(_ field: ArraySlice<UInt8>) -> Bool? {
        if field.isEmpty { return false }
        return switch String(decoding: field, as: UTF8.self).lowercased() {
        case "0", "false", "no": false
        case "1", "true", "yes", "blocked": true
        default: nil
        }
    }

    /// Returns the fields of a line, trimmed (RFC 4180, except that no field spans lines).
    private static func fields(
        _ text: ArraySlice<UInt8>, _ separator: UInt8, _ line: Int
    ) throws(CallerListError) -> [ArraySlice<UInt8>] {
        var fields: [ArraySlice<UInt8>] = []
        fields.reserveCapacity(4)
        var rest = text
        while true {
            rest = rest.drop { $0 == UInt8(ascii: " ") }
            let isQuoted = rest.first == UInt8(ascii: "\"")
            fields.append(try isQuoted ? quoted(&rest, line) : plain(&rest, separator))
            rest = rest.drop { $0 == UInt8(ascii: " ") }
            guard let next = rest.first else { return fields }
            guard next == separator else {
                throw CallerListError(line: line, reason: .noSeparator)
            }
            rest = rest.dropFirst()
        }
    }

    private static func plain(
        _ rest: inout ArraySlice<UInt8>, _ separator: UInt8
    ) -> ArraySlice<UInt8> {
        let end = rest.firstIndex(of: separator) ?? rest.endIndex
        var field = rest[..<end]
        while field.last == UInt8(ascii: " ") { field = field.dropLast() }
        rest = rest[end...]
        return field
    }

    /// Parses a quoted field; two quotation marks in it stand for one.
    private static func quoted(
        _ rest: inout ArraySlice<UInt8>, _ line: Int
    ) throws(CallerListError) -> ArraySlice<UInt8> {
        let mark = UInt8(ascii: "\"")
        rest = rest.dropFirst()
        var field: ArraySlice<UInt8> = []
        while let end = rest.firstIndex(of: mark) {
            let part = rest[..<end]
            rest = rest[(end + 1)...]
            guard rest.first == mark else { return field.isEmpty ? part : field + part }
            field += part + [mark]
            rest = rest.dropFirst()
        }
        throw CallerListError(line: line, reason: .openQuote)
    }
}
