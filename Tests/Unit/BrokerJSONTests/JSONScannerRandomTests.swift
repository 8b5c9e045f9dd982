import BrokerJSON
import TestSupport
import Testing

struct JSONScannerRandomTests {
    static let documents = [
        #"{"jsonrpc":"2.0","id":-12,"method":"a.b","params":{"a":-1.5e+3,"b":[true,false]}}"#,
        #"[null,[],{},[[[{"a":{}}]]],"\"\\\/\b\f\n\r\t\u00e9","x",0.25,10,-0,1E5,2e-7]"#,
        #"  {"a" : "\ud83d\ude00é€😀" , "\u0061b":[ 1 , 2 ],"c":{"a":null,"b":"\u20ac"}} "#,
        "[9223372036854775807,-9223372036854775808,\n1.7976931348623157e308,\r\n4.9e-324,0]",
        #"{"a":{"b":{"c":{"d":[{"e":[[]]}]}}},"f":"a b","g":[{"a":1},{"a":1}],"":0}"#,
    ]

    // MARK: - Prefixes

    @Test(arguments: documents[...1])
    func `every prefix of a document is refused at its end`(document: String) {
        let bytes = Array(document.utf8)
        #expect(refusal(of: bytes) == nil)
        for count in 0..<bytes.count {
            let found = fault(in: Array(bytes[..<count]))
            #expect(found.map { Refusal($0) } == Refusal(.syntax, at: count))
            #expect(found?.message.hasSuffix(", found the end of the text") == true)
        }
    }

    @Test func `a prefix that ends between characters is refused at its end`() {
        let document = "{\"é\":[\"😀€\",\n\"a\u{301}\"],\n\"z\":{\"ß\":1}}"
        #expect(refusal(of: document) == nil)
        for end in document.unicodeScalars.indices {
            let prefix = document.unicodeScalars[..<end]
            let lines = prefix.split(separator: "\n", omittingEmptySubsequences: false)
            let expected = Refusal(
                .syntax, line: lines.count, column: lines[lines.count - 1].count + 1,
                byte: String(prefix).utf8.count)
            #expect(refusal(of: String(prefix)) == expected)
        }
    }

    // MARK: - Mutations

    private static let pieces = [
        "\"", "\\", "{", "}", "[", "]", ",", ":", "0", "-", ".", "e", "E+", "\\u", "\\u0000",
        "\\ud800", "\\udc00", "\\u0061", "true", "null", "\n", " ", "1e999", "9223372036854775808",
        "\"a\":1,", "[[", "{\"a\":", "\u{0}", "\u{1F}", "é", "/",
    ].map { Array($0.utf8) }

    private func mutated(_ document: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var text = document
        for _ in 0..<Int.random(in: 1...3, using: &random) where !text.isEmpty {
            let place = Int.random(in: 0..<text.count, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0: text[place] = UInt8.random(in: 0...255, using: &random)
            case 1: text.remove(at: place)
            case 2: text.insert(UInt8.random(in: 0...255, using: &random), at: place)
            case 3, 4: text.insert(contentsOf: random.pick(Self.pieces), at: place)
            case 5: text.swapAt(place, Int.random(in: 0..<text.count, using: &random))
            case 6: text.removeSubrange(place...)
            default:
                let end = min(text.count, place + Int.random(in: 1...12, using: &random))
                if random.chance(50) {
                    text.insert(contentsOf: Array(text[place..<end]), at: place)
                } else {
                    text.removeSubrange(place..<end)
                }
            }
        }
        return text
    }

    /// Line and column as an editor would count them; nil if the text before is malformed. A
    /// character that the end of the text cuts off is not, and counts as one.
    private func position(of byte: Int, in text: [UInt8]) -> JSONPosition? {
        let before = text[..<byte]
        guard isWellFormed(before) || byte == text.count && isCutOff(before) else { return nil }
        let lines = String(decoding: before, as: UTF8.self).unicodeScalars.split(
            separator: "\n", omittingEmptySubsequences: false)
        return JSONPosition(
            line: lines.count, column: lines[lines.count - 1].count + 1, byte: byte)
    }

    private func isWellFormed(_ text: ArraySlice<UInt8>) -> Bool {
        String(validating: text, as: UTF8.self) != nil
    }

    /// Returns whether one to three more bytes complete the last character. The next may be any of
    /// 0x80 to 0xBF, or, after some, of a part at one of its ends.
    private func isCutOff(_ text: ArraySlice<UInt8>) -> Bool {
        [0x80, 0xBF].contains { next in
            (0...2).contains { isWellFormed(text + [next] + Array(repeating: 0x80, count: $0)) }
        }
    }

    @Test func `mutated documents are read as the reference grammar reads them`() throws {
        var random = SeededRandom(for: "mutated documents")
        let limits = [JSONLimits.frame, JSONLimits(depth: 5, values: 16)]
        var accepted = 0
        for round in 0..<6_000 {
            let text = mutated(Array(random.pick(Self.documents).utf8), &random)
            let bounds = random.pick(limits)
            let expected = ReferenceGrammar.parse(text, limits: bounds)
            let tree = Tree(parsing: text, limits: bounds)
            accepted += tree == nil ? 0 : 1
            try #require(tree == expected, "seed \(random.seed), round \(round): \(text)")
            guard let found = fault(in: text, limits: bounds) else { continue }
            try #require(
                found.message != "expected JSON",
                "only the second parser saw it: seed \(random.seed), round \(round): \(text)")
            try #require(
                found.position == position(of: found.position.byte, in: text),
                "seed \(random.seed), round \(round): \(text)")
        }
        #expect((300..<4_000).contains(accepted), "the mutations are too weak or too strong")
    }

    @Test func `what stands before a fault of grammar could have gone on`() throws {
        var random = SeededRandom(for: "viable prefixes")
        for round in 0..<2_000 {
            let text = mutated(Array(random.pick(Self.documents).utf8), &random)
            guard let found = fault(in: text), found.reason == .syntax else { continue }
            let byte = found.position.byte
            guard let before = fault(in: Array(text[..<byte])) else { continue }
            try #require(
                before.reason != .syntax || before.position.byte == byte,
                "seed \(random.seed), round \(round): \(text)")
        }
    }

    @Test func `random bytes are read as the reference grammar reads them`() throws {
        var random = SeededRandom(for: "random bytes")
        for round in 0..<3_000 {
            var text: [UInt8] = []
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                text += random.pick(Self.pieces)
            }
            let expected = ReferenceGrammar.parse(text)
            try #require(
                Tree(parsing: text) == expected, "seed \(random.seed), round \(round): \(text)")
        }
    }
}
