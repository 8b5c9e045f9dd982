package import BrokerJSON

/// Whole frames. The members are in a fixed order, so that a shell `case` can match a prefix and no
/// caller's name can be mistaken for an envelope.
extension JSONWriter {
    /// Writes a request, including LF.
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

    /// Writes a notification, including LF.
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

    /// Writes a reply with a result, without LF: it may be an entry of a batch.
    package mutating func reply(to id: RequestID, result: (inout JSONWriter) -> Void) {
        object { writer in
            writer.member("jsonrpc", "2.0" as StaticString)
            writer.name("id")
            writer.value(id)
            writer.name("result")
            writer.object(result)
        }
    }

    /// Writes an error reply, without LF. The id is nil if that of the request could not be read.
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
