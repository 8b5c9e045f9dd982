/// Ids and secrets from the kernel's random numbers.
enum RandomID {
    private static let digits = Array("0123456789abcdef".utf8)

    /// A version 4 UUID, lower case (RFC 9562, section 5.4).
    static func uuid() -> String {
        var bytes = random()
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let hex = hexadecimal(bytes)
        let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { hex[$0] }
        return groups.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
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
