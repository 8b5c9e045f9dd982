internal import CWidth

/// A character as terminals agree to show it: what it is drawn as, and the cells that it occupies.
///
/// A name comes from a stranger, and terminals differ on joined emoji and flags: such a character is
/// reduced to its first part, and a flag to its two letters. The width is that of the C library, as
/// for ncurses, so both count the same cells.
package struct Glyph: Equatable, Sendable {
    /// What is drawn: one scalar, and the marks on it.
    package let text: String
    /// The number of cells: 1 or 2.
    package let width: Int

    /// The most marks on a character, as many as a cell of ncurses has room for.
    private static let marksMax = 4

    /// Returns the glyphs of a text on one line. Control characters, and those that turn the
    /// direction of writing, are left out; line breaks and tabs are spaces.
    package static func list(_ text: String) -> [Glyph] {
        text.flatMap { glyphs(of: $0) }
    }

    private static func glyphs(of character: Character) -> [Glyph] {
        if character.isASCII { return ascii(character).map { [$0] } ?? [] }
        if character.isNewline || character.isWhitespace { return [Glyph(text: " ", width: 1)] }
        let scalars = Array(character.unicodeScalars)
        if scalars.allSatisfy({ (0x1F1E6...0x1F1FF).contains($0.value) }) {
            return scalars.map { scalar in
                let letter = Character(Unicode.Scalar(UInt8(scalar.value - 0x1F1E6 + 65)))
                return Glyph(text: String(letter), width: 1)
            }
        }
        return marked(scalars)
    }

    private static func ascii(_ character: Character) -> Glyph? {
        if character == "\t" || character.isNewline { return Glyph(text: " ", width: 1) }
        guard let value = character.asciiValue, value >= 0x20, value < 0x7F else { return nil }
        return Glyph(text: String(character), width: 1)
    }

    /// Returns a glyph for each scalar that occupies cells, with the marks that follow; of an emoji
    /// the first alone.
    private static func marked(_ scalars: [Unicode.Scalar]) -> [Glyph] {
        let isEmoji = scalars.first?.properties.isEmojiPresentation == true
        var glyphs: [Glyph] = []
        for scalar in scalars where isShown(scalar) {
            let width = Int(cells(scalar))
            if width == 0 {
                guard !isEmoji, let last = glyphs.popLast() else { continue }
                glyphs.append(last.marked(with: scalar))
            } else if glyphs.isEmpty || !isEmoji {
                // A scalar that the C library does not know has no width that can be counted on.
                glyphs.append(Glyph(text: width > 0 ? String(scalar) : "?", width: max(1, width)))
            }
        }
        return glyphs
    }

    private func marked(with mark: Unicode.Scalar) -> Glyph {
        guard text.unicodeScalars.count <= Self.marksMax else { return self }
        return Glyph(text: text + String(mark), width: width)
    }

    /// Indicates whether a scalar neither controls the terminal nor chooses between forms of another.
    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator: false
        default: !scalar.properties.isVariationSelector
        }
    }

    /// Returns the cells of a scalar; a negative number if the C library does not know it.
    private static func cells(_ scalar: Unicode.Scalar) -> Int32 {
        wcwidth(wchar_t(bitPattern: scalar.value))
    }
}

extension String {
    /// The text as it is shown on one line of a terminal.
    package var shown: String {
        Glyph.list(self).map(\.text).joined()
    }

    /// The number of cells that the text occupies.
    package var cells: Int {
        Glyph.list(self).reduce(0) { $0 + $1.width }
    }

    /// Returns the start of the text that fits, with an ellipsis if something is left out.
    package func cut(to width: Int) -> String {
        let glyphs = Glyph.list(self)
        guard glyphs.reduce(0, { $0 + $1.width }) > width else {
            return glyphs.map(\.text).joined()
        }
        var (start, room) = ("", width - 1)
        for glyph in glyphs {
            room -= glyph.width
            guard room >= 0 else { break }
            start += glyph.text
        }
        return width > 0 ? start + "…" : ""
    }

    /// Returns the text in exactly so many cells.
    package func fitted(to width: Int) -> String {
        let start = cut(to: width)
        return start + String(repeating: " ", count: max(0, width - start.cells))
    }

    /// Returns the text in lines of at most so many cells, broken at spaces where possible.
    package func wrapped(to width: Int) -> [String] {
        var (lines, line) = ([String](), "")
        for word in split(separator: " ") {
            let longer = line.isEmpty ? String(word) : line + " " + word
            if longer.cells <= width || line.isEmpty {
                line = longer
            } else {
                lines.append(line.cut(to: width))
                line = String(word)
            }
        }
        return lines + [line.cut(to: width)]
    }
}
