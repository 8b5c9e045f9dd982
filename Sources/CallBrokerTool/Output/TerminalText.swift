internal import CallProtocol

/// Text for a terminal. A broker, an app or a file may have written parts of it, so control
/// characters, and those that change the direction of writing, are escaped as in JSON: `\u001b`.
/// JSON stays the same JSON.
enum TerminalText {
    /// Returns the escaped text; line ends and tabs stay.
    static func safe(_ text: String) -> String {
        guard !text.unicodeScalars.allSatisfy({ $0.isPrintable || isLayout($0) }) else {
            return text
        }
        var safe = ""
        for character in text {
            guard character != "\r\n" else {
                safe.append("\n")
                continue
            }
            character.forEachScalar { scalar, isPrintable in
                if isPrintable || isLayout(scalar) {
                    safe.unicodeScalars.append(scalar)
                } else {
                    for unit in UTF16.encode(scalar) ?? UTF16.EncodedScalar() {
                        safe += escaped(unit)
                    }
                }
            }
        }
        return safe
    }

    static func safe(_ bytes: [UInt8]) -> [UInt8] {
        Array(safe(String(decoding: bytes, as: UTF8.self)).utf8)
    }

    private static func isLayout(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\n" || scalar == "\t"
    }

    private static func escaped(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
