import BrokerJSON
import Testing

struct JSONValueTests {
    /// What every getter says about one value.
    struct Answers: Equatable, Sendable {
        var kind: JSONValue.Kind
        var string: String?
        var integer: Int64?
        var real: Double?
        var boolean: Bool?
        var isNull = false
        var count = 0

        init(_ kind: JSONValue.Kind, _ change: (inout Answers) -> Void = { _ in }) {
            self.kind = kind
            change(&self)
        }

        init(_ value: JSONValue) {
            kind = value.kind
            string = value.string
            integer = value.integer
            real = value.real
            boolean = value.boolean
            isNull = value.isNull
            count = value.count
        }
    }

    static let answers: [(String, Answers)] = [
        ("null", Answers(.null) { $0.isNull = true }),
        ("true", Answers(.boolean) { $0.boolean = true }),
        ("false", Answers(.boolean) { $0.boolean = false }),
        ("0", Answers(.integer) { $0.integer = 0 }),
        ("-9223372036854775808", Answers(.integer) { $0.integer = .min }),
        ("1.0", Answers(.real) { $0.real = 1 }),
        ("1e2", Answers(.real) { $0.real = 100 }),
        (#""""#, Answers(.string) { $0.string = "" }),
        (#""1""#, Answers(.string) { $0.string = "1" }),
        (#""\u00e9\n""#, Answers(.string) { $0.string = "é\n" }),
        ("[]", Answers(.array)),
        ("[0,[1,2]]", Answers(.array) { $0.count = 2 }),
        ("{}", Answers(.object)),
        (#"{"a":{"b":1,"c":2},"d":0,"e":0}"#, Answers(.object) { $0.count = 3 }),
    ]

    @Test(arguments: answers)
    func `a value answers to its own kind only`(text: String, expected: Answers) throws {
        #expect(try reading(text) { Answers($0) } == expected)
    }

    @Test(arguments: ["null", "true", "0", "0.5", "[]", "{}"])
    func `only a string has bytes`(text: String) throws {
        #expect(try reading(text) { $0.utf8 == nil })
        #expect(try reading("\"é\\u20ac\"") { $0.utf8.map { Array($0) } } == Array("é€".utf8))
        #expect(try reading(#""""#) { $0.utf8?.count } == 0)
    }

    // MARK: - Members

    @Test func `members are found by name, whatever it looks like`() throws {
        let text = #"{"a":1,"":2,"long_name":3,"\u00e9":4,"a\"b":5,"A":6}"#
        let found = try reading(text) { root in
            [root["a"], root[""], root["long_name"], root["é"], root["a\"b"], root["A"]].map {
                $0?.integer
            }
        }
        #expect(found == [1, 2, 3, 4, 5, 6])
        let typed = try reading(text) { root in
            ["a", "", "long_name", "é", "a\"b", "A"].map { root[named: $0]?.integer }
        }
        #expect(typed == [1, 2, 3, 4, 5, 6])
    }

    @Test func `a missing member is nil, a null one is not`() throws {
        try reading(#"{"here":null}"#) { root in
            #expect(root["here"]?.isNull == true)
            #expect(root["gone"] == nil)
            #expect(root["her"] == nil)
            #expect(root["here "] == nil)
            #expect(root[named: "gone"] == nil)
            #expect(root[named: "here"]?.isNull == true)
        }
    }

    @Test(arguments: ["null", "true", "0", "0.5", #""a""#, #"["a"]"#])
    func `what is no object has no members`(text: String) throws {
        try reading(text) { value in
            #expect(value["a"] == nil)
            #expect(value[named: "a"] == nil)
            value.forEachMember { _, _ in Issue.record("a member of \(text)") }
        }
    }

    @Test func `members come in the order of the text`() throws {
        let names = (0..<200).map { "name_\(($0 * 37) % 200)" }
        let text = names.enumerated().map { "\"\($1)\":\($0)" }.joined(separator: ",")
        try reading("{\(text)}") { root in
            var seen: [String] = []
            var values: [Int64?] = []
            root.forEachMember { name, value in
                seen.append(String(decoding: name, as: UTF8.self))
                values.append(value.integer)
            }
            #expect(seen == names)
            #expect(values == (0..<200).map { Int64($0) })
        }
    }

    @Test func `an error of the reader ends the reading and comes out`() throws {
        struct Enough: Error, Equatable {
            let name: String
        }
        try reading(#"{"a":1,"b":2,"c":3}"#) { root in
            var seen = 0
            #expect(throws: Enough(name: "b")) {
                try root.forEachMember { name, value throws(Enough) in
                    seen += 1
                    guard value.integer == 1 else {
                        throw Enough(name: String(decoding: name, as: UTF8.self))
                    }
                }
            }
            #expect(seen == 2)
        }
    }

    // MARK: - Elements

    @Test func `elements come in order and by index`() throws {
        try reading(#"[10,"x",[20],{"a":30}]"#) { root in
            #expect(root.elements.map { $0.kind } == [.integer, .string, .array, .object])
            #expect(root[0]?.integer == 10)
            #expect(root[1]?.string == "x")
            #expect(root[2]?[0]?.integer == 20)
            #expect(root[3]?["a"]?.integer == 30)
            #expect(root[4] == nil)
            #expect(root[-1] == nil)
            #expect(root[Int.max] == nil)
            #expect(root[Int.min] == nil)
        }
    }

    @Test(arguments: ["null", "true", "0", "0.5", #""a""#, #"{"a":1}"#, "[]"])
    func `what is no array has no elements`(text: String) throws {
        try reading(text) { value in
            #expect(value[0] == nil)
            #expect(value.elements.map { Tree($0) } == [])
        }
    }
}
