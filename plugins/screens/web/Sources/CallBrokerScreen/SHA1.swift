/// SHA-1, which the handshake of WebSockets (RFC 6455) uses to show that the server speaks it.
enum SHA1 {
    /// Returns the 20 bytes of the digest.
    static func digest(_ message: [UInt8]) -> [UInt8] {
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        let padded = pad(message)
        for start in stride(from: 0, to: padded.count, by: 64) {
            add(padded[start..<(start + 64)], to: &state)
        }
        return state.flatMap { word in bytes(of: word) }
    }

    private static func pad(_ message: [UInt8]) -> [UInt8] {
        let zeros = (119 - message.count % 64) % 64
        let bits = UInt64(message.count) * 8
        let length = bytes(of: UInt32(bits >> 32)) + bytes(of: UInt32(truncatingIfNeeded: bits))
        return message + [0x80] + Array(repeating: 0, count: zeros) + length
    }

    private static func bytes(of word: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
    }

    private static func add(_ block: ArraySlice<UInt8>, to state: inout [UInt32]) {
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { index in
            block[index..<(index + 4)].reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<80 {
            words.append(
                rotate(
                    words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1))
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for (index, word) in words.enumerated() {
            let next = rotate(a, 5) &+ mixed(index, b, c, d) &+ e &+ word
            (e, d, c, b, a) = (d, c, rotate(b, 30), a, next)
        }
        state = zip(state, [a, b, c, d, e]).map { $0 &+ $1 }
    }

    private static func mixed(_ round: Int, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> UInt32 {
        switch round {
        case ..<20: ((b & c) | (~b & d)) &+ 0x5A82_7999
        case ..<40: (b ^ c ^ d) &+ 0x6ED9_EBA1
        case ..<60: ((b & c) | (b & d) | (c & d)) &+ 0x8F1B_BCDC
        default: (b ^ c ^ d) &+ 0xCA62_C1D6
        }
    }

    private static func rotate(_ word: UInt32, _ bits: UInt32) -> UInt32 {
        word << bits | word >> (32 - bits)
    }
}
