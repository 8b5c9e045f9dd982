package import BrokerJSON

/// Something that the wire has a word for. The word is text in the executable: neither writing nor
/// reading it makes a `String`.
@usableFromInline package protocol WireWord: CaseIterable {
    var word: StaticString { get }
}

extension WireWord {
    /// The case with this word.
    @inlinable package init?(utf8: UnsafeBufferPointer<UInt8>) {
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
    @inlinable package func reads(_ word: StaticString) -> Bool {
        guard count == word.utf8CodeUnitCount else { return false }
        for index in 0..<count where self[index] != word.utf8Start[index] { return false }
        return true
    }
}
