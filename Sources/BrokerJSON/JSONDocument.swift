internal import CJansson

/// A parsed text. It owns Jansson's tree, or the outline of a plain text, and releases it when it
/// goes out of scope; its values point into that memory and must not outlive it. Pass it as a
/// `borrowing` parameter.
package struct JSONDocument: ~Copyable {
    /// The top-level value. Valid as long as this document.
    package let root: JSONValue

    /// Parses a text. Any JSON value may be at the top.
    ///
    /// - Throws: `JSONFault` with the reason, the expectation and the position.
    package init(
        parsing text: UnsafeBufferPointer<UInt8>, limits: JSONLimits = .frame
    ) throws(JSONFault) {
        root = try Self.parse(text, limits)
    }

    /// Parses a text that stays unchanged at its address as long as the document exists. A plain
    /// text is not copied.
    package init(
        inPlace text: UnsafeBufferPointer<UInt8>, limits: JSONLimits = .frame
    ) throws(JSONFault) {
        if let outline = JSONOutline.read(text, limits: limits) {
            root = JSONValue(outline)
        } else {
            root = try Self.parse(text, limits)
        }
    }

    private static func parse(
        _ text: UnsafeBufferPointer<UInt8>, _ limits: JSONLimits
    ) throws(JSONFault) -> JSONValue {
        var scanner = JSONScanner(text, limits: limits)
        do throws(JSONScanner.Stop) {
            try scanner.scan()
        } catch {
            throw JSONFault(error, at: scanner.index, in: text)
        }
        return JSONValue(try load(text))
    }

    /// Parses a text of bytes.
    package init(parsing text: [UInt8], limits: JSONLimits = .frame) throws(JSONFault) {
        self = try text.span.withUnsafeBufferPointer { bytes throws(JSONFault) in
            try JSONDocument(parsing: bytes, limits: limits)
        }
    }

    deinit {
        root.release()
    }

    /// Seeds Jansson's hash tables from the kernel. Call it once, before the first parse and before
    /// a second thread exists. The seed has 32 bits only, so the limit of values is what really
    /// bounds the cost of colliding names.
    package static func seedHashing() {
        json_object_seed(Int.random(in: 1...Int.max))
    }

    private static func load(
        _ text: UnsafeBufferPointer<UInt8>
    ) throws(JSONFault) -> UnsafeMutablePointer<json_t> {
        var error = json_error_t()
        let flags = Int(JSON_REJECT_DUPLICATES | JSON_DECODE_ANY)
        let bytes = UnsafeRawPointer(text.baseAddress)?.assumingMemoryBound(to: CChar.self)
        if let tree = json_loadb(bytes, text.count, flags, &error) { return tree }
        throw fault(error, in: text)
    }

    /// Returns the fault for an error that only Jansson detects. Its position is behind the
    /// offending token, so the search goes back to the token's first byte.
    private static func fault(
        _ error: json_error_t, in text: UnsafeBufferPointer<UInt8>
    ) -> JSONFault {
        let end = min(max(Int(error.position), 0), text.count)
        let reason: JSONFault.Reason
        let message: String
        var start = end
        switch withUnsafePointer(to: error, json_error_code) {
        case json_error_duplicate_key:
            (reason, message) = (.duplicateMember, "expected each member name once in an object")
            start = stringStart(before: end, in: text)
        case json_error_numeric_overflow:
            (reason, message) = (.numberRange, "expected a number within int64 or double")
            while start > 0, isNumberByte(text[start - 1]) { start -= 1 }
        case json_error_out_of_memory:
            (reason, message) = (.outOfMemory, "not enough memory for the parsed text")
        default:
            (reason, message) = (.syntax, JSONFault.disagreement)
        }
        return JSONFault(
            reason: reason, message: message, position: JSONPosition(of: start, in: text))
    }

    /// Returns the index of the quote that opens the string whose closing quote is at `end - 1`.
    private static func stringStart(before end: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
        var index = end - 2
        while index > 0 {
            if text[index] == UInt8(ascii: "\""), !isEscaped(index, in: text) { break }
            index -= 1
        }
        return max(index, 0)
    }

    private static func isEscaped(_ index: Int, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        var backslashes = 0
        while index - backslashes > 0, text[index - backslashes - 1] == UInt8(ascii: "\\") {
            backslashes += 1
        }
        return backslashes % 2 == 1
    }

    private static func isNumberByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }
}
