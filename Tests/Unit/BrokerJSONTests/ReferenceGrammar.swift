import BrokerJSON

/// RFC 8259 as recursive descent over Unicode scalars, with our narrowings: an oracle that shares
/// nothing with the scanner. UTF-8 is left to the standard library, numbers to `Int64` and
/// `Double`.
struct ReferenceGrammar {
    private struct Refused: Error {}

    private let scalars: [Unicode.Scalar]
    private let limits: JSONLimits
    private var index = 0
    private var values = 0

    private init(_ text: String, limits: JSONLimits) {
        scalars = Array(text.unicodeScalars)
        self.limits = limits
    }

    /// What the text stands for; nil if it must be refused.
    static func parse(_ text: [UInt8], limits: JSONLimits = .frame) -> Tree? {
        guard let valid = String(validating: text, as: UTF8.self) else { return nil }
        var grammar = ReferenceGrammar(valid, limits: limits)
        guard let tree = try? grammar.value(depth: 0) else { return nil }
        return grammar.index == grammar.scalars.count ? tree : nil
    }

    private var next: Unicode.Scalar? {
        index < scalars.count ? scalars[index] : nil
    }

    private mutating func blanks() {
        while let scalar = next, " \t\n\r".unicodeScalars.contains(scalar) { index += 1 }
    }

    private mutating func accept(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        index += 1
        return true
    }

    private mutating func require(_ scalar: Unicode.Scalar) throws {
        guard accept(scalar) else { throw Refused() }
    }

    /// A value with the blanks around it.
    private mutating func value(depth: Int) throws -> Tree {
        blanks()
        values += 1
        guard values <= limits.values else { throw Refused() }
        let tree: Tree
        switch next {
        case "{": tree = .object(try members(depth: depth + 1))
        case "[": tree = .array(try elements(depth: depth + 1))
        case "\"": tree = .string(try string())
        case "t": tree = try word("true", .boolean(true))
        case "f": tree = try word("false", .boolean(false))
        case "n": tree = try word("null", .null)
        default: tree = try number()
        }
        blanks()
        return tree
    }

    private mutating func word(_ word: String, _ tree: Tree) throws -> Tree {
        for scalar in word.unicodeScalars { try require(scalar) }
        return tree
    }

    private mutating func elements(depth: Int) throws -> [Tree] {
        guard depth <= limits.depth else { throw Refused() }
        try require("[")
        blanks()
        if accept("]") { return [] }
        var elements: [Tree] = []
        repeat { elements.append(try value(depth: depth)) } while accept(",")
        try require("]")
        return elements
    }

    private mutating func members(depth: Int) throws -> [Tree.Member] {
        guard depth <= limits.depth else { throw Refused() }
        try require("{")
        blanks()
        if accept("}") { return [] }
        var members: [Tree.Member] = []
        var names: Set<[UInt8]> = []
        repeat {
            blanks()
            let name = try string()
            guard names.insert(name).inserted else { throw Refused() }
            blanks()
            try require(":")
            members.append(Tree.Member(name: name, value: try value(depth: depth)))
        } while accept(",")
        try require("}")
        return members
    }

    private mutating func string() throws -> [UInt8] {
        try require("\"")
        var units: [UInt16] = []
        while let scalar = next, scalar != "\"" {
            index += 1
            guard scalar.value >= 0x20 else { throw Refused() }
            if scalar == "\\" {
                units.append(try escape())
            } else {
                units.append(contentsOf: Character(scalar).utf16)
            }
        }
        try require("\"")
        guard !units.contains(0), let text = String(validating: units, as: UTF16.self) else {
            throw Refused()
        }
        return Array(text.utf8)
    }

    private mutating func escape() throws -> UInt16 {
        let short: [Unicode.Scalar: UInt16] = [
            "\"": 0x22, "\\": 0x5C, "/": 0x2F, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9,
        ]
        guard let letter = next else { throw Refused() }
        index += 1
        if let unit = short[letter] { return unit }
        guard letter == "u", index + 4 <= scalars.count else { throw Refused() }
        let digits = scalars[index..<(index + 4)]
        guard digits.allSatisfy({ $0.isASCII && Character($0).isHexDigit }) else { throw Refused() }
        index += 4
        return UInt16(digits.map { String($0) }.joined(), radix: 16) ?? 0
    }

    private mutating func number() throws -> Tree {
        let start = index
        _ = accept("-")
        if !accept("0") { try digits() }
        var isInteger = true
        if accept(".") {
            isInteger = false
            try digits()
        }
        if accept("e") || accept("E") {
            isInteger = false
            if !accept("+") { _ = accept("-") }
            try digits()
        }
        let text = scalars[start..<index].map { String($0) }.joined()
        if isInteger {
            guard let integer = Int64(text) else { throw Refused() }
            return .integer(integer)
        }
        guard let real = Double(text), real.isFinite else { throw Refused() }
        return .real(real)
    }

    private mutating func digits() throws {
        let start = index
        while let scalar = next, ("0"..."9").contains(scalar) { index += 1 }
        guard index > start else { throw Refused() }
    }
}
