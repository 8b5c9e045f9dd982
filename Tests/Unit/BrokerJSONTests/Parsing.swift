import BrokerJSON

/// What matters about a refusal: why and where.
struct Refusal: Equatable, Sendable {
    let reason: JSONFault.Reason
    let position: JSONPosition

    init(_ reason: JSONFault.Reason, line: Int, column: Int, byte: Int) {
        self.reason = reason
        position = JSONPosition(line: line, column: column, byte: byte)
    }

    /// At byte number `byte` of a text of one line in ASCII.
    init(_ reason: JSONFault.Reason, at byte: Int) {
        self.init(reason, line: 1, column: byte + 1, byte: byte)
    }

    init(_ fault: JSONFault) {
        reason = fault.reason
        position = fault.position
    }
}

func fault(in text: [UInt8], limits: JSONLimits = .frame) -> JSONFault? {
    do throws(JSONFault) {
        _ = try JSONDocument(parsing: text, limits: limits)
        return nil
    } catch {
        return error
    }
}

func refusal(of text: [UInt8], limits: JSONLimits = .frame) -> Refusal? {
    fault(in: text, limits: limits).map { Refusal($0) }
}

func refusal(of text: String, limits: JSONLimits = .frame) -> Refusal? {
    refusal(of: Array(text.utf8), limits: limits)
}

/// Parses `text` and answers with what `read` makes of its root while the document lives.
func reading<Answer>(
    _ text: String, limits: JSONLimits = .frame, _ read: (JSONValue) throws -> Answer
) throws -> Answer {
    let document = try JSONDocument(parsing: Array(text.utf8), limits: limits)
    return try read(document.root)
}
