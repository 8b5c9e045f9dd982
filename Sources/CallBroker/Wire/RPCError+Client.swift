internal import BrokerJSON
internal import BrokerRPC
internal import CallArbitration
internal import CallProtocol

extension RPCError {
    /// Returns the error for a request that another client had to fulfill, with that client's error.
    static func failed(_ message: String, _ error: JSONValue) -> RPCError {
        var failed = RPCError(.providerFailed, reason: .providerFailed, message)
        var writer = JSONWriter(failed.extra)
        writer.member("provider_error", ActionFailure(error))
        failed.extra = writer.bytes
        return failed
    }
}
