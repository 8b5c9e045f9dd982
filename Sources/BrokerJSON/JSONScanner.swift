/// Limits of a text.
package struct JSONLimits: Equatable, Sendable {
    /// The maximum depth of nested containers, 1 to 64; `{}` has depth 1.
    package var depth: Int
    /// The maximum number of values of any kind, including containers but not member names.
    package var values: Int

    package init(depth: Int, values: Int) {
        precondition((1...64).contains(depth), "the scanner keeps one bit per level in a word")
        self.depth = depth
        self.values = values
    }

    /// The limits of one frame.
    package static let frame = JSONLimits(depth: 32, values: 4_096)
}

/// A pass over a text that decides whether it is acceptable JSON, before Jansson allocates anything
/// for it.
///
/// From `[{},{},…]` Jansson builds a tree of 72 times the size of the text; it frees nested values
/// recursively without a limit, and counts positions from behind the offending token. So the whole
/// grammar of RFC 8259 is checked here, along with the limits. A fault's position is the first byte
/// that cannot be continued to an acceptable text; for a character or an escape that is invalid in
/// itself, its first byte. Only the two faults that need a tree or a conversion are left to
/// Jansson: duplicate members and numbers out of range.
///
/// The scanner's only stack is one word: bit n is set if the container at depth n is an object. It
/// allocates nothing.
struct JSONScanner {
    /// The reason for stopping the scan; the position is the scanner's `index`.
    struct Stop: Error {
        let reason: JSONFault.Reason
        let message: StaticString
    }

    private let text: UnsafeBufferPointer<UInt8>
    private let limits: JSONLimits
    private(set) var index = 0
    private var depth = 0
    private var objects: UInt64 = 0
    private var values = 0

    init(_ text: UnsafeBufferPointer<UInt8>, limits: JSONLimits) {
        self.text = text
        self.limits = limits
    }

    mutating func scan() throws(Stop) {
        repeat {
            try value()
        } while try separator()
    }

    // MARK: - Structure

    /// Scans one value. A container that is not empty is only opened; its first member is scanned
    /// next.
    private mutating func value() throws(Stop) {
        while true {
            skipWhitespace()
            values += 1
            guard values <= limits.values || !beginsValue else {
                throw stop(.values, "fewer values")
            }
            switch current {
            case UInt8(ascii: "{"):
                try open(object: true)
                if try skipClosing(UInt8(ascii: "}")) { return }
                try memberName()
            case UInt8(ascii: "["):
                try open(object: false)
                if try skipClosing(UInt8(ascii: "]")) { return }
            case UInt8(ascii: "\""): return try string()
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
            case UInt8(ascii: "t"): return try literal("true")
            case UInt8(ascii: "f"): return try literal("false")
            case UInt8(ascii: "n"): return try literal("null")
            default: throw unexpected("a value")
            }
        }
    }

    /// Scans what follows a value: closing brackets, then a comma (returns true) or the end
    /// (returns false).
    private mutating func separator() throws(Stop) -> Bool {
        while true {
            skipWhitespace()
            guard depth > 0 else {
                guard index == text.count else { throw unexpected("the end of the text") }
                return false
            }
            let inObject = objects >> UInt64(depth - 1) & 1 == 1
            switch current {
            case UInt8(ascii: ","):
                index += 1
                if inObject { try memberName() }
                return true
            case inObject ? UInt8(ascii: "}") : UInt8(ascii: "]"):
                index += 1
                depth -= 1
            default:
                throw unexpected(
                    inObject ? "a comma or a closing brace" : "a comma or a closing bracket")
            }
        }
    }

