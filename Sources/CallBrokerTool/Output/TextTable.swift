internal import CallProtocol

/// Columns under titles, as wide as necessary. Each cell is one line.
struct TextTable: CustomStringConvertible {
    struct Column: ExpressibleByStringLiteral {
        let title: String
        /// True if the texts may be truncated where the terminal is too narrow.
        fileprivate let isText: Bool

        private init(_ title: String, isText: Bool) {
            self.title = title
            self.isText = isText
        }

        init(stringLiteral title: String) {
            self.init(title, isText: false)
        }

        /// Returns a column of texts that may be truncated.
        static func text(_ title: String) -> Column {
            Column(title, isText: true)
        }
    }

    /// The width below which no text is truncated.
    private static let textWidthMin = 8
    private static let gap = 2

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
        let widths = widths(fitting: width)
        return rows.map { row in
            let cells = columns.indices.map { column in
                let isTruncated = width != nil && columns[column].isText
                let text = isTruncated ? row[column].truncated(to: widths[column]) : row[column]
                return text.padded(to: widths[column])
            }
            let line = cells.joined(separator: String(repeating: " ", count: Self.gap))
            return String(line.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }

    /// Returns the widths of the columns: the widest texts give way, cell by cell.
    private func widths(fitting total: Int?) -> [Int] {
        var widths = columns.indices.map { column in Padding.width(of: rows.map { $0[column] }) }
        guard let total else { return widths }
        let texts = columns.indices.filter { columns[$0].isText }
        var excess = widths.reduce(Self.gap * (widths.count - 1), +) - total
        while excess > 0, let widest = texts.max(by: { widths[$0] < widths[$1] }),
            widths[widest] > Self.textWidthMin
        {
            widths[widest] -= 1
            excess -= 1
        }
        return widths
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
