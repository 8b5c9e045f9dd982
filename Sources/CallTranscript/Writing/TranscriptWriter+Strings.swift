/// Arbitrary texts: without quotes where possible, otherwise as JSON strings.
extension TranscriptWriter {
    mutating func append(string text: String) {
        if Self.isBare(text), !text.isEmpty, text != "null" {
            append(contentsOf: text)
        } else {
            append(quoted: text)
        }
    }

    mutating func append(quoted text: String) {
        append(UInt8(ascii: "\""))
        append(escaped: text)
        append(UInt8(ascii: "\""))
    }

    /// Appends a pair that names one thing as one word: `phone:+15550100`.
    mutating func append(string first: String, _ second: String) {
        let isBare = Self.isBare(first) && Self.isBare(second)
        if !isBare { append(UInt8(ascii: "\"")) }
        append(escaped: first)
        append(UInt8(ascii: ":"))
        append(escaped: second)
        if !isBare { append(UInt8(ascii: "\"")) }
    }

    private static func isBare(_ text: String) -> Bool {
        let fast = text.utf8.withContiguousStorageIfAvailable { BareWord.isBare($0) }
        return fast ?? text.utf8.allSatisfy { BareWord.contains($0) }
    }

    private mutating func append(escaped text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                append(UInt8(ascii: "\\"))
                append(byte)
            case 0..<0x20, 0x7F:
                append("\\u00")
                append(Self.hexDigit(UInt64(byte >> 4)))
                append(Self.hexDigit(UInt64(byte)))
            default: append(byte)
            }
        }
    }
}
