import BrokerJSON
import Testing

struct JSONFaultTests {
    @Test func `the reasons on the wire never change`() {
        #expect(
            JSONFault.Reason.allCases.map(\.rawValue) == [
                "syntax", "invalid_utf8", "nul_character", "lone_surrogate", "duplicate_member",
                "number_range", "depth", "values", "out_of_memory",
            ])
    }

    static let messages = [
        ("", "expected a value, found the end of the text"),
        ("x", "expected a value, found something else"),
        ("[1", "expected a comma or a closing bracket, found the end of the text"),
        ("[1}", "expected a comma or a closing bracket, found something else"),
        (#"{"a":1]"#, "expected a comma or a closing brace, found something else"),
        ("{1", "expected a member name in quotes, found something else"),
        (#"{"a"1"#, "expected a colon, found something else"),
        (#""a"#, "expected a closing quote, found the end of the text"),
        ("1 1", "expected the end of the text, found something else"),
        ("01", "expected no more digits after a leading zero, found something else"),
        ("1.x", "expected a digit, found something else"),
        ("nulL", "expected true, false or null, found something else"),
        (#""\x""#, "expected one of the escapes of JSON, found something else"),
        (#""\u12"#, "expected four hex digits, found the end of the text"),
        (#""\udc00""#, "expected both halves of a surrogate pair, found something else"),
    ]

    @Test(arguments: messages)
    func `a message says what was expected and what was found`(text: String, message: String) {
        #expect(fault(in: Array(text.utf8))?.message == message)
    }

    // MARK: - Nothing of the text gets out

    private static let number = "+15550100"

    /// For each reason a text that holds a phone number right where it is bad, and around it.
    static let telling: [(JSONFault.Reason, [UInt8])] = [
        (.syntax, Array(number.utf8)),
        (.syntax, Array("{\"\(number)\":\(number)}".utf8)),
        (.syntax, Array("{\"\(number)\" \"\(number)\"}".utf8)),
        (.syntax, Array("[\"\(number)\\x\(number)\"]".utf8)),
        (.syntax, Array("\"\(number)".utf8)),
        (.syntax, Array("[\(number.dropFirst()) \(number)".utf8)),
        (.invalidUTF8, Array("[\"\(number)".utf8) + [0xFF] + Array("\(number)\"]".utf8)),
        (.nulCharacter, Array("[\"\(number)\0\(number)\"]".utf8)),
        (.nulCharacter, Array("[\"\(number)\\u0000\(number)\"]".utf8)),
        (.loneSurrogate, Array("[\"\(number)\\ud800\(number)\"]".utf8)),
        (.duplicateMember, Array("{\"\(number)\":1,\"\(number)\":\"\(number)\"}".utf8)),
        (.numberRange, Array("[\"\(number)\",\(number.dropFirst())1555010015550100,1]".utf8)),
        (.numberRange, Array("[\(number.dropFirst())e999]".utf8)),
        (.depth, Array("[[[\"\(number)\"],[[\"\(number)\"]]]]".utf8)),
        (.values, Array("[[\"\(number)\"],1,2,3,4,5,6,7,\"\(number)\",9]".utf8)),
    ]

    @Test(arguments: telling)
    func `a fault never tells what the text was`(reason: JSONFault.Reason, text: [UInt8]) throws {
        let found = try #require(fault(in: text, limits: JSONLimits(depth: 3, values: 9)))
        #expect(found.reason == reason)
        for said in [found.message, String(describing: found), String(reflecting: found)] {
            #expect(!said.contains("15550100"))
            #expect(!said.contains("5550"))
        }
    }

    @Test func `every reason that can be provoked is among them`() {
        let provoked = Set(Self.telling.map(\.0))
        #expect(Set(JSONFault.Reason.allCases).subtracting(provoked) == [.outOfMemory])
    }
}
