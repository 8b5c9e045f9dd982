internal import CallProtocol

/// Lines of CSV (RFC 4180).
enum CSVLine {
    /// Returns a line with its end. Fields are quoted where a comma, a quotation mark or a line
    /// break requires it.
    static func text(_ fields: [String]) -> String {
        fields.map(field).joined(separator: ",") + "\r\n"
    }

    /// Writes a line to standard output. A terminal gets no line breaks within fields.
    static func write(_ fields: [String]) {
        StandardOutput.write(text(Terminal.isOutput ? fields.map(\.printable) : fields))
    }

    private static func field(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else {
            return text
        }
        let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
        return "\"" + parts.joined(separator: "\"\"") + "\""
    }

    /// Returns the fields of each line that is not empty, with the number of the line.
    ///
    /// - Throws: a failure that names the line of a mistake, without its text.
    static func lines(of text: String) throws(ToolFailure) -> [(line: Int, fields: [String])] {
        var lines: [(line: Int, fields: [String])] = []
        var (number, unfinished) = (0, "")
        for part in text.split(
            omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" })
        {
            number += 1
            unfinished += unfinished.isEmpty ? String(part) : "\n" + part
            // A line break between quotation marks belongs to a field.
            guard unfinished.count(where: { $0 == "\"" }).isMultiple(of: 2) else { continue }
            if !unfinished.isEmpty { lines.append((number, try fields(unfinished[...], number))) }
            unfinished = ""
        }
        guard unfinished.isEmpty else {
            throw mistake(number, Messages.importOpenQuote)
        }
        return lines
    }

    /// Returns the values of each line that are not empty, by the names in the first line.
    static func rows(
        of text: String, requiring names: [String]
    ) throws(ToolFailure) -> [(line: Int, values: [String: String])] {
        let lines = try lines(of: text)
        guard let heading = lines.first else { return [] }
        let columns = heading.fields.map { $0.lowercased() }
        for name in names where !columns.contains(name) {
            throw mistake(heading.line, Messages.importNoColumn(column: name))
        }
        var rows: [(line: Int, values: [String: String])] = []
        for (line, fields) in lines.dropFirst() {
            let pairs = zip(columns, fields).filter { !$0.1.isEmpty }
            let values = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
            for name in names where values[name] == nil {
                throw mistake(line, Messages.importNoValue(column: name))
            }
            rows.append((line, values))
        }
        return rows
    }

    private static func fields(
        _ line: Substring, _ number: Int
    ) throws(ToolFailure) -> [String] {
        var (fields, rest) = ([String](), line)
        while true {
            if rest.first == "\"" {
                fields.append(try quoted(&rest, number))
            } else {
                fields.append(String(rest.prefix { $0 != "," }))
                rest = rest.drop { $0 != "," }
            }
            guard let next = rest.popFirst() else { return fields }
            guard next == "," else {
                throw mistake(number, Messages.importNoComma)
            }
        }
    }

    /// Parses a quoted field; two quotation marks in it stand for one.
    private static func quoted(
        _ rest: inout Substring, _ number: Int
    ) throws(ToolFailure) -> String {
        var field = ""
        rest = rest.dropFirst()
        while let character = rest.popFirst() {
            guard character == "\"" else {
                field.append(character)
                continue
            }
            guard rest.first == "\"" else { return field }
            field.append("\"")
            rest = rest.dropFirst()
        }
        throw mistake(number, Messages.importOpenQuote)
    }

    static func mistake(_ line: Int, _ problem: String) -> ToolFailure {
        ToolFailure(
            .errorReply, Messages.importLineNotImported(line: "\(line)", problem: problem))
    }
}
