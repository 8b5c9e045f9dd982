/// The outline of a short plain text: the places of its values, with nothing copied.
///
/// Nearly every frame is a small object of short strings, integers and flags. Building a tree of
/// such a text on the heap costs many times what reading it does. So one pass records where each
/// value is, in one block of memory, and members are read from the text itself.
///
/// A text is plain if it has few values, strings of ASCII without escapes, integers of at most 18
/// digits, and no duplicate member. Any other text, valid or not, is left to the scanner and
/// Jansson, which can tell what is wrong with it and where.
enum JSONOutline {
    /// A value. The contents of a container follow it.
    struct Node {
        let kind: JSONValue.Kind
        /// The number of elements or members.
        var count: UInt8 = 0
        /// The number of nodes of this value and all below it, which is the distance to the next
        /// sibling.
        var size: UInt8 = 1
        /// The content of a string without its quotes, the digits of an integer, or the literal.
        let text: UnsafeBufferPointer<UInt8>
        /// The name, if the value is a member of an object.
        let name: UnsafeBufferPointer<UInt8>
    }

    /// The maximum number of nodes: the largest block that the C library returns without a search.
    private static let nodesMax = 24
    /// The maximum length of a text. Beyond it the scan that fails would cost too much.
    private static let bytesMax = 4_096

    /// Returns the node of the top-level value, to be deallocated by the caller, or nil if the text
    /// is not plain. The text must stay at its address.
    static func read(
        _ text: UnsafeBufferPointer<UInt8>, limits: JSONLimits
    ) -> UnsafePointer<Node>? {
        guard text.count <= bytesMax else { return nil }
        let nodes = UnsafeMutablePointer<Node>.allocate(capacity: nodesMax)
        var reader = JSONOutlineReader(
            text, into: nodes, room: min(limits.values, nodesMax), depth: limits.depth)
        guard reader.read() else {
            nodes.deallocate()
            return nil
        }
        return UnsafePointer(nodes)
    }
}

/// Builds the outline, or finds that the text is not plain.
private struct JSONOutlineReader {
    private let text: UnsafeBufferPointer<UInt8>
    private let nodes: UnsafeMutablePointer<JSONOutline.Node>
    private let room: Int
    private let depthMax: Int
    private var index = 0
    private var count = 0

    init(
        _ text: UnsafeBufferPointer<UInt8>, into nodes: UnsafeMutablePointer<JSONOutline.Node>,
        room: Int, depth: Int
    ) {
        self.text = text
        self.nodes = nodes
        self.room = room
        depthMax = depth
    }

    mutating func read() -> Bool {
        guard value(named: part(0, 0), depth: 0) else { return false }
        skipWhitespace()
        return index == text.count
    }

    // MARK: - Values

    private mutating func value(named name: UnsafeBufferPointer<UInt8>, depth: Int) -> Bool {
        skipWhitespace()
        guard count < room else { return false }
        switch current {
        case UInt8(ascii: "{"): return object(name, depth + 1)
        case UInt8(ascii: "["): return array(name, depth + 1)
        case UInt8(ascii: "\""):
            guard let string = string() else { return false }
            add(.string, string, name)
            return true
        case UInt8(ascii: "t"): return word("true", .boolean, name)
        case UInt8(ascii: "f"): return word("false", .boolean, name)
        case UInt8(ascii: "n"): return word("null", .null, name)
        default: return integer(name)
        }
    }

    private mutating func add(
        _ kind: JSONValue.Kind, _ text: UnsafeBufferPointer<UInt8>,
        _ name: UnsafeBufferPointer<UInt8>
    ) {
        (nodes + count).initialize(to: JSONOutline.Node(kind: kind, text: text, name: name))
        count += 1
    }

