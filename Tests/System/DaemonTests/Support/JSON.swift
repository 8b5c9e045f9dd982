/// A JSON text as the test suite reads it: members keep their order and may repeat, and a real is
/// told from an integer. It is written apart from the daemon's own parser on purpose, so that a
/// fault of that parser cannot hide itself.
enum JSON: Hashable, Sendable {
    case object([Member])
    case array([JSON])
    case string(String)
    case integer(Int64)
    case real(String)
    case boolean(Bool)
    case null

    struct Member: Hashable, Sendable {
        let name: String
        let value: JSON
    }

    subscript(name: String) -> JSON? {
        members?.first { $0.name == name }?.value
    }

    subscript(index: Int) -> JSON? {
        guard let elements, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    var members: [Member]? {
        if case .object(let members) = self { members } else { nil }
    }

    var elements: [JSON]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    var integer: Int? {
        if case .integer(let number) = self { Int(number) } else { nil }
    }

    var names: [String] {
        members?.map(\.name) ?? []
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral {
    init(arrayLiteral elements: JSON...) {
        self = .array(elements)
    }

    init(stringLiteral value: String) {
        self = .string(value)
    }

    init(integerLiteral value: Int64) {
        self = .integer(value)
    }
}

extension JSON: CustomStringConvertible {
    /// Compact, as the daemon has to write it.
    var description: String {
        switch self {
        case .object(let members):
            "{" + members.map { "\(Self.quoted($0.name)):\($0.value)" }.joined(separator: ",") + "}"
        case .array(let elements): "[" + elements.map(\.description).joined(separator: ",") + "]"
        case .string(let text): Self.quoted(text)
        case .integer(let number): String(number)
        case .real(let text): text
        case .boolean(let flag): flag ? "true" : "false"
        case .null: "null"
        }
    }

    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            case "\u{8}": result += "\\b"
            case "\u{C}": result += "\\f"
            case "\u{0}"..<" ", "\u{7F}":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

/// Where and why a text is no JSON.
struct JSONTextError: Error {
    let byte: Int
    let expected: String
}

extension JSON {
    init(_ text: String) throws {
        var reader = JSONReader(bytes: Array(text.utf8))
        self = try reader.document()
    }
}

private struct JSONReader {
    let bytes: [UInt8]
    var index = 0
    private var depth = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func document() throws -> JSON {
        let value = try value()
        skipBlanks()
        guard index == bytes.count else { throw fault("the end of the text") }
        return value
    }

    private func fault(_ expected: String) -> JSONTextError {
        JSONTextError(byte: index, expected: expected)
    }

    private var next: UInt8? {
        index < bytes.count ? bytes[index] : nil
    }

    private mutating func skipBlanks() {
        while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { index += 1 }
    }

    private mutating func take(_ text: StaticString) -> Bool {
        let end = index + text.utf8CodeUnitCount
        guard end <= bytes.count,
            bytes[index..<end].elementsEqual(
                UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        else { return false }
        index = end
        return true
    }

    private mutating func value() throws -> JSON {
        skipBlanks()
        depth += 1
        defer { depth -= 1 }
        guard depth <= 256 else { throw fault("less depth") }
        switch next {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return .string(try string())
        default: break
        }
        if take("true") { return .boolean(true) }
        if take("false") { return .boolean(false) }
        if take("null") { return .null }
        return try number()
    }

    private mutating func object() throws -> JSON {
        index += 1
        var members: [JSON.Member] = []
        skipBlanks()
        if take("}") { return .object([]) }
        while true {
            skipBlanks()
            let name = try string()
            skipBlanks()
            guard take(":") else { throw fault("a colon") }
            members.append(JSON.Member(name: name, value: try value()))
            skipBlanks()
            if take("}") { return .object(members) }
            guard take(",") else { throw fault("a comma or a closing brace") }
        }
    }

    private mutating func array() throws -> JSON {
        index += 1
        var elements: [JSON] = []
        skipBlanks()
        if take("]") { return .array([]) }
        while true {
            elements.append(try value())
            skipBlanks()
            if take("]") { return .array(elements) }
            guard take(",") else { throw fault("a comma or a closing bracket") }
        }
    }

    private mutating func string() throws -> String {
        guard take("\"") else { throw fault("a string") }
        var units: [UInt8] = []
        while let byte = next, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw fault("no control character") }
            index += 1
            guard byte == UInt8(ascii: "\\") else {
                units.append(byte)
                continue
            }
            units.append(contentsOf: Array(String(try escape()).utf8))
        }
        guard take("\"") else { throw fault("a closing quote") }
        guard let text = String(validating: units, as: UTF8.self) else { throw fault("UTF-8") }
        return text
    }

    private mutating func escape() throws -> Unicode.Scalar {
        defer { index += 1 }
        switch next {
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try codeUnits()
        case let byte? where "\"\\/".utf8.contains(byte): return Unicode.Scalar(byte)
        default: throw fault("an escape")
        }
    }

    private mutating func codeUnits() throws -> Unicode.Scalar {
        let high = try codeUnit()
        if let scalar = Unicode.Scalar(high) { return scalar }
        index += 1
        guard take("\\"), next == UInt8(ascii: "u") else { throw fault("a low surrogate") }
        let low = try codeUnit()
        let code = 0x10000 + ((high &- 0xD800) << 10) + (low &- 0xDC00)
        guard let scalar = Unicode.Scalar(code) else { throw fault("a surrogate pair") }
        return scalar
    }

    /// Leaves the index at the last digit.
    private mutating func codeUnit() throws -> UInt32 {
        let digits = bytes[min(index + 1, bytes.count)..<min(index + 5, bytes.count)]
        guard digits.count == 4,
            let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw fault("four hexadecimal digits") }
        index += 4
        return unit
    }

    private mutating func number() throws -> JSON {
        let start = index
        while let byte = next, "+-.0123456789eE".utf8.contains(byte) { index += 1 }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        if let number = Int64(text), String(number) == text || text == "-0" {
            return .integer(number)
        }
        guard let match = text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/)
        else {
            index = start
            throw fault("a value")
        }
        return .real(String(match.0))
    }
}
