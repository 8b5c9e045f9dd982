internal import CallProtocol

/// A client's text in a form that is safe for a log: one line, without control characters that
/// could drive a terminal, and without telephone numbers.
struct LogText: CustomStringConvertible {
    /// The number of digits, with nothing but common separators between them, that count as a
    /// telephone number.
    private static let digitsMasked = 5
    private static let scalarsMax = 512

    let description: String

    init(_ utf8: UnsafeBufferPointer<UInt8>) {
        self.init(String(decoding: utf8, as: UTF8.self))
    }

    init(_ text: String) {
        var scalars = text.unicodeScalars.prefix(Self.scalarsMax).map {
            $0.isPrintable ? $0 : "\u{FFFD}"
        }
        for run in scalars.split(whereSeparator: { !Self.belongsToNumber($0) })
        where run.count(where: Self.isDigit) >= Self.digitsMasked {
            for index in run.indices where Self.isDigit(scalars[index]) { scalars[index] = "x" }
        }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        description = String(view)
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.numericType == .decimal
    }

    private static func belongsToNumber(_ scalar: Unicode.Scalar) -> Bool {
        isDigit(scalar) || " -./()+".unicodeScalars.contains(scalar)
    }
}
