/// The characters of values without quotes: letters, digits and `_.+:/-`.
enum BareWord {
    private static let low: UInt64 = 1 << 43 | (1 << 14 - 1) << 45
    private static let high: UInt64 = (1 << 26 - 1) << 1 | 1 << 31 | (1 << 26 - 1) << 33

    static func contains(_ byte: UInt8) -> Bool {
        let set = byte < 64 ? low : high
        return byte < 128 && set >> UInt64(byte & 63) & 1 == 1
    }

    static func isBare(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        for byte in text where !contains(byte) { return false }
        return true
    }
}
