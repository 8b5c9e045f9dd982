import BrokerJSON
import Testing

/// A text, and where it is refused.
struct BadText: Sendable, CustomTestStringConvertible {
    let text: String
    let refusal: Refusal

    /// Bad grammar at byte number `byte` of a text of one line in ASCII.
    init(_ text: String, at byte: Int) {
        self.init(text, Refusal(.syntax, at: byte))
    }

    init(_ text: String, _ refusal: Refusal) {
        self.text = text
        self.refusal = refusal
    }

    var testDescription: String {
        String(reflecting: text)
    }
}

struct JSONScannerTests {
    static let structures = [
        BadText("", at: 0),
        BadText("   ", at: 3),
        BadText("}", at: 0),
        BadText("]", at: 0),
        BadText(",", at: 0),
        BadText(":", at: 0),
        BadText("[", at: 1),
        BadText("[1", at: 2),
        BadText("[1,", at: 3),
        BadText("[1,]", at: 3),
        BadText("[,1]", at: 1),
        BadText("[,]", at: 1),
        BadText("[1,,2]", at: 3),
        BadText("[1 2]", at: 3),
        BadText("[1:2]", at: 2),
        BadText("[1;2]", at: 2),
        BadText("[1}", at: 2),
        BadText("[}", at: 1),
        BadText("[[1}]", at: 3),
        BadText("{", at: 1),
        BadText("{]", at: 1),
        BadText("{,}", at: 1),
        BadText("{1:2}", at: 1),
        BadText("{a:1}", at: 1),
        BadText("{'a':1}", at: 1),
        BadText("{null:1}", at: 1),
        BadText("{[]:1}", at: 1),
        BadText(#"{"a"}"#, at: 4),
        BadText(#"{"a" 1}"#, at: 5),
        BadText(#"{"a",1}"#, at: 4),
        BadText(#"{"a"=1}"#, at: 4),
        BadText(#"{"a"::1}"#, at: 5),
        BadText(#"{"a":}"#, at: 5),
        BadText(#"{"a":,"b":1}"#, at: 5),
        BadText(#"{"a":1,}"#, at: 7),
        BadText(#"{"a":1,,"b":2}"#, at: 7),
        BadText(#"{"a":1 "b":2}"#, at: 7),
        BadText(#"{"a":1:2}"#, at: 6),
        BadText(#"{"a":1]"#, at: 6),
        BadText(#"{"a":[1}]"#, at: 7),
        BadText(#"{"a":{}"#, at: 7),
    ]

    @Test(arguments: structures)
    func `the first byte that cannot go on is the fault`(bad: BadText) {
        #expect(refusal(of: bad.text) == bad.refusal)
    }

    static let words = [
        BadText("t", at: 1),
        BadText("tru", at: 3),
        BadText("trux", at: 3),
        BadText("trUe", at: 2),
        BadText("True", at: 0),
        BadText("fals", at: 4),
        BadText("falze", at: 3),
        BadText("falsee", at: 5),
        BadText("truefalse", at: 4),
        BadText("nul", at: 3),
        BadText("nULL", at: 1),
        BadText("nil", at: 1),
        BadText("[nul]", at: 4),
        BadText("[true false]", at: 6),
        BadText("undefined", at: 0),
        BadText("NaN", at: 0),
        BadText("Infinity", at: 0),
        BadText("-Infinity", at: 1),
        BadText("'a'", at: 0),
        BadText("a", at: 0),
    ]

    @Test(arguments: words)
    func `only true, false and null are words`(bad: BadText) {
        #expect(refusal(of: bad.text) == bad.refusal)
    }

    static let trailers = [
        BadText("1 2", at: 2),
        BadText("{}{}", at: 2),
        BadText("[] []", at: 3),
        BadText("[1]]", at: 3),
        BadText("{}}", at: 2),
        BadText("{} x", at: 3),
        BadText("null,", at: 4),
        BadText(#""a""b""#, at: 3),
        BadText("{}\u{FEFF}", at: 2),
        BadText("[1]//x", at: 3),
    ]

    @Test(arguments: trailers)
    func `nothing may follow the value`(bad: BadText) {
        #expect(refusal(of: bad.text) == bad.refusal)
    }

    static let extensions = [
        BadText("\u{FEFF}{}", at: 0),
        BadText("\u{0B}1", at: 0),
        BadText("\u{0C}1", at: 0),
        BadText("\u{A0}1", at: 0),
        BadText("[1\u{2028}]", at: 2),
        BadText("[1\u{85}]", at: 2),
        BadText("/**/1", at: 0),
        BadText("[1/*,*/]", at: 2),
        BadText("//", at: 0),
        BadText("#", at: 0),
        BadText("`a`", at: 0),
        BadText("(1)", at: 0),
        BadText("\u{7F}", at: 0),
    ]

    @Test(arguments: extensions)
    func `a byte order mark, other blanks and comments are no JSON`(bad: BadText) {
        #expect(refusal(of: bad.text) == bad.refusal)
    }

    @Test func `blanks may stand around every token`() throws {
        let text = " \t\r\n{ \n\"a\"\t:\r[ 1 ,\n2 ]\t, \"b\" : { } , \"c\":[\r] }\n \r\t"
        let tree = try #require(Tree(parsing: Array(text.utf8)))
        #expect(String(decoding: tree.written, as: UTF8.self) == #"{"a":[1,2],"b":{},"c":[]}"#)
    }

    // MARK: - Positions

    static let placed = [
        BadText("\t\r\n ", Refusal(.syntax, line: 2, column: 2, byte: 4)),
        BadText("\n", Refusal(.syntax, line: 2, column: 1, byte: 1)),
        BadText("[1,\r\n\r\n]", Refusal(.syntax, line: 3, column: 1, byte: 7)),
        BadText("[1,\r]", Refusal(.syntax, line: 1, column: 5, byte: 4)),
        BadText("[\"é\" 1]", Refusal(.syntax, line: 1, column: 6, byte: 6)),
        BadText("[\"€\" 1]", Refusal(.syntax, line: 1, column: 6, byte: 7)),
        BadText("[\"😀\" 1]", Refusal(.syntax, line: 1, column: 6, byte: 8)),
        BadText("[\"e\u{301}\" 1]", Refusal(.syntax, line: 1, column: 7, byte: 7)),
        BadText("[\"👩‍👧\" 1]", Refusal(.syntax, line: 1, column: 8, byte: 15)),
        BadText("[\"é\",\n\"😀\" x]", Refusal(.syntax, line: 2, column: 5, byte: 14)),
        BadText(
            "{\n  \"a\": 1,\n  \"é\": tru\n}", Refusal(.syntax, line: 3, column: 11, byte: 23)),
        BadText("[\"\\n\" x]", Refusal(.syntax, line: 1, column: 7, byte: 6)),
    ]

    @Test(arguments: placed)
    func `columns count scalars, lines end at LF, bytes count from zero`(bad: BadText) {
        #expect(refusal(of: bad.text) == bad.refusal)
    }

    // MARK: - Limits

    /// Containers inside each other, `kinds` over and over, and where the last one begins.
    private func nested(_ kinds: String, depth: Int) -> (text: String, last: Int) {
        let cycle = Array(kinds)
        let containers = (0..<depth).map { cycle[$0 % cycle.count] }
        let openings = containers.map { $0 == "[" ? "[" : #"{"a":"# }
        let closings = containers.reversed().map { $0 == "[" ? "]" : "}" }
        let last = openings.dropLast().joined().utf8.count
        return ((openings + ["1"] + closings).joined(), last)
    }

    @Test(arguments: ["[", "{", "[{", "{[[{"], [1, 2, 3, 32, 63, 64])
    func `nesting up to the limit is taken, one more is refused where it opens`(
        kinds: String, limit: Int
    ) {
        let limits = JSONLimits(depth: limit, values: 1_000)
        #expect(refusal(of: nested(kinds, depth: limit).text, limits: limits) == nil)
        let (text, last) = nested(kinds, depth: limit + 1)
        #expect(refusal(of: text, limits: limits) == Refusal(.depth, at: last))
    }

    @Test func `a frame may nest 32 deep`() {
        let limit = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
        #expect(refusal(of: limit) == nil)
        #expect(refusal(of: "[\(limit)]") == Refusal(.depth, at: 32))
        #expect(JSONLimits.frame == JSONLimits(depth: 32, values: 4_096))
    }

    @Test func `a bomb of brackets is refused at the limit, however long`() {
        let bomb = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
        #expect(refusal(of: bomb) == Refusal(.depth, at: 32))
    }

    @Test(arguments: ["[[],[],[]]", "[{},{},[]]", #"{"a":{},"b":[],"c":{}}"#, "[[1],[2]]"])
    func `neighbours and scalars do not nest`(text: String) {
        #expect(refusal(of: text, limits: JSONLimits(depth: 2, values: 100)) == nil)
        #expect(refusal(of: text, limits: JSONLimits(depth: 1, values: 100))?.reason == .depth)
    }

    static let counted = [
        ("null", 1), ("[]", 1), ("{}", 1), ("[1]", 2), ("[[],{}]", 3), (#"{"a":"b"}"#, 2),
        (#"{"a":{"b":{"c":[]}}}"#, 4), (#"[1,"2",true,null,1.5]"#, 6),
        (#"{"a":1,"b":2,"c":[3,{}]}"#, 6),
    ]

    @Test(arguments: counted)
    func `every value counts, containers included, names not`(text: String, values: Int) {
        #expect(refusal(of: text, limits: JSONLimits(depth: 9, values: values)) == nil)
        let tight = JSONLimits(depth: 9, values: values - 1)
        #expect(refusal(of: text, limits: tight)?.reason == .values)
    }

    @Test func `one value too many is refused where it begins`() {
        let limits = JSONLimits(depth: 9, values: 3)
        #expect(refusal(of: "[1, 2]", limits: limits) == nil)
        #expect(refusal(of: "[1, 2, 3]", limits: limits) == Refusal(.values, at: 7))
        #expect(refusal(of: "[1, 2, []]", limits: limits) == Refusal(.values, at: 7))
        #expect(
            refusal(of: #"{"a":1,"b":2,"c":3}"#, limits: limits) == Refusal(.values, at: 17))
    }

    @Test func `a frame may hold 4,096 values`() {
        let full = Array(repeating: "0", count: 4_095).joined(separator: ",")
        #expect(refusal(of: "[\(full)]") == nil)
        #expect(refusal(of: "[\(full),0]") == Refusal(.values, at: 2 * 4_095 + 1))
        let objects = Array(repeating: "{}", count: 100_000).joined(separator: ",")
        #expect(refusal(of: "[\(objects)]") == Refusal(.values, at: 3 * 4_095 + 1))
    }
}
