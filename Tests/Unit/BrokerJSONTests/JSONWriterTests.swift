import BrokerJSON
import Testing

struct JSONWriterTests {
    private func written(_ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        write(&writer)
        return writer.text
    }

    // MARK: - Structure

    @Test func `members are separated by commas and nothing else`() {
        let text = written { writer in
            writer.object { writer in
                writer.member("a", 1)
                writer.name("b")
                writer.array { writer in
                    writer.value(true)
                    writer.value("x")
                    writer.object { _ in }
                }
            }
        }
        #expect(text == #"{"a":1,"b":[true,"x",{}]}"#)
    }

    @Test func `a comma is due after every kind of value`() {
        let text = written { writer in
            writer.array { writer in
                writer.array { _ in }
                writer.object { _ in }
                writer.value("s")
                writer.value("w" as StaticString)
                writer.value(-1)
                writer.value(0.5)
                writer.value(false)
                writer.null()
                writer.value(json: Array("[9]".utf8))
                writer.array { $0.array { $0.value(1) } }
                writer.null()
            }
        }
        #expect(text == #"[[],{},"s","w",-1,0.5,false,null,[9],[[1]],null]"#)
    }

    @Test func `what is not set is left out`() {
        let text = written { writer in
            writer.object { writer in
                writer.member("a", ifSet: nil as String?)
                writer.member("b", ifSet: nil as Int?)
                writer.member("c", ifSet: "x")
                writer.member("d", ifSet: 0)
            }
        }
        #expect(text == #"{"c":"x","d":0}"#)
    }

    @Test func `a list of words is an array of strings`() {
        let text = written { writer in
            writer.object { writer in
                writer.member("a", words: [])
                writer.member("b", words: ["x", "\""])
            }
        }
        #expect(text == #"{"a":[],"b":["x","\""]}"#)
    }

    @Test func `plain content is written in place`() {
        let text = written { writer in
            writer.array { writer in
                writer.value(plain: 3) { $0.copyBytes(from: "abc".utf8) }
                writer.value(plain: 0) { _ in }
                writer.object { $0.member("a", plain: 1) { $0.copyBytes(from: "b".utf8) } }
            }
        }
        #expect(text == #"["abc","",{"a":"b"}]"#)
    }

    @Test func `a string that ends like structure is no structure`() {
        let text = written { writer in
            writer.array { writer in
                for string in ["{", "[", ":", ",", "\n", "}", "]", ""] { writer.value(string) }
            }
        }
        #expect(text == #"["{","[",":",",","\n","}","]",""]"#)
    }

    @Test func `a name is followed by its value, whatever that is`() {
        let text = written { writer in
            writer.object { writer in
                writer.name("a")
                writer.object {
                    $0.name("b"); $0.array { _ in }
                }
                writer.name("c" as String)
                writer.null()
                writer.member("d", "e")
                writer.member("f", "g" as StaticString)
                writer.member("h", true)
                writer.member("i", 7)
                writer.member("j", "")
            }
        }
        #expect(
            text == #"{"a":{"b":[]},"c":null,"d":"e","f":"g","h":true,"i":7,"j":""}"#)
    }

    @Test func `nothing inside is a pair of brackets`() {
        #expect(written { $0.object { _ in } } == "{}")
        #expect(written { $0.array { _ in } } == "[]")
    }

    @Test func `several frames follow each other in one buffer`() {
        let text = written { writer in
            writer.object { $0.member("a", 1) }
            writer.endLine()
            writer.array { $0.value(2) }
            writer.endLine()
            writer.value(3)
            writer.endLine()
            writer.value("")
        }
        #expect(text == "{\"a\":1}\n[2]\n3\n\"\"")
    }

    @Test func `a writer goes on where the bytes it was given end`() {
        var open = JSONWriter(Array("[1".utf8))
        open.value(2)
        #expect(open.text == "[1,2")
        var empty = JSONWriter(Array("[".utf8))
        empty.value(2)
        #expect(empty.bytes == Array("[2".utf8))
    }

    // MARK: - Strings

    @Test func `quote, backslash, controls and DEL are escaped, nothing else in ASCII`() {
        var expected: [String] = (0..<0x80).map { String(UnicodeScalar(UInt8($0))) }
        for byte in 0..<0x20 { expected[byte] = byte < 16 ? "\\u000" : "\\u001" }
        for byte in 0..<0x20 { expected[byte] += String(byte & 15, radix: 16) }
        expected[8...10] = ["\\b", "\\t", "\\n"]
        expected[12...13] = ["\\f", "\\r"]
        expected[0x22] = "\\\""
        expected[0x5C] = "\\\\"
        expected[0x7F] = "\\u007f"
        for byte in 0..<0x80 {
            let character = String(UnicodeScalar(UInt8(byte)))
            #expect(written { $0.value(character) } == "\"\(expected[byte])\"")
            #expect(written { $0.value("a\(character)b") } == "\"a\(expected[byte])b\"")
        }
    }

