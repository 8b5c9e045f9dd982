internal import BrokerJSON
internal import CFuzzMain

/// One input of the fuzzer: bytes -> frames -> messages -> replies.
///
/// The bytes go through a whole broker in memory twice, once in one piece and once in small ones.
/// Whatever they are, these must hold: every line that comes back is JSON within the frame limit,
/// both ways of reading give the same number of lines, nothing is left waiting, and once the peer
/// has gone the broker knows nobody any more.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    checkJSON(bytes)
    let whole = Conversation().run(bytes, pieceBytes: max(1, count))
    let pieces = Conversation().run(bytes, pieceBytes: 1 + count % 7)
    guard whole == pieces else {
        fatalError("\(whole) lines for the whole, \(pieces) lines for the pieces")
    }
    return 0
}

/// What the scanner accepts Jansson must accept too, up to what only Jansson sees; and what was
/// read and written must read and write the same again.
private func checkJSON(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let first = rewritten(bytes) else { return }
    guard let second = first.withUnsafeBufferPointer(rewritten), second == first else {
        fatalError("written JSON does not read back the same")
    }
}

private func rewritten(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    do throws(JSONFault) {
        let document = try JSONDocument(parsing: bytes)
        var writer = JSONWriter()
        writer.value(document.root)
        return writer.bytes
    } catch {
        guard error.message != JSONFault.disagreement else {
            fatalError("scanner and Jansson differ")
        }
        return nil
    }
}
