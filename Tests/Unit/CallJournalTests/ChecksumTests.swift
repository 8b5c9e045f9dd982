import Testing

@testable import CallJournal

struct ChecksumTests {
    /// The same, bit by bit.
    private func slow(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var rest = UInt32.max
        for byte in bytes {
            rest ^= UInt32(byte)
            for _ in 0..<8 { rest = rest & 1 == 0 ? rest >> 1 : 0xEDB8_8320 ^ (rest >> 1) }
        }
        return ~rest
    }

    @Test func `it is that of zlib`() {
        #expect(Checksum.crc32(Array("123456789".utf8)[...]) == 0xCBF4_3926)
    }

    @Test func `of every length and from every place it is that of the single bits`() {
        let bytes = (0..<64).map { UInt8(truncatingIfNeeded: $0 &* $0 &+ 37) }
        for start in 0..<9 {
            for end in start...bytes.count {
                #expect(Checksum.crc32(bytes[start..<end]) == slow(bytes[start..<end]))
            }
        }
    }

    @Test func `of parts it is that of the whole`() {
        let bytes = (0..<64).map { UInt8(truncatingIfNeeded: $0 &* $0 &+ 37) }
        for middle in 0...bytes.count {
            var checksum = Checksum()
            checksum.add(bytes[..<middle])
            checksum.add(bytes[middle...])
            #expect(checksum.value == Checksum.crc32(bytes[...]))
        }
    }
}
