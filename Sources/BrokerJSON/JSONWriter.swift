/// A writer that appends compact JSON to a byte buffer, and escapes strings.
///
/// It keeps no state: the last byte shows whether a comma is due. After `{`, `[`, `:` and LF (where
/// a new text begins) none is; after any other byte one is. A string always ends in its quote, so
/// its content cannot be mistaken for structure.
package struct JSONWriter {
    /// The buffer.
    package var bytes: [UInt8]

    package init(_ bytes: [UInt8] = []) {
        self.bytes = bytes
    }

    /// The contents of the buffer as text, for tests, tools and logs.
    package var text: String {
        String(decoding: bytes, as: UTF8.self)
    }

    // MARK: - Containers

    /// Writes an object; `members` writes its contents.
    package mutating func object(_ members: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "{"))
        members(&self)
        bytes.append(UInt8(ascii: "}"))
    }

    /// Writes an array; `elements` writes its contents.
    package mutating func array(_ elements: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "["))
        elements(&self)
        bytes.append(UInt8(ascii: "]"))
    }

    /// Writes the name of the next member. A name known at compile time needs no escapes.
    package mutating func name(_ name: StaticString) {
        append(name.utf8CodeUnitCount + 3) { $0.append(name: name) }
    }

    /// Writes the name of the next member, escaped.
    package mutating func name(_ name: String) {
        value(name)
        bytes.append(UInt8(ascii: ":"))
    }

    // MARK: - Values

    package mutating func value(_ text: String) {
        var copy = text
        copy.withUTF8 { value(utf8: $0) }
    }

    package mutating func value(_ word: StaticString) {
        append(word.utf8CodeUnitCount + 2) { $0.append(quoted: word) }
    }

    /// Writes a string of well-formed UTF-8.
    package mutating func value(utf8: UnsafeBufferPointer<UInt8>) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        escape(utf8)
        bytes.append(UInt8(ascii: "\""))
    }

    package mutating func value(_ number: Int64) {
        append(Self.digitsMax) { $0.append(number) }
    }

    package mutating func value(_ number: Int) {
        value(Int64(number))
    }

    package mutating func value(_ flag: Bool) {
        separate()
        raw(flag ? "true" : "false")
    }

    package mutating func null() {
        separate()
        raw("null")
    }

    /// Writes a real in the shortest form that reads back as the same double. Used for received
    /// values only: the protocol itself has no reals.
    package mutating func value(_ number: Double) {
        separate()
        bytes.append(contentsOf: number.description.utf8)
    }

    /// Writes a received value. Its depth was limited when it was parsed.
    package mutating func value(_ value: JSONValue) {
        switch value.kind {
        case .object:
            object { writer in
                value.forEachMember { name, member in
                    writer.value(utf8: name)
                    writer.bytes.append(UInt8(ascii: ":"))
                    writer.value(member)
                }
            }
        case .array: array { writer in for element in value.elements { writer.value(element) } }
        case .string: self.value(utf8: value.utf8 ?? UnsafeBufferPointer(start: nil, count: 0))
        case .integer: self.value(value.integer ?? 0)
        case .real: self.value(value.real ?? 0)
        case .boolean: self.value(value.boolean ?? false)
        case .null: null()
        }
    }

    /// Writes a string of well-formed UTF-8 that needs no escapes.
    ///
    /// - Parameters:
    ///   - count: its length in bytes.
    ///   - write: writes all of them.
    @inlinable
    package mutating func value(
        plain count: Int, _ write: (UnsafeMutableRawBufferPointer) -> Void
    ) {
        append(count + 2) { $0.append(count, write) }
    }

    /// Writes a value that is JSON already.
    @inlinable
    package mutating func value(json: some Collection<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
    }

    // MARK: - Members

    /// Writes a member.
    package mutating func member(_ name: StaticString, _ text: String) {
        self.name(name)
        value(text)
    }

    package mutating func member(_ name: StaticString, _ word: StaticString) {
        append(name.utf8CodeUnitCount + word.utf8CodeUnitCount + 5) { output in
            output.append(name: name)
            output.append(quoted: word)
        }
    }

    package mutating func member(_ name: StaticString, _ number: Int64) {
        append(name.utf8CodeUnitCount + 3 + Self.digitsMax) { output in
            output.append(name: name)
            output.append(number)
        }
    }

    /// Writes a member that is a string of well-formed UTF-8 that needs no escapes.
    @inlinable
    package mutating func member(
        _ name: StaticString, plain count: Int, _ write: (UnsafeMutableRawBufferPointer) -> Void
    ) {
        append(name.utf8CodeUnitCount + count + 5) { output in
            output.append(name: name)
            output.append(count, write)
        }
    }

    package mutating func member(_ name: StaticString, _ number: Int) {
        member(name, Int64(number))
    }

    package mutating func member(_ name: StaticString, _ flag: Bool) {
        append(name.utf8CodeUnitCount + 8) { output in
            output.append(name: name)
            output.append(flag ? "true" : "false")
        }
    }

    /// Writes a member, unless the value is nil.
    package mutating func member(_ name: StaticString, ifSet text: String?) {
        if let text { member(name, text) }
    }

    package mutating func member(_ name: StaticString, ifSet number: Int?) {
        if let number { member(name, number) }
    }

    /// Writes a member that is an array of strings.
    package mutating func member(_ name: StaticString, words: [String]) {
        self.name(name)
        array { writer in for word in words { writer.value(word) } }
    }

    /// Ends a frame with LF.
    package mutating func endLine() {
        bytes.append(UInt8(ascii: "\n"))
    }

    // MARK: - Bytes

    @usableFromInline
    var isCommaDue: Bool {
        switch bytes.last {
        case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"), UInt8(ascii: "\n"): false
        default: true
        }
    }

    @usableFromInline
    mutating func separate() {
        if isCommaDue { bytes.append(UInt8(ascii: ",")) }
    }

    /// Appends a comma, if one is due, and several tokens at once, as most of the time is spent here.
    ///
    /// - Parameter most: the most bytes that are written.
    @inlinable @inline(__always)
    mutating func append(_ most: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
        let isDue = isCommaDue
        bytes.append(addingCapacity: most + 1) { output in
            if isDue { output.append(UInt8(ascii: ",")) }
            write(&output)
        }
    }

    private mutating func raw(_ text: StaticString) {
        bytes.append(addingCapacity: text.utf8CodeUnitCount) { $0.append(text) }
    }

    /// The most bytes of a number of 64 bits.
    private static let digitsMax = 20

    /// Appends the text; runs that need no escapes are copied whole.
    private mutating func escape(_ utf8: UnsafeBufferPointer<UInt8>) {
        var start = 0
        for index in utf8.indices where Self.needsEscape(utf8[index]) {
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<index]))
            escape(utf8[index])
            start = index + 1
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
    }

    private mutating func escape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default:
            raw("u00")
            bytes.append(Self.hexDigits[Int(byte >> 4)])
            bytes.append(Self.hexDigits[Int(byte & 15)])
        }
    }

    private static let hexDigits = Array("0123456789abcdef".utf8)
}

