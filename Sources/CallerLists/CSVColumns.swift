/// Which column of a CSV file says what, and what separates them.
struct CSVColumns {
    private let separator: Character
    private let number: Int
    private let label: Int?
    private let blocked: Int?

    /// What the first line of a file tells. It is a heading if one of its columns is `number`.
    static func found(
        in line: String, line number: Int
    ) throws(CallerListError) -> (columns: CSVColumns, isHeading: Bool) {
        let separator = [",", ";", "\t"].first { line.contains($0) } ?? ","
        let names = try fields(line, separator, number).map { $0.lowercased() }
        guard let place = names.firstIndex(of: "number") else {
            return (CSVColumns(separator: separator, number: 0, label: 1, blocked: 2), false)
        }
        guard names.allSatisfy({ name in names.count { $0 == name } == 1 }) else {
            throw CallerListError(line: number, reason: "two columns have the same name")
        }
        let columns = CSVColumns(
            separator: separator, number: place, label: names.firstIndex(of: "label"),
            blocked: names.firstIndex(of: "blocked"))
        return (columns, true)
    }

    private init(separator: Character, number: Int, label: Int?, blocked: Int?) {
        self.separator = separator
        self.number = number
        self.label = label
        self.blocked = blocked
    }

    func row(_ text: String, line: Int) throws(CallerListError) -> CallerListRow {
        let fields = try Self.fields(text, separator, line)
        func field(_ column: Int?) -> String {
            column.flatMap { fields.indices.contains($0) ? fields[$0] : nil } ?? ""
        }
        var row = CallerListRow()
        row.number = field(number)
        row.label = field(label)
        switch field(blocked).lowercased() {
        case "", "0", "false", "no": row.isBlocked = false
        case "1", "true", "yes", "blocked": row.isBlocked = true
        default:
            throw CallerListError(
                line: line, reason: "column \((blocked ?? 0) + 1): expected true or false")
        }
        return row
    }

    /// The fields of a line without the white space around them (RFC 4180, but that none goes over
    /// several lines).
    private static func fields(
        _ text: String, _ separator: Character, _ line: Int
    ) throws(CallerListError) -> [String] {
        var fields: [String] = []
        var rest = text[...]
        while true {
            rest = rest.drop { $0 == " " }
            let field = try rest.first == "\"" ? quoted(&rest, line) : plain(&rest, separator)
            fields.append(field)
            rest = rest.drop { $0 == " " }
            guard let next = rest.first else { return fields }
            guard next == separator else {
                throw CallerListError(
                    line: line, reason: "expected nothing behind a closed quotation mark")
            }
            rest.removeFirst()
        }
    }

    private static func plain(_ rest: inout Substring, _ separator: Character) -> String {
        let end = rest.firstIndex(of: separator) ?? rest.endIndex
        defer { rest = rest[end...] }
        var field = rest[..<end]
        while field.last == " " { field.removeLast() }
        return String(field)
    }

    /// Two quotation marks within stand for one.
    private static func quoted(
        _ rest: inout Substring, _ line: Int
    ) throws(CallerListError) -> String {
        var field = ""
        rest.removeFirst()
        while let character = rest.popFirst() {
            guard character == "\"" else {
                field.append(character)
                continue
            }
            guard rest.first == "\"" else { return field }
            field.append("\"")
            rest.removeFirst()
        }
        throw CallerListError(line: line, reason: "a quotation mark is never closed in its line")
    }
}
