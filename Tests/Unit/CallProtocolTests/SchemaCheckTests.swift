import BrokerJSON
import BrokerRPC
import CallProtocol
import Testing

struct SchemaCheckTests {
    // MARK: - Kinds

    private static let kinds: [(text: String, kind: String)] = [
        ("{}", "an object"), ("[]", "an array"), (#""""#, "a string"), ("1", "an integer"),
        ("1.5", "a fraction"), ("true", "true or false"), ("null", "null"),
    ]

    @Test(
        arguments: [
            (.boolean, "true or false"), (.integer(0...9), "an integer"),
            (.string(bytes: 0...9), "a string"), (.pattern(.uuid), "a string"),
            (.choice(["a"], isOpen: false), "a string"), (.choice(["a"], isOpen: true), "a string"),
            (.object([]), "an object"), (.map, "an object"),
            (.array(.any, count: 0...9), "an array"), (.null, "null"),
            (.dictionary(.scheme, .any, count: 0...9), "an object"),
        ] as [(Schema, String)])
    func `every other kind is the wrong type`(schema: Schema, expected: String) throws {
        for (text, kind) in Self.kinds where kind != expected {
            #expect(
                try fault(schema, text)
                    == SchemaFault(
                        reason: .wrongType, message: "must be \(expected), not \(kind)"))
        }
    }

    @Test func `any value is any value`() throws {
        for (text, _) in Self.kinds { #expect(try fault(.any, text) == nil) }
    }

    @Test func `a boolean is true or false`() throws {
        #expect(try fault(.boolean, "true") == nil)
        #expect(try fault(.boolean, "false") == nil)
    }

    @Test func `a map has whatever members it likes`() throws {
        #expect(try fault(.map, #"{"a":{"b":[]},"\u0001":1}"#) == nil)
    }

    // MARK: - Numbers

    @Test func `an integer lies within its range`() throws {
        let outside = SchemaFault(reason: .outOfRange, message: "must be from -2 to 3")
        for number in -2...3 { #expect(try fault(.integer(-2...3), "\(number)") == nil) }
        for text in ["-3", "4", "\(Int64.min)", "\(Int64.max)"] {
            #expect(try fault(.integer(-2...3), text) == outside)
        }
    }

    @Test func `the whole of int64 can be asked for`() throws {
        let schema = Schema.integer(.min ... .max)
        #expect(try fault(schema, "\(Int64.min)") == nil)
        #expect(try fault(schema, "\(Int64.max)") == nil)
        #expect(try fault(schema, "1.0")?.reason == .wrongType)
        #expect(try fault(schema, "1e0")?.reason == .wrongType)
    }

    @Test func `counts end below two to the 53rd`() throws {
        let most: Int64 = 9_007_199_254_740_991
        for number in [0, most] { #expect(try fault(.count, "\(number)") == nil) }
        for number in [-1, most + 1] {
            #expect(try fault(.count, "\(number)")?.reason == .outOfRange)
        }
    }

    // MARK: - Text

    @Test(
        arguments: [
            ("", "too_short"), ("a", "too_short"), ("ab", nil), ("abcd", nil),
            ("abcde", "too_long"),
            ("ä", nil), ("ää", nil), ("äää", "too_long"), ("€", nil), ("€a", nil),
            ("€ab", "too_long"),
            ("😀", nil), ("😀a", "too_long"),
        ] as [(String, String?)])
    func `text is measured in bytes`(text: String, reason: String?) throws {
        #expect(try fault(.string(bytes: 2...4), text.quoted)?.reason.rawValue == reason)
    }

    @Test func `an escape counts as what it stands for`() throws {
        #expect(try fault(.string(bytes: 0...1), #""\u0041""#) == nil)
        #expect(try fault(.string(bytes: 0...1), #""\u00e4""#)?.reason == .tooLong)
    }

    @Test func `too short and too long say the bound`() throws {
        #expect(
            try fault(.string(bytes: 2...4), #""a""#)
                == SchemaFault(reason: .tooShort, message: "must have at least 2 bytes"))
        #expect(
            try fault(.string(bytes: 2...4), #""abcde""#)
                == SchemaFault(reason: .tooLong, message: "may have at most 4 bytes"))
    }

    @Test func `a closed choice takes its words only`() throws {
        let schema = Schema.choice(["debug", "info"], isOpen: false)
        #expect(try fault(schema, #""debug""#) == nil)
        #expect(try fault(schema, #""\u0069nfo""#) == nil)
        for text in ["", "debu", "debugg", "Info", "info "] {
            #expect(
                try fault(schema, text.quoted)
                    == SchemaFault(reason: .notOneOf, message: "must be one of debug, info"))
        }
    }

    @Test func `an open choice takes any word of 1 to 64 bytes`() throws {
        let schema = Schema.choice(["debug", "info"], isOpen: true)
        for text in ["debug", "tomorrow's word", String(repeating: "x", count: 64)] {
            #expect(try fault(schema, text.quoted) == nil)
        }
        #expect(try fault(schema, #""""#)?.reason == .tooShort)
        let long = String(repeating: "x", count: 65)
        #expect(try fault(schema, long.quoted)?.reason == .tooLong)
    }

    // MARK: - Arrays and alternatives

    @Test func `an array has so many elements`() throws {
        let schema = Schema.array(.any, count: 1...2)
        let wrong = "must have 1 to 2 elements"
        #expect(try fault(schema, "[]") == SchemaFault(reason: .tooFew, message: wrong))
        #expect(try fault(schema, "[1]") == nil)
        #expect(try fault(schema, "[1,2]") == nil)
        #expect(try fault(schema, "[1,2,3]") == SchemaFault(reason: .tooMany, message: wrong))
    }

    @Test func `the first wrong element is pointed at`() throws {
        let schema = Schema.array(.boolean, count: 0...9)
        #expect(
            try fault(schema, "[true,false,7,8]")
                == SchemaFault(
                    reason: .wrongType, message: "must be true or false, not an integer",
                    pointer: "/2"))
    }

    @Test func `one of several is enough, and the first one complains`() throws {
        let schema = Schema.oneOf([.string(bytes: 0...2), .integer(0...9), .boolean])
        for text in [#""ab""#, "9", "true"] { #expect(try fault(schema, text) == nil) }
        #expect(
            try fault(schema, "null")
                == SchemaFault(reason: .wrongType, message: "must be a string, not null"))
        #expect(try fault(schema, #""abc""#)?.reason == .tooLong)
        #expect(try fault(.oneOf([]), "1") == nil)
    }

    // MARK: - Null and alike

    @Test func `what is nullable is null or what it is`() throws {
        let schema = Schema.nullable(.integer(0...9))
        #expect(try fault(schema, "null") == nil)
        #expect(try fault(schema, "9") == nil)
        #expect(try fault(schema, "10")?.reason == .outOfRange)
        #expect(
            try fault(schema, "true")
                == SchemaFault(
                    reason: .wrongType, message: "must be an integer, not true or false"))
        #expect(try fault(.integer(0...9), "null")?.reason == .wrongType)
    }