/// Tokens, for which there must be room.
extension OutputSpan<UInt8> {
    @usableFromInline
    mutating func append(name: StaticString) {
        append(quoted: name)
        append(UInt8(ascii: ":"))
    }

    @inline(__always)
    fileprivate mutating func append(quoted text: StaticString) {
        append(UInt8(ascii: "\""))
        append(text)
        append(UInt8(ascii: "\""))
    }

    @inline(__always)
    fileprivate mutating func append(_ text: StaticString) {
        withUnsafeMutableBufferPointer { room, filled in
            let rest = UnsafeMutableBufferPointer(rebasing: room[filled...])
            filled += rest.update(
                fromContentsOf: UnsafeBufferPointer(
                    start: text.utf8Start, count: text.utf8CodeUnitCount))
        }
    }

    /// Appends a string that `write` writes.
    @usableFromInline
    mutating func append(_ count: Int, _ write: (UnsafeMutableRawBufferPointer) -> Void) {
        append(UInt8(ascii: "\""))
        withUnsafeMutableBufferPointer { room, filled in
            let text = UnsafeMutableBufferPointer(rebasing: room[filled..<filled + count])
            write(UnsafeMutableRawBufferPointer(text))
            filled += count
        }
        append(UInt8(ascii: "\""))
    }

    fileprivate mutating func append(_ number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        var rest = number.magnitude
        var (count, bound): (Int, UInt64) = (1, 10)
        while rest >= bound { (count, bound) = (count + 1, bound * 10) }
        withUnsafeMutableBufferPointer { room, filled in
            for place in stride(from: filled + count - 1, through: filled, by: -1) {
                room[place] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            }
            filled += count
        }
    }
}
