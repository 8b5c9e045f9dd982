internal import CallModel

extension CallError {
    /// The broker's limit, line feed included.
    private static let frameBytesMax = 65_536
    /// The most bytes around the params, without the name of the method.
    private static let envelopeBytes = 72

    /// Returns the error of a request that the broker could not read. It is checked here, because
    /// the broker could only report a bad frame, without naming the request.
    static func encodingError(for method: String, _ params: [UInt8]) -> CallError? {
        let bytes = params.count + method.utf8.count + envelopeBytes
        guard bytes <= frameBytesMax else {
            var error = CallError(
                .frameLimit, reason: "frame_bytes",
                "\(method) needs \(bytes) bytes, and the limit of a frame is \(frameBytesMax): "
                    + "shorten its texts, or split the request")
            error.limit = .init(name: "frame_bytes", value: frameBytesMax)
            return error
        }
        guard containsNUL(params) else { return nil }
        return CallError(
            .invalidParams, reason: "nul",
            "a text in \(method) contains a NUL character, which the protocol does not carry: "
                + "remove it")
    }

    /// Returns whether JSON contains `\u0000`, other than after an escaped backslash.
    private static func containsNUL(_ json: [UInt8]) -> Bool {
        let escape = Array("\\u0000".utf8)
        var index = json.startIndex
        while let found = json[index...].firstIndex(of: escape[0]) {
            if json[found...].starts(with: escape) { return true }
            index = min(found + 2, json.endIndex)
        }
        return false
    }
}
