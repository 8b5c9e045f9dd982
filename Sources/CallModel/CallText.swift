/// Characters of a call's real-time text, as ITU-T T.140 has them: U+0008 erases a character, U+2028
/// begins a line.
public struct CallText: Hashable, Sendable {
    /// The maximum length, in bytes of UTF-8.
    public static let bytesMax = 1_024

    /// The sides of a call.
    public enum Side: String, CaseIterable, Sendable {
        /// This host.
        case local
        /// The far end.
        case remote
    }

    /// The side that has typed the characters.
    public let side: Side
    /// The characters.
    public let characters: String

    /// Creates text of a side.
    public init(_ characters: String, from side: Side) {
        self.characters = characters
        self.side = side
    }
}
