extension Sequence<UInt8> {
    /// True if the bytes are a word in snake case, as the protocol spells its words: small letters,
    /// digits and underscores.
    package var isSnakeCase: Bool {
        allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: "_")
        }
    }
}
