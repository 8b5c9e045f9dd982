internal import CallModel

/// What checks look at, and nobody else.
extension Arbiter {
    /// The same state, apart from the time.
    package func isSame(as other: Arbiter) -> Bool {
        var copy = other
        copy.now = now
        return copy == self
    }

    /// All calls that can be seen, without `allowed`, which costs more than all the rest.
    package var glances: [CallView] {
        var views: [CallView] = []
        views.reserveCapacity(allCalls.count)
        var next = allCalls.first
        while let call = next {
            next = allLinks.next(after: call)
            if !calls[call].isScreened { views.append(glance(at: call)) }
        }
        return views
    }

    /// What a host without calls has none of: each thing that is left, in words.
    package var leftovers: [String] {
        let counts = [
            ("calls", calls.count), ("groups", groups.count), ("actions", actions.count),
            ("plans", plans.count), ("calls by id", callsByID.count),
            ("actions by id", actionsByID.count),
            ("calls in the list", allCalls.count), ("incoming calls", incoming.count),
            ("held groups", held.count), ("calls under a filter", screened),
            ("emergencies", emergencies.count), ("reservations", reservation == nil ? 0 : 1),
            ("live groups", live == nil ? 0 : 1), ("audio grants", audio == nil ? 0 : 1),
        ]
        return counts.filter { $0.1 != 0 }.map { "\($0.1) \($0.0)" }
    }
}
