/// JSON strings.
extension TranscriptField {
    /// Returns the content of a string, without its quotes and escapes.
    func decoded() throws(TranscriptError) -> String {
        var text: [UInt8] = []
        var place = start + 1
        while place < end - 1 {
            let byte = source.bytes[place]
            switch byte {
            case UInt8(ascii: "\\"): place = try unescape(at: place, into: &text)
            case 0..<0x20:
                throw source.error(at: place, expected: "a control character as \\u00XX")
            default:
                text.append(byte)
                place += 1
            }
        }
        guard let string = String(validating: text, as: UTF8.self) else {
            throw error(expected: "UTF-8")
        }
        return string
    }

    /// Parses an escape, or both of a character above U+FFFF, and returns where it ends.
    private func unescape(at place: Int, into text: inout [UInt8]) throws(TranscriptError) -> Int {
        switch source.bytes[place + 1] {
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): return try unescapeUnicode(at: place, into: &text)
        case let byte
        where byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "/"):
            text.append(byte)
        default: throw source.error(at: place, expected: "an escape of JSON")
        }
        return place + 2
    }

    private func unescapeUnicode(at place: Int, into text: inout [UInt8]) throws(TranscriptError)
        -> Int
    {
        let expected = "\\u and four hexadecimal digits that make a character"
        guard let first = codeUnit(at: place) else {
            throw source.error(at: place, expected: expected)
        }
        if let scalar = Unicode.Scalar(first) {
            text.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
            return place + 6
        }
        guard let second = codeUnit(at: place + 6), UTF16.isLeadSurrogate(first),
            UTF16.isTrailSurrogate(second),
            let scalar = Unicode.Scalar(
                0x10000 + (UInt32(first) - 0xD800) << 10 + UInt32(second) - 0xDC00)
        else { throw source.error(at: place, expected: expected) }
        text.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
        return place + 12
    }

    /// Parses the `\uXXXX` at an index; nil if there is none.
    private func codeUnit(at place: Int) -> UInt16? {
        guard place + 6 < end, source.bytes[place] == UInt8(ascii: "\\"),
            source.bytes[place + 1] == UInt8(ascii: "u")
        else { return nil }
        var unit: UInt16 = 0
        for byte in source.bytes[place + 2..<place + 6] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
                return nil
            }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}
