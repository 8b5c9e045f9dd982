internal import BrokerJSON
internal import CJansson

/// One text, three readers: the scanner with Jansson behind it, the outline of plain texts, and Jansson
/// alone.
///
/// What the scanner accepts Jansson accepts too, but for the two faults that only it sees. What the
/// scanner refuses Jansson refuses too, but for our limits on depth and number of values, and what
/// stands behind a NUL. The outline never changes a verdict or a value. What was read and written reads
/// and writes the same again.
enum JSONInput {
    static func check(_ bytes: [UInt8]) throws(Finding) {
        let ours = Self.rewritten(bytes)
        try compareWithJansson(bytes, ours)
        let inPlace = bytes.withUnsafeBufferPointer { Self.rewrittenInPlace($0) }
        try require(ours == inPlace, "read in place it is \(inPlace), else \(ours)")
        if case .success(let text) = ours {
            try require(Self.rewritten(text) == ours, "written JSON does not read back the same")
        }
    }

    private typealias Verdict = Result<[UInt8], JSONFault>

    private static func compareWithJansson(
        _ bytes: [UInt8], _ ours: Verdict
    ) throws(Finding) {
        let isAccepted = isAcceptedByJansson(bytes)
        switch ours {
        case .success: try require(isAccepted, "accepted, and refused by Jansson")
        case .failure(let fault):
            // Jansson takes a NUL for the end of the text.
            let isStricter = [.depth, .values, .nulCharacter].contains(fault.reason)
            try require(!isAccepted || isStricter, "accepted by Jansson, and refused: \(fault)")
            try require(
                (0...bytes.count).contains(fault.position.byte)
                    && fault.message != JSONFault.disagreement, "\(fault)")
        }
    }

    private static func isAcceptedByJansson(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { text in
            var error = json_error_t()
            let flags = Int(JSON_REJECT_DUPLICATES | JSON_DECODE_ANY)
            let start = text.baseAddress?.assumingMemoryBound(to: CChar.self)
            guard let tree = json_loadb(start, text.count, flags, &error) else { return false }
            json_decref(tree)
            return true
        }
    }

    private static func rewritten(_ bytes: [UInt8]) -> Verdict {
        do throws(JSONFault) {
            let document = try JSONDocument(parsing: bytes)
            return .success(text(of: document.root))
        } catch {
            return .failure(error)
        }
    }

    private static func rewrittenInPlace(_ bytes: UnsafeBufferPointer<UInt8>) -> Verdict {
        do throws(JSONFault) {
            let document = try JSONDocument(inPlace: bytes)
            return .success(text(of: document.root))
        } catch {
            return .failure(error)
        }
    }

    private static func text(of root: JSONValue) -> [UInt8] {
        var writer = JSONWriter()
        writer.value(root)
        return writer.bytes
    }
}
