/// A property of a vCard: `group.NAME;PARAMETER=value,"value":value`.
struct VCardLine {
    /// The number of its first line, from 1.
    let number: Int
    /// The name in uppercase, without the group.
    let name: String
    /// The parameters, with names in uppercase and values without quotes.
    private(set) var parameters: [(name: String, values: [String])] = []
    /// The value as it is written.
    let value: String

    init(_ bytes: [UInt8], number: Int) throws(VCardError) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw VCardError(line: number, reason: .notUTF8)
        }
        guard !bytes.contains(0) else {
            throw VCardError(line: number, reason: .holdsNUL)
        }
        try self.init(text, number: number)
    }

    private init(_ text: String, number: Int) throws(VCardError) {
        self.number = number
        var parts = VCardScanner(text[...], line: number)
        name = try parts.name()
        while parts.skip(";") { parameters.append(try parts.parameter()) }
        guard parts.skip(":") else {
            throw VCardError(line: number, reason: .noColon)
        }
        value = String(parts.rest)
    }

    /// Returns the values of a parameter, from all its occurrences.
    func values(of parameter: String) -> [String] {
        parameters.filter { $0.name == parameter }.flatMap(\.values)
    }

    /// The types in lowercase, in order. Old writers omit the parameter's name.
    var types: [String] {
        let named = values(of: "TYPE").map { $0.lowercased() }
        let bare = parameters.filter(\.values.isEmpty).map { $0.name.lowercased() }
        return named + bare
    }

    // MARK: values

    /// The value as text.
    var text: String {
        Self.unescaped(value[...])
    }

    /// Returns the value as a list of texts.
    func list(separatedBy separator: Character) -> [String] {
        var items: [String] = []
        var start = value.startIndex
        var isEscaped = false
        for place in value.indices {
            if isEscaped {
                isEscaped = false
            } else if value[place] == "\\" {
                isEscaped = true
            } else if value[place] == separator {
                items.append(Self.unescaped(value[start..<place]))
                start = value.index(after: place)
            }
        }
        return items + [Self.unescaped(value[start...])]
    }

    private static func unescaped(_ value: Substring) -> String {
        guard value.contains("\\") else { return String(value) }
        var text = ""
        var isEscaped = false
        for character in value {
            if isEscaped {
                text.append(character == "n" || character == "N" ? "\n" : character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                text.append(character)
            }
        }
        return text
    }
}

/// A scanner of a line.
private struct VCardScanner {
    private(set) var rest: Substring
    private let line: Int

    init(_ text: Substring, line: Int) {
        rest = text
        self.line = line
    }

    mutating func skip(_ character: Character) -> Bool {
        guard rest.first == character else { return false }
        rest.removeFirst()
        return true
    }

    /// Scans the name of a property. The part before a dot groups lines and is ignored.
    mutating func name() throws(VCardError) -> String {
        let word = try word(.noPropertyName, allowed: ".")
        return word.split(separator: ".").last.map { String($0) } ?? word
    }

    mutating func parameter() throws(VCardError) -> (name: String, values: [String]) {
        let name = try word(.noParameterName)
        guard skip("=") else { return (name, []) }
        var values: [String] = []
        repeat {
            values.append(try parameterValue())
        } while skip(",")
        return (name, values)
    }

    private mutating func parameterValue() throws(VCardError) -> String {
        guard skip("\"") else {
            let end = rest.firstIndex { ",;:".contains($0) } ?? rest.endIndex
            defer { rest = rest[end...] }
            return VCard.quotable(rest[..<end])
        }
        guard let end = rest.firstIndex(of: "\"") else {
            throw VCardError(line: line, reason: .openQuote)
        }
        defer { rest = rest[rest.index(after: end)...] }
        return VCard.quotable(rest[..<end])
    }

    /// - Parameter reason: The reason of the error if there is no word.
    private mutating func word(
        _ reason: VCardError.Reason, allowed: String = ""
    ) throws(VCardError) -> String {
        let end =
            rest.firstIndex {
                !($0.isASCII && ($0.isLetter || $0.isNumber)) && $0 != "-" && $0 != "_"
                    && !allowed.contains($0)
            } ?? rest.endIndex
        guard end > rest.startIndex else { throw VCardError(line: line, reason: reason) }
        defer { rest = rest[end...] }
        return rest[..<end].uppercased()
    }
}
