/// The CRC-32 of ISO 3309, as used by zlib and PNG.
struct Checksum {
    /// The bytes that one step takes: one table for each ("slicing by 8").
    private static let stride = 8

    private var remainder: UInt32 = 0xFFFF_FFFF

    static func crc32(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var checksum = Checksum()
        checksum.add(bytes)
        return checksum.value
    }

    /// The checksum of all bytes that were added.
    var value: UInt32 {
        ~remainder
    }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
        remainder = bytes.withUnsafeBytes { bytes in
            Self.tables.withUnsafeBufferPointer { Self.remainder(remainder, of: bytes, $0) }
        }
    }

    private static func remainder(
        _ former: UInt32, of bytes: UnsafeRawBufferPointer,
        _ tables: UnsafeBufferPointer<UInt32>
    ) -> UInt32 {
        var (rest, place) = (former, 0)
        while place + stride <= bytes.count {
            let word = UInt64(
                littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            let mixed = word ^ UInt64(rest)
            rest = 0
            for index in 0..<stride {
                let byte = Int(truncatingIfNeeded: mixed >> UInt64(index * 8)) & 0xFF
                rest ^= tables[(stride - 1 - index) * 256 + byte]
            }
            place += stride
        }
        for byte in bytes[place...] {
            rest = tables[Int((rest ^ UInt32(byte)) & 0xFF)] ^ (rest &>> 8)
        }
        return rest
    }

    /// The remainder for each value of a byte; then for a byte with one zero behind it, with two,
    /// and so on.
    private static let tables: [UInt32] = {
        var tables = (0..<256).map { remainder(ofByte: $0) }
        for index in 256..<stride * 256 {
            let former = tables[index - 256]
            tables.append(tables[Int(former & 0xFF)] ^ (former >> 8))
        }
        return tables
    }()

    private static func remainder(ofByte byte: UInt32) -> UInt32 {
        var rest = byte
        for _ in 0..<8 { rest = rest & 1 == 0 ? rest >> 1 : 0xEDB8_8320 ^ (rest >> 1) }
        return rest
    }
}
