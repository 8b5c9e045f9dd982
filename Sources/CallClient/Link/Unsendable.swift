internal import CallModel

extension CallError {
    /// As the broker has it, line feed included.
    private static let frameBytesMax = 65_536
    /// What stands around the params at most, without the method's name.
    private static let envelopeBytes = 72

    /// Why the broker would not even read this request. It could only say that some frame was bad,
    /// and nobody would learn that it was this one.
    static func unsendable(_ method: String, _ params: [UInt8]) -> CallError? {
        let bytes = params.count + method.utf8.count + envelopeBytes
        guard bytes <= frameBytesMax else {
            var error = CallError(
                .frameLimit, reason: "frame_bytes",
                "\(method) would take \(bytes) bytes, and a frame has \(frameBytesMax): "
                    + "shorten its texts, or ask for less at once")
            error.limit = .init(name: "frame_bytes", value: frameBytesMax)
            return error
        }
        guard holdsNUL(params) else { return nil }
        return CallError(
            .invalidParams, reason: "nul",
            "a text in \(method) holds a NUL character, which the protocol does not carry: "
                + "take it out")
    }

    /// Whether JSON holds `\u0000`, other than behind a backslash that is text.
    private static func holdsNUL(_ json: [UInt8]) -> Bool {
        let escape = Array("\\u0000".utf8)
        var index = json.startIndex
        while let found = json[index...].firstIndex(of: escape[0]) {
            if json[found...].starts(with: escape) { return true }
            index = min(found + 2, json.endIndex)
        }
        return false
    }
}
