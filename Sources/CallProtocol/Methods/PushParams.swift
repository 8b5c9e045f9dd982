package import BrokerJSON
internal import BrokerRPC
package import CallModel

/// A request about pushes to apps.
package enum PushRequest {
    case deliver(DeliverPushParams)
    case setToken(SetPushTokenParams)
    case reset(ResetPushesParams)
}

/// The params of `push.deliver`.
package struct DeliverPushParams: MethodParams {
    package let provider: ProviderID
    package let type: String
    /// The payload as compact JSON.
    package let payload: [UInt8]
    package let ttlMS: Int
    /// True if the reply waits until the app has handled the push.
    package let waitsForCompletion: Bool

    package init(checked params: JSONValue?) throws(SchemaFault) {
        provider = try params.required("provider", ProviderID.init)
        type = params?["type"]?.string ?? PushSchemas.voip
        var writer = JSONWriter()
        writer.value(try params.required("payload") { $0 })
        payload = writer.bytes
        ttlMS = params?["ttl_ms"]?.int ?? PushSchemas.ttlMS
        waitsForCompletion = params?["wait"]?.utf8?.reads("completed") ?? false
        guard payload.count <= PushSchemas.payloadBytesMax else {
            throw SchemaFault(
                reason: .tooLong,
                message: "may have at most \(PushSchemas.payloadBytesMax) bytes as JSON",
                pointer: "/payload")
        }
    }
}

/// The params of `push.set_token`.
package struct SetPushTokenParams: MethodParams {
    package let provider: ProviderID
    package let type: String
    /// Nil if the address is no longer valid.
    package let token: String?

    package init(checked params: JSONValue?) throws(SchemaFault) {
        provider = try params.required("provider", ProviderID.init)
        type = try params.required("type") { $0?.string }
        token = params?["token"]?.string
    }
}

/// The params of `push.reset`.
package struct ResetPushesParams: MethodParams {
    package let provider: ProviderID

    package init(checked params: JSONValue?) throws(SchemaFault) {
        provider = try params.required("provider", ProviderID.init)
    }
}
