import BrokerJSON
import Testing

/// Table 3-7 of Unicode, against the standard library's own validation.
struct JSONScannerUTF8Tests {
    struct Malformed: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]

        init(_ name: String, _ bytes: UInt8...) {
            self.name = name
            self.bytes = bytes
        }

        var testDescription: String {
            name
        }
    }

    static let malformed = [
        Malformed("a lone continuation byte", 0x80),
        Malformed("the last continuation byte", 0xBF),
        Malformed("two continuation bytes", 0x80, 0xBF),
        Malformed("NUL overlong in two bytes", 0xC0, 0x80),
        Malformed("a slash overlong in two bytes", 0xC0, 0xAF),
        Malformed("U+007F overlong in two bytes", 0xC1, 0xBF),
        Malformed("NUL overlong in three bytes", 0xE0, 0x80, 0x80),
        Malformed("U+07FF overlong in three bytes", 0xE0, 0x9F, 0xBF),
        Malformed("NUL overlong in four bytes", 0xF0, 0x80, 0x80, 0x80),
        Malformed("U+FFFF overlong in four bytes", 0xF0, 0x8F, 0xBF, 0xBF),
        Malformed("NUL overlong in five bytes", 0xF8, 0x80, 0x80, 0x80, 0x80),
        Malformed("NUL overlong in six bytes", 0xFC, 0x80, 0x80, 0x80, 0x80, 0x80),
        Malformed("the first encoded surrogate", 0xED, 0xA0, 0x80),
        Malformed("the last encoded surrogate", 0xED, 0xBF, 0xBF),
        Malformed("a surrogate pair of CESU-8", 0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80),
        Malformed("one above U+10FFFF", 0xF4, 0x90, 0x80, 0x80),
        Malformed("the last of four bytes", 0xF7, 0xBF, 0xBF, 0xBF),
        Malformed("a lead of U+140000", 0xF5, 0x80, 0x80, 0x80),
        Malformed("the byte FE", 0xFE),
        Malformed("the byte FF", 0xFF),
        Malformed("a lead of two without continuation", 0xC3, 0x41),
        Malformed("a lead of three without its third", 0xE2, 0x82, 0x41),
        Malformed("a lead of four without its fourth", 0xF0, 0x9F, 0x98, 0x41),
        Malformed("a lead after a lead", 0xC3, 0xC3, 0xA9),
        Malformed("Latin-1", 0xE9, 0x74, 0xE9),
        Malformed("UTF-16", 0xFF, 0xFE, 0x41),
    ]

    @Test(arguments: malformed)
    func `malformed UTF-8 in a string is refused where it begins`(malformed: Malformed) {
        let value = Array("[\"é\",\n\"€".utf8) + malformed.bytes + Array("\"]".utf8)
        #expect(refusal(of: value) == Refusal(.invalidUTF8, line: 2, column: 3, byte: 11))
        let name = Array("{\"é".utf8) + malformed.bytes + Array("\":1}".utf8)
        #expect(refusal(of: name) == Refusal(.invalidUTF8, line: 1, column: 4, byte: 4))
    }

    @Test(arguments: ["é", "€", "😀"])
    func `a scalar cut off by the end of its string or of the text is refused`(scalar: String) {
        let bytes = Array(scalar.utf8)
        for count in 1..<bytes.count {
            let start = Array("\"ab".utf8) + bytes[..<count]
            #expect(refusal(of: start)?.reason == .invalidUTF8)
            let closed = start + Array("\"".utf8)
            #expect(refusal(of: closed) == Refusal(.invalidUTF8, at: 3))
        }
    }

    static let edges: [(String, UInt32)] = [
        ("the first of two bytes", 0x80), ("the last of two bytes", 0x7FF),
        ("the first of three bytes", 0x800), ("the last before the surrogates", 0xD7FF),
        ("the first after the surrogates", 0xE000), ("a byte order mark", 0xFEFF),
        ("the last of three bytes", 0xFFFF), ("the first of four bytes", 0x1_0000),
        ("the last of all", 0x10_FFFF),
    ]

    @Test(arguments: edges)
    func `the edges of each length are read as they are`(name: String, number: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(number))
        let text = try reading("\"\(scalar)\"") { $0.string }
        #expect(text?.unicodeScalars.map(\.value) == [number])
    }

    /// The string `bytes` must be taken as it is, or refused at its first ill-formed byte.
    private func check(_ bytes: [UInt8]) {
        let quote = UInt8(ascii: "\"")
        let text = [quote] + bytes + [quote]
        let good = (0...bytes.count).last { count in
            String(validating: bytes[..<count], as: UTF8.self) != nil
        }
        if good == bytes.count {
            if Tree(parsing: text) != .string(bytes) { Issue.record("not taken: \(bytes)") }
        } else {
            let found = refusal(of: text)
            let isAsExpected =
                found?.reason == .invalidUTF8 && found?.position.byte == good.map { $0 + 1 }
            if !isAsExpected { Issue.record("\(bytes): \(String(describing: found))") }
        }
    }

    @Test func `every lead byte takes exactly the second bytes of table 3-7`() {
        for lead in UInt8(0x80)...0xFF {
            for second in UInt8(0x7F)...0xFF {
                check([lead, second])
                check([lead, second, 0x80])
                check([lead, second, 0xBF, 0x80])
            }
        }
    }

    @Test func `the third and fourth bytes are continuation bytes and nothing else`() {
        let heads: [[UInt8]] = [
            [0xE0, 0xA0], [0xE1, 0x80], [0xEC, 0xBF], [0xED, 0x9F], [0xEE, 0x80], [0xEF, 0xBF],
            [0xF0, 0x90], [0xF1, 0x80], [0xF3, 0xBF], [0xF4, 0x8F],
        ]
        for head in heads {
            for byte in UInt8(0x7F)...0xFF {
                check(head + [byte])
                check(head + [byte, 0x80])
                check(head + [0x80, byte])
                check(head + [0xBF, byte, 0x41])
            }
        }
    }

    @Test(arguments: [0xC0, 0xC1, 0xF5, 0xF8, 0xFE, 0xFF] as [UInt8])
    func `a byte that never occurs in UTF-8 is told apart from bad grammar`(byte: UInt8) {
        let malformed = Refusal(.invalidUTF8, at: 1)
        #expect(refusal(of: [UInt8(ascii: "["), byte, UInt8(ascii: "]")]) == malformed)
        #expect(refusal(of: [UInt8(ascii: "1"), byte]) == malformed)
        #expect(refusal(of: [byte]) == Refusal(.invalidUTF8, at: 0))
    }

    @Test func `well-formed text outside of a string is bad grammar`() {
        #expect(refusal(of: "[é]") == Refusal(.syntax, at: 1))
        #expect(refusal(of: "😀") == Refusal(.syntax, at: 0))
    }
}
