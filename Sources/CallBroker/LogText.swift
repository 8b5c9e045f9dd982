internal import CallProtocol

/// A client's text, made fit for a log: one line, no control characters that could drive a
/// terminal, and no telephone numbers.
struct LogText: CustomStringConvertible {
    /// Runs of digits of this length and more are taken for numbers of callers.
    private static let digitsMasked = 5
    private static let scalarsMax = 512

    let description: String

    init(_ utf8: UnsafeBufferPointer<UInt8>) {
        var text = String.UnicodeScalarView()
        var digits = 0
        for scalar in String(decoding: utf8, as: UTF8.self).unicodeScalars.prefix(Self.scalarsMax) {
            digits = scalar.properties.numericType == .decimal ? digits + 1 : 0
            text.append(scalar.isPrintable ? scalar : "\u{FFFD}")
            if digits >= Self.digitsMasked { Self.mask(last: digits, of: &text) }
        }
        description = String(text)
    }

    private static func mask(last count: Int, of text: inout String.UnicodeScalarView) {
        for _ in 0..<count { text.removeLast() }
        for _ in 0..<count { text.append("x") }
    }
}
