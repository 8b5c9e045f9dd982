/// Columns as wide as they need to be, under their titles.
struct TextTable: CustomStringConvertible {
    private let rows: [[String]]

    init(_ titles: [String], _ rows: [[String]]) {
        self.rows = [titles] + rows
    }

    var description: String {
        let widths = (rows.first ?? []).indices.map { column in
            rows.map { $0[column].count }.max() ?? 0
        }
        return rows.map { row in
            let cells = zip(row, widths).map { text, width in
                text + String(repeating: " ", count: width - text.count)
            }
            return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }
}
