internal import CallProtocol

/// Columns under titles, as wide as necessary. Each cell is one line.
struct TextTable: CustomStringConvertible {
    struct Column: ExpressibleByStringLiteral {
        let title: String
        /// The width to which texts may be truncated where the terminal is too narrow; nil for
        /// texts that stay whole.
        fileprivate let widthMin: Int?

        private init(_ title: String, widthMin: Int?) {
            self.title = title
            self.widthMin = widthMin
        }

        init(stringLiteral title: String) {
            self.init(title, widthMin: nil)
        }

        /// Returns a column of texts that may be truncated.
        static func text(_ title: String, widthMin: Int = 8) -> Column {
            Column(title, widthMin: widthMin)
        }
    }

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
                let isTruncated = width != nil && columns[column].widthMin != nil
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
