/// The number of cells that text occupies in a terminal.
enum CellWidth {
    /// The ranges of scalars that are two cells wide, in ascending order.
    private static let wide: [ClosedRange<UInt32>] = table.split(separator: " ").compactMap {
        let ends = $0.split(separator: "-").compactMap { UInt32($0, radix: 16) }
        return ends.count == 2 ? ends[0]...ends[1] : nil
    }

    /// Returns the width of a character with all its marks.
    static func cells(of character: Character) -> Int {
        let scalars = character.unicodeScalars
        if isEmojiSequence(scalars) { return 2 }
        return scalars.reduce(0) { $0 + cells(of: $1) }
    }

    /// True for several scalars that are shown as one emoji: with a variation selector, a skin
    /// color or joiners, or as a flag.
    private static func isEmojiSequence(_ scalars: Character.UnicodeScalarView) -> Bool {
        guard scalars.first?.properties.isEmoji == true else { return false }
        return scalars.dropFirst().contains { scalar in
            scalar == "\u{FE0F}" || scalar == "\u{200D}" || scalar.properties.isEmojiModifier
                || (0x1F1E6...0x1F1FF).contains(scalar.value)
        }
    }

    private static func cells(of scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        // The vowels and final consonants of Hangul are in the cells of the first consonant.
        switch scalar.value {
        case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
        default: return isWide(scalar.value) ? 2 : 1
        }
    }

    private static func isWide(_ value: UInt32) -> Bool {
        var (low, high) = (0, wide.count)
        while low < high {
            let middle = (low + high) / 2
            if wide[middle].upperBound < value { low = middle + 1 } else { high = middle }
        }
        return low < wide.count && wide[low].contains(value)
    }
}

extension String {
    /// The number of cells that the text occupies in a terminal.
    var cells: Int {
        if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.count }
        return reduce(0) { $0 + CellWidth.cells(of: $1) }
    }

    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - cells))
    }

    /// Returns the start of the text, with an ellipsis if not all of it fits.
    func truncated(to width: Int) -> String {
        guard cells > width else { return self }
        var (start, room) = ("", width - 1)
        for character in self {
            room -= CellWidth.cells(of: character)
            guard room >= 0 else { break }
            start.append(character)
        }
        return start + "…"
    }
}
