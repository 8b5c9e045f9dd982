/// Queries for tests and checks.
extension Arbiter {
    /// Returns whether two states are the same, apart from the time.
    package func isSame(as other: Arbiter) -> Bool {
        var copy = other
        copy.now = now
        return copy == self
    }

    /// The summaries of all visible calls; without `allowed`, which costs more than all the rest.
    package var summaries: [CallView] {
        var views: [CallView] = []
        views.reserveCapacity(calls.count)
        for call in calls.inOrder where !calls[call].isScreened {
            views.append(summary(of: call))
        }
        return views
    }

    /// Descriptions of remaining state that a host without calls must not have.
    package var remainingState: [String] {
        let counts = [
            ("calls", calls.count), ("groups", groups.count), ("actions", actions.count),
            ("plans", plans.count), ("calls in the list", calls.list.count),
            ("incoming calls", incoming.count),
            ("held groups", groups.held.count), ("calls under a filter", incoming.screenedCount),
            ("emergencies", emergencies.calls.count), ("reservations", reservation == nil ? 0 : 1),
            ("live groups", live == nil ? 0 : 1), ("audio grants", audio == nil ? 0 : 1),
        ]
        return counts.filter { $0.1 != 0 }.map { "\($0.1) \($0.0)" }
    }
}
