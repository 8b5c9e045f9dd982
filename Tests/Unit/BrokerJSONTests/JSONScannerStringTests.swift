import BrokerJSON
import Testing

struct JSONScannerStringTests {
    @Test func `every escape stands for its character`() throws {
        let text = #""\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC\uD83D\uDE00\u007f\uFFFF""#
        let expected = "\"\\/\u{8}\u{C}\n\r\tAé€😀\u{7F}\u{FFFF}"
        #expect(try reading(text) { $0.string } == expected)
    }

    @Test func `no other byte may follow a backslash`() {
        let escapes = Set("\"\\/bfnrt".utf8)
        for byte in UInt8.min...UInt8.max where byte != UInt8(ascii: "u") {
            let text = Array("\"a\\".utf8) + [byte] + Array("\"".utf8)
            guard !escapes.contains(byte) else {
                #expect(refusal(of: text) == nil)
                continue
            }
            let fault = refusal(of: text)
            #expect(fault?.position == JSONPosition(line: 1, column: 4, byte: 3), "\(byte)")
            if byte > 0, byte < 0x80 { #expect(fault?.reason == .syntax, "\(byte)") }
        }
    }

    static let broken = [
        BadText(#"""#, at: 1),
        BadText(#""a"#, at: 2),
        BadText(#"["a]"#, at: 4),
        BadText(#""\"#, at: 2),
        BadText(#""\""#, at: 3),
        BadText(#""\u"#, at: 3),
        BadText(#""\u12"#, at: 5),
        BadText(#""\u123""#, at: 6),
        BadText(#""\u12g4""#, at: 5),
        BadText(#""\ug234""#, at: 3),
        BadText(#""\u 123""#, at: 3),
        BadText(#""\u+123""#, at: 3),
        BadText(#""\u-123""#, at: 3),
        BadText(#""\u0x12""#, at: 4),
        BadText(#""\u{41}""#, at: 3),
        BadText(#""\U0041""#, at: 2),
        BadText(#""\ud83d\u"#, at: 9),
        BadText(#""\ud83d\ude0""#, at: 12),
        BadText(#""\ud83d\uzz00""#, at: 9),
        BadText(#"{"a\q":1}"#, at: 4),
    ]

    @Test(arguments: broken)
    func `a broken string is refused at the byte that breaks it`(bad: BadText) {
        #expect(refusal(of: bad.text) == bad.refusal)
    }

    @Test func `raw control characters are refused where they stand`() {
        for byte in UInt8(0x01)...0x1F {
            let position = JSONPosition(line: 1, column: 3, byte: 2)
            let inValue = refusal(of: Array("\"a".utf8) + [byte] + Array("\"".utf8))
            #expect(inValue?.reason == .syntax, "\(byte)")
            #expect(inValue?.position == position, "\(byte)")
            let inName = refusal(of: Array("{\"".utf8) + [byte] + Array("\":1}".utf8))
            #expect(inName?.reason == .syntax, "\(byte)")
            #expect(inName?.position == position, "\(byte)")
        }
    }

    @Test func `DEL and the C1 controls are characters like others`() throws {
        #expect(try reading("\"\u{7F}\u{80}\u{9F}\"") { $0.string } == "\u{7F}\u{80}\u{9F}")
    }

    // MARK: - Surrogates

    static let loneSurrogates = [
        BadText(#""\ud800""#, Refusal(.loneSurrogate, at: 1)),
        BadText(#""\udbff""#, Refusal(.loneSurrogate, at: 1)),
        BadText(#""\udc00""#, Refusal(.loneSurrogate, at: 1)),
        BadText(#""\uDFFF""#, Refusal(.loneSurrogate, at: 1)),
        BadText(#""\ud83dx""#, Refusal(.loneSurrogate, at: 1)),
        BadText(#""\ud83dude00""#, Refusal(.loneSurrogate, at: 1)),
        BadText(#""\ud83d\n""#, Refusal(.loneSurrogate, at: 1)),
        BadText(#""\ud83d\\ude00""#, Refusal(.loneSurrogate, at: 1)),
        BadText(#""\ud83d\u0041""#, Refusal(.loneSurrogate, at: 1)),
        BadText(#""\ud83d\u0000""#, Refusal(.loneSurrogate, at: 1)),
        BadText(#""\ud83d\ud83d\ude00""#, Refusal(.loneSurrogate, at: 1)),
        BadText(#""\ude00\ud83d""#, Refusal(.loneSurrogate, at: 1)),
        BadText(#""\ud83d\ue000""#, Refusal(.loneSurrogate, at: 1)),
        BadText(#""\ud83d\ude00\ude00""#, Refusal(.loneSurrogate, at: 13)),
        BadText(#"{"\ud800":1}"#, Refusal(.loneSurrogate, at: 2)),
        BadText(
            "[\"é\",\n\"😀\\udc00\"]", Refusal(.loneSurrogate, line: 2, column: 3, byte: 12)),
    ]

    @Test(arguments: loneSurrogates)
    func `a lone surrogate is refused at its escape`(bad: BadText) {
        #expect(refusal(of: bad.text) == bad.refusal)
    }

    static let pairs: [(String, UInt32)] = [
        ("d800\\udc00", 0x1_0000), ("d800\\udfff", 0x1_03FF), ("dbff\\udc00", 0x10_FC00),
        ("DBFF\\uDFFF", 0x10_FFFF), ("d83d\\ude00", 0x1_F600),
    ]

    @Test(arguments: pairs)
    func `two surrogates make one scalar`(pair: String, scalar: UInt32) throws {
        let scalars = try reading("\"\\u\(pair)\"") { $0.string }?.unicodeScalars.map(\.value)
        #expect(scalars == [scalar])
    }

    @Test func `each of the 65,536 escapes is its scalar or refused`() {
        for unit in UInt32(0)...0xFFFF {
            let digits = String(unit, radix: 16)
            let text = Array(
                "\"\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)\"".utf8)
            let expected: Tree? =
                if unit == 0 { nil } else { Unicode.Scalar(unit).map { .text(String($0)) } }
            let tree = Tree(parsing: text)
            if tree != expected { Issue.record("\(digits): \(String(describing: tree))") }
        }
    }

    // MARK: - NUL

    static let nuls = [
        BadText("\0", Refusal(.nulCharacter, at: 0)),
        BadText("\0{}", Refusal(.nulCharacter, at: 0)),
        BadText("{}\0", Refusal(.nulCharacter, at: 2)),
        BadText("{}\0\0\0", Refusal(.nulCharacter, at: 2)),
        BadText("1\0", Refusal(.nulCharacter, at: 1)),
        BadText("[1\0]", Refusal(.nulCharacter, at: 2)),
        BadText("[-\0]", Refusal(.nulCharacter, at: 2)),
        BadText("[1.\0]", Refusal(.nulCharacter, at: 3)),
        BadText("[1e\0]", Refusal(.nulCharacter, at: 3)),
        BadText("[0\0]", Refusal(.nulCharacter, at: 2)),
        BadText("[1,\0 2]", Refusal(.nulCharacter, at: 3)),
        BadText("[1 \0,2]", Refusal(.nulCharacter, at: 3)),
        BadText("tr\0e", Refusal(.nulCharacter, at: 2)),
        BadText("true\0", Refusal(.nulCharacter, at: 4)),
        BadText("\"\0\"", Refusal(.nulCharacter, at: 1)),
        BadText("\"abc\0", Refusal(.nulCharacter, at: 4)),
        BadText("\"\\\0\"", Refusal(.nulCharacter, at: 2)),
        BadText("\"\\u00\0\"", Refusal(.nulCharacter, at: 5)),
        BadText("{\0\"a\":1}", Refusal(.nulCharacter, at: 1)),
        BadText("{\"a\0\":1}", Refusal(.nulCharacter, at: 3)),
        BadText("{\"a\"\0:1}", Refusal(.nulCharacter, at: 4)),
        BadText("{\"a\":\0 1}", Refusal(.nulCharacter, at: 5)),
        BadText(#""\u0000""#, Refusal(.nulCharacter, at: 1)),
        BadText(#""ab\u0000c""#, Refusal(.nulCharacter, at: 3)),
        BadText(#"{"\u0000":1}"#, Refusal(.nulCharacter, at: 2)),
        BadText(#"{"a":"\u0000"}"#, Refusal(.nulCharacter, at: 6)),
        BadText("[\n\"é\\u0000\"]", Refusal(.nulCharacter, line: 2, column: 3, byte: 5)),
    ]

    @Test(arguments: nuls)
    func `U+0000 is refused raw and escaped, wherever it stands`(bad: BadText) {
        #expect(refusal(of: bad.text) == bad.refusal)
    }
}
