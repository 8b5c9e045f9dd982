/// Bytes -> frames -> messages -> replies.
///
/// The bytes go through a whole broker in memory twice, once in one piece and once in small ones.
/// Whatever they are, these must hold: every line that comes back is JSON within the frame limit,
/// both ways of reading give the same number of lines, nothing is left waiting, and once the peer
/// has gone the broker knows nobody any more.
enum WireInput {
    static func check(_ bytes: [UInt8]) throws(Finding) {
        let whole = try Conversation().run(bytes, pieceBytes: max(1, bytes.count))
        let pieces = try Conversation().run(bytes, pieceBytes: 1 + bytes.count % 7)
        try require(whole == pieces, "\(whole) lines for the whole, \(pieces) for the pieces")
    }
}
