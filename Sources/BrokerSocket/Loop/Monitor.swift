internal import Synchronization

/// A state that threads change and one task waits for.
///
/// The result goes through the lock, never along with the continuation: ThreadSanitizer reports a
/// race for a value that passes through a continuation resumed before its task has suspended.
package final class Monitor<State: Sendable>: Sendable {
    private struct Guarded: Sendable {
        var state: State
        /// Indicates a change since the task's last check.
        var hasChanged = false
        var pending: CheckedContinuation<Void, Never>?
    }

    private let guarded: Mutex<Guarded>

    package init(_ state: State) {
        guarded = Mutex(Guarded(state: state))
    }

    /// Changes the state; the waiting task checks it again.
    package func change(_ change: (inout State) -> Void) {
        let pending: CheckedContinuation<Void, Never>? = guarded.withLock { guarded in
            change(&guarded.state)
            guarded.hasChanged = true
            defer { guarded.pending = nil }
            return guarded.pending
        }
        pending?.resume()
    }

    /// Waits until `look` finds something in the state, which it may remove.
    package nonisolated(nonsending) func wait<Found: Sendable>(
        for look: (inout State) -> Found?
    ) async -> Found {
        while true {
            if let found = check(with: look) { return found }
            await withCheckedContinuation { continuation in
                if !register(continuation) { continuation.resume() }
            }
        }
    }

    private func check<Found: Sendable>(with look: (inout State) -> Found?) -> Found? {
        guarded.withLock { guarded in
            guarded.hasChanged = false
            return look(&guarded.state)
        }
    }

    private func register(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
        guarded.withLock { guarded in
            guard !guarded.hasChanged else { return false }
            guarded.pending = continuation
            return true
        }
    }
}
