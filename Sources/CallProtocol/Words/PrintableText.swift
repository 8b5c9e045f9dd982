extension Unicode.Scalar {
    /// True if the text can be shown on one line of a terminal or a log: without control
    /// characters, and without characters that change the direction of writing.
    package var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: false
        default: true
        }
    }
}

extension String {
    /// True if the text contains a line feed, or another character that controls a terminal.
    package var hasControlCharacter: Bool {
        unicodeScalars.contains {
            switch $0.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: true
            default: false
            }
        }
    }

    /// Returns the printable start of the text, on one line.
    package func line(bytesMax: Int) -> String {
        var (view, bytes) = (UnicodeScalarView(), 0)
        for scalar in unicodeScalars {
            let isSpace = scalar.properties.isWhitespace
            guard isSpace || scalar.isPrintable, !isSpace || view.last.map({ $0 != " " }) ?? false
            else { continue }
            let shown: Unicode.Scalar = isSpace ? " " : scalar
            bytes += UTF8.width(shown)
            guard bytes <= bytesMax else { break }
            view.append(shown)
        }
        if view.last == " " { view.removeLast() }
        return String(view)
    }

    /// The text with U+FFFD in place of everything that is not printable.
    package var printable: String {
        var view = UnicodeScalarView()
        for scalar in unicodeScalars { view.append(scalar.isPrintable ? scalar : "\u{FFFD}") }
        return String(view)
    }
}
