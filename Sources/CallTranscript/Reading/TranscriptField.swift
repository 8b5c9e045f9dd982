/// A value in a line, with its place and the ways to parse it.
package struct TranscriptField {
    package let source: TranscriptSource
    package let start: Int
    package let end: Int
    /// Indicates a part of a decoded string, in which escapes have no meaning.
    var isDecoded = false

    init(source: TranscriptSource, start: Int, end: Int, isDecoded: Bool) {
        self.source = source
        self.start = start
        self.end = end
        self.isDecoded = isDecoded
    }

    package init(source: TranscriptSource, start: Int, end: Int) {
        self.init(source: source, start: start, end: end, isDecoded: false)
    }

    package func error(expected: String) -> TranscriptError {
        source.error(at: start, to: end, expected: expected)
    }

    // MARK: - Words and strings

    /// Indicates a value that is neither a string nor in brackets; a part of a word may be empty.
    package var isWord: Bool {
        isDecoded || start == end || BareWord.contains(source.bytes[start])
    }

    package var isNull: Bool {
        !isDecoded && isEqual(to: "null")
    }

    /// The text of the line at this place.
    package var verbatim: String {
        String(decoding: source.bytes[start..<end], as: UTF8.self)
    }

    func isEqual(to text: StaticString) -> Bool {
        guard end - start == text.utf8CodeUnitCount else { return false }
        for offset in 0..<end - start where source.bytes[start + offset] != text.utf8Start[offset] {
            return false
        }
        return true
    }

    /// Returns the text of a word or a string.
    package func text() throws(TranscriptError) -> String {
        if isWord, !isNull { return verbatim }
        guard start < end, source.bytes[start] == UInt8(ascii: "\"") else {
            throw error(expected: "a word or a string")
        }
        return try decoded()
    }

    /// Returns the two parts of a word such as `ring:1`, or of a string, split at the first or the
    /// last colon.
    func parts(expected: String, atLast: Bool = false) throws(TranscriptError) -> (
        first: TranscriptField, second: TranscriptField
    ) {
        let whole = try decodedField(expected: expected)
        let bytes = whole.source.bytes[whole.start..<whole.end]
        let colon = UInt8(ascii: ":")
        guard let place = atLast ? bytes.lastIndex(of: colon) : bytes.firstIndex(of: colon) else {
            throw error(expected: expected)
        }
        return (
            TranscriptField(
                source: whole.source, start: whole.start, end: place, isDecoded: whole.isDecoded),
            TranscriptField(
                source: whole.source, start: place + 1, end: whole.end, isDecoded: whole.isDecoded)
        )
    }

    /// Returns a field with the text without quotes and escapes.
    private func decodedField(expected: String) throws(TranscriptError) -> TranscriptField {
        if isWord { return self }
        guard source.bytes[start] == UInt8(ascii: "\"") else { throw error(expected: expected) }
        let bytes = Array(try decoded().utf8)
        let source = TranscriptSource(
            bytes, bytes.indices, number: source.number, lineage: source.lineage,
            draft: source.draft, column: source.column(of: start))
        return TranscriptField(source: source, start: 0, end: bytes.count, isDecoded: true)
    }

    // MARK: - Numbers

    /// Parses a decimal number; nil for anything else, and if it is too large.
    func unsigned(from first: Int? = nil, to last: Int? = nil) -> UInt64? {
        let first = first ?? start
        let last = last ?? end
        guard first < last else { return nil }
        var number: UInt64 = 0
        for place in first..<last {
            let digit = source.bytes[place] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, isStillTooLarge) = tens.addingReportingOverflow(UInt64(digit))
            guard !isTooLarge, !isStillTooLarge else { return nil }
            number = sum
        }
        return number
    }

    func signed() -> Int? {
        guard start < end, source.bytes[start] == UInt8(ascii: "-") else {
            return unsigned().flatMap { Int(exactly: $0) }
        }
        guard let magnitude = unsigned(from: start + 1), magnitude <= UInt64(Int.max) + 1 else {
            return nil
        }
        return Int(truncatingIfNeeded: 0 &- magnitude)
    }

    // MARK: - Brackets

    /// Returns the members of a record in parentheses.
    func members() throws(TranscriptError) -> TranscriptMembers {
        try inside(UInt8(ascii: "("), UInt8(ascii: ")"), expected: "a record (…)")
        return try TranscriptMembers(source, from: start + 1, to: end - 1)
    }

    /// Returns the members of a record as pairs, for other notations.
    package func pairs() throws(TranscriptError) -> [TranscriptPair] {
        try members().pairs
    }

    /// Returns the elements of a list.
    package func elements() throws(TranscriptError) -> [TranscriptField] {
        try inside(UInt8(ascii: "["), UInt8(ascii: "]"), expected: "a list […]")
        var elements: [TranscriptField] = []
        var place = start + 1
        while place < end - 1 {
            let stop = try source.endOfValue(at: place, before: end - 1)
            elements.append(TranscriptField(source: source, start: place, end: stop))
            guard stop < end - 1 else { break }
            guard source.bytes[stop] == UInt8(ascii: ",") else {
                throw source.error(at: stop, expected: "a comma or the end of the list")
            }
            place = stop + 1
            guard place < end - 1 else { throw source.error(at: place, expected: "a value") }
        }
        return elements
    }

    private func inside(_ opening: UInt8, _ closing: UInt8, expected: String)
        throws(TranscriptError)
    {
        guard !isWord, source.bytes[start] == opening else { throw error(expected: expected) }
        guard source.bytes[end - 1] == closing else {
            throw source.error(
                at: end - 1, expected: closing == UInt8(ascii: ")") ? "\")\"" : "\"]\"")
        }
    }
}
