public import CallModel

/// Something that happened to the calls of the host.
public enum CallEvent: Hashable, Sendable {
    /// Everything was read anew: at first, and whenever something may have been missed.
    case snapshot([Call])
    case added(Call, Cause?)
    /// The names of what changed are those of the wire.
    case changed(Call, names: [String], Cause?)
    case removed(CallID)
    /// Any other topic that was subscribed to, with its data as JSON.
    case other(topic: String, data: String)
}
