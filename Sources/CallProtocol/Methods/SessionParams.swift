package import BrokerJSON

/// A request about the session, the protocol or the broker.
package enum SessionRequest {
    indirect case hello(HelloParams)
    case ping(PingParams)
    case info
    indirect case describe(DescribeParams)
    case discover
    case stats
    case shutdown
}

/// The params of `broker.ping`.
package struct PingParams: MethodParams {
    /// Any value, which the reply returns unchanged.
    package let payload: JSONValue?

    package init(checked params: JSONValue?) {
        payload = params?["payload"]
    }
}

/// The params of `broker.describe`.
package struct DescribeParams: MethodParams {
    /// The name of a method or a topic, valid as long as the frame.
    package let name: UnsafeBufferPointer<UInt8>

    package init(checked params: JSONValue?) throws(SchemaFault) {
        name = try params.required("name") { $0?.utf8 }
    }
}

/// The params of `broker.cancel`.
package struct CancelParams: MethodParams {
    /// The id of the request, a number or a string.
    package let request: JSONValue

    package init(checked params: JSONValue?) throws(SchemaFault) {
        request = try params.required("request") { $0 }
    }
}

/// The params of `broker.progress`.
package struct ProgressParams: MethodParams {
    /// The id of the broker's request; nil if it is not a number, as the broker's are.
    package let request: Int64?
    /// The requested extension of the deadline, in milliseconds.
    package let extensionMS: Int?

    package init(checked params: JSONValue?) {
        request = params?["request"]?.integer
        extensionMS = params?["extend_ms"]?.int
    }
}

/// The params of `broker.log`.
package struct LogParams: MethodParams {
    /// The name of the level.
    package let level: String?
    /// The text, valid as long as the frame.
    package let message: UnsafeBufferPointer<UInt8>

    package init(checked params: JSONValue?) throws(SchemaFault) {
        level = params?["level"]?.string
        message = try params.required("message") { $0?.utf8 }
    }
}
