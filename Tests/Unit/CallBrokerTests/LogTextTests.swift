import CallTesting
import Testing

// What goes into a log is made inside.
@testable import CallBroker

struct LogTextTests {
    @Test(arguments: [
        ("", ""), ("trunk is back", "trunk is back"), ("1234", "1234"), ("12345", "xxxxx"),
        ("+4915112345678", "+xxxxxxxxxxxxx"), ("a12345b1234c123456", "axxxxxb1234cxxxxxx"),
        ("12345 12345", "xxxxx xxxxx"), ("٠١٢٣٤", "xxxxx"), ("１２３４５", "xxxxx"), ("12٣45", "xxxxx"),
        ("½½½½½½", "½½½½½½"), ("a\nb\tc", "a\u{FFFD}b\u{FFFD}c"),
        ("\u{1B}[31mred", "\u{FFFD}[31mred"), ("\u{202E}evil", "\u{FFFD}evil"),
        ("Ärger 日本 🙂", "Ärger 日本 🙂"),
    ])
    func `a client's text is made fit for a log`(text: String, expected: String) {
        #expect(logText(text) == expected)
    }

    @Test func `a control character between digits does not join them`() {
        #expect(logText("123\u{7}456") == "123\u{FFFD}456")
    }

    @Test func `at most 512 characters are kept, and masked digits stay masked`() {
        #expect(logText(String(repeating: "a", count: 512)).count == 512)
        #expect(logText(String(repeating: "a", count: 5_000)).count == 512)
        #expect(
            logText(String(repeating: "9", count: 5_000)) == String(repeating: "x", count: 512))
        let edge = String(repeating: "a", count: 509)
        #expect(logText(edge + "12345") == edge + "123")
    }

    private func logText(_ text: String) -> String {
        var copy = text
        return copy.withUTF8 { LogText($0).description }
    }
}
