import BrokerJSON
import TestSupport
import Testing

/// A text read in place must say what a copy of it says, whether it is plain or not.
struct JSONOutlineTests {
    private struct Outcome: Equatable {
        var tree: Tree?
        var fault: JSONFault?
    }

    private func copied(_ text: [UInt8], _ limits: JSONLimits) -> Outcome {
        do throws(JSONFault) {
            let document = try JSONDocument(parsing: text, limits: limits)
            return Outcome(tree: Tree(document.root))
        } catch {
            return Outcome(fault: error)
        }
    }

    private func inPlace(_ text: [UInt8], _ limits: JSONLimits) -> Outcome {
        text.withUnsafeBufferPointer { bytes in
            do throws(JSONFault) {
                let document = try JSONDocument(inPlace: bytes, limits: limits)
                return Outcome(tree: Tree(document.root))
            } catch {
                return Outcome(fault: error)
            }
        }
    }

    private func expectSame(
        _ text: [UInt8], _ limits: JSONLimits = .frame,
        _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(inPlace(text, limits) == copied(text, limits), sourceLocation: location)
    }

    static let texts = [
        "null", "true", "false", "0", "-0", "7", "-12", "999999999999999999",
        "1000000000000000000", "-9223372036854775808", "9223372036854775808", "01", "-", "-01",
        "1.5", "1e5", "1E5", "0x", #""""#, #""a""#, #""a\n""#, #""é""#, "\"\u{7F}\"", "\"\u{1}\"",
        "[]", "[ ]", "[1,2]", "[1,]", "[,1]", "[1 2]", "[[],[[]],{}]", "{}", "{ }", #"{"a":1}"#,
        #"{"a":1,"a":2}"#, #"{"a":{"a":1},"b":{"a":2}}"#, #"{"a":[1,{"b":"c"}],"d":null}"#,
        #"{"a" : true , "b" :false}"#, #"{"a":1,}"#, #"{"a"1}"#, #"{a:1}"#, #"{"a":1}x"#, "tru",
        "nul", "truex", "", " ", " 1 ", "\r\n[1]\t", "[1", "{\"a\":1", "\"a", "\u{0}", "[\u{0}]",
        "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23]",
        "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24]",
        #"{"jsonrpc":"2.0","id":1,"method":"a.b","params":{"c":"d","e":[true,false,null]}}"#,
    ]

    @Test(arguments: texts)
    func `what is read in place is what is read`(text: String) {
        expectSame(Array(text.utf8))
    }

    @Test(arguments: texts)
    func `the limits are the same`(text: String) {
        for count in 1...4 {
            expectSame(Array(text.utf8), JSONLimits(depth: count, values: 4_096))
            expectSame(Array(text.utf8), JSONLimits(depth: 32, values: count))
        }
    }

    @Test func `random texts and their prefixes are read the same`() {
        var random = SeededRandom(for: "texts read in place")
        for _ in 0..<2_000 {
            let text = Tree.random(depth: 3, using: &random).written
            expectSame(text)
            expectSame(Array(text.prefix(Int.random(in: 0...text.count, using: &random))))
        }
    }

    @Test func `a plain text with one byte changed is read the same`() {
        var random = SeededRandom(for: "changed texts read in place")
        let plain = Array(#"{"id":10,"method":"a.b","params":{"a":[true,-5],"b":null}}"#.utf8)
        for place in plain.indices {
            for byte: UInt8 in 0..<128 {
                var text = plain
                text[place] = byte
                if random.chance(20) { expectSame(text) }
            }
        }
    }

    @Test func `members, elements and names are found`() throws {
        let text = Array(#"{"a":[10,{"b":"c"},[]],"d":-3,"e":false}"#.utf8)
        try text.withUnsafeBufferPointer { bytes in
            let document = try JSONDocument(inPlace: bytes)
            let root = document.root
            #expect(root.memberNames == ["a", "d", "e"])
            #expect(root["a"]?[1]?["b"]?.string == "c")
            #expect(root["a"]?[3] == nil)
            #expect(root["a"]?[-1] == nil)
            #expect(root[named: "d"]?.integer == -3)
            #expect(root["e"]?.boolean == false)
            #expect(root["f"] == nil)
            #expect(root["d"]?["a"] == nil)
            #expect(root["a"]?["b"] == nil)
            #expect(root["d"]?.real == nil)
            #expect(root["a"]?.count == 3)
        }
    }
}
