package import CallArbitration
package import CallModel

/// The timers that are armed. There are a few dozen at most, so a list is fast enough, and its
/// order is the same in every run.
package struct TimerTable: Sendable {
    package struct Entry: Sendable {
        package let timer: TimerID
        package let deadline: Instant
    }

    package private(set) var armed: [Entry] = []

    package init() {}

    /// Arms a timer, or moves it.
    package mutating func start(_ timer: TimerID, at deadline: Instant) {
        armed.removeAll { $0.timer == timer }
        armed.append(Entry(timer: timer, deadline: deadline))
    }

    /// Whether it was armed.
    package mutating func stop(_ timer: TimerID) -> Bool {
        guard let index = armed.firstIndex(where: { $0.timer == timer }) else { return false }
        armed.remove(at: index)
        return true
    }

    package func contains(_ timer: TimerID) -> Bool {
        armed.contains { $0.timer == timer }
    }

    /// The next one: of two that are due together, the one that was armed first.
    package var first: Entry? {
        guard var earliest = armed.first else { return nil }
        for entry in armed where entry.deadline < earliest.deadline { earliest = entry }
        return earliest
    }
}
