/// Where something stands in a text: what an editor shows, and what a program can index.
package struct JSONPosition: Equatable, Sendable {
    /// Counted from 1; lines end at LF.
    package let line: Int
    /// Counted from 1 in Unicode scalars, not bytes.
    package let column: Int
    /// Counted from 0, in bytes from the start of the text.
    package let byte: Int

    package init(line: Int, column: Int, byte: Int) {
        self.line = line
        self.column = column
        self.byte = byte
    }

    /// The position of byte number `byte` of `text`. Only called once something is wrong, so that
    /// the passes over good text need not count lines. It is quick all the same: 1,000 clients may leave
    /// at once, each in the middle of a long line.
    init(of byte: Int, in text: UnsafeBufferPointer<UInt8>) {
        let before = text[..<min(byte, text.count)]
        let ends = before.tally { $0 == UInt8(ascii: "\n") }
        let start = ends == 0 ? 0 : before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let column = 1 + before[start...].tally { $0 & 0xC0 != 0x80 }
        self.init(line: 1 + ends, column: column, byte: byte)
    }
}

/// Why a text was refused. It says what was expected and where, and never quotes the text: a
/// frame can hold a phone number.
package struct JSONFault: Error, Equatable, Sendable {
    /// The kind of fault. The raw values are stable; they are `data.reason` on the wire.
    package enum Reason: String, Sendable, CaseIterable {
        /// Not the grammar of RFC 8259.
        case syntax
        /// A byte that is not part of well-formed UTF-8 (Unicode 15, table 3-7).
        case invalidUTF8 = "invalid_utf8"
        /// U+0000, raw or as an escape.
        case nulCharacter = "nul_character"
        /// A surrogate escape without its other half.
        case loneSurrogate = "lone_surrogate"
        /// Two members of one object have the same name.
        case duplicateMember = "duplicate_member"
        /// An integer outside int64, or a real outside double.
        case numberRange = "number_range"
        /// More containers inside each other than allowed.
        case depth
        /// More values than allowed.
        case values
        /// Jansson could not allocate the tree.
        case outOfMemory = "out_of_memory"
    }

    /// Said when Jansson refuses what our scanner took for JSON. It never should; the fuzzer looks
    /// for it.
    package static let disagreement = "expected JSON"

    package let reason: Reason
    package let message: String
    package let position: JSONPosition

    package init(reason: Reason, message: String, position: JSONPosition) {
        self.reason = reason
        self.message = message
        self.position = position
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    /// How many bytes are like that. A loop over an index, without a branch, looks at many at once.
    fileprivate func tally(_ isCounted: (UInt8) -> Bool) -> Int {
        guard let bytes = base.baseAddress else { return 0 }
        var count = 0
        for index in indices { count &+= isCounted(bytes[index]) ? 1 : 0 }
        return count
    }
}
