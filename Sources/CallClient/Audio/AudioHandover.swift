internal import BrokerJSON
public import CallModel
internal import CallProtocol

/// The audio of a call, before its app gets it: somebody has answered. Clients that the policy names
/// in `handover.observers` are asked to be ready for it.
public struct AudioHandover: Hashable, Sendable {
    /// The app of the calls.
    public let provider: ProviderID
    /// The name of the group that gets the audio.
    public let group: CallID
    /// The calls of the group.
    public let calls: [CallID]
    /// The time from the arrival of the request after which the app gets the audio anyway, in
    /// milliseconds.
    public let deadlineMS: Int

    /// Reads the params of a request; nil if they are incomplete.
    init?(_ params: JSONValue) {
        guard let name = params["provider"]?.string, let group = CallID(params["group"]) else {
            return nil
        }
        provider = ProviderID(name)
        self.group = group
        calls = params["calls"].map { $0.elements.compactMap { CallID($0) } } ?? []
        deadlineMS = params["deadline_ms"]?.integer.map(Int.init) ?? 0
    }
}
