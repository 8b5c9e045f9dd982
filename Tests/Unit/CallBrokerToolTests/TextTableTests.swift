import Testing

@testable import CallBrokerTool

/// Tables whose texts come from people.
struct TextTableTests {
    private static let people = TextTable(
        ["N", .text("NAME"), "APP"],
        [
            ["1", "日本語", "a"], ["2", "عائشة", "b"], ["3", "👩‍👩‍👧 Family", "c"],
            ["4", "Ada \u{202E}\u{1B}", "d"], ["5", "Mu\u{308}nchen", "e"],
        ])

    @Test func `columns line up in cells, and what could mislead is replaced`() {
        #expect(
            Self.people.text(fitting: nil) == """
                N  NAME       APP
                1  日本語     a
                2  عائشة      b
                3  👩‍👩‍👧 Family  c
                4  Ada \u{FFFD}\u{FFFD}     d
                5  Mu\u{308}nchen    e
                """)
    }

    @Test(arguments: [20, 40, 79]) func `a table fits the terminal`(columns: Int) {
        let long = String(repeating: "日本", count: 30)
        let table = TextTable([.text("WITH"), "APP", .text("END")], [[long, "phone", long]])
        let lines = table.text(fitting: columns).split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { String($0).cells <= max(columns, 25) })
        #expect(lines[1].contains("…") && lines[1].contains("phone"))
        #expect(table.text(fitting: nil).contains(long + "  phone  " + long))
    }

    @Test func `the widest text gives way first`() {
        let table = TextTable(
            [.text("A"), .text("B")], [["short text", "a very much longer text"]])
        #expect(table.text(fitting: 30) == "A           B\nshort text  a very much longe…")
    }

    @Test func `a column that is no text stays whole`() {
        let table = TextTable(["ID"], [["0123456789"]])
        #expect(table.text(fitting: 4) == "ID\n0123456789")
    }
}
