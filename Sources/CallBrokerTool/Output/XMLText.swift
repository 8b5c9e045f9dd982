/// Text in XML documents.
enum XMLText {
    /// Returns the text escaped for XML, without control characters, which XML cannot express.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\n": escaped += "&#10;"
            default:
                let isLegal = scalar.value >= 0x20 && ![0xFFFE, 0xFFFF].contains(scalar.value)
                escaped.unicodeScalars.append(isLegal ? scalar : "\u{FFFD}")
            }
        }
        return escaped
    }
}
