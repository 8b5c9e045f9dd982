package import BrokerJSON

extension JSONWriter {
    /// Writes the schema as JSON Schema, draft 7.
    package mutating func value(_ schema: Schema, summary: String? = nil) {
        object { writer in
            writer.keywords(of: schema)
            if let summary { writer.member("description", summary) }
        }
    }

    /// Writes the members of a schema into an object that has been begun.
    package mutating func keywords(of schema: Schema) {
        switch schema {
        case .any: break
        case .boolean: member("type", "boolean" as StaticString)
        case .integer(let range):
            member("type", "integer" as StaticString)
            member("minimum", range.lowerBound)
            member("maximum", range.upperBound)
        case .string(let bytes): keywords(ofString: bytes)
        case .pattern(let pattern):
            member("type", "string" as StaticString)
            member("pattern", pattern.expression)
            member("maxLength", pattern.bytesMax)
        case .choice(let words, let isOpen): keywords(ofChoice: words, isOpen: isOpen)
        case .object(let members): keywords(of: members)
        case .map: member("type", "object" as StaticString)
        case .dictionary(let names, let element, let count):
            keywords(ofDictionary: names, element, count)
        case .array(let element, let count):
            member("type", "array" as StaticString)
            member("minItems", count.lowerBound)
            member("maxItems", count.upperBound)
            name("items")
            value(element)
        case .oneOf(let schemas):
            name("oneOf")
            array { writer in for schema in schemas { writer.value(schema) } }
        case .null: member("type", "null" as StaticString)
        case .nullable(let schema): keywords(of: .oneOf([schema, .null]))
        }
    }

    /// Writes the bounds of a string. JSON Schema counts characters and the broker bytes, so
    /// `maxLength` is necessary and `x-max-bytes` exact.
    private mutating func keywords(ofString bytes: ClosedRange<Int>) {
        member("type", "string" as StaticString)
        if bytes.lowerBound > 0 { member("minLength", 1) }
        member("maxLength", bytes.upperBound)
        member("x-max-bytes", bytes.upperBound)
    }

    private mutating func keywords(
        ofDictionary names: Pattern, _ element: Schema, _ count: ClosedRange<Int>
    ) {
        member("type", "object" as StaticString)
        member("minProperties", count.lowerBound)
        member("maxProperties", count.upperBound)
        name("propertyNames")
        value(.pattern(names))
        name("additionalProperties")
        value(element)
    }

    /// Writes the words of a choice. An open choice must not be an `enum`, or a generated client
    /// would reject the words of later releases.
    private mutating func keywords(ofChoice words: [String], isOpen: Bool) {
        member("type", "string" as StaticString)
        if isOpen { member("x-open-enum", true) }
        name(isOpen ? "examples" : "enum")
        array { writer in for word in words { writer.value(word) } }
    }

    private mutating func keywords(of members: [Member]) {
        member("type", "object" as StaticString)
        name("properties")
        object { writer in
            for member in members {
                writer.name(member.name)
                writer.value(member.schema, summary: member.summary)
            }
        }
        let required = members.filter(\.isRequired)
        guard !required.isEmpty else { return }
        name("required")
        array { writer in for member in required { writer.value(member.name) } }
    }
}
