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
