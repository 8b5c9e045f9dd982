import BrokerJSON
import Testing

/// Where a text is cut off, and other places between two faults.
struct JSONScannerCornerTests {
    @Test func `a prefix that ends inside a character is refused at its end`() {
        for character in ["é", "€", "😀"] {
            let text = Array("[\"\(character)".utf8)
            for count in 3..<text.count {
                let position = JSONPosition(line: 1, column: 4, byte: count)
                #expect(refusal(of: Array(text[..<count]))?.position == position)
            }
        }
    }

    @Test(arguments: [#""\ud83d"#, #""\ud83d\"#])
    func `a prefix that ends inside a surrogate pair is refused at its end`(text: String) {
        #expect(refusal(of: text) == Refusal(.syntax, at: text.utf8.count))
    }

    @Test(arguments: ["[1,", "[1,]", "[1,x]", "[1,}"])
    func `what is no value does not count as one`(text: String) throws {
        let expected = try #require(refusal(of: text))
        #expect(refusal(of: text, limits: JSONLimits(depth: 2, values: 2)) == expected)
    }

    @Test func `malformed UTF-8 outside of a string is told apart from bad grammar`() {
        let confused = (UInt8(0x80)...0xFF).filter { byte in
            let text = [UInt8(ascii: "["), byte, UInt8(ascii: "]")]
            return refusal(of: text) != Refusal(.invalidUTF8, at: 1)
        }
        #expect(confused == [])
    }

    @Test func `a typed name is looked up as a whole`() throws {
        try reading(#"{"a":1}"#) { #expect($0[named: "a\0b"] == nil) }
    }
}
