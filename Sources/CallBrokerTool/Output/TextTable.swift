internal import CallProtocol

/// Columns under titles, as wide as necessary. Each cell is one line.
struct TextTable: CustomStringConvertible {
    struct Column: ExpressibleByStringLiteral {
        let title: String
        /// The width to which texts may be truncated where the terminal is too narrow; nil for
        /// texts that stay whole.
        fileprivate let widthMin: Int?

        /// True if a narrow terminal does not get the column.
        fileprivate private(set) var isOptional = false

        private init(_ title: String, widthMin: Int?) {
            self.title = title
            self.widthMin = widthMin
        }

        init(stringLiteral title: String) {
            self.init(title, widthMin: nil)
        }

        /// Returns a column of texts that stay whole.
        static func plain(_ title: String) -> Column {
            Column(title, widthMin: nil)
        }

        /// Returns a column of texts that may be truncated.
        static func text(_ title: String, widthMin: Int = 8) -> Column {
            Column(title, widthMin: widthMin)
        }

        /// Returns a column of texts that a narrow terminal does not get.
        static func optionalText(_ title: String) -> Column {
            var column = text(title)
            column.isOptional = true
            return column
        }
    }

    private static let gap = 2
    /// The width at which most names can be read.
    private static let readableWidth = 16

    private let columns: [Column]
    private let rows: [[String]]

    init(_ columns: [Column], _ rows: [[String]]) {
        self.columns = columns
        self.rows = [columns.map(\.title)] + rows.map { $0.map(\.printable) }
    }

    /// The table, fitted to the terminal.
    var description: String {
        text(fitting: Terminal.size?.columns)
    }

    /// Returns the table. Where it is too wide for a terminal of that width, its longest texts are
    /// truncated; nil leaves them whole.
    func text(fitting width: Int?) -> String {
        if let width, columns.contains(where: \.isOptional), isNarrow(width) {
            return withoutOptional.text(fitting: width)
        }
        let widths = widths(fitting: width)
        return rows.map { row in
            let cells = columns.indices.map { column in
                let isTruncated = width != nil && columns[column].widthMin != nil
                let text = isTruncated ? row[column].truncated(to: widths[column]) : row[column]
                return text.padded(to: widths[column])
            }
            let line = cells.joined(separator: String(repeating: " ", count: Self.gap))
            return String(line.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }

    /// True if readable texts would not fit into that width.
    private func isNarrow(_ width: Int) -> Bool {
        let needed = zip(columns, widths(fitting: nil)).map { column, width in
            column.widthMin.map { min(width, max($0, Self.readableWidth)) } ?? width
        }
        return needed.reduce(Self.gap * (needed.count - 1), +) > width
    }

    private var withoutOptional: TextTable {
        let kept = columns.indices.filter { !columns[$0].isOptional }
        return TextTable(
            kept.map { columns[$0] }, rows.dropFirst().map { row in kept.map { row[$0] } })
    }

    /// Returns the widths of the columns: the widest texts give way, cell by cell.
    private func widths(fitting total: Int?) -> [Int] {
        var widths = columns.indices.map { column in Padding.width(of: rows.map { $0[column] }) }
        guard let total else { return widths }
        var excess = widths.reduce(Self.gap * (widths.count - 1), +) - total
        while excess > 0, let widest = widest(widths) {
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }

    /// Returns the widest column whose texts may be truncated further.
    private func widest(_ widths: [Int]) -> Int? {
        columns.indices.filter { widths[$0] > columns[$0].widthMin ?? .max }
            .max { widths[$0] < widths[$1] }
    }
}

/// Padding for aligned columns.
enum Padding {
    /// The greatest width of a column, so that one long text does not widen all rows.
    private static let widthMax = 200

    static func width(of texts: [String]) -> Int {
        min(widthMax, texts.map(\.cells).max() ?? 0)
    }
}
