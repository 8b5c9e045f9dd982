import BrokerJSON
import BrokerRPC
import CallProtocol
import Testing

/// The forms of `Schema.swift`.
struct PatternTests {
    private let uuid = "6f3c2f0e-6D0C-4d6a-9F0A-0c4b1f0d7a11"

    @Test func `a UUID may be written in either case`() throws {
        #expect(try isUUID(uuid))
        #expect(try isUUID(uuid.uppercased()))
        #expect(try isUUID(uuid.lowercased()))
        #expect(try isUUID("00000000-0000-0000-0000-000000000000"))
    }

    @Test func `every byte at every place of a UUID is judged`() throws {
        for index in 0..<36 {
            for byte in UInt8(1)...127 {
                var bytes = Array(uuid.utf8)
                bytes[index] = byte
                let character = Character(Unicode.Scalar(byte))
                let isGood =
                    [8, 13, 18, 23].contains(index)
                    ? character == "-" : "0123456789abcdefABCDEF".contains(character)
                #expect(try isUUID(String(decoding: bytes, as: UTF8.self)) == isGood)
            }
        }
    }

    @Test func `a UUID has 36 bytes`() throws {
        for count in 0...35 { #expect(try !isUUID(String(uuid.prefix(count)))) }
        #expect(try !isUUID(uuid + "0"))
        #expect(try !isUUID(uuid + "\n"))
        #expect(try !isUUID("{" + uuid.dropFirst() + "}"))
        #expect(try !isUUID(uuid.replacing("-", with: "")))
        #expect(try !isUUID("ä" + uuid.dropFirst(2)))
    }

    @Test(arguments: ["a.b", "org.example.phone", "A-1._._", "0.0", "-.-", "a.b.c.d.e.f.g.h"])
    func `an identity is labels with dots between`(text: String) throws {
        #expect(try isIdentity(text))
    }

    @Test(arguments: [
        "", ".", "a", "a.", ".a", "a..b", "..", "a.b.", ".a.b", "a b.c", "a/b.c", "ä.b", "a.b\n",
        "a.b/", "a.+49", "a:b.c",
    ])
    func `anything else is no identity`(text: String) throws {
        #expect(
            try fault(.pattern(.identity), text.quoted)
                == SchemaFault(
                    reason: .wrongForm,
                    message: "must be a reverse-domain name such as org.example.phone"))
    }

    @Test func `every byte of a label is judged`() throws {
        let good = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."
        for byte in UInt8(1)...127 {
            let character = Character(Unicode.Scalar(byte))
            #expect(try isIdentity("a\(character)b.c") == good.contains(character))
        }
    }

    @Test func `an identity has at most 128 bytes`() throws {
        let longest = "a." + String(repeating: "b", count: 126)
        #expect(try isIdentity(longest))
        #expect(try !isIdentity(longest + "b"))
    }

    @Test func `the wrong form of a UUID is said in words`() throws {
        #expect(
            try fault(.pattern(.uuid), #""1""#)
                == SchemaFault(reason: .wrongForm, message: "must be a UUID of 36 characters"))
    }

    @Test(
        arguments: [
            (.uuid, "6f3c2f0e-6D0C-4d6a-9F0A-0c4b1f0d7a11"), (.uuid, "6f3c2f0e-6D0C-4d6a-9F0A"),
            (.uuid, "x6f3c2f0e-6D0C-4d6a-9F0A-0c4b1f0d7a1"), (.identity, "org.example"),
            (.identity, "org"), (.identity, "a..b"), (.identity, "a.b."), (.identity, "a-1._"),
            (.identity, "ä.b"), (.scheme, "tel"), (.scheme, "x-1.a+b"), (.scheme, "1tel"),
            (.scheme, "Tel"), (.scheme, ""), (.scheme, "tel:"), (.digits, "0123456789ABCDabcd*#"),
            (.digits, "1,2;3p4P5w6W"), (.digits, ""), (.digits, "1 2"), (.digits, "+1"),
            (.digits, "E"),
        ] as [(Pattern, String)])
    func `the published expression agrees with the check`(pattern: Pattern, text: String) throws {
        let expression = try Regex(pattern.expression)
        let isMatch = try expression.wholeMatch(in: text) != nil
        #expect(try (fault(.pattern(pattern), text.quoted) == nil) == isMatch)
    }

    @Test func `every byte of a scheme and of digits is judged`() throws {
        for byte in UInt8(1)...127 {
            let character = Character(Unicode.Scalar(byte))
            let first = "abcdefghijklmnopqrstuvwxyz"
            #expect(
                try (fault(.pattern(.scheme), "\(character)".quoted) == nil)
                    == first.contains(character))
            #expect(
                try (fault(.pattern(.scheme), "a\(character)".quoted) == nil)
                    == (first + "0123456789+.-").contains(character))
            #expect(
                try (fault(.pattern(.digits), "\(character)".quoted) == nil)
                    == "0123456789ABCDabcd*#,;PpWw".contains(character))
        }
    }

    @Test(arguments: [(.scheme, 32), (.digits, 64)] as [(Pattern, Int)])
    func `a form has its longest text`(pattern: Pattern, most: Int) throws {
        let start = pattern.bytesMax == 32 ? "a" : "1"
        #expect(
            try fault(.pattern(pattern), String(repeating: start, count: most).quoted) == nil)
        #expect(
            try fault(.pattern(pattern), String(repeating: start, count: most + 1).quoted)?.reason
                == .wrongForm)
    }

    private func isUUID(_ text: String) throws -> Bool {
        try fault(.pattern(.uuid), text.quoted) == nil
    }

    private func isIdentity(_ text: String) throws -> Bool {
        try fault(.pattern(.identity), text.quoted) == nil
    }
}
