internal import BrokerRPC
internal import CallArbitration
internal import CallModel
internal import CallProtocol

extension Broker {
    /// Returns the error for a call that does not exist, or that the client may not see.
    func notFound(_ call: CallID) -> RPCError {
        RPCError(arbiter.whyNotFound(call), .requestTransaction)
    }

    /// Checks that a provider has a call that it reports about.
    func checkThat(_ provider: ProviderID, has call: CallID) throws(RPCError) {
        guard arbiter.outline(of: call)?.provider == provider else { throw notFound(call) }
    }
}
