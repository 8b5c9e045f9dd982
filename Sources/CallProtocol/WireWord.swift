package import BrokerJSON

/// Something that the wire has a word for. The word is text in the executable: neither writing nor
/// reading it makes a `String`.
package protocol WireWord: CaseIterable {
    var word: StaticString { get }
}

extension WireWord {
    /// The case with this word.
    package init?(utf8: UnsafeBufferPointer<UInt8>) {
        for candidate in Self.allCases where utf8.reads(candidate.word) {
            self = candidate
            return
        }
        return nil
    }

    /// Nil if there is no value, or none of our words.
    package init?(_ value: JSONValue?) {
        guard let utf8 = value?.utf8 else { return nil }
        self.init(utf8: utf8)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the bytes are those of the word.
    package func reads(_ word: StaticString) -> Bool {
        guard count == word.utf8CodeUnitCount else { return false }
        for index in 0..<count where self[index] != word.utf8Start[index] { return false }
        return true
    }
}

extension JSONWriter {
    package mutating func member(_ name: StaticString, words: [some WireWord]) {
        self.name(name)
        array { writer in for each in words { writer.value(each.word) } }
    }
}
