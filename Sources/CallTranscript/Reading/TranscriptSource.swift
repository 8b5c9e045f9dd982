/// A line that is being read, with its context. A class, because every field refers to it.
package final class TranscriptSource: Sendable {
    package let bytes: [UInt8]
    /// The range of the line in the bytes.
    package let range: Range<Int>
    /// The number of the line, from 1.
    package let number: Int
    let lineage: UInt64
    /// Defaults for the parts that authors may omit; nil if lines must be complete.
    let draft: TranscriptDraft?
    /// The column of the text, if it was decoded from a string of the line.
    private let column: Int?

    /// Creates the source of a line in another notation, in which nothing may be omitted.
    package convenience init(_ bytes: [UInt8], number: Int) {
        self.init(bytes, bytes.indices, number: number, lineage: 1)
    }

    init(
        _ bytes: [UInt8], _ range: Range<Int>, number: Int, lineage: UInt64,
        draft: TranscriptDraft? = nil, column: Int? = nil
    ) {
        self.bytes = bytes
        self.range = range
        self.number = number
        self.lineage = lineage
        self.draft = draft
        self.column = column
    }

    // MARK: - Scanning

    /// Returns the first index from `start` that is not a space.
    package func skipSpaces(from start: Int, before limit: Int) -> Int {
        var place = start
        while place < limit, bytes[place] == UInt8(ascii: " ") { place += 1 }
        return place
    }

    package func endOfWord(at start: Int, before limit: Int) -> Int {
        var place = start
        while place < limit, BareWord.contains(bytes[place]) { place += 1 }
        return place
    }

    package func endOfValue(at start: Int, before limit: Int) throws(TranscriptError) -> Int {
        guard start < limit else { throw error(at: start, expected: "a value") }
        switch bytes[start] {
        case UInt8(ascii: "\""): return try endOfString(at: start, before: limit)
        case UInt8(ascii: "("), UInt8(ascii: "["): return try endOfNest(at: start, before: limit)
        default:
            let end = endOfWord(at: start, before: limit)
            guard end > start else { throw error(at: start, expected: "a value") }
            return end
        }
    }

    private func endOfString(at start: Int, before limit: Int) throws(TranscriptError) -> Int {
        var place = start + 1
        while place < limit {
            switch bytes[place] {
            case UInt8(ascii: "\""): return place + 1
            case UInt8(ascii: "\\"): place += 2
            default: place += 1
            }
        }
        throw error(at: limit, expected: "the \" that ends the string")
    }

    /// Finds the end of nested brackets, counting both kinds alike: mismatches are found when the
    /// contents are read.
    private func endOfNest(at start: Int, before limit: Int) throws(TranscriptError) -> Int {
        var place = start
        var depth = 0
        while place < limit {
            switch bytes[place] {
            case UInt8(ascii: "\""):
                place = try endOfString(at: place, before: limit)
                continue
            case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            place += 1
            if depth == 0 { return place }
        }
        throw error(at: limit, expected: "a closing bracket")
    }

    // MARK: - Errors

    package func error(at place: Int, expected: String) -> TranscriptError {
        error(at: place, to: endOfToken(at: place), expected: expected)
    }

    /// Creates an error; the text from `place` to `end` is the text found.
    package func error(at place: Int, to end: Int, expected: String) -> TranscriptError {
        let shown = bytes[place..<min(end, place + 60)]
        var writer = TranscriptWriter()
        writer.append(quoted: String(decoding: shown, as: UTF8.self))
        return TranscriptError(
            line: number, column: column ?? self.column(of: place), expected: expected,
            found: place < range.upperBound ? writer.text : "the end of the line")
    }

    package func column(of place: Int) -> Int {
        let before = bytes[range.lowerBound..<place]
        return column ?? 1 + before.count { $0 & 0xC0 != 0x80 }
    }

    /// Returns the end of the word at an index, or of the single character.
    private func endOfToken(at place: Int) -> Int {
        var end = endOfWord(at: place, before: range.upperBound)
        guard end == place, place < range.upperBound else { return end }
        repeat { end += 1 } while end < range.upperBound && bytes[end] & 0xC0 == 0x80
        return end
    }
}
