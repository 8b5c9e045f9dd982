import BrokerJSON
import CallProtocol
import Testing

/// `Schema+JSON.swift`: the keywords of JSON Schema, draft 7.
struct SchemaJSONTests {
    @Test(
        arguments: [
            (.any, "{}"),
            (.boolean, #"{"type":"boolean"}"#),
            (.integer(-1...2), #"{"type":"integer","minimum":-1,"maximum":2}"#),
            (
                .integer(.min ... .max),
                #"{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807}"#
            ),
            (.string(bytes: 0...4), #"{"type":"string","maxLength":4,"x-max-bytes":4}"#),
            (
                .string(bytes: 3...4),
                #"{"type":"string","minLength":1,"maxLength":4,"x-max-bytes":4}"#
            ),
            (.choice(["a", "b"], isOpen: false), #"{"type":"string","enum":["a","b"]}"#),
            (
                .choice(["a", "b"], isOpen: true),
                #"{"type":"string","x-open-enum":true,"examples":["a","b"]}"#
            ),
            (.map, #"{"type":"object"}"#),
            (
                .array(.boolean, count: 1...2),
                #"{"type":"array","minItems":1,"maxItems":2,"items":{"type":"boolean"}}"#
            ),
            (.oneOf([.boolean, .map]), #"{"oneOf":[{"type":"boolean"},{"type":"object"}]}"#),
            (.null, #"{"type":"null"}"#),
            (.nullable(.boolean), #"{"oneOf":[{"type":"boolean"},{"type":"null"}]}"#),
            (
                .dictionary(.scheme, .boolean, count: 0...2),
                #"{"type":"object","minProperties":0,"maxProperties":2,"propertyNames":{"#
                    + #""type":"string","pattern":"^[a-z][a-z0-9+.-]*$","maxLength":32},"#
                    + #""additionalProperties":{"type":"boolean"}}"#
            ),
        ] as [(Schema, String)])
    func `every schema has its keywords`(schema: Schema, json: String) {
        #expect(JSONWriter.text { $0.value(schema) } == json)
    }

    @Test func `a form is published as an expression`() {
        #expect(
            JSONWriter.text { $0.value(Schema.pattern(.uuid)) }
                == #"{"type":"string","#
                + #""pattern":"^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$","#
                + #""maxLength":36}"#)
        #expect(
            JSONWriter.text { $0.value(Schema.pattern(.identity)) }
                == #"{"type":"string","pattern":"^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)+$","#
                + #""maxLength":128}"#)
    }

    @Test func `members carry their descriptions and required ones are listed`() {
        let schema = Schema.object([
            .required("a", .boolean, "first"), .optional("b", .any, "second"),
            .required("c", .map, "third"),
        ])
        #expect(
            JSONWriter.text { $0.value(schema) }
                == #"{"type":"object","properties":{"a":{"type":"boolean","description":"first"},"#
                + #""b":{"description":"second"},"c":{"type":"object","description":"third"}},"#
                + #""required":["a","c"]}"#)
    }

    @Test func `nothing required is no list`() {
        #expect(
            JSONWriter.text { $0.value(Schema.object([.optional("a", .any, "x")])) }
                == #"{"type":"object","properties":{"a":{"description":"x"}}}"#)
        #expect(
            JSONWriter.text { $0.value(Schema.object([])) }
                == #"{"type":"object","properties":{}}"#)
    }

    @Test func `a summary stands last`() {
        #expect(
            JSONWriter.text { $0.value(Schema.boolean, summary: "why") }
                == #"{"type":"boolean","description":"why"}"#)
    }
}