    /// Indicates whether a value begins here; anything else must not count as one value too many.
    private var beginsValue: Bool {
        switch current {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "-"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "t"), UInt8(ascii: "f"),
            UInt8(ascii: "n"):
            true
        default: false
        }
    }

    private mutating func open(object: Bool) throws(Stop) {
        guard depth < limits.depth else { throw stop(.depth, "less nesting") }
        let bit = UInt64(1) << UInt64(depth)
        objects = object ? objects | bit : objects & ~bit
        depth += 1
        index += 1
    }

    private mutating func skipClosing(_ bracket: UInt8) throws(Stop) -> Bool {
        skipWhitespace()
        guard current == bracket else { return false }
        index += 1
        depth -= 1
        return true
    }

    private mutating func memberName() throws(Stop) {
        skipWhitespace()
        guard current == UInt8(ascii: "\"") else { throw unexpected("a member name in quotes") }
        try string()
        skipWhitespace()
        guard current == UInt8(ascii: ":") else { throw unexpected("a colon") }
        index += 1
    }

    // MARK: - Tokens

    private mutating func string() throws(Stop) {
        index += 1
        while true {
            guard index < text.count else { throw unexpected("a closing quote") }
            let byte = text[index]
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                return
            case UInt8(ascii: "\\"): try escape()
            case 0: throw stop(.nulCharacter, "text without U+0000")
            case 1..<0x20: throw unexpected("control characters written as escapes")
            case 0x20..<0x80: index += 1
            default: try multiByteScalar(byte)
            }
        }
    }

    private mutating func escape() throws(Stop) {
        let start = index
        index += 1
        switch current {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            index += 1
        case UInt8(ascii: "u"):
            try unicodeEscape(from: start)
        default: throw unexpected("one of the escapes of JSON")
        }
    }

    private mutating func unicodeEscape(from start: Int) throws(Stop) {
        switch try hexQuad() {
        case 0: throw stop(.nulCharacter, "text without U+0000", at: start)
        case 0xD800...0xDBFF:
            if isCutOff(before: 2) {
                index = text.count; throw unexpected("the other half of a surrogate pair")
            }
            guard current == UInt8(ascii: "\\"), byte(1) == UInt8(ascii: "u") else {
                throw stop(.loneSurrogate, "both halves of a surrogate pair", at: start)
            }
            index += 1
            guard (0xDC00...0xDFFF).contains(try hexQuad()) else {
                throw stop(.loneSurrogate, "both halves of a surrogate pair", at: start)
            }
        case 0xDC00...0xDFFF:
            throw stop(.loneSurrogate, "both halves of a surrogate pair", at: start)
        default: break
        }
    }

    /// Scans the four digits after `\u`; the index is at the `u`.
    private mutating func hexQuad() throws(Stop) -> UInt32 {
        var scalar: UInt32 = 0
        index += 1
        for _ in 0..<4 {
            guard let digit = Self.hexDigit(current) else { throw unexpected("four hex digits") }
            scalar = scalar << 4 | digit
            index += 1
        }
        return scalar
    }

    private static func hexDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    /// Scans two to four bytes, as table 3-7 of Unicode allows them: no overlong form, no
    /// surrogate, nothing above U+10FFFF.
    private mutating func multiByteScalar(_ lead: UInt8) throws(Stop) {
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch lead {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        case 0xF1...0xF3: length = 4
        default: throw stop(.invalidUTF8, "well-formed UTF-8")
        }
        guard second.contains(byte(1)) else { throw malformed(after: 1) }
        for offset in 2..<max(2, length) where byte(offset) & 0xC0 != 0x80 {
            throw malformed(after: offset)
        }
        index += length
    }

    /// Returns the fault of a scalar with `count` valid bytes: malformed where it begins, or cut
    /// off at the end.
    private mutating func malformed(after count: Int) -> Stop {
        let isCutOff = index + count >= text.count
        return stop(.invalidUTF8, "well-formed UTF-8", at: isCutOff ? text.count : index)
    }

    private mutating func number() throws(Stop) {
        if current == UInt8(ascii: "-") { index += 1 }
        if current == UInt8(ascii: "0") {
            index += 1
            if Self.isDigit(current) { throw unexpected("no more digits after a leading zero") }
        } else {
            try digits()
        }
        if current == UInt8(ascii: ".") {
            index += 1
            try digits()
        }
        if current | 0x20 == UInt8(ascii: "e") {
            index += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { index += 1 }
            try digits()
        }
    }

    private mutating func digits() throws(Stop) {
        guard Self.isDigit(current) else { throw unexpected("a digit") }
        while Self.isDigit(current) { index += 1 }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10
    }

    private mutating func literal(_ word: StaticString) throws(Stop) {
        for offset in 0..<word.utf8CodeUnitCount {
            guard current == word.utf8Start[offset] else {
                throw unexpected("true, false or null")
            }
            index += 1
        }
    }

    // MARK: - Bytes

    /// The byte at the index, or 0 at the end, which no token contains.
    private var current: UInt8 {
        index < text.count ? text[index] : 0
    }

    private func byte(_ offset: Int) -> UInt8 {
        index + offset < text.count ? text[index + offset] : 0
    }

    /// Returns whether the text ends before the next `count` bytes, and is valid up to there.
    private func isCutOff(before count: Int) -> Bool {
        index + count > text.count && (index == text.count || current == UInt8(ascii: "\\"))
    }

    private mutating func skipWhitespace() {
        while index < text.count {
            switch text[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            default: return
            }
        }
    }

    // MARK: - Faults

    private mutating func stop(
        _ reason: JSONFault.Reason, _ expected: StaticString, at start: Int? = nil
    ) -> Stop {
        if let start { index = start }
        return Stop(reason: reason, message: expected)
    }

    /// Returns the fault of a byte that is not allowed here. NUL and invalid UTF-8 outside of
    /// strings are distinguished from bad grammar: they point to another kind of bug.
    private func unexpected(_ expected: StaticString) -> Stop {
        guard index < text.count else { return Stop(reason: .syntax, message: expected) }
        switch text[index] {
        case 0: return Stop(reason: .nulCharacter, message: "text without U+0000")
        case 0x80...:
            var probe = self
            do throws(Stop) { try probe.multiByteScalar(text[index]) } catch { return error }
            return Stop(reason: .syntax, message: expected)
        default: return Stop(reason: .syntax, message: expected)
        }
    }
}

extension JSONFault {
    /// Creates a fault at byte `index` of `text`, with the message "expected …, found …".
    init(_ stop: JSONScanner.Stop, at index: Int, in text: UnsafeBufferPointer<UInt8>) {
        let found =
            switch (stop.reason, index < text.count) {
            case (.depth, _), (.values, _): "more than allowed"
            case (_, false): "the end of the text"
            default: "something else"
            }
        self.init(
            reason: stop.reason, message: "expected \(stop.message), found \(found)",
            position: JSONPosition(of: index, in: text))
    }
}
