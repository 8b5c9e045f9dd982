package import BrokerJSON

/// A type with words on the wire. The words are text in the executable, so that reading and writing
/// them makes no `String`.
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

    /// Reads a word; nil if there is no value, or if the word is unknown.
    package init?(_ value: JSONValue?) {
        guard let utf8 = value?.utf8 else { return nil }
        self.init(utf8: utf8)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// True if the bytes are those of the word.
    @inlinable package func reads(_ word: StaticString) -> Bool {
        guard count == word.utf8CodeUnitCount else { return false }
        for index in 0..<count where self[index] != word.utf8Start[index] { return false }
        return true
    }
}
