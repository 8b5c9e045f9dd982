import BrokerJSON
import BrokerRPC
import CallProtocol
import Testing

/// `Schema+Check.swift` where it is about objects.
struct SchemaObjectTests {
    private let schema = Schema.object([
        .required("name", .string(bytes: 1...9), "a name"),
        .optional("age", .integer(0...150), "in years"),
        .optional(
            "home",
            .object([
                .required("street", .string(bytes: 1...9), "where"),
                .optional("rooms", .array(.integer(1...9), count: 0...9), "sizes"),
            ]), "an address"),
    ])

    @Test(arguments: [
        #"{"name":"a"}"#, #"{"age":1,"name":"a"}"#,
        #"{"name":"a","home":{"street":"b","rooms":[1,2]}}"#,
    ])
    func `members may come in any order and optional ones not at all`(text: String) throws {
        #expect(try fault(schema, text) == nil)
    }

    @Test func `a required member that is missing is named`() throws {
        #expect(try fault(schema, "{}") == missing("/name"))
        #expect(try fault(schema, #"{"age":1}"#) == missing("/name"))
        #expect(try fault(schema, #"{"name":"a","home":{}}"#) == missing("/home/street"))
    }

    @Test func `null is a value, not an absence`() throws {
        #expect(
            try fault(schema, #"{"name":"a","age":null}"#)
                == SchemaFault(
                    reason: .wrongType, message: "must be an integer, not null", pointer: "/age"))
    }

    @Test func `where strangers are ignored, everything else is checked`() throws {
        func fault(_ text: String) throws -> SchemaFault? {
            let document = try JSONDocument(parsing: Array(text.utf8))
            do throws(SchemaFault) {
                try schema.check(document.root, strangers: .ignored)
                return nil
            } catch { return error }
        }
        #expect(try fault(#"{"new":1,"name":"a","home":{"street":"b","new":[]}}"#) == nil)
        #expect(try fault(#"{"new":1}"#) == missing("/name"))
        #expect(try fault(#"{"new":1,"name":"a","home":{"new":1}}"#) == missing("/home/street"))
    }

    @Test func `a stranger is refused by name`() throws {
        #expect(try fault(schema, #"{"name":"a","agee":1}"#) == unknown("/agee"))
        #expect(
            try fault(schema, #"{"name":"a","home":{"street":"b","x":1}}"#) == unknown("/home/x"))
    }

    @Test func `a misspelt name is reported before the one that is missing`() throws {
        #expect(try fault(schema, #"{"nam":"a"}"#) == unknown("/nam"))
        #expect(
            try fault(schema, #"{"name":"a","home":{"stret":"b"}}"#) == unknown("/home/stret"))
    }

    @Test(arguments: ["x_", "x_a", "x_name", "x_\u{1}\u{20AC}", "x_4915112345678"])
    func `experiments are accepted, whatever they hold`(name: String) throws {
        #expect(try fault(schema, #"{"name":"a",\#(name.quoted):{"y":[null]}}"#) == nil)
        let inner = #"{"name":"a","home":{"street":"b",\#(name.quoted):1}}"#
        #expect(try fault(schema, inner) == nil)
    }

    @Test(arguments: ["x", "X_a", "xx_", "_x"])
    func `what only looks like an experiment is a stranger`(name: String) throws {
        #expect(try fault(schema, #"{"name":"a",\#(name.quoted):1}"#) == unknown("/\(name)"))
    }

    @Test func `an experiment does not hide a stranger, nor what is missing`() throws {
        #expect(try fault(schema, #"{"x_a":1,"name":"a","b":1}"#) == unknown("/b"))
        #expect(try fault(schema, #"{"x_a":1}"#) == missing("/name"))
    }

    @Test func `pointers lead through objects and arrays`() throws {
        #expect(
            try fault(schema, #"{"name":"a","home":{"street":"b","rooms":[1,2,0]}}"#)
                == SchemaFault(
                    reason: .outOfRange, message: "must be from 1 to 9",
                    pointer: "/home/rooms/2"))
    }

    @Test(arguments: ["a", "Z9", "snake_case", "_a", "a123", "camelCase"])
    func `what looks like a name is echoed`(name: String) throws {
        #expect(try fault(schema, #"{"name":"a",\#(name.quoted):1}"#) == unknown("/\(name)"))
    }

    @Test(arguments: [
        "", " ", "a b", "a.b", "a/b", "a~b", "1a", "+4915112345678", "4915112345678", "a1234",
        "ä", "日本", "\u{1}", "\u{1B}[2J", "a\nb", "@", "[", "`", "{",
        "this_name_is_longer_than_any_that_we_know",
    ])
    func `what does not look like a name is not echoed`(name: String) throws {
        #expect(try fault(schema, #"{"name":"a",\#(name.quoted):1}"#) == hidden(""))
        let inner = #"{"name":"a","home":{"street":"b",\#(name.quoted):1}}"#
        #expect(try fault(schema, inner) == hidden("/home"))
    }

    @Test func `a name of 40 bytes is echoed and one of 41 is not`() throws {
        let name = String(repeating: "n", count: 40)
        #expect(try fault(schema, #"{"name":"a","\#(name)":1}"#) == unknown("/\(name)"))
        #expect(try fault(schema, #"{"name":"a","\#(name)n":1}"#) == hidden(""))
    }

    @Test(arguments: [
        #"{"name":"0151 12345678"}"#, #"{"name":"a","age":15112345678}"#,
        #"{"name":["0151 12345678"]}"#, #"{"name":"a","home":"0151 12345678"}"#,
        #"{"name":"a","0151 12345678":"0151 12345678"}"#,
    ])
    func `nothing of the input is said in an error`(text: String) throws {
        let fault = try #require(try fault(schema, text))
        let said = fault.reason.rawValue + fault.message + fault.pointer
        #expect(!said.contains("0151") && !said.contains("12345678"))
    }

    @Test func `an error tells the place as a sentence and as a pointer`() throws {
        let fault = try #require(
            try fault(schema, #"{"name":"a","home":{"street":"b","rooms":[0]}}"#))
        let error = RPCError(fault)
        let expected = RPCError(
            .invalidParams, reason: .outOfRange, "params.home.rooms.0 must be from 1 to 9"
        ).with { $0.field = "/home/rooms/0" }
        #expect(error == expected)
    }

    @Test func `an error about the whole points at the whole`() throws {
        let error = RPCError(try #require(try fault(schema, "[]")))
        let expected = RPCError(
            .invalidParams, reason: .wrongType, "params must be an object, not an array"
        ).with { $0.field = "" }
        #expect(error == expected)
    }

    private func missing(_ pointer: String) -> SchemaFault {
        SchemaFault(reason: .missingMember, message: "is required", pointer: pointer)
    }

    private func unknown(_ pointer: String) -> SchemaFault {
        SchemaFault(
            reason: .unknownMember, message: "is not a member of this method", pointer: pointer)
    }

    /// A member whose name is not told: its object is.
    private func hidden(_ pointer: String) -> SchemaFault {
        SchemaFault(
            reason: .unknownMember, message: "has an unknown member",
            pointer: pointer)
    }
}