    private mutating func object(_ name: UnsafeBufferPointer<UInt8>, _ depth: Int) -> Bool {
        guard depth <= depthMax else { return false }
        let container = count
        add(.object, part(index, 0), name)
        index += 1
        if skipClosing(UInt8(ascii: "}")) { return true }
        repeat {
            skipWhitespace()
            guard current == UInt8(ascii: "\""), let name = string(), !has(name, container) else {
                return false
            }
            skipWhitespace()
            guard current == UInt8(ascii: ":") else { return false }
            index += 1
            guard value(named: name, depth: depth) else { return false }
            nodes[container].count += 1
        } while skipComma()
        nodes[container].size = UInt8(count - container)
        return skipClosing(UInt8(ascii: "}"))
    }

    private mutating func array(_ name: UnsafeBufferPointer<UInt8>, _ depth: Int) -> Bool {
        guard depth <= depthMax else { return false }
        let container = count
        add(.array, part(index, 0), name)
        index += 1
        if skipClosing(UInt8(ascii: "]")) { return true }
        repeat {
            guard value(named: part(index, 0), depth: depth) else { return false }
            nodes[container].count += 1
        } while skipComma()
        nodes[container].size = UInt8(count - container)
        return skipClosing(UInt8(ascii: "]"))
    }

    /// Returns whether an object has a member of that name, as far as it was read.
    private func has(_ name: UnsafeBufferPointer<UInt8>, _ container: Int) -> Bool {
        var member = container + 1
        while member < count {
            if nodes[member].name.isSame(as: name) { return true }
            member += Int(nodes[member].size)
        }
        return false
    }

    // MARK: - Tokens

    /// Reads the string at the index, and returns its content; nil if it is not plain.
    private mutating func string() -> UnsafeBufferPointer<UInt8>? {
        let start = index + 1
        var end = start
        while end < text.count {
            switch text[end] {
            case UInt8(ascii: "\""):
                index = end + 1
                return part(start, end - start)
            case UInt8(ascii: "\\"), 0..<0x20, 0x80...: return nil
            default: end += 1
            }
        }
        return nil
    }

    private mutating func integer(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        let start = index
        if current == UInt8(ascii: "-") { index += 1 }
        let first = index
        while current &- UInt8(ascii: "0") < 10 { index += 1 }
        guard (1...18).contains(index - first) else { return false }
        if text[first] == UInt8(ascii: "0"), index - first > 1 { return false }
        if current == UInt8(ascii: ".") || current | 0x20 == UInt8(ascii: "e") { return false }
        add(.integer, part(start, index - start), name)
        return true
    }

    private mutating func word(
        _ word: StaticString, _ kind: JSONValue.Kind, _ name: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard text.count - index >= word.utf8CodeUnitCount else { return false }
        let found = part(index, word.utf8CodeUnitCount)
        guard found.spells(word) else { return false }
        add(kind, found, name)
        index += found.count
        return true
    }

    /// Skips a comma; returns false if there is none.
    private mutating func skipComma() -> Bool {
        skipWhitespace()
        guard current == UInt8(ascii: ",") else { return false }
        index += 1
        return true
    }

    private mutating func skipClosing(_ bracket: UInt8) -> Bool {
        skipWhitespace()
        guard current == bracket else { return false }
        index += 1
        return true
    }

    // MARK: - Bytes

    /// The byte at the index, or 0 at the end, which no token contains.
    private var current: UInt8 {
        index < text.count ? text[index] : 0
    }

    private func part(_ start: Int, _ count: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: text.baseAddress.map { $0 + start }, count: count)
    }

    private mutating func skipWhitespace() {
        while index < text.count {
            switch text[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            default: return
            }
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns whether the bytes are the same, compared eight at a time.
    package func isSame(as other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count else { return false }
        let (one, two) = (UnsafeRawBufferPointer(self), UnsafeRawBufferPointer(other))
        var index = 0
        while index + 8 <= count {
            let word = one.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            guard word == two.loadUnaligned(fromByteOffset: index, as: UInt64.self) else {
                return false
            }
            index += 8
        }
        while index < count {
            guard one[index] == two[index] else { return false }
            index += 1
        }
        return true
    }

    /// Returns whether the bytes are those of the word.
    package func spells(_ word: StaticString) -> Bool {
        isSame(as: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }
}
