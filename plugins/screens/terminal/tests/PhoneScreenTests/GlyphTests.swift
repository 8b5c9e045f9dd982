import Glibc
import Testing

@testable import PhoneScreen

struct GlyphTests {
    init() {
        // As the program does: the C library knows widths in a language of Unicode.
        setlocale(LC_CTYPE, "C.UTF-8")
    }

    @Test func `what controls a terminal is left out`() {
        #expect("A\u{1B}[31mB\u{7}\u{9B}2J".shown == "A[31mB2J")
        #expect("one\ntwo\tthree\r\nfour".shown == "one two three four")
        #expect("ab\u{202E}cd\u{2066}e".shown == "abcde")
    }

    @Test(arguments: [
        ("Ann", 3), ("山田", 4), ("e\u{301}", 1), ("😀", 2), ("שרה", 3), ("", 0), ("한국", 4),
    ])
    func `text occupies the cells of its characters`(text: String, cells: Int) {
        #expect(text.cells == cells)
    }

    @Test func `joined emoji are shown as their first, flags as letters`() {
        #expect("👨‍👩‍👧".shown == "👨")
        #expect("🇩🇪".shown == "DE")
        #expect("👍🏽".shown == "👍")
    }

    @Test func `no letter of a script with joined letters is lost`() {
        let name = "हिन्दी"
        #expect(Array(name.shown.unicodeScalars) == Array(name.unicodeScalars))
    }

    @Test func `a cut never splits a wide character`() {
        #expect("山田太郎".cut(to: 5) == "山田…")
        #expect("山田太郎".cut(to: 4) == "山…")
        #expect("山田太郎".fitted(to: 4) == "山… ")
        #expect("山田太郎".cut(to: 8) == "山田太郎")
        #expect("שרה כהן".cut(to: 4) == "שרה…")
        #expect("Ann".cut(to: 0) == "")
    }

    @Test func `marks on a character are as many as a cell has room for`() {
        let many = "e" + String(repeating: "\u{301}", count: 50)
        #expect(many.cells == 1)
        #expect(many.shown.unicodeScalars.count == 5)
    }

    @Test func `long texts are broken at spaces`() {
        #expect("one two three".wrapped(to: 7) == ["one two", "three"])
        #expect("incomprehensible".wrapped(to: 5) == ["inco…"])
    }
}
