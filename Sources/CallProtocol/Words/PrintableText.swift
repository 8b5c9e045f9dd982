extension Unicode.Scalar {
    /// True if the text can be shown on one line of a terminal or a log: without control
    /// characters, and without characters that change the direction of writing.
    package var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: false
        default: true
        }
    }

    /// True for a joiner, without which some scripts are misspelled and some emoji fall apart, and
    /// for the letters of a flag, in a character that begins with `first`.
    fileprivate func isJoiner(after first: Unicode.Scalar) -> Bool {
        switch value {
        case 0x200C, 0x200D: !first.isASCII && first.isPrintable
        case 0xE0020...0xE007F: first.value == 0x1F3F4
        default: false
        }
    }
}

extension Character {
    /// Calls `body` with each scalar, and whether it can be shown. Only whole characters show which
    /// joiners belong there.
    package func forEachScalar(_ body: (Unicode.Scalar, _ isPrintable: Bool) -> Void) {
        guard let first = unicodeScalars.first else { return }
        for scalar in unicodeScalars {
            body(scalar, scalar.isPrintable || scalar.isJoiner(after: first))
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

    /// Returns the printable start of the text, on one line; nil if nothing is printable.
    package func line(bytesMax: Int) -> String? {
        var (view, bytes) = (UnicodeScalarView(), 0)
        for character in self where bytes <= bytesMax {
            character.forEachScalar { scalar, isPrintable in
                let isSpace = scalar.properties.isWhitespace
                guard isSpace ? view.last.map({ $0 != " " }) ?? false : isPrintable else { return }
                let shown: Unicode.Scalar = isSpace ? " " : scalar
                bytes += UTF8.width(shown)
                if bytes <= bytesMax { view.append(shown) }
            }
        }
        if view.last == " " { view.removeLast() }
        return view.isEmpty ? nil : String(view)
    }

    /// The text with U+FFFD in place of everything that is not printable.
    package var printable: String {
        guard !unicodeScalars.allSatisfy(\.isPrintable) else { return self }
        var view = UnicodeScalarView()
        for character in self {
            character.forEachScalar { view.append($1 ? $0 : "\u{FFFD}") }
        }
        return String(view)
    }
}
