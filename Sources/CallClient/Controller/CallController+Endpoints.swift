internal import BrokerJSON
public import CallModel
internal import CallProtocol

extension CallController {
    /// Returns the audio endpoints of the host, out of which the sound of calls comes whose apps have
    /// no endpoints of their own; empty if no client of the broker reports them.
    public func hostEndpoints() async throws(CallError) -> [AudioEndpoint] {
        try await link.request(.getHost, { _ in }) { host in
            host["endpoints"].map { [AudioEndpoint](checked: $0) } ?? []
        }
    }

    /// Chooses an audio endpoint of the host, for the live call and for all later ones.
    ///
    /// - Throws: `CallError`: `notFound` (no such endpoint, or it is unavailable), `providerFailed`,
    ///   `providerGone` or `deadlineExceeded`.
    public func setHostEndpoint(_ endpoint: String) async throws(CallError) {
        try await link.request(.chooseEndpoint, { $0.member("endpoint", endpoint) }) { _ in () }
    }
}
