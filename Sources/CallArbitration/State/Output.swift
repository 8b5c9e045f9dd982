internal import CallModel

/// The effects of one event, and the changes of calls that are still to be published; empty between
/// two events.
struct Output: Equatable, Sendable {
    /// The usual number of effects of an event, for which the buffer need not grow.
    private static let usualCount = 20

    var effects: [ArbiterEffect] = []
    /// Changes that are published with the next change of their calls, or else at the end of the
    /// event.
    private(set) var pendingUpdates: [PendingUpdate] = []
    /// Calls whose changes this event has published.
    private(set) var published: [Slot<CallRecord>] = []

    init() {}

    mutating func begin() {
        effects.reserveCapacity(Self.usualCount)
    }

    mutating func appendPublished(_ call: Slot<CallRecord>) {
        published.append(call)
    }

    mutating func removePublished() {
        published.removeAll(keepingCapacity: true)
    }

    mutating func append(_ update: PendingUpdate) {
        pendingUpdates.append(update)
    }

    mutating func removePendingUpdates() {
        pendingUpdates.removeAll(keepingCapacity: true)
    }
}

/// A change of a call that is published at the end of the event.
struct PendingUpdate: Equatable, Sendable {
    let call: Slot<CallRecord>
    let id: CallID
    let cause: Cause
}
