/// The size of a terminal, in cells.
package struct Size: Equatable, Sendable {
    package var rows: Int
    package var columns: Int

    package init(rows: Int, columns: Int) {
        (self.rows, self.columns) = (rows, columns)
    }
}

/// How text looks. Without colors the attributes alone tell things apart.
package struct Style: Equatable, Sendable {
    /// Colors by what they stand for.
    package enum Color: Int, CaseIterable, Sendable {
        case plain, good, alert, accent
    }

    package var isBold = false
    package var isReversed = false
    package var isDim = false
    package var color = Color.plain

    package static let plain = Style()
    static let bold = Style(isBold: true)
    static let dim = Style(isDim: true)
    static let reversed = Style(isReversed: true)
    static let alert = Style(isBold: true, isReversed: true, color: .alert)
    static let title = Style(isBold: true, color: .accent)
    static let key = Style(isBold: true, color: .accent)
    static let live = Style(isBold: true, color: .good)
}

/// What a terminal shows: texts at places, each cut to the cells that it may occupy, and what a click
/// on a place means.
package struct Picture: Equatable, Sendable {
    package struct Run: Equatable, Sendable {
        package let row: Int
        package let column: Int
        package let glyphs: [Glyph]
        package let style: Style
    }

    package struct Region: Equatable, Sendable {
        let row: Int
        let columns: Range<Int>
        let target: Target
    }

    package let size: Size
    package private(set) var runs: [Run] = []
    package private(set) var regions: [Region] = []
    /// The place of the cursor; nil while none is shown.
    package var cursor: (row: Int, column: Int)?

    package init(_ size: Size) {
        self.size = size
    }

    package static func == (left: Picture, right: Picture) -> Bool {
        left.size == right.size && left.runs == right.runs && left.regions == right.regions
            && left.cursor?.row == right.cursor?.row && left.cursor?.column == right.cursor?.column
    }

    /// Puts a text at a place, at most `width` cells of it, and returns the column after it. Nothing
    /// is put outside of the terminal.
    @discardableResult
    mutating func put(
        _ text: String, _ row: Int, _ column: Int, width: Int? = nil, _ style: Style = .plain,
        _ target: Target? = nil
    ) -> Int {
        let room = min(width ?? size.columns, size.columns - column)
        guard row >= 0, row < size.rows, column >= 0, room > 0 else { return column }
        let glyphs = Glyph.list(text.cut(to: room))
        let end = column + glyphs.reduce(0) { $0 + $1.width }
        runs.append(Run(row: row, column: column, glyphs: glyphs, style: style))
        if let target { touch(row, column..<end, target) }
        return end
    }

    /// Makes a place react to clicks.
    mutating func touch(_ row: Int, _ columns: Range<Int>, _ target: Target) {
        regions.append(Region(row: row, columns: columns, target: target))
    }

    /// Returns what a click on a place means; the topmost counts.
    package func target(_ row: Int, _ column: Int) -> Target? {
        regions.last { $0.row == row && $0.columns.contains(column) }?.target
    }

    /// The lines as text, without spaces at their ends.
    package var lines: [String] {
        var cells = Array(
            repeating: Array(repeating: " ", count: max(0, size.columns)), count: max(0, size.rows))
        for run in runs {
            var column = run.column
            for glyph in run.glyphs {
                cells[run.row][column] = glyph.text
                if glyph.width == 2 { cells[run.row][column + 1] = "" }
                column += glyph.width
            }
        }
        return cells.map { line in
            var text = line.joined()
            while text.last == " " { text.removeLast() }
            return text
        }
    }
}

/// A part of the terminal.
struct Frame {
    var row: Int
    var column: Int
    var rows: Int
    var columns: Int
}
