package import BrokerJSON

/// Whole frames, members in fixed order, so that a shell `case` on a prefix works and nothing a
/// caller is called can be mistaken for an envelope.
extension JSONWriter {
    package mutating func request(
        _ id: Int64, _ method: StaticString, params: (inout JSONWriter) -> Void
    ) {
        object { writer in
            writer.member("jsonrpc", "2.0" as StaticString)
            writer.member("id", id)
            writer.member("method", method)
            writer.name("params")
            writer.object(params)
        }
        endLine()
    }

    package mutating func notification(
        _ method: StaticString, params: (inout JSONWriter) -> Void
    ) {
        object { writer in
            writer.member("jsonrpc", "2.0" as StaticString)
            writer.member("method", method)
            writer.name("params")
            writer.object(params)
        }
        endLine()
    }

    /// A reply with a result, without LF: it may be one entry of a batch.
    package mutating func reply(to id: RequestID, result: (inout JSONWriter) -> Void) {
        object { writer in
            writer.member("jsonrpc", "2.0" as StaticString)
            writer.name("id")
            writer.value(id)
            writer.name("result")
            writer.object(result)
        }
    }

    /// An error reply, without LF. The id is nil when the request's own could not be read.
    package mutating func reply(to id: RequestID?, error: RPCError) {
        object { writer in
            writer.member("jsonrpc", "2.0" as StaticString)
            writer.name("id")
            writer.value(id)
            writer.name("error")
            writer.value(error)
        }
    }
}
