/// A position in a text, as an editor shows it and as a program can index it.
package struct JSONPosition: Equatable, Sendable {
    /// The line, counted from 1; lines end at LF.
    package let line: Int
    /// The column, counted from 1 in Unicode scalars, not bytes.
    package let column: Int
    /// The byte offset, counted from 0.
    package let byte: Int

    package init(line: Int, column: Int, byte: Int) {
        self.line = line
        self.column = column
        self.byte = byte
    }

    /// Finds the line and the column of a byte. Called for errors only, so that the passes over
    /// valid text need not count lines. It is fast nevertheless: 1,000 clients may disconnect at
    /// once, each in the middle of a long line.
    init(of byte: Int, in text: UnsafeBufferPointer<UInt8>) {
        let before = text[..<min(byte, text.count)]
        let ends = before.tally { $0 == UInt8(ascii: "\n") }
        let start = ends == 0 ? 0 : before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let column = 1 + before[start...].tally { $0 & 0xC0 != 0x80 }
        self.init(line: 1 + ends, column: column, byte: byte)
    }
}

/// The reason why a text was refused. It tells what was expected and where, and never quotes the
/// text: a frame may contain a phone number.
package struct JSONFault: Error, Equatable, Sendable {
    /// Kinds of fault. The raw values are stable; they are `data.reason` on the wire.
    package enum Reason: String, Sendable, CaseIterable {
        /// A violation of the grammar of RFC 8259.
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
        /// More nested containers than allowed.
        case depth
        /// More values than allowed.
        case values
        /// Jansson could not allocate the tree.
        case outOfMemory = "out_of_memory"
    }

    /// The message for a text that Jansson refuses although the scanner accepted it. That should
    /// never happen; the fuzzer checks it.
    package static let disagreement = "expected JSON"

    /// The kind of fault.
    package let reason: Reason
    /// The text for people: "expected …, found …".
    package let message: String
    /// The first byte that cannot be continued to an acceptable text.
    package let position: JSONPosition

    package init(reason: Reason, message: String, position: JSONPosition) {
        self.reason = reason
        self.message = message
        self.position = position
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    /// Counts the bytes that match. A loop over an index, without a branch, is vectorized.
    fileprivate func tally(_ isCounted: (UInt8) -> Bool) -> Int {
        guard let bytes = base.baseAddress else { return 0 }
        var count = 0
        for index in indices { count &+= isCounted(bytes[index]) ? 1 : 0 }
        return count
    }
}
