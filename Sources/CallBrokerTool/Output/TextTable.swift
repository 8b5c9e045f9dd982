internal import CallProtocol

/// Columns under titles, as wide as necessary. Each cell is one line.
struct TextTable: CustomStringConvertible {
    private let rows: [[String]]

    init(_ titles: [String], _ rows: [[String]]) {
        self.rows = [titles] + rows.map { $0.map(\.printable) }
    }

    var description: String {
        let widths = (rows.first ?? []).indices.map { column in
            Padding.width(of: rows.map { $0[column] })
        }
        return rows.map { row in
            let cells = zip(row, widths).map { text, width in text.padded(to: width) }
            return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }
}

/// Padding for aligned columns.
enum Padding {
    /// The greatest width of a column, so that one long text does not widen all rows.
    private static let widthMax = 200

    static func width(of texts: [String]) -> Int {
        min(widthMax, texts.map(\.count).max() ?? 0)
    }
}

extension String {
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
