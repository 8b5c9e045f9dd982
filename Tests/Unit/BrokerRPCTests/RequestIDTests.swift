import BrokerJSON
import BrokerRPC
import Testing

struct RequestIDTests {
    private func id(_ text: String, bytesMax: Int = 64) throws -> RequestID? {
        try reading(text) { RequestID($0, bytesMax: bytesMax) }
    }

    static let integers: [(String, Int64)] = [
        ("0", 0), ("1", 1), ("-1", -1), ("9007199254740993", 9_007_199_254_740_993),
        ("9223372036854775807", .max), ("-9223372036854775808", .min),
    ]

    @Test(arguments: integers)
    func `an integer of 64 bits is echoed digit for digit`(text: String, number: Int64) throws {
        let id = try #require(try id(text))
        #expect(id == .integer(number))
        #expect(written { $0.value(id) } == text)
    }

    static let strings: [(String, String)] = [
        (#""""#, ""), (#""1""#, "1"), (#""a-b_c""#, "a-b_c"), (#""null""#, "null"),
        (#""é€😀""#, "é€😀"), (#""say \"hi\" \\""#, "say \"hi\" \\"), (#""\u0001\n""#, "\u{1}\n"),
    ]

    @Test(arguments: strings)
    func `a string is echoed as it was`(text: String, string: String) throws {
        let id = try #require(try id(text))
        #expect(id == .text(string))
        #expect(written { $0.value(id) } == text)
    }

    @Test func `a string may have 64 bytes, not characters, and no more`() throws {
        let longest = String(repeating: "x", count: 64)
        #expect(try id("\"\(longest)\"") == .text(longest))
        #expect(try id("\"\(longest)x\"") == nil)
        let emoji = String(repeating: "😀", count: 16)
        #expect(try id("\"\(emoji)\"") == .text(emoji))
        #expect(try id("\"\(emoji)x\"") == nil)
        let escaped = String(repeating: "\\u0041", count: 64)
        #expect(try id("\"\(escaped)\"") == .text(String(repeating: "A", count: 64)))
        #expect(try id(#""abc""#, bytesMax: 3) == .text("abc"))
        #expect(try id(#""abcd""#, bytesMax: 3) == nil)
    }

    @Test func `1 and "1" are different`() throws {
        let integer = try #require(try id("1"))
        let text = try #require(try id(#""1""#))
        #expect(integer != text)
        #expect(Set([integer, text]).count == 2)
    }

    @Test(arguments: [
        "null", "true", "false", "1.0", "1e2", "-0.5", "[]", "[1]", "{}", #"{"a":1}"#,
    ])
    func `nothing else is an id`(text: String) throws {
        #expect(try id(text) == nil)
    }

    @Test func `an id that could not be read is written as null`() {
        #expect(written { $0.value(RequestID?.none) } == "null")
    }
}
