internal import CallModel

/// The source of ids and secrets, from the kernel's random numbers.
enum RandomID {
    private static let digits = Array("0123456789abcdef".utf8)

    /// A version 4 UUID, lower case (RFC 9562, section 5.4).
    static func uuid() -> String {
        UUIDBits.random().description
    }

    /// 128 bits as 32 hex digits.
    static func secret() -> String {
        String(decoding: hexadecimal(random()), as: UTF8.self)
    }

    private static func random() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        let words = [generator.next(), generator.next()]
        return words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> [UInt8] {
        bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }
}
