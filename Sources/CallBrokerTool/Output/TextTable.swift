internal import CallProtocol

/// Columns as wide as they need to be, under their titles. A cell is one line, whatever is in it.
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

/// Spaces that put texts below each other.
enum Padding {
    /// One text that is longer must not make all the others as long.
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
