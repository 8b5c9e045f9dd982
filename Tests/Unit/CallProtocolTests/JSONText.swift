import BrokerJSON
import CallProtocol
import Testing

/// Calls `body` with the value that a text stands for.
func withJSON<Result>(
    _ text: String, _ body: (JSONValue) throws -> Result
) throws -> Result {
    let document = try JSONDocument(
        parsing: Array(text.utf8), limits: JSONLimits(depth: 64, values: 100_000))
    return try body(document.root)
}

/// What is wrong with a text in the eyes of a schema; nil if nothing is.
func fault(_ schema: Schema, _ text: String) throws -> SchemaFault? {
    try withJSON(text) { value in
        do throws(SchemaFault) {
            try schema.check(value)
            return nil
        } catch {
            return error
        }
    }
}

extension JSONWriter {
    /// The text that `write` writes.
    static func text(_ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        write(&writer)
        return writer.text
    }
}

extension String {
    /// As a JSON string, quotes included.
    var quoted: String {
        JSONWriter.text { $0.value(self) }
    }
}

extension Schema {
    /// The names of all members in it, however deep.
    var allNames: Set<String> {
        switch self {
        case .object(let members):
            members.reduce(into: []) { names, member in
                names.insert("\(member.name)")
                names.formUnion(member.schema.allNames)
            }
        case .array(let element, _), .dictionary(_, let element, _), .nullable(let element):
            element.allNames
        case .oneOf(let schemas): schemas.reduce(into: []) { $0.formUnion($1.allNames) }
        case .any, .boolean, .integer, .string, .pattern, .choice, .map, .null: []
        }
    }
}
