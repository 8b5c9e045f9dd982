public import CallModel

/// A change of the calls of the host.
public enum CallEvent: Hashable, Sendable {
    /// All calls: the first event, and one whenever events may have been missed.
    case snapshot([Call])
    /// A new call, with the cause if there is one.
    case added(Call, Cause?)
    /// A changed call. `names` are the wire names of the members that changed.
    case changed(Call, names: [String], Cause?)
    /// The end of a call, which is not in later snapshots.
    case removed(CallID)
    /// An event of another subscribed topic, with its data as JSON.
    case other(topic: String, data: String)
}
