import BrokerJSON
import TestSupport

/// A JSON value as plain data, to compare with. Strings are bytes, so that canonically equivalent
/// ones differ; reals are bit patterns, so that -0.0 and 0.0 do.
enum Tree: Equatable, Sendable {
    struct Member: Equatable, Sendable {
        let name: [UInt8]
        let value: Tree
    }

    case object([Member])
    case array([Tree])
    case string([UInt8])
    case integer(Int64)
    case real(bits: UInt64)
    case boolean(Bool)
    case null

    static func text(_ text: String) -> Tree {
        .string(Array(text.utf8))
    }

    static func real(_ number: Double) -> Tree {
        .real(bits: number.bitPattern)
    }

    /// A copy of a parsed value.
    init(_ value: JSONValue) {
        switch value.kind {
        case .object:
            var members: [Member] = []
            value.forEachMember { members.append(Member(name: Array($0), value: Tree($1))) }
            self = .object(members)
        case .array: self = .array(value.elements.map { Tree($0) })
        case .string: self = .string(value.utf8.map { Array($0) } ?? [])
        case .integer: self = .integer(value.integer ?? 0)
        case .real: self = .real(value.real ?? 0)
        case .boolean: self = .boolean(value.boolean ?? false)
        case .null: self = .null
        }
    }

    /// A copy of what `JSONDocument` makes of a text; nil if it refuses it.
    init?(parsing text: [UInt8], limits: JSONLimits = .frame) {
        do throws(JSONFault) {
            let document = try JSONDocument(parsing: text, limits: limits)
            self.init(document.root)
        } catch {
            return nil
        }
    }

    func write(to writer: inout JSONWriter) {
        switch self {
        case .object(let members):
            writer.object { writer in
                for member in members {
                    writer.name(String(decoding: member.name, as: UTF8.self))
                    member.value.write(to: &writer)
                }
            }
        case .array(let elements):
            writer.array { writer in for element in elements { element.write(to: &writer) } }
        case .string(let utf8): utf8.withUnsafeBufferPointer { writer.value(utf8: $0) }
        case .integer(let number): writer.value(number)
        case .real(let bits): writer.value(Double(bitPattern: bits))
        case .boolean(let flag): writer.value(flag)
        case .null: writer.null()
        }
    }

    var written: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}

extension Tree {
    /// A tree of at most `depth` levels of containers.
    static func random(depth: Int, using random: inout SeededRandom) -> Tree {
        switch Int.random(in: 0..<(depth > 0 ? 10 : 6), using: &random) {
        case 0: return .null
        case 1: return .boolean(random.chance(50))
        case 2: return .integer(randomInteger(using: &random))
        case 3: return .real(bits: randomReal(using: &random))
        case 4, 5: return .string(randomText(using: &random))
        case 6, 7:
            return .array(
                (0..<Int.random(in: 0...5, using: &random)).map { _ in
                    Tree.random(depth: depth - 1, using: &random)
                })
        default:
            var members: [Member] = []
            for _ in 0..<Int.random(in: 0...5, using: &random) {
                let name = randomText(using: &random)
                guard !members.contains(where: { $0.name == name }) else { continue }
                let value = Tree.random(depth: depth - 1, using: &random)
                members.append(Member(name: name, value: value))
            }
            return .object(members)
        }
    }

    private static func randomInteger(using random: inout SeededRandom) -> Int64 {
        let edges: [Int64] = [0, 1, -1, 9, 10, 99, 100, -10, .min, .max, .min + 1, 1 << 53]
        if random.chance(30) { return random.pick(edges) }
        return Int64.random(in: .min ... .max, using: &random)
            >> Int64.random(in: 0..<64, using: &random)
    }

    private static func randomReal(using random: inout SeededRandom) -> UInt64 {
        while true {
            let bits = random.next()
            if Double(bitPattern: bits).isFinite { return bits }
        }
    }

    private static func randomText(using random: inout SeededRandom) -> [UInt8] {
        let ranges: [ClosedRange<UInt32>] = [
            0x01...0x1F, 0x20...0x7F, 0x61...0x7A, 0x80...0x7FF, 0x800...0xD7FF, 0xE000...0xFFFF,
            0x1_0000...0x10_FFFF,
        ]
        var text = ""
        for _ in 0..<Int.random(in: 0...8, using: &random) {
            let number = UInt32.random(in: random.pick(ranges), using: &random)
            if let scalar = Unicode.Scalar(number) { text.unicodeScalars.append(scalar) }
        }
        return Array(text.utf8)
    }
}
