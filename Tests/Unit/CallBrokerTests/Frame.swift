import BrokerJSON

/// Frames as they stand on the wire, without their LF.
enum Frame {
    static func request(_ id: Int, _ method: String, _ params: String? = nil) -> String {
        call(#""id":\#(id),"method":"\#(method)""#, params)
    }

    static func request(_ id: String, _ method: String, _ params: String? = nil) -> String {
        call(#""id":"\#(id)","method":"\#(method)""#, params)
    }

    static func notification(_ method: String, _ params: String? = nil) -> String {
        call(#""method":"\#(method)""#, params)
    }

    static func ping(_ id: Int, payloadBytes: Int) -> String {
        request(
            id, "broker.ping", #"{"payload":"\#(String(repeating: "x", count: payloadBytes))"}"#)
    }

    static func advance(_ id: Int, ms: Int) -> String {
        request(id, "test.advance", #"{"ms":\#(ms)}"#)
    }

    /// - Parameter members: More of the params; a client of today names features unless they do.
    static func hello(_ members: String = "") -> String {
        let features = members.contains("features") ? [] : [#""features":["tone","alerting"]"#]
        let more = ([members].filter { !$0.isEmpty } + features).map { "," + $0 }.joined()
        return request(
            0, "broker.hello",
            #"{"protocol":{"min":1,"max":1},"client":{"name":"test","version":"1"}\#(more)}"#)
    }

    static func batch(_ frames: String...) -> String {
        "[" + frames.joined(separator: ",") + "]"
    }

    static func result(_ id: Int, _ result: String = "{}") -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"#
    }

    /// - Parameters:
    ///   - id: as JSON.
    ///   - more: further members of `data`.
    static func error(
        _ id: String, _ code: Int, _ reason: String, _ message: String, _ more: String = ""
    ) -> String {
        let retryable = code == -32_012 || reason == "busy"
        let data = #"{"reason":"\#(reason)","retryable":\#(retryable)\#(more)}"#
        return #"{"jsonrpc":"2.0","id":\#(id),"error":"#
            + #"{"code":\#(code),"message":"\#(message)","data":\#(data)}}"#
    }

    /// What a broker with a journal says at its end.
    static let restarting = notification(
        "broker.goodbye",
        #"{"reason":"restarting","message":"the broker is stopping; its successor goes on","#
            + #""resumable":true,"reconnect_after_ms":200}"#)

    static func goodbye(
        _ reason: String, _ message: String, reconnectAfterMS: Int? = nil
    ) -> String {
        let later = reconnectAfterMS.map { #","reconnect_after_ms":\#($0)"# } ?? ""
        return notification(
            "broker.goodbye",
            #"{"reason":"\#(reason)","message":"\#(message)","resumable":false\#(later)}"#)
    }

    static let warning = notification(
        "broker.warning",
        #"{"reason":"unknown_notification","message":"the broker has no notification of that "#
            + #"name; it was dropped"}"#)

    static func duplicate(_ id: String) -> String {
        error(
            "null", -32_600, "duplicate_id", "a request with this id has not been answered yet",
            #","request":\#(id),"hint":"increment the ids, or reuse one only after its reply""#)
    }

    static func cancelled(_ id: String) -> String {
        error(id, -32_010, "cancelled", "the client cancelled the request")
    }

    static func replyBytes(_ id: String, most: Int = 65_535) -> String {
        error(
            id, -32_011, "reply_bytes", "the reply does not fit into one frame",
            #","limit":{"name":"reply_bytes","value":\#(most)},"hint":"request less at once""#)
    }

    private static func call(_ head: String, _ params: String?) -> String {
        #"{"jsonrpc":"2.0",\#(head)\#(params.map { #","params":\#($0)"# } ?? "")}"#
    }
}
