internal import CallModel

/// The effects of one event, and which changes of calls are still to be published; empty between
/// two events.
struct Output: Equatable, Sendable {
    /// Room for the effects of most events, so that the buffer need not grow.
    private static let usualCount = 20

    var effects: [ArbiterEffect] = []
    /// Changes that are published with the next one of their calls, at the end of the event at
    /// latest.
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
