package import BrokerJSON

/// Something that the wire has a word for. The word is text in the executable: neither writing nor
/// reading it makes a `String`.
@usableFromInline package protocol WireWord: CaseIterable {
    var word: StaticString { get }
}

extension WireWord {
    /// The case with this word.
    @inlinable package init?(utf8: UnsafeBufferPointer<UInt8>) {
        for candidate in Self.allCases where candidate.isWritten(utf8) {
            self = candidate
            return
        }
        return nil
    }

    /// Inlinable, so that the enum is known where its words are looked for.
    @inlinable func isWritten(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
        guard utf8.count == word.utf8CodeUnitCount else { return false }
        for index in 0..<utf8.count where utf8[index] != word.utf8Start[index] { return false }
        return true
    }

    /// Nil if there is no value, or none of our words.
    package init?(_ value: JSONValue?) {
        guard let utf8 = value?.utf8 else { return nil }
        self.init(utf8: utf8)
    }
}
