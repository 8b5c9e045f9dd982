import Testing

@testable import CallBrokerTool

/// The cells that texts occupy.
struct CellWidthTests {
    @Test(arguments: [
        ("", 0), ("Ada", 3), ("München", 7), ("Mu\u{308}nchen", 7), ("日本語", 6), ("한국", 4),
        ("\u{1112}\u{1161}\u{11AB}", 2), ("ｱ", 1), ("Ａ", 2), ("عائشة", 5), ("שָׁלוֹם", 4), ("नमस्ते", 4),
        ("\u{FFFD}", 1), ("…", 1),
    ])
    func `letters of all scripts`(text: String, cells: Int) {
        #expect(text.cells == cells)
    }

    @Test(arguments: [
        ("🙂", 2), ("👩‍👩‍👧", 2), ("👍🏽", 2), ("🇩🇪", 2), ("🏴󠁧󠁢󠁷󠁬󠁳󠁿", 2), ("❤️", 2), ("❤", 1), ("1️⃣", 2), ("☎", 1),
        ("☎️", 2),
    ])
    func `an emoji is one character of two cells, however it is written`(text: String, cells: Int) {
        #expect(text.cells == cells)
    }

    @Test(arguments: [
        ("Ada Lovelace", 12, "Ada Lovelace"), ("Ada Lovelace", 8, "Ada Lov…"), ("日本語", 5, "日本…"),
        ("日本語", 4, "日…"), ("a👩‍👩‍👧b", 3, "a…"), ("abc", 1, "…"),
    ])
    func `a text that is too long ends in an ellipsis, between two characters`(
        text: String, width: Int, shown: String
    ) {
        #expect(text.truncated(to: width) == shown)
        #expect(shown.cells <= width)
    }

    @Test func `the table has whole ranges in ascending order`() {
        let ends = CellWidth.table.split(whereSeparator: { " -".contains($0) }).map {
            UInt32($0, radix: 16)
        }
        #expect(ends.count > 200 && !ends.contains(nil))
        let numbers = ends.compactMap(\.self)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 <= $1 })
    }
}
