/// A value of a member, which can be written and read.
protocol TranscriptValue {
    func write(to writer: inout TranscriptWriter)
    static func read(_ field: TranscriptField) throws(TranscriptError) -> Self
}

/// A word of a closed vocabulary: an enumeration with the words of the wire.
protocol TranscriptWord: TranscriptValue, CaseIterable, RawRepresentable<String> {}

extension TranscriptWord {
    func write(to writer: inout TranscriptWriter) {
        writer.append(contentsOf: rawValue)
    }

    static func read(_ field: TranscriptField) throws(TranscriptError) -> Self {
        guard field.isWord, let value = Self(rawValue: field.verbatim) else {
            throw field.error(expected: words)
        }
        return value
    }

    /// A list of the valid words, for errors.
    static var words: String {
        "one of " + allCases.map(\.rawValue).joined(separator: ", ")
    }
}

/// A group of members: nested in parentheses, or flat in a line.
protocol TranscriptRecord: TranscriptValue {
    func writeMembers(to writer: inout TranscriptWriter)
    init(members: inout TranscriptMembers) throws(TranscriptError)
}

extension TranscriptRecord {
    func write(to writer: inout TranscriptWriter) {
        writer.append(UInt8(ascii: "("))
        writeMembers(to: &writer)
        writer.append(UInt8(ascii: ")"))
    }

    static func read(_ field: TranscriptField) throws(TranscriptError) -> Self {
        var members = try field.members()
        let value = try Self(members: &members)
        try members.finish()
        return value
    }
}

extension Array: TranscriptValue where Element: TranscriptValue {
    func write(to writer: inout TranscriptWriter) {
        writer.append(UInt8(ascii: "["))
        for index in indices {
            if index > 0 { writer.append(UInt8(ascii: ",")) }
            self[index].write(to: &writer)
        }
        writer.append(UInt8(ascii: "]"))
    }

    static func read(_ field: TranscriptField) throws(TranscriptError) -> [Element] {
        var values: [Element] = []
        for element in try field.elements() {
            values.append(try Element.read(element))
        }
        return values
    }
}