    @Test func `a member that is null is there`() throws {
        let schema = Schema.object([.required("with", .nullable(.boolean), "x")])
        #expect(try fault(schema, #"{"with":null}"#) == nil)
        #expect(try fault(schema, "{}")?.reason == .missingMember)
    }

    @Test func `a dictionary has names of a form and values of one kind`() throws {
        let schema = Schema.dictionary(.scheme, .nullable(.boolean), count: 1...2)
        let wrong = "must have 1 to 2 members"
        #expect(try fault(schema, "{}") == SchemaFault(reason: .tooFew, message: wrong))
        #expect(try fault(schema, #"{"tel":true}"#) == nil)
        #expect(try fault(schema, #"{"tel":true,"sip":null}"#) == nil)
        #expect(
            try fault(schema, #"{"tel":true,"sip":null,"sips":null}"#)
                == SchemaFault(reason: .tooMany, message: wrong))
        #expect(
            try fault(schema, #"{"tel":true,"Sip":true}"#)
                == SchemaFault(
                    reason: .wrongForm,
                    message: "has a member whose name is not the scheme of an address, such as tel"
                ))
    }

    @Test func `a wrong value in a dictionary is pointed at by its name, if that is one`() throws {
        let schema = Schema.dictionary(.scheme, .boolean, count: 0...9)
        #expect(
            try fault(schema, #"{"sip":true,"tel":1}"#)
                == SchemaFault(
                    reason: .wrongType, message: "must be true or false, not an integer",
                    pointer: "/tel"))
        #expect(try fault(schema, #"{"a15550123":1}"#)?.pointer == "")
    }

    // MARK: - Ids

    @Test(arguments: [
        (#""""#, true), ("0", true), ("-9223372036854775808", true), ("9223372036854775807", true),
        ("1.0", false), ("null", false), ("true", false), ("[]", false), ("{}", false),
    ])
    func `an id is a string or an integer`(text: String, isID: Bool) throws {
        #expect(try (fault(.requestID, text) == nil) == isID)
    }

    @Test func `a string id may have 64 bytes`() throws {
        #expect(try fault(.requestID, String(repeating: "x", count: 64).quoted) == nil)
    }
}
