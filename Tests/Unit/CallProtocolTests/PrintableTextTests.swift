import CallProtocol
import Testing

struct PrintableTextTests {
    @Test(arguments: [
        "", "plain", "Ärger in München", "日本語", "🙂", "a b\u{A0}c", "e\u{301}", "№ ½ ²",
    ])
    func `what harms nobody stays`(text: String) {
        #expect(text.printable == text)
    }

    @Test(arguments: [
        "\u{0}", "\u{7}", "\n", "\r", "\t", "\u{1B}", "\u{7F}", "\u{85}", "\u{9B}", "\u{200B}",
        "\u{200E}", "\u{202E}", "\u{2066}", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{AD}",
        "\u{E000}", "\u{E0041}", "\u{10FFFD}",
    ])
    func `what could drive a terminal is replaced`(text: String) {
        #expect(("a" + text + "b").printable == "a\u{FFFD}b")
    }

    @Test(arguments: [
        "👩‍👩‍👧", "می\u{200C}خواهم", "क्\u{200D}ष", "🏴󠁧󠁢󠁷󠁬󠁳󠁿",
    ])
    func `joiners stay where a script or an emoji needs them`(text: String) {
        #expect(text.printable == text)
        #expect(text.line(bytesMax: 100) == text)
    }

    @Test(arguments: ["a\u{200D}b", "\u{200C}", "1\u{E0041}", "\u{1B}\u{200D}"])
    func `joiners that join nothing are replaced`(text: String) {
        #expect(text.printable.contains("\u{FFFD}"))
        #expect(!text.printable.unicodeScalars.contains { !$0.isPrintable })
    }

    @Test func `every scalar is replaced by itself`() {
        #expect("\u{1B}[31m\r\nred".printable == "\u{FFFD}[31m\u{FFFD}\u{FFFD}red")
    }

    @Test func `all of ASCII is judged`() {
        for byte in UInt8(0)...127 {
            #expect(Unicode.Scalar(byte).isPrintable == (0x20...0x7E).contains(byte))
        }
    }
}