    @Test(arguments: ["é", "€", "😀", "e\u{301}", "\u{80}", "\u{2028}", "\u{FEFF}", "\u{10FFFF}"])
    func `characters beyond ASCII pass as they are`(text: String) {
        let expected = Array("\"".utf8) + Array(text.utf8) + Array("\"".utf8)
        #expect(Array(written { $0.value(text) }.utf8) == expected)
    }

    @Test func `neighbouring escapes and plain runs keep their order`() {
        #expect(written { $0.value("\"\"a\\\\b\n\nc") } == #""\"\"a\\\\b\n\nc""#)
        #expect(written { $0.value("") } == #""""#)
        #expect(written { $0.value("\n") } == #""\n""#)
    }

    @Test func `names that somebody chose are escaped like strings`() {
        let name = "a\"b\n\\é"
        let text = written { writer in
            writer.object { writer in
                writer.name(name)
                writer.value(1)
            }
        }
        #expect(text == #"{"a\"b\n\\é":1}"#)
    }

    @Test func `a literal with a quote in it is escaped too`() {
        #expect(written { $0.value("say \"hi\"") } == #""say \"hi\"""#)
        #expect(written { $0.object { $0.member("a", "\"\n") } } == #"{"a":"\"\n"}"#)
    }

    @Test func `a substring and a bridged string are written whole`() {
        let text = "name: Åsa \"Ås\""
        #expect(written { $0.value(String(text.dropFirst(6))) } == #""Åsa \"Ås\"""#)
    }

    // MARK: - Numbers

    @Test func `integers are written digit for digit`() {
        #expect(written { $0.value(Int64.min) } == "-9223372036854775808")
        #expect(written { $0.value(Int64.max) } == "9223372036854775807")
        #expect(written { $0.value(0) } == "0")
    }

    @Test func `integers around each power of ten are written as the library writes them`() {
        var power: Int64 = 1
        while true {
            for number in [power - 1, power, power + 1, -power, 1 - power, -power - 1] {
                #expect(written { $0.value(number) } == String(number))
            }
            let (next, overflow) = power.multipliedReportingOverflow(by: 10)
            if overflow { break }
            power = next
        }
    }

    static let reals: [Double] = [
        0, -0.0, 1, -1, 0.1, 1.0 / 3, 1e15, 1e16, 1e17, 1e21, 1e-4, 1e-5, 1e-7, 123456.789, 0x1p53,
        0x1p63, .greatestFiniteMagnitude, .leastNormalMagnitude, .leastNonzeroMagnitude, .pi,
        -2.5e-300,
    ]

    @Test(arguments: reals)
    func `a real reads back as the same real`(number: Double) throws {
        let text = written { $0.value(number) }
        #expect(try reading(text) { Tree($0) } == .real(number))
    }

    @Test func `a real takes its shortest form`() {
        let text = written { writer in
            writer.array { writer in for real in [0.1, 1, 1e100, -0.0] { writer.value(real) } }
        }
        #expect(text == "[0.1,1.0,1e+100,-0.0]")
    }

    // MARK: - What was received

    static let received = [
        "null", "true", "false", "0", "-0.0", "-9223372036854775808", "9223372036854775807",
        "9007199254740993", "0.1", "1e+100", #""""#, #""é\n\"😀""#, "[]", "{}",
        #"{"z":1,"a":2,"m":[3,{"y":null,"b":false,"":{}}],"é\t":"x"}"#, "[[],[[]],{},[1,2]]",
    ]

    @Test(arguments: received)
    func `a received value is passed on as it was`(text: String) throws {
        #expect(try reading(text) { value in written { $0.value(value) } } == text)
        let inside = try reading("[\(text),\(text)]") { root in
            written { writer in
                writer.object { writer in
                    for (name, value) in zip(["a", "b"], root.elements) {
                        writer.name(name)
                        writer.value(value)
                    }
                    writer.member("c", 1)
                }
            }
        }
        #expect(inside == "{\"a\":\(text),\"b\":\(text),\"c\":1}")
    }

    @Test func `JSON written before is taken as the next value`() {
        let text = written { writer in
            writer.object { writer in
                writer.name("a")
                writer.value(json: Array("[1]".utf8))
                writer.name("b")
                writer.value(json: Array("{}".utf8)[...])
                writer.member("c", 1)
            }
        }
        #expect(text == #"{"a":[1],"b":{},"c":1}"#)
    }
}
