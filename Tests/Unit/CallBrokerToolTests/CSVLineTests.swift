import Testing

@testable import CallBrokerTool

/// Lines of CSV, out and in.
struct CSVLineTests {
    @Test(arguments: [
        ["a", "b"], ["", ""], ["a,b", "say \"hi\"", "two\nlines"], ["日本", " kept "],
    ])
    func `fields are the same when they are read again`(fields: [String]) throws {
        let text = CSVLine.text(["x"]) + CSVLine.text(fields)
        #expect(text.utf8.suffix(2).elementsEqual("\r\n".utf8))
        let lines = try CSVLine.lines(of: text)
        #expect(lines.map(\.fields) == [["x"], fields])
    }

    @Test func `empty lines are left out, and the others keep their numbers`() throws {
        let lines = try CSVLine.lines(of: "a\n\nb,c\r\n\r\nd")
        #expect(lines.map(\.line) == [1, 3, 5])
        #expect(lines.map(\.fields) == [["a"], ["b", "c"], ["d"]])
    }
}
